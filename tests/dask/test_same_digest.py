"""On a cluster of processes the model is the one that this process trains, for any partitions."""

from __future__ import annotations

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import hardwood.dask
from hardwood import BoostedTreesClassifier, Draft, TreeClassifier
from hardwood.dask import worker
from tests.effort import THOROUGH

TREES = {
    "binary": {"max_leaf_nodes": 24},
    "multiway": {"branching": "multiway", "max_leaf_nodes": 20, "criterion": "entropy"},
}
BOOSTS = {
    "real": {"n_estimators": 3},
    "samme": {"n_estimators": 3, "variant": "discrete"},
    "trimmed": {"n_estimators": 3, "variant": "gentle", "weight_fraction": 0.8},
    "pairs": {"n_estimators": 3, "variant": "discrete", "multiclass": "pairs"},
}


def kept_parts() -> int:
    return len(worker._PARTS)


@pytest.mark.parametrize("workers", [1, 2, pytest.param(3, marks=pytest.mark.thorough)])
def test_digests_are_equal_for_any_partitions_and_workers(cluster, client, data, workers):
    cluster.scale(workers)
    client.wait_for_workers(workers, timeout=60)
    table = data(1500, 3 if workers == 2 else 2)
    several = (1, 2, 7) if THOROUGH else (1, 7)
    for partitions in several if workers == 2 else (7,):
        X, y, weights = table.collections(partitions)
        for options in TREES.values():
            here = TreeClassifier(**({"pruning": None} | options)).fit(
                table.X, table.y, sample_weight=table.weights
            )
            there = TreeClassifier(**({"pruning": None} | options)).fit(X, y, sample_weight=weights)
            assert there.digest() == here.digest()
        for options in BOOSTS.values() if partitions == 7 else [BOOSTS["real"]]:
            model = BoostedTreesClassifier(**options)
            here = model.fit(table.X, table.y, sample_weight=table.weights).digest()
            assert model.fit(X, y, sample_weight=weights).digest() == here
    assert set(client.run(kept_parts).values()) == {0}


def test_a_column_that_is_mostly_zero_gives_the_model_of_this_process(client, tmp_path):
    rng = np.random.default_rng(0)
    amount = np.where(rng.random(40_000) < 0.96, 0.0, rng.normal(size=40_000))
    whole = pd.DataFrame({"amount": amount, "noise": rng.normal(size=40_000)})
    whole["y"] = (amount > 0) ^ (rng.random(40_000) < 0.25)
    there = dd.from_pandas(whole, npartitions=4, sort=False)
    for model in (TreeClassifier(max_depth=8), BoostedTreesClassifier(n_estimators=3)):
        here = model.fit(whole[["amount", "noise"]], whole["y"]).digest()
        assert model.fit(there, "y").digest() == here
        hardwood.save(model, tmp_path / "model.hardwood")


def test_a_tree_with_all_defaults_is_pruned_as_here(client, data):
    table = data(1500, 3)
    here = TreeClassifier().fit(table.X, table.y)
    assert here.tree_.n_leaves < here.grown_tree_.n_leaves
    for partitions in (1, 5):
        X, y, _ = table.collections(partitions)
        there = TreeClassifier().fit(X, y)
        assert there.digest() == here.digest()
        assert str(there.certificate_) == str(here.certificate_)


@pytest.mark.parametrize("setting", [{}, {"missing": "fractional"}], ids=["branch", "fractional"])
def test_a_draft_gives_the_tree_of_this_process(client, data, setting):
    table = data(1500, 3)
    draft = (
        Draft()
        .split("", "many", 0.25, reason="known in time")
        .split("L", "name", groups=[["s1", "s2", "s3"], ["s4"]])
        .split("R", "wide", 2**59 + 5)
        .prefer("LL", "holes")
        .forbid("RL", "few")
        .leaf("RR")
    )
    here = TreeClassifier(**setting).fit(table.X, table.y, table.weights, draft=draft)
    assert here.unmet_ == ()
    for partitions in (1, 7):
        X, y, weights = table.collections(partitions)
        there = TreeClassifier(**setting).fit(X, y, weights, draft=draft)
        assert there.digest() == here.digest()
        assert str(there.certificate_) == str(here.certificate_)
        again = TreeClassifier(**setting).fit(X, y, weights, draft=here.edit())
        assert again.digest() == here.digest()


HOLDING_OUT = {
    "reduced-error": TreeClassifier(pruning="reduced-error", random_state=1),
    "cross-validated": TreeClassifier(pruning="cost-complexity", ccp_alpha="cv", max_leaf_nodes=30),
    "early stopping": BoostedTreesClassifier(
        n_estimators=20, learning_rate=1.0, early_stopping=True, n_iter_no_change=2, random_state=1
    ),
}


@pytest.mark.parametrize("way", HOLDING_OUT)
def test_rows_are_held_out_as_here_for_any_partitions(client, data, way):
    table = data(1200, 2)
    model = HOLDING_OUT[way]
    here = model.fit(table.X, table.y, sample_weight=table.weights).digest()
    for partitions in (1, 5):
        X, y, weights = table.collections(partitions)
        assert model.fit(X, y, sample_weight=weights).digest() == here


def test_predictions_are_lazy_and_equal(client, data):
    table = data(500, 3)
    X, y, _ = table.collections(3)
    tree = TreeClassifier(pruning=None, max_leaf_nodes=20).fit(X, y, client=client)
    assert tree.traffic_.round_trips > 3
    assert tree.traffic_.bytes_received > 1000
    boosted = BoostedTreesClassifier(n_estimators=3).fit(X, y)
    names = ("predict", "predict_proba", "predict_log_proba")
    for model, name in [(m, n) for m in (tree, boosted) for n in names] + [(tree, "apply")]:
        lazy = getattr(model, name)(X)
        assert hasattr(lazy, "dask")
        assert np.array_equal(lazy.compute(), getattr(model, name)(table.X)), name
    scores = boosted.decision_function(X)
    assert np.array_equal(scores.compute(), boosted.decision_function(table.X))


def test_arrays_with_chunks_of_columns_and_labels_cut_elsewhere(client):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(1000, 5)).round(2)
    labels = (values[:, 0] + rng.normal(size=1000) > 0).astype(int)
    X, y = da.from_array(values, chunks=(300, 2)), da.from_array(labels, chunks=400)
    model = TreeClassifier(pruning=None, max_leaf_nodes=20).fit(X, y)
    here = TreeClassifier(pruning=None, max_leaf_nodes=20).fit(values, labels)
    assert model.digest() == here.digest()
    assert np.array_equal(model.predict(X).compute(), here.predict(values))
    assert np.array_equal(model.predict_proba(X).compute(), here.predict_proba(values))


def test_unknown_divisions_empty_partitions_and_differing_categories(client, data):
    table = data(600, 2)
    frames = [table.X.iloc[:250], table.X.iloc[:0], table.X.iloc[250:]]
    frames = [frame.assign(word=frame["word"].astype("category")) for frame in frames]
    labels = [table.y.iloc[:250], table.y.iloc[:0], table.y.iloc[250:]]
    X = dd.from_map(lambda i: frames[i], range(3), meta=frames[0].iloc[:0], enforce_metadata=False)
    y = dd.from_map(lambda i: labels[i], range(3), meta=labels[0].iloc[:0])
    assert not X.known_divisions
    there = TreeClassifier(pruning=None, max_leaf_nodes=20).fit(X, y)
    assert (
        there.digest()
        == TreeClassifier(pruning=None, max_leaf_nodes=20).fit(table.X, table.y).digest()
    )


def parts_of(frames):
    return dd.from_map(
        lambda i: frames[i], range(len(frames)), meta=frames[0].iloc[:0], enforce_metadata=False
    )


def test_other_columns_and_kinds_are_refused_by_partition(client):
    one = pd.DataFrame({"a": [1.0, 2.0], "b": [1, 2]})
    y = dd.from_pandas(pd.Series([0, 1, 0, 1]), npartitions=2)
    model = TreeClassifier(pruning=None)
    cases = [
        (one.rename(columns={"b": "c"}), ValueError, "partition 1 has the columns 'a', 'c'"),
        (one.assign(b=["x", "y"]), TypeError, "partition 0 and a category in partition 1"),
        (one.assign(a=[1.0, np.inf]), ValueError, "In partition 1: Column 'a' of X contains inf"),
    ]
    for other, kind, sentence in cases:
        with pytest.raises(kind, match=sentence):
            model.fit(parts_of([one, other]), y)
    with pytest.raises(ValueError, match="In partition 0: Found input variables"):
        model.fit(parts_of([one.iloc[:1], one]), y)
    assert not hasattr(model, "tree_")
    assert set(client.run(kept_parts).values()) == {0}


def test_what_is_not_supported_says_so(client, data):
    X, y, _ = data(100, 2).collections(2)
    with pytest.raises(TypeError, match="y is a ndarray"):
        TreeClassifier(pruning=None).fit(X, np.zeros(100))
    with pytest.raises(ValueError, match="2 partitions and y has 1"):
        TreeClassifier(pruning=None).fit(X, y.repartition(npartitions=1))
    with pytest.raises(ValueError, match="Leave client out"):
        TreeClassifier(pruning=None).fit([[1.0], [2.0]], [0, 1], client=client)


def test_a_closed_client_is_refused(cluster, data):
    from distributed import Client

    closed = Client(cluster, set_as_default=False)
    closed.close()
    X, y, _ = data(100, 2).collections(2)
    with pytest.raises(ValueError, match="not connected"):
        TreeClassifier(pruning=None).fit(X, y, client=closed)


assert hardwood.dask.DaskBackEnd
