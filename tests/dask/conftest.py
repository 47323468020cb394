"""A cluster of worker processes on loopback, and a way to kill one at a chosen moment."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any

import numpy as np
import pytest

pytest.importorskip("distributed", reason="needs the extra dask")

import dask.dataframe as dd
from distributed import Client, LocalCluster

import dask
from hardwood.dask.team import Home
from parts.splitting import mixed_frame


@pytest.fixture(scope="session")
def cluster():
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "60s"}),
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            host="127.0.0.1",
            silence_logs=60,
        ) as made,
    ):
        yield made


@pytest.fixture
def client(cluster):
    with Client(cluster) as made:
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
def data():
    return Data


class Killer:
    """Sends SIGKILL to a worker at the moment that a function of its is asked for."""

    def __init__(self, monkeypatch: Any, client: Client) -> None:
        self._monkeypatch, self._client = monkeypatch, client
        self.killed = 0

    def at(self, function: str, number: int) -> None:
        """The number-th time: right after a task was submitted, or while a step is under way."""
        pids = self._client.run(os.getpid)
        submit, ask_one, seen = Home.submit, Home._ask_one, [0]

        def kill(address: str) -> None:
            os.kill(pids[address], signal.SIGKILL)
            self.killed += 1

        def submitting(home: Home, task: Any, *arguments: Any, **options: Any) -> Any:
            future = submit(home, task, *arguments, **options)
            seen[0] += task.__name__ == function
            if task.__name__ == function and seen[0] == number:
                kill(next(iter(pids)))
            return future

        async def asking(home: Home, call: Any) -> Any:
            seen[0] += function == "answer"
            if function == "answer" and seen[0] == number:
                asyncio.get_running_loop().call_later(0.001, kill, call.address)
            return await ask_one(home, call)

        self._monkeypatch.setattr(Home, "submit", submitting)
        self._monkeypatch.setattr(Home, "_ask_one", asking)


@pytest.fixture
def killer(monkeypatch, client):
    return Killer(monkeypatch, client)
