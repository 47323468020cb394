"""A cluster of worker processes on loopback, and a way to do something at a chosen moment."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("distributed", reason="needs the extra dask")

import dask
import dask.dataframe as dd
from distributed import Client

from hardwood.dask import worker
from hardwood.dask.tasks import Tasks
from hardwood.dask.team import PartsOnWorkers
from tests.dask.local_cluster import LoopbackCluster, forked_workers
from tests.tables.frames import mixed_frame


@pytest.fixture(scope="session")
def cluster() -> Iterator[LoopbackCluster]:
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "60s"}),
        forked_workers(),
        LoopbackCluster(2) as made,
    ):
        yield made


@pytest.fixture
def client(cluster: LoopbackCluster) -> Iterator[Client]:
    with Client(cluster) as made:
        cluster.scale(2)
        try:
            made.wait_for_workers(2, timeout=6)
        except TimeoutError:  # a nanny whose worker was killed may give up: two new ones
            cluster.scale(0)
            while cluster.workers:
                time.sleep(0.05)
            cluster.scale(2)
            made.wait_for_workers(2, timeout=60)
        yield made


class Data:
    """A frame with labels and weights, whole and in partitions."""

    def __init__(self, rows: int, classes: int) -> None:
        rng = np.random.default_rng(7)
        self.X, self.y = mixed_frame(rng, rows, classes)
        self.weights = rng.integers(0, 4, rows).astype(float)

    def collections(self, partitions: int) -> tuple[Any, Any, Any]:
        whole = self.X.assign(label=self.y, weight=self.weights)
        frame = dd.from_pandas(whole, npartitions=partitions, sort=False)
        return frame[list(self.X)], frame["label"], frame["weight"]


@pytest.fixture(scope="session")
def data() -> type[Data]:
    return Data


class Moments:
    """Calls an action with a worker's address at the moment that a function is asked for there."""

    def __init__(self, monkeypatch: Any, cluster: LoopbackCluster) -> None:
        self._monkeypatch, self._cluster = monkeypatch, cluster
        self.came = 0

    def at(self, function: str, number: int, action: Callable[[str], None] | None = None) -> None:
        """The number-th time, and whenever `number` divides the count if it is negative: right
        after a task was submitted, or while a step is under way. Without an action: SIGKILL."""
        submit, ask, seen = Tasks.submit, PartsOnWorkers.ask, [0]

        def act(address: str) -> None:
            self.came += 1
            if action is not None:
                action(address)
            else:
                self.signal(address, signal.SIGKILL)

        def now(asked: str) -> bool:
            if asked != function:
                return False
            seen[0] += 1
            return seen[0] == number if number > 0 else seen[0] % -number == 0

        def submitting(tasks: Tasks, task: Any, *arguments: Any) -> Any:
            future = submit(tasks, task, *arguments)
            if now(task.__name__):
                act(next(iter(self.pids())))
            return future

        def asking(parts: PartsOnWorkers, calls: Any) -> Any:
            soon = [threading.Timer(0.001, act, (c.address,)) for c in calls if now("answer")]
            for timer in soon:
                timer.start()
            try:
                return ask(parts, calls)
            finally:
                for timer in soon:
                    timer.join()

        self._monkeypatch.setattr(Tasks, "submit", submitting)
        self._monkeypatch.setattr(PartsOnWorkers, "ask", asking)

    def signal(self, address: str, what: signal.Signals) -> None:
        """To a worker's process, which may be gone already."""
        pid = self.pids().get(address)
        if pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, what)

    def pids(self) -> dict[str, int]:
        nannies = [nanny for nanny in self._cluster.workers.values() if nanny.pid]
        return {nanny.worker_address: nanny.pid for nanny in nannies}


@pytest.fixture
def moments(monkeypatch: Any, cluster: LoopbackCluster, client: Client) -> Moments:
    return Moments(monkeypatch, cluster)


def kept_parts() -> int:
    return len(worker._PARTS)


def tasks_known(dask_scheduler: Any) -> list[str]:
    return [str(key) for key in dask_scheduler.tasks]


@pytest.fixture
def left_behind(client: Client) -> Callable[[], tuple[list[str], int]]:
    """What stays on the cluster: (tasks that the scheduler knows, parts that workers keep)."""

    def now() -> tuple[list[str], int]:
        kept = client.run(kept_parts, on_error="ignore")  # a worker may be dying
        return client.run_on_scheduler(tasks_known), sum(kept.values())

    def count() -> tuple[list[str], int]:
        deadline = time.monotonic() + 5
        while now() != ([], 0) and time.monotonic() < deadline:
            time.sleep(0.01)
        return now()

    return count


@pytest.fixture
def beside(client: Client) -> Iterator[Callable[..., None]]:
    """Runs something in a thread, which the test waits for."""
    threads: list[threading.Thread] = []

    def start(function: Callable[..., Any], *arguments: Any) -> None:
        threads.append(threading.Thread(target=function, args=arguments))
        threads[-1].start()

    yield start
    for thread in threads:
        thread.join()


async def give_up_on(address: str, dask_scheduler: Any = None) -> None:
    """As the scheduler does with a worker that it has not heard of for long."""
    await dask_scheduler.remove_worker(address, stimulus_id="test", close=False)


@pytest.fixture
def freeze(
    cluster: LoopbackCluster, client: Client, moments: Moments, beside: Callable[..., None]
) -> Iterator[Callable[[str, float], None]]:
    """Stops a worker's process for some seconds; the scheduler gives it up at once."""

    def now(address: str, seconds: float) -> None:
        moments.signal(address, signal.SIGSTOP)
        beside(client.run_on_scheduler, give_up_on, address)
        threading.Timer(seconds, moments.signal, (address, signal.SIGCONT)).start()

    yield now
    cluster.scale(0)  # it may not come back by itself
