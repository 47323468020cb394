"""Ctrl-C and progress: nothing of a cancelled fit stays on the cluster."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

import hardwood.dask
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.dask import team

assert hardwood.dask.DaskBackEnd

MODELS = {
    "tree": TreeClassifier(pruning=None, max_leaf_nodes=30),
    "boosted": BoostedTreesClassifier(n_estimators=5),
}
STAGES = {
    "describing": ("tree", "describe_partition", 2),
    "coding": ("tree", "code_partition", 2),
    "the root": ("tree", "answer", 1),
    "growing": ("tree", "answer", 9),
    "boosting": ("boosted", "answer", 15),
}


def ctrl_c(_: str) -> None:
    """Soon, so that the fit waits for the cluster when it comes."""
    threading.Timer(0.03, os.kill, (os.getpid(), signal.SIGINT)).start()


def fit_and_wait(model, X, y):
    """The signal may come at the very end."""
    model.fit(X, y)
    time.sleep(1)


def slowly(rows):
    time.sleep(0.15)
    return rows


@pytest.mark.parametrize("stage", STAGES)
def test_ctrl_c_leaves_no_task_and_no_part(client, moments, data, left_behind, stage):
    model, *moment = STAGES[stage]
    X, y, _ = data(1500, 2).collections(3)
    if moment[0] != "answer":
        X = X.map_partitions(slowly, meta=X._meta)
    moments.at(*moment, ctrl_c)
    with pytest.raises(KeyboardInterrupt) as kept:  # holds the frames of the fit
        fit_and_wait(MODELS[model], X, y)
    assert moments.came == 1
    assert left_behind() == ([], 0)
    del kept


def test_ctrl_c_does_not_wait_for_a_frozen_worker(client, moments, monkeypatch, data, left_behind):
    monkeypatch.setattr(team, "GOODBYE", 0.3)
    X, y, _ = data(1500, 2).collections(3)
    frozen = []

    def freeze(address):
        frozen.append(address)
        moments.signal(address, signal.SIGSTOP)
        ctrl_c(address)

    moments.at("answer", 6, freeze)
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            MODELS["tree"].fit(X, y)
        assert time.monotonic() - start < 3
    finally:
        moments.signal(frozen[0], signal.SIGCONT)
    assert left_behind() == ([], 0)


def test_progress_is_shown_stage_by_stage(client, data, capsys):
    table = data(400, 2)
    X, y, _ = table.collections(3)
    here = TreeClassifier(pruning=None, max_leaf_nodes=7).fit(table.X, table.y)
    assert capsys.readouterr().err == ""
    tree = TreeClassifier(pruning=None, max_leaf_nodes=7, verbose=1).fit(X, y)
    shown = capsys.readouterr().err.rstrip()
    assert "describing partition" in shown
    assert shown.endswith("leaf 7 of 7")
    assert tree.digest() == here.digest()
    BoostedTreesClassifier(n_estimators=2, verbose=1).fit(X, y)
    shown = capsys.readouterr().err.rstrip()
    assert "coding partition 3 of 3" in shown
    assert shown.endswith("round 2 of 2")
    TreeClassifier(pruning=None, max_leaf_nodes=7).fit(X, y)
    assert capsys.readouterr().err == ""
