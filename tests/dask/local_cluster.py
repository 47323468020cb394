"""Worker processes on loopback, for the tests and the soak run."""

from __future__ import annotations

from distributed import LocalCluster


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
