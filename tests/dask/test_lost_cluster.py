"""All workers or the scheduler lost: an error in good time, and kept rounds are resumed from."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from distributed import Client

import hardwood.dask
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.dask import cluster as waiting
from hardwood.errors import ClusterLostError

assert hardwood.dask.DaskBackEnd

MODEL = {"n_estimators": 5, "variant": "discrete", "max_depth": 2}


@pytest.fixture(autouse=True)
def looks_often(monkeypatch):
    monkeypatch.setattr(waiting, "LOOK_AGAIN", 0.1)


@pytest.fixture
def boosted_here(data):
    table = data(800, 2)
    return table, BoostedTreesClassifier(**MODEL).fit(table.X, table.y).digest()


def test_a_boosted_fit_resumes_when_workers_are_back(
    cluster, client, moments, monkeypatch, boosted_here, tmp_path
):
    table, expected = boosted_here
    X, y, _ = table.collections(3)
    monkeypatch.setattr(waiting, "PATIENCE", 0.5)

    def lose_all(_: str) -> None:
        processes = moments.pids().values()
        cluster.scale(0)
        for process in processes:  # they could answer for a while
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while client.nthreads():
            time.sleep(0.01)

    moments.at("answer", 31, lose_all)
    with pytest.raises(ClusterLostError, match="none came back within 0.5 seconds"):
        BoostedTreesClassifier(**MODEL).fit(X, y, checkpoint=tmp_path)
    rounds = len(list(tmp_path.glob("round-*.npz")))
    assert 0 < rounds < 5
    monkeypatch.setattr(waiting, "PATIENCE", 60)
    cluster.scale(2)
    resumed = BoostedTreesClassifier(**MODEL).fit(X, y, checkpoint=tmp_path)
    assert resumed.digest() == expected


def test_a_cluster_without_workers_is_an_error(cluster, client, monkeypatch, data):
    X, y, _ = data(100, 2).collections(2)
    monkeypatch.setattr(waiting, "PATIENCE", 0.3)
    cluster.scale(0)
    deadline = time.monotonic() + 30
    while client.nthreads() and time.monotonic() < deadline:
        time.sleep(0.05)
    with pytest.raises(ClusterLostError, match="All workers"):
        TreeClassifier(pruning=None).fit(X, y)


class OwnCluster:
    """A scheduler and a worker that are processes of their own."""

    def __init__(self, place):
        note = place / "scheduler.json"
        self.scheduler = self._start(
            "dask_scheduler", "--port", "0", "--host", "127.0.0.1", "--scheduler-file", str(note)
        )
        deadline = time.monotonic() + 60
        # The file is there before it is written; its last character closes it.
        while time.monotonic() < deadline:
            if note.exists() and note.read_text().rstrip().endswith("}"):
                break
            time.sleep(0.02)
        self.address = json.loads(note.read_text())["address"]
        self.worker = self._start(
            "dask_worker", self.address, "--no-nanny", "--nthreads", "1", "--memory-limit", "0"
        )

    def _start(self, module, *options):
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *options]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(command, stdout=quiet, stderr=quiet)

    def lose_scheduler(self):
        self.scheduler.kill()
        self.scheduler.wait()

    def close(self):
        for process in (self.scheduler, self.worker):
            process.kill()
            process.wait()


@pytest.fixture
def own_cluster(tmp_path):
    made = OwnCluster(tmp_path)
    yield made
    made.close()


def test_a_lost_scheduler_is_an_error_and_another_cluster_resumes(
    client, moments, own_cluster, monkeypatch, boosted_here, tmp_path, caplog
):
    caplog.set_level("CRITICAL", logger="distributed")
    monkeypatch.setattr(waiting, "SCHEDULER_PATIENCE", 15.0)
    table, expected = boosted_here
    X, y, _ = table.collections(3)
    rounds = tmp_path / "rounds"
    model = BoostedTreesClassifier(**MODEL)
    with Client(own_cluster.address, set_as_default=False, timeout="5s") as own:
        own.wait_for_workers(1, timeout=60)
        moments.at("answer", 9, lambda _: own_cluster.lose_scheduler())
        start = time.monotonic()
        with pytest.raises(ClusterLostError, match=r"scheduler is gone.*checkpoint"):
            model.fit(X, y, client=own, checkpoint=rounds)
        assert moments.came == 1
        assert time.monotonic() - start < 60
        while own.status in ("running", "connecting"):  # it tries to come back for five seconds
            assert time.monotonic() - start < 90, own.status
            time.sleep(0.05)
        with pytest.raises(ValueError, match="not connected"):
            model.fit(X, y, client=own)
    assert not hasattr(model, "trees_")
    assert 0 < len(list(rounds.glob("round-*.npz"))) < 5
    assert model.fit(X, y, client=client, checkpoint=rounds).digest() == expected
