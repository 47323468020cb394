"""What a Dask collection may hold, and what is refused, by partition."""

from __future__ import annotations

import pickle

import dask
import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from distributed import Client
from sklearn.base import clone

import hardwood
import hardwood.dask
from hardwood import BoostedTreesClassifier, TreeClassifier

rng = np.random.default_rng(0)
X = pd.DataFrame({"a": rng.normal(size=20), "b": rng.integers(0, 3, 20)})
Y = pd.Series((X.a > 0).astype(int), name="label")
W = pd.Series(np.ones(20))


def tree(**options):
    return TreeClassifier(
        **({"pruning": None, "max_leaf_nodes": 8, "min_samples_leaf": 1} | options)
    )


def parts_of(frames):
    return dd.from_map(
        lambda i: frames[i], range(len(frames)), meta=frames[0].iloc[:0], enforce_metadata=False
    )


def halves(rows):
    return parts_of([rows.iloc[:10], rows.iloc[10:]])


def changed(rows, place, value):
    rows = rows.astype(object if value is None else float)
    rows[place] = value
    return rows


REFUSED = {
    "a missing label": (X, changed(Y, 15, np.nan), None, "In partition 1: Input y contains NaN"),
    "no label": (X, changed(Y, 15, None), None, "In partition 1: Input y contains missing"),
    "negative weight": (X, Y, changed(W, 15, -1.0), "In partition 1: sample_weight .* negative"),
    "a missing weight": (X, Y, changed(W, 15, np.nan), "In partition 1: sample_weight .* NaN"),
    "no weight at all": (X, Y, 0 * W, "All of sample_weight is zero"),
    "no columns": (X[[]], Y, None, "In partition .: Found X with 0 feature"),
    "no rows": (X.iloc[:0], Y.iloc[:0], None, "no partition has a row"),
    "fractions": (X, X.a, None, "In partition .: Unknown label type: continuous"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_wrong_rows_are_refused_by_partition(client, case, left_behind):
    table, labels, weights, sentence = REFUSED[case]
    model = tree()
    with pytest.raises(ValueError, match=sentence):
        model.fit(
            halves(table),
            halves(labels),
            sample_weight=None if weights is None else halves(weights),
        )
    assert not hasattr(model, "tree_")
    assert left_behind() == ([], 0)


def test_labels_that_differ_between_partitions(client):
    for labels in ([0] * 10 + [0, 1] * 5, [0, 1] * 5 + [0, 1, 2, 2, 2] * 2, [3] * 20):
        y = pd.Series(labels)
        assert tree().fit(halves(X), halves(y)).digest() == tree().fit(X, y).digest()
        boosted = BoostedTreesClassifier(n_estimators=2)
        here = boosted.fit(X, y).digest()
        assert boosted.fit(halves(X), halves(y)).digest() == here
    with pytest.raises(TypeError, match="numbers in partition 0 and strings in partition 1"):
        tree().fit(halves(X), parts_of([Y.iloc[:10], Y.iloc[10:].astype(str)]))


def test_labels_and_weights_by_name(client):
    rows = halves(X.assign(label=Y, weight=rng.integers(1, 4, 20).astype(float)))
    weights = rows["weight"].compute().to_numpy()
    here = tree().fit(X, Y, sample_weight=weights)
    there = tree().fit(rows, "label", sample_weight="weight")
    assert there.digest() == here.digest()
    assert there.target_name_ == "label" == here.target_name_
    assert tree().fit(rows[["a", "b"]], rows["label"]).target_name_ == "label"
    mixed = tree().fit(rows.drop(columns="label"), halves(Y), sample_weight="weight")
    assert mixed.digest() == here.digest()
    with pytest.raises(ValueError, match="y is 'absent', but X has no such column"):
        tree().fit(rows, "absent")
    with pytest.raises(ValueError, match="sample_weight is 'absent'"):
        tree().fit(rows, "label", sample_weight="absent")
    with pytest.raises(ValueError, match="both the column 'label'"):
        tree().fit(rows, "label", sample_weight="label")


def test_what_is_no_table_is_refused(client):
    y, labels = halves(Y), da.from_array(Y.to_numpy(), chunks=10)
    for given in (halves(X)["a"], db.from_sequence([1, 2]), dask.delayed(X)):
        with pytest.raises(TypeError, match="DataFrames and arrays of rows and columns"):
            tree().fit(given, y)
    for shape in ((20,), (20, 2, 2)):
        with pytest.raises(ValueError, match=f"Expected 2D array, got {len(shape)}D array"):
            tree().fit(da.zeros(shape, chunks=10), labels)
    model = tree().fit(X, Y)
    with pytest.raises(TypeError, match="X is a Dask Series"):
        model.predict(halves(X)["a"])
    with pytest.raises(TypeError, match=r"X\.compute\(\)"):
        model.decision_path(halves(X))
    stopping = BoostedTreesClassifier(early_stopping=True)
    with pytest.raises(TypeError, match="X_val is a DataFrame, whose rows are not in memory"):
        stopping.fit(halves(X), y, X_val=halves(X), y_val=y)


def test_sparse_blocks_are_tables(client):
    values = sp.random(60, 8, density=0.3, format="csr", random_state=0)
    labels = (values.toarray()[:, 0] > 0.1).astype(int)
    blocks = da.from_array(values.toarray(), chunks=(20, 8)).map_blocks(sp.csr_matrix)
    there = tree().fit(blocks, da.from_array(labels, chunks=20))
    assert there.digest() == tree().fit(values, labels).digest()
    assert np.array_equal(there.predict(blocks).compute(), there.predict(values))


def broken(i):
    if i == 1:
        raise TimeoutError("the disk does not answer")
    return X.iloc[:10]


def test_a_partition_that_cannot_be_computed_is_named(client, tmp_path, left_behind):
    given = dd.from_map(broken, range(2), meta=X.iloc[:0])
    with pytest.raises(ValueError, match="Partition 1 could not be computed .TimeoutError: the d"):
        tree().fit(given, halves(Y))
    for i, rows in enumerate((X.iloc[:10], X.iloc[10:])):
        rows.assign(label=Y).to_parquet(tmp_path / f"{i}.parquet")
    files = dd.read_parquet(tmp_path)
    assert tree().fit(files, "label").digest() == tree().fit(X, Y).digest()
    apart = tree().fit(
        files[["a", "b"]], files["label"]
    )  # Dask would read both files' labels at once
    assert apart.digest() == tree().fit(X, Y).digest()
    content = (tmp_path / "1.parquet").read_bytes()
    (tmp_path / "1.parquet").write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match="Partition 1 could not be computed"):
        tree().fit(files, "label")
    assert left_behind() == ([], 0)


def other_each_time(rows):
    return rows.assign(b=np.random.default_rng().integers(0, 10**6, len(rows)) // 10)


def test_rows_that_are_other_rows_each_time_are_refused(client):
    with pytest.raises(
        ValueError, match="In partition .: The rows are not those of the first read"
    ):
        tree().fit(halves(X).map_partitions(other_each_time), halves(Y))


def test_predictions_of_partitions_without_rows(client):
    rows = pd.DataFrame({"a": [0.5, -0.5], "b": [1, 2]}, index=[7, 9])
    parted = parts_of([rows.iloc[:0], rows, rows.iloc[:0]])
    tree_, boosted = tree().fit(X, Y), BoostedTreesClassifier(n_estimators=2).fit(X, Y)
    for model in (tree_, boosted):
        for name in ("predict", "predict_proba", "predict_log_proba"):
            there = getattr(model, name)(parted).compute()
            assert np.array_equal(there, getattr(model, name)(rows)), name
    scores = boosted.decision_function(parted).compute()
    assert scores.dtype == float
    assert list(scores.index) == [7, 9]
    values = da.from_array(X.to_numpy(), chunks=10)
    nothing = tree().fit(X.to_numpy(), Y).predict(values[values[:, 0] > 1e9])
    assert nothing.compute().tolist() == []


def test_a_model_from_a_cluster_is_like_any_other(client, tmp_path):
    for model in (tree(), BoostedTreesClassifier(n_estimators=2)):
        model.fit(halves(X), halves(Y), client=client)
        assert client.scheduler.address.encode() not in pickle.dumps(model)
        assert pickle.loads(pickle.dumps(model)).digest() == model.digest()
        hardwood.save(model, tmp_path / "model")
        assert hardwood.load(tmp_path / "model").digest() == model.digest()
        assert clone(model).fit(X, Y).digest() == model.digest()
        assert model.score(halves(X), halves(Y)) == model.score(X, Y)


def test_persisted_partitions_stay_with_their_owner(client):
    kept = halves(X).persist()
    labels = halves(Y).persist()
    for _ in range(2):
        tree().fit(kept, labels)
    assert kept.compute().equals(X)


def test_clients_that_cannot_be_used_are_refused(cluster, client):
    with pytest.raises(TypeError, match=r"must be a distributed\.Client; given was 3"):
        tree().fit(halves(X), halves(Y), client=3)

    async def fit_here():
        async with Client(cluster.scheduler_address, asynchronous=True) as own:
            tree().fit(halves(X), halves(Y), client=own)

    with pytest.raises(ValueError, match="asynchronous"):
        client.sync(fit_here)


assert hardwood.dask.DaskBackEnd
