"""Alternatives of a node: exact, in the order of candidates, with their prices."""

from __future__ import annotations

import gc
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hardwood import Draft, TreeClassifier
from hardwood.criteria import cost
from hardwood.draft import path_of
from hardwood.errors import ModelWarning
from tests.tables.frames import every_storage, mixed_frame

pytestmark = [pytest.mark.grid, pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")]


def fitted(classes: int, weighted: bool, **settings: Any) -> tuple[TreeClassifier, Any, Any, Any]:
    rng = np.random.default_rng(classes)
    X, y = mixed_frame(rng, 400, classes)
    weights = rng.integers(0, 4, len(X)).astype(float) if weighted else None
    settings = {"pruning": None, "max_leaf_nodes": 8} | settings
    return TreeClassifier(**settings).fit(X, y, weights), X, y, weights


@pytest.mark.parametrize("criterion", ["km", "gini", "entropy", "error"])
@pytest.mark.parametrize(("classes", "weighted"), [(2, False), (2, True), (3, True)])
def test_the_first_alternative_is_what_growth_takes_and_each_is_what_its_column_takes_alone(
    criterion: str, classes: int, weighted: bool
) -> None:
    model, X, y, weights = fitted(classes, weighted, criterion=criterion)
    tree, grown = model.tree_, model.edit()
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        found = model.alternatives(node, 50, X, y, weights)
        path = path_of(tree, node)
        assert found[0].line == grown.decision(path)
        assert found[0].drop == pytest.approx(model.history_["drop"][_step(model, node)], abs=1e-12)
        assert found[0].price == found[0].more_errors == 0
        assert [each.drop for each in found] == sorted((e.drop for e in found), reverse=True)
        assert len({each.column for each in found}) == len(found)
    for each in model.alternatives(0, 50, X, y, weights):
        alone = TreeClassifier(criterion=criterion, pruning=None, max_leaf_nodes=2)
        assert alone.fit(X[[each.column]], y, weights).edit().lines[0] == each.line


def _step(model: TreeClassifier, node: int) -> int:
    return model.history_["node"].tolist().index(node)


@pytest.mark.parametrize("weighted", [False, True])
def test_all_thresholds_agree_with_brute_force_and_with_the_best_of_each_column(
    weighted: bool,
) -> None:
    model, X, y, weights = fitted(2, weighted, min_samples_leaf=5)
    node = int(model.tree_.first_child[0])
    every = model.alternatives(node, 10**6, X, y, weights, distinct=False)
    best = {each.column: each for each in reversed(every)}
    first = {each.column: each for each in model.alternatives(node, 99, X, y, weights)}
    assert {c: each.line for c, each in best.items()} == {c: e.line for c, e in first.items()}
    w = np.ones(len(X)) if weights is None else weights
    here = (model.decision_path(X)[:, node].toarray().ravel() > 0) & (w > 0)
    values, labels, units = X["many"].to_numpy()[here], y.to_numpy()[here], w[here]
    expected = {}
    for low in np.unique(values)[:-1]:
        left = values <= low
        sides = [np.bincount(labels[s], units[s], 2) for s in (left, ~left)]
        if min(side.sum() for side in sides) >= 5:
            drop = float(cost(sides[0] + sides[1], "km")) - sum(float(cost(s, "km")) for s in sides)
            expected[tuple(sides[0])] = max(drop, 0.0) / w.sum()
    found = {tuple(e.class_weights[0]): e.drop for e in every if e.column == "many"}
    assert found.keys() <= expected.keys()
    for sides, drop in expected.items():
        assert found.get(sides, 0.0) == pytest.approx(drop, abs=1e-12)


def test_a_split_of_ones_own_has_the_numbers_of_a_tree_that_takes_it() -> None:
    model, X, y, weights = fitted(3, True)
    node = int(model.tree_.first_child[0])
    found = model.alternatives(node, 3, X, y, weights)
    for made in (
        found.at("few", 2),
        found.at("word", groups=[["x", "y", "a"], ["z", "u"]]),
        found.at("tenths", missing=1),
        found.at("wide", 2**59),
    ):
        draft = Draft([*model.edit(node).lines, made.line])
        told = TreeClassifier(pruning=None, max_leaf_nodes=8).fit(X, y, weights, draft=draft)
        assert told.unmet_ == ()
        tree, at = told.tree_, int(told.tree_.first_child[0])
        children = list(tree.children(at))
        np.testing.assert_array_equal(tree.class_weights[children], made.class_weights)
        assert told.history_["drop"][_step(told, at)] == pytest.approx(made.drop, abs=1e-12)


def test_rounding_tells_its_price() -> None:
    X = pd.DataFrame({"age": [50.0] * 8 + [61.0] * 3 + [63.74] * 9})
    y = [0] * 11 + [1] * 9
    model = TreeClassifier(min_samples_leaf=1).fit(X, y)
    found = model.alternatives(0, 1, X, y)
    assert found.price_of_rounding(0, 1) == "60 instead of 62: 3 more errors"
    assert found.round(0, 2).more_errors == 0
    with pytest.raises(ValueError, match="no rows"):
        found.at("age", 1000)


@pytest.mark.parametrize("seed", [0, 1])
def test_columns_in_every_storage_are_ranked(seed: int) -> None:
    X, y, weights = every_storage(seed, n=1500)
    model = TreeClassifier(pruning=None, max_leaf_nodes=4).fit(X, y, weights)
    found = model.alternatives(0, 5, X, y, weights)
    assert found[0].line == model.edit().lines[0]
    for each in found:
        alone = TreeClassifier(pruning=None, max_leaf_nodes=2).fit(X[[each.column]], y, weights)
        assert alone.edit().lines[0] == each.line


def test_rows_are_remembered_only_as_long_as_the_caller_keeps_them() -> None:
    model, X, _y, weights = fitted(2, True)
    assert len(model.alternatives(0, 3)) == 3
    assert not hasattr(pickle.loads(pickle.dumps(model)), "_rows")
    with pytest.raises(ValueError, match="give X and y"):
        pickle.loads(pickle.dumps(model)).alternatives(0, 3)
    del X, weights
    gc.collect()
    with pytest.raises(ValueError, match="give X and y"):
        model.alternatives(0, 3)


def test_other_rows_are_said_to_be_others_and_wrong_arguments_get_sentences() -> None:
    model, X, y, _ = fitted(2, False)
    with pytest.warns(ModelWarning, match="not the rows"):
        model.alternatives(0, 3, X[:200], y[:200])
    for node in (-1, model.tree_.n_nodes, 1.5):
        with pytest.raises(ValueError, match="node must be"):
            model.alternatives(node, 3, X, y)
    with pytest.raises(ValueError, match="k must be"):
        model.alternatives(0, 0, X, y)
    with pytest.raises(ValueError, match="classes"):
        model.alternatives(0, 3, X, y + 5)
    leaf = int(model.tree_.leaf_ids[0])
    assert all(each.more_errors <= 0 for each in model.alternatives(leaf, 3, X, y))
    assert "errors now" in str(model.alternatives(0, 3, X, y))
