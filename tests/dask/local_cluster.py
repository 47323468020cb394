"""Worker processes on loopback, for the tests and the soak run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.forkserver import ensure_running
from unittest import mock

import dask
from distributed import LocalCluster
from distributed.utils import get_mp_context

IMPORTED = ["distributed", "dask.array", "dask.dataframe", "hardwood.dask"]


@contextmanager
def forked_workers() -> Iterator[None]:
    """Workers are forked from a process that has done nothing but import, which is most of what a
    new worker does; the tests lose dozens of them."""
    with dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        get_mp_context().set_forkserver_preload(IMPORTED)
        before_imports = dask.config.get("distributed.nanny.pre-spawn-environ")
        with mock.patch.dict(os.environ, {name: str(v) for name, v in before_imports.items()}):
            ensure_running()
        yield


class LoopbackCluster(LocalCluster):
    """A local cluster that closes quietly, whatever happened to its workers.

    distributed (2026.8) ends `close` with a KeyError when the scheduler reports the end of a worker
    that the cluster object never heard of: one that was killed right after it had started. Fifteen
    seconds after a worker was lost it closes the nanny for good, although on a busy machine the
    nanny may still be starting the next one: here it never does.
    """

    def __init__(self, n_workers: int) -> None:
        super().__init__(
            n_workers=n_workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            host="127.0.0.1",
            silence_logs=60,
        )

    def _update_worker_status(self, op: str, msg: object) -> None:
        if op != "remove":
            super()._update_worker_status(op, msg)
        else:
            self.scheduler_info["workers"].pop(msg, None)
