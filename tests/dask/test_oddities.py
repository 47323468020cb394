"""Clusters and tables as they are at times: many partitions, other dtypes in each, workers that
come and go, are paused or spill. The digest of the local fit, or a sentence."""

from __future__ import annotations

import os
import threading
from typing import Any

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster
from distributed.core import Status

import hardwood.dask
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.dask import cluster as waiting
from hardwood.errors import ClusterLostError

assert hardwood.dask.DaskBackEnd

soaking = pytest.mark.skipif("HARDWOOD_SOAK" not in os.environ, reason="only in `make soak`")


def tree(**options: Any) -> TreeClassifier:
    return TreeClassifier(pruning=None, max_leaf_nodes=12, **options)


def parts_of(frames):
    return dd.from_map(
        lambda i: frames[i], range(len(frames)), meta=frames[0].iloc[:0], enforce_metadata=False
    )


@soaking
def test_three_hundred_partitions(client):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 900, (900, 3)).astype(float)
    y = (X[:, 0] > X[:, 1]).astype(int)
    there = tree().fit(da.from_array(X, chunks=(3, 3)), da.from_array(y, chunks=3))
    assert there.digest() == tree().fit(X, y).digest()


@soaking
def test_three_hundred_partitions_of_mixed_frames(client, data):
    table = data(3000, 3)
    X, y, weights = table.collections(300)
    assert X.npartitions == 300
    for model in (TreeClassifier(), BoostedTreesClassifier(n_estimators=3)):
        here = model.fit(table.X, table.y, sample_weight=table.weights).digest()
        assert model.fit(X, y, sample_weight=weights).digest() == here


NUMBERS = ["int64", "Int64", "int8", "uint16", "int64[pyarrow]", "double[pyarrow]"]
TEXTS = ["object", "string[python]", "string[pyarrow]", "large_string", "category", "dictionary"]


def as_text(values: pd.Series, form: str) -> pd.Series:
    if "large" not in form and form != "dictionary":
        return values.astype(form)
    pa = pytest.importorskip("pyarrow")
    strings = pa.large_string()
    kind = strings if "large" in form else pa.dictionary(pa.int32(), pa.string())
    return values.astype(pd.ArrowDtype(kind))


@pytest.fixture
def in_many_forms() -> tuple[pd.DataFrame, pd.Series, list[pd.DataFrame]]:
    """A table, its labels, and its partitions with other dtypes in each."""
    pytest.importorskip("pyarrow")
    rng = np.random.default_rng(3)
    rows = 120 * len(NUMBERS)
    whole = pd.DataFrame(
        {
            "number": rng.integers(0, 100, rows),
            "text": rng.choice(["ash", "oak", "yew", "\u00e9rable"], rows),
            "float": rng.normal(size=rows).astype(np.float32).astype(float),
        }
    )
    y = pd.Series((whole.number % 7 > 2) ^ (whole.text == "oak")).astype(int)
    parts = []
    for i, (number, text) in enumerate(zip(NUMBERS, TEXTS, strict=True)):
        rows_of = whole.iloc[120 * i : 120 * (i + 1)]
        parts.append(
            pd.DataFrame(
                {
                    "number": rows_of.number.astype(number),
                    "text": as_text(rows_of.text, text),
                    "float": rows_of.float.astype(["float64", "float32", "Float64"][i % 3]),
                }
            )
        )
    return whole, y, parts


def test_partitions_of_differing_dtypes(client, in_many_forms):
    whole, y, parts = in_many_forms
    labels = parts_of([y.iloc[120 * i : 120 * (i + 1)] for i in range(len(parts))])
    for model in (tree(), BoostedTreesClassifier(n_estimators=2)):
        here = model.fit(whole, y).digest()
        assert model.fit(parts_of(parts), labels).digest() == here
    predicted = model.predict(parts_of(parts)).compute()
    assert np.array_equal(predicted, model.predict(whole))


def test_labels_of_differing_dtypes(client, in_many_forms):
    whole, y, parts = in_many_forms
    names = y.map({0: "no", 1: "yes"})
    pieces = [names.iloc[120 * i : 120 * (i + 1)] for i in range(len(parts))]
    labels = parts_of([as_text(each, form) for each, form in zip(pieces, TEXTS, strict=True)])
    assert tree().fit(parts_of(parts), labels).digest() == tree().fit(whole, names).digest()


def test_numbers_here_and_texts_there_are_refused(client, in_many_forms):
    whole, y, _ = in_many_forms
    parts = [whole.iloc[:300], whole.iloc[300:].astype({"number": "string[pyarrow]"})]
    with pytest.raises((TypeError, ValueError), match=r"number.*partition"):
        tree().fit(parts_of(parts), parts_of([y.iloc[:300], y.iloc[300:]]))


def pause(now: bool, dask_worker: Any = None) -> None:
    """As the worker does when its memory is nearly full."""
    dask_worker.memory_manager.memory_pause_fraction = False  # or it would go on by itself
    dask_worker.status = Status.paused if now else Status.running


def test_a_paused_worker_still_answers(client, moments, data, beside):
    table = data(1500, 2)
    X, y, _ = table.collections(5)
    paused: list[str] = []

    def act(address: str) -> None:
        paused.append(address)
        beside(lambda: client.run(pause, True, workers=[address]))

    moments.at("answer", 3, act)
    try:
        assert tree().fit(X, y).digest() == tree().fit(table.X, table.y).digest()
    finally:
        client.run(pause, False)
    assert moments.came == 1


def test_tasks_go_past_a_paused_worker(client, data):
    table = data(1500, 2)
    X, y, _ = table.collections(5)
    client.run(pause, True, workers=[next(iter(client.nthreads()))])
    try:
        there = tree().fit(X, y)
    finally:
        client.run(pause, False)
    assert there.digest() == tree().fit(table.X, table.y).digest()
    assert there.traffic_.workers == 1


def test_paused_workers_that_go_on_are_waited_for(client, data):
    table = data(1500, 2)
    X, y, _ = table.collections(5)
    client.run(pause, True)
    timer = threading.Timer(1.0, client.run, (pause, False))
    timer.start()
    try:
        assert tree().fit(X, y).digest() == tree().fit(table.X, table.y).digest()
    finally:
        timer.join()


def test_workers_that_stay_paused_are_an_error(client, data, monkeypatch, left_behind):
    monkeypatch.setattr(waiting, "LOOK_AGAIN", 0.1)
    monkeypatch.setattr(waiting, "PATIENCE", 0.5)
    X, y, _ = data(600, 2).collections(3)
    client.run(pause, True)
    try:
        with pytest.raises(ClusterLostError, match=r"paused.*memory"):
            tree().fit(X, y)
    finally:
        client.run(pause, False)
    assert left_behind() == ([], 0)


@soaking
def test_adaptive_scaling_changes_nothing(data):
    """Growth is no task, so Dask takes all workers for idle and may retire them at any moment."""
    table = data(20_000, 3)
    models = (TreeClassifier(max_leaf_nodes=100), BoostedTreesClassifier(n_estimators=5))
    expected = [model.fit(table.X, table.y).digest() for model in models]
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as own,
        Client(own) as client,
    ):
        own.adapt(minimum=1, maximum=4, interval="100ms", wait_count=1)
        X, y, _ = table.collections(16)
        for model, digest in zip(models, expected, strict=True):
            assert model.fit(X, y, client=client).digest() == digest


def wide_rows(number: int) -> pd.DataFrame:
    rng = np.random.default_rng(number)
    X = pd.DataFrame(rng.normal(size=(100_000, 20)), columns=[f"n{i}" for i in range(20)])
    return X.assign(label=(X.n0 * X.n1 + X.n2 > 0).astype(int))


@soaking
def test_persisted_partitions_that_are_spilled_give_the_local_digest():
    """Rows of 160 MB and their codes on a worker that keeps 100 MB of Dask's values in memory."""
    parts = 10
    whole = pd.concat([wide_rows(i) for i in range(parts)], ignore_index=True)
    here = tree().fit(whole.drop(columns="label"), whole.label).digest()
    spilling = {"distributed.worker.memory.target": 0.07, "distributed.worker.memory.spill": 0.5}
    with (
        dask.config.set(spilling),
        LocalCluster(
            n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0",
            memory_limit="1500MB",
        ) as own,
        Client(own) as client,
    ):  # fmt: skip
        rows = dd.from_map(wide_rows, range(parts), meta=wide_rows(0).iloc[:0]).persist()
        there = tree().fit(rows, "label", client=client)
        spilled = client.run(lambda dask_worker: sum(dask_worker.data.spilled_total))
        assert sum(spilled.values()) > 0
    assert there.digest() == here
