"""`stability`: rivals are what a fit without the column finds, bounds hold against every change of
weights that is tried, and what is said to be enough is."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.certify.weight_margin import enough_change, least_change
from hardwood.criteria import CRITERIA, cost
from hardwood.tree.route import leaves_of
from tests.effort import EXAMPLES
from tests.explain.all_changes import customers

pytestmark = pytest.mark.grid

DRAWN = settings(max_examples=2 * EXAMPLES)
ALONE = {"max_leaf_nodes": 2, "pruning": None, "min_samples_leaf": 1, "min_category_size": 1}


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("classes", [2, 3])
def test_the_rival_is_the_split_that_is_found_without_the_column(criterion, classes):
    for seed in range(3):
        X, y = customers(90, seed, classes)
        model = TreeClassifier(criterion=criterion, **ALONE).fit(X, y)
        if model.get_n_leaves() == 1:
            continue
        (split,) = model.stability(X, y)
        without = TreeClassifier(criterion=criterion, **ALONE)
        without.fit(X.drop(columns=split.column), y)
        assert split.rival_drop == pytest.approx(without.history_["drop"][0], rel=1e-9)
        assert split.drop == pytest.approx(model.history_["drop"][0], rel=1e-9)
        assert split.margin == pytest.approx(split.drop - split.rival_drop)
        assert split.margin >= -1e-12


@pytest.mark.parametrize("criterion", ["km", "error"])
@DRAWN
@given(seed=st.integers(0, 10_000))
def test_no_smaller_change_of_weights_lets_another_column_win(criterion, seed):
    """Refitted with changed weights: all of the change on one row, on a class, spread at random."""
    X, y = customers(30, seed)
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 4, len(X)) + 0.5
    model = TreeClassifier(criterion=criterion, **ALONE).fit(X, y, weights)
    if model.get_n_leaves() == 1:
        return
    (split,) = model.stability(X, y, weights)
    assert split.at_least <= split.enough * (1 + 1e-9)
    if not 0 < split.at_least < math.inf:
        return
    for trial in range(6):
        change = rng.normal(size=len(X)) * (rng.random(len(X)) < rng.random())
        if trial % 3 == 0:
            change = np.zeros(len(X))
            change[rng.integers(len(X))] = rng.choice([-1.0, 1.0])
        elif trial % 3 == 1:
            change = np.where(y == "y", 1.0, -1.0) * (rng.random(len(X)) < 0.3)
        if not change.any():
            continue
        changed = weights + change * 0.999 * split.at_least / np.abs(change).sum()
        if (changed <= 0).any():
            continue
        again = TreeClassifier(criterion=criterion, **ALONE).fit(X, y, changed)
        assert again.tree_.feature[0] == model.tree_.feature[0]


@pytest.mark.parametrize("criterion", CRITERIA)
@DRAWN
@given(cells=st.lists(st.integers(0, 30), min_size=8, max_size=8))
def test_bounds_hold_on_a_grid_of_changes(criterion, cells):
    """All cells of both splits at once, in all directions, against the formula itself."""
    table = np.array(cells, dtype=float).reshape(2, 2, 2)
    if cost(table.sum(axis=1), criterion).sum() > cost(table.sum(axis=0), criterion).sum():
        table = table.transpose(1, 0, 2)  # the better split is the one taken
    taken, rival = table.sum(axis=1), table.sum(axis=0)
    if cost(taken, criterion).sum() >= cost(rival, criterion).sum():
        return
    least, _ = least_change(taken, rival[None], criterion)
    enough = enough_change(table, criterion)
    assert least <= enough * (1 + 1e-9)
    if not 0 < least < math.inf:
        return
    rng = np.random.default_rng(sum(cells))
    corners = np.concatenate([np.eye(8), -np.eye(8)])
    pairs = corners[:, None] * 0.5 + corners[None] * 0.5
    tried = np.concatenate([corners, pairs.reshape(-1, 8), rng.normal(size=(200, 8))])
    tried /= np.maximum(np.abs(tried).sum(axis=1, keepdims=True), 1e-9)
    for part in (0.25, 0.999):
        changed = np.maximum(table + part * least * tried.reshape(-1, 2, 2, 2), 0.0)
        ours = cost(changed.sum(axis=2), criterion).sum(axis=1)
        theirs = cost(changed.sum(axis=1), criterion).sum(axis=1)
        assert (ours < theirs + 1e-12).all()
    if enough < math.inf:
        single = np.concatenate([np.eye(8), -np.eye(8)]).reshape(-1, 2, 2, 2)
        changed = table + enough * (1 + 1e-9) * single
        fine = (changed >= -1e-9 * (1 + enough)).all(axis=(1, 2, 3))
        changed = np.maximum(changed[fine], 0.0)
        ours = cost(changed.sum(axis=2), criterion).sum(axis=1)
        theirs = cost(changed.sum(axis=1), criterion).sum(axis=1)
        assert (theirs <= ours + 1e-9 * table.sum()).any()


def test_a_copy_of_the_column_ties():
    X = pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6], "b": [1.0, 2, 3, 4, 5, 6], "c": 1.0})
    model = TreeClassifier(**ALONE).fit(X, [0, 0, 0, 1, 1, 1])
    (split,) = model.stability(X, [0, 0, 0, 1, 1, 1])
    assert (split.column, split.margin, split.at_least) == ("a", 0.0, 0.0)
    assert split.rival.startswith("b <=")
    (own,) = model.stability(X[["a", "c"]].assign(b=1.0)[["a", "b", "c"]], [0, 0, 0, 1, 1, 1])
    assert own.rival == "no split"
    (other,) = model.stability(
        X[["a", "c"]].assign(b=1.0)[["a", "b", "c"]], [0, 0, 0, 1, 1, 1], same_column=True
    )
    assert other.rival in ("a <= 2", "a <= 4")


@pytest.mark.parametrize("pruning", [None, "error-based", "reduced-error", "cost-complexity"])
def test_every_split_of_the_final_tree_has_an_entry(pruning):
    X, y = customers(150, 8)
    weights = np.random.default_rng(0).integers(0, 3, len(X))
    model = TreeClassifier(pruning=pruning, random_state=3).fit(X, y, weights)
    found = model.stability(X, y, weights)
    inner = np.flatnonzero(model.tree_.branches).tolist()
    assert [each.node for each in found] == inner
    assert len(model.stability()) == len(inner)
    assert found.with_rows
    assert str(found)
    for each in found:
        assert each.rival != "no split"


def test_without_rows_a_split_is_compared_with_none():
    X, y = customers(100, 9)
    model = TreeClassifier(pruning=None, max_leaf_nodes=6).fit(X, y)
    found = model.stability()
    assert not found.with_rows
    assert "stability(X, y)" in str(found)
    drops = dict(zip(model.history_["node"].tolist(), model.history_["drop"], strict=True))
    for each in found:
        assert each.rival == "no split"
        assert each.margin == pytest.approx(drops[each.node], rel=1e-9)
        assert 0 < each.at_least <= each.enough


def test_boosted_models_compare_each_split_with_none():
    X, y = customers(100, 9)
    for options in ({}, {"variant": "discrete"}, {"variant": "gentle"}):
        model = BoostedTreesClassifier(n_estimators=3, max_depth=2, **options).fit(X, y)
        found = model.stability()
        inner = sum(np.count_nonzero(tree.branches) for tree in model.trees_)
        assert len(found) == inner
        assert {each.tree for each in found} == {0, 1, 2}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"variant": "gentle"},
        {"variant": "discrete", "criterion": "gini"},
        {"variant": "discrete"},
        {"interaction_cst": "no_interactions"},
    ],
    ids=str,
)
def test_rivals_of_a_first_boosted_tree_are_those_of_a_fit_without_the_column(options):
    X, y = customers(90, 4)
    own = {"feature_fraction": 1.0, "cut_fraction": 1.0, "max_depth": 1}
    own |= {"min_samples_leaf": 1, "min_category_size": 1}
    model = BoostedTreesClassifier(n_estimators=1, **own, **options).fit(X, y)
    (split,) = model.stability(X, y)
    without = BoostedTreesClassifier(n_estimators=1, **own, **options)
    (other,) = without.fit(X.drop(columns=split.column), y).stability(
        X.drop(columns=split.column), y
    )
    assert split.rival == other.split or split.rival_drop == pytest.approx(other.drop, rel=1e-9)
    assert split.rival_drop == pytest.approx(other.drop, rel=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
def test_rivals_of_later_rounds_are_the_best_cuts_at_the_rounds_weights(classes):
    """Brute force over all cuts of all numbers, with the weights that AdaBoost's rounds give."""
    rng = np.random.default_rng(classes)
    X = rng.integers(0, 6, (70, 3)).astype(float)
    y = np.digitize(X[:, 0] + X[:, 1] / 2 + rng.normal(size=70), [3.0, 5.0][: classes - 1])
    model = BoostedTreesClassifier(
        n_estimators=4, max_depth=1, variant="real", feature_fraction=1.0, min_samples_leaf=1,
        learning_rate=1.0, leaf_prior=0.0,
    ).fit(X, y)  # fmt: skip
    found = model.stability(X, y)
    boosters = classes if classes > 2 else 1
    for each in found:
        r, place = divmod(each.tree, boosters)
        own = y == place if boosters > 1 else y == 1
        score = np.zeros(len(X))
        for earlier in model.trees_[:r]:
            tree = earlier[place] if boosters > 1 else earlier
            score += tree.value[leaves_of(tree, model._table(X), 1)]
        weight = np.exp(-np.where(own, 1, -1) * score)
        weight /= weight.sum()
        taken = [f"x{j}" for j in range(3)].index(each.column)
        best = min(
            float(cost(_sides(X[:, j] <= cut, own, weight), "km").sum())
            for j in range(3)
            if j != taken
            for cut in np.unique(X[:, j])[:-1]
        )
        whole = float(cost(np.array([weight[~own].sum(), weight[own].sum()]), "km"))
        assert each.rival_drop == pytest.approx(whole - best, rel=1e-6)


def _sides(left, own, weight):
    return np.array(
        [[weight[side & ~own].sum(), weight[side & own].sum()] for side in (left, ~left)]
    )


@pytest.mark.parametrize("cuts", [1.0, 0.4])
def test_rounds_that_draw_are_replayed_for_any_random_state(cuts):
    X, y = customers(90, 4)
    drawing = {"n_estimators": 3, "max_depth": 1, "feature_fraction": 0.5, "cut_fraction": cuts}
    for state in (0, np.int64(5), None, np.random.RandomState(3), np.random.default_rng(3)):
        model = BoostedTreesClassifier(random_state=state, **drawing).fit(X, y)
        found = model.stability(X, y)
        assert {each.tree for each in found} == {0, 1, 2}
        assert model.random_state is state
        if state is None:
            whole = BoostedTreesClassifier(random_state=0, **drawing).fit(X, y)
            assert list(whole.stability(X, y)) == list(found)


def test_rows_held_out_by_a_generator_are_not_known():
    X, y = customers(90, 4)
    model = TreeClassifier(pruning="reduced-error", random_state=np.random.RandomState(3))
    model.fit(X, y)
    with pytest.raises(ValueError, match="random_state is a generator"):
        model.stability(X, y)
    assert len(model.stability()) == np.count_nonzero(model.tree_.branches)


def test_boosted_rows_that_are_others_or_unanswerable_are_refused():
    X, y = customers(100, 9)
    model = BoostedTreesClassifier(n_estimators=2, feature_fraction=1.0).fit(X, y)
    with pytest.raises(ValueError, match="not those that it was fitted to"):
        model.stability(X.iloc[:50], y[:50])
    with pytest.raises(ValueError, match="both X and y"):
        model.stability(X)
    signs = {"age": 1}
    bound = BoostedTreesClassifier(n_estimators=2, feature_fraction=1.0, monotonic_cst=signs)
    with pytest.raises(ValueError, match="without rows"):
        bound.fit(X, y).stability(X, y)


def test_rivals_of_a_constrained_tree_keep_the_constraints():
    """The rival is what a fit without the column finds, under the same constraint."""
    X, y = customers(200, 5)
    for name in ("age", "level"):
        given = {**ALONE, "monotonic_cst": {name: -1}}
        model = TreeClassifier(**given).fit(X, y)
        (split,) = model.stability(X, y)
        without = TreeClassifier(**given).fit(X.drop(columns=split.column), y)
        assert split.rival_drop == pytest.approx(without.history_["drop"][0], rel=1e-9)


def test_several_branches_and_classes_have_no_weight():
    X, y = customers(100, 9, 3)
    model = TreeClassifier(branching="multiway", max_leaf_nodes=8, pruning=None).fit(X, y)
    found = model.stability(X, y)
    assert math.isnan(found[0].at_least)
    assert found[0].rival != "no split"


def test_other_rows_are_refused():
    X, y = customers(100, 9)
    model = TreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="not those that it was"):
        model.stability(X.iloc[:50], y[:50])
    with pytest.raises(ValueError, match="both X and y"):
        model.stability(X)
    fractional = TreeClassifier(missing="fractional").fit(X, y)
    with pytest.raises(ValueError, match="fractional"):
        fractional.stability(X, y)
