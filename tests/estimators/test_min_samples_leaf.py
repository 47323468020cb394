"""`min_samples_leaf` counts examples: a whole weight is so many, any other positive one is one."""

from __future__ import annotations

import numpy as np
import pytest

from hardwood import TreeClassifier
from tests.tables.small import CRITERIA


def examples_of(weights: np.ndarray) -> np.ndarray:
    return np.where(weights == np.floor(weights), weights, 1.0)


def leaf_examples(model: TreeClassifier, X: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return np.bincount(model.apply(X), weights=examples_of(weights))[model.tree_.leaf_ids]


def table(seed: int, n: int = 900):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 3)), 2)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = (np.nan_to_num(X[:, 0] + X[:, 1]) + rng.normal(size=n) > 0).astype(int)
    return X, y, rng


def drawn(kind: str, rng: np.random.Generator, n: int) -> np.ndarray:
    whole, broken = rng.integers(0, 5, n).astype(float), rng.random(n) + 0.25
    return {
        "whole": whole,
        "fractional": np.where(broken == np.floor(broken), 0.5, broken),
        "mixed": np.where(rng.random(n) < 0.5, whole, broken),
        "mixed with large": np.where(rng.random(n) < 0.9, broken, 1000.0),
    }[kind]


@pytest.mark.parametrize("kind", ["whole", "fractional", "mixed", "mixed with large"])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_every_leaf_has_the_examples_asked_for(criterion, kind):
    X, y, rng = table(1)
    weights = drawn(kind, rng, len(y))
    sizes = []
    for least in (1, 2, 10, 33, 200):
        model = TreeClassifier(criterion=criterion, min_samples_leaf=least, pruning=None).fit(
            X, y, weights
        )
        assert leaf_examples(model, X, weights).min() >= least
        sizes.append(model.get_n_leaves())
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] > 1


# The label switches after two rows; the more examples a side needs, the later the cut.
LINE = np.arange(12.0).reshape(-1, 1)
SWITCH = (LINE[:, 0] >= 2).astype(int)


@pytest.mark.parametrize(
    ("weights", "least", "left"),
    [
        (np.ones(12), 2, 2),
        (np.ones(12), 3, 3),
        (np.ones(12), 6, 6),
        (np.ones(12), 7, 12),
        (np.full(12, 2.0), 4, 2),
        (np.full(12, 2.0), 5, 3),
        (np.full(12, 2.0), 12, 6),
        (np.full(12, 2.0), 13, 12),
        (np.full(12, 0.5), 2, 2),
        (np.full(12, 0.5), 3, 3),
        (np.full(12, 0.5), 7, 12),
        (np.full(12, 2.5), 3, 3),
        (np.r_[3.0, 1.0, np.full(10, 0.5)], 4, 2),
        (np.r_[3.0, 1.0, np.full(10, 0.5)], 5, 3),
        (np.r_[3.0, 1.0, np.full(10, 0.5)], 11, 12),
        (np.r_[0.5, 0.0, np.full(10, 2.0)], 1, 2),
        (np.r_[0.5, 0.0, np.full(10, 2.0)], 2, 3),
        (np.r_[0.25, 1e-30, np.full(10, 1.5)], 2, 3),
        (np.r_[0.0, 2.0, np.full(10, 1.0)], 3, 3),
    ],
)
def test_the_cut_moves_until_both_sides_have_enough_examples(weights, least, left):
    model = TreeClassifier(criterion="gini", min_samples_leaf=least, max_leaf_nodes=2, pruning=None)
    model.fit(LINE, SWITCH, weights)
    leaves = model.apply(LINE)
    assert int((leaves == leaves[0]).sum()) == left


def test_class_weights_do_not_count_as_examples():
    model = TreeClassifier(
        min_samples_leaf=3, max_leaf_nodes=2, pruning=None, class_weight={0: 50.0}
    )
    assert model.fit(LINE, SWITCH).apply(LINE).tolist() == [1] * 3 + [2] * 9
    model.fit(LINE, SWITCH, np.full(12, 2.0))
    assert model.apply(LINE).tolist() == [1] * 2 + [2] * 10


@pytest.mark.parametrize("least", [2, 6, 15])
def test_a_whole_weight_is_the_row_so_many_times(least):
    X, y, rng = table(2)
    weights = rng.integers(0, 4, len(y)).astype(float)
    rows = np.repeat(np.arange(len(y)), weights.astype(int))
    model = TreeClassifier(min_samples_leaf=least, pruning=None)
    assert model.fit(X, y, weights).digest() == model.fit(X[rows], y[rows]).digest()


@pytest.mark.parametrize(
    ("weight", "rows"),
    [
        (2, 3),
        (3, 7),
        (10, 13),
        (75, 7),
        (91, 3),
    ],
)
def test_equal_whole_weights_allow_leaves_of_just_enough_rows(weight, rows):
    X = np.arange(2.0 * rows).reshape(-1, 1)
    y = (X[:, 0] >= rows).astype(int)
    model = TreeClassifier(min_samples_leaf=weight * rows, pruning=None)
    assert model.fit(X, y, np.full(len(y), float(weight))).get_n_leaves() == 2
    model.set_params(min_samples_leaf=weight * rows + 1)
    assert model.fit(X, y, np.full(len(y), float(weight))).get_n_leaves() == 1
