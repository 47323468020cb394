"""A worker killed at any moment changes nothing but the time."""

from __future__ import annotations

import pytest

import hardwood.dask
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.distributed.pruning import PartsPruning

assert hardwood.dask.DaskBackEnd

MOMENTS = {
    "codebook building": ("describe_partition", 2),
    "coding": ("code_partition", 3),
    "the root": ("answer", 1),
    "a split": ("answer", 6),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_worker_does_not_change_a_tree(client, moments, data, moment):
    table = data(1500, 2)
    here = TreeClassifier(pruning=None, max_leaf_nodes=30).fit(table.X, table.y)
    X, y, _ = table.collections(5)
    moments.at(*MOMENTS[moment])
    there = TreeClassifier(pruning=None, max_leaf_nodes=30).fit(X, y)
    assert moments.came == 1
    assert there.digest() == here.digest()


@pytest.mark.parametrize("number", [1, 6, 13])
def test_a_killed_worker_does_not_change_how_a_tree_is_pruned(
    client, moments, data, monkeypatch, number
):
    table = data(1500, 2)
    here = TreeClassifier().fit(table.X, table.y, sample_weight=table.weights)
    X, y, weights = table.collections(5)
    prune = PartsPruning.error_based

    def pruning(parts, *arguments, **options):
        moments.at("answer", number)
        return prune(parts, *arguments, **options)

    monkeypatch.setattr(PartsPruning, "error_based", pruning)
    there = TreeClassifier().fit(X, y, sample_weight=weights)
    assert moments.came == 1
    assert there.digest() == here.digest()
    assert there.traffic_.parts_rebuilt > 0


@pytest.mark.parametrize("number", [4, 12, 45])
def test_a_killed_worker_does_not_change_which_rows_are_held_out(client, moments, data, number):
    table = data(1500, 2)
    model = BoostedTreesClassifier(n_estimators=5, early_stopping=True, random_state=3)
    here = model.fit(table.X, table.y).digest()
    X, y, _ = table.collections(4)
    moments.at("answer", number)
    assert model.fit(X, y).digest() == here
    assert moments.came == 1
    assert model.traffic_.parts_rebuilt > 0


@pytest.mark.parametrize("number", [9, 14, 20])
def test_a_killed_worker_does_not_change_boosting(client, moments, data, number):
    table = data(1500, 2)
    model = BoostedTreesClassifier(n_estimators=4, variant="discrete")
    here = model.fit(table.X, table.y, sample_weight=table.weights).digest()
    X, y, weights = table.collections(4)
    moments.at("answer", number)
    model.fit(X, y, sample_weight=weights)
    assert moments.came == 1
    assert model.digest() == here
    assert model.traffic_.parts_rebuilt > 0
