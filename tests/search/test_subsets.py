"""Splits of category columns with more categories than can be enumerated."""

from __future__ import annotations

import os
import time
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from hardwood import TreeClassifier
from tests.oracles.topdown_problem import Vector, drop_is_positive, integer_weights, phi
from tests.tables.small import CRITERIA

pytestmark = pytest.mark.grid

PATIENCE = float(os.environ.get("HARDWOOD_PATIENCE", "1"))  # sanitizers are slower
Sides = tuple[frozenset[int], str | None]


def categories_table(seed: int, size: int, n_classes: int, *, missing: bool, n: int = 1500):
    """Codes (-1 is missing), labels that depend on them in a scrambled way, and weights."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, size, n)
    shares = rng.dirichlet(np.full(n_classes, 0.8), size + 1)
    y = np.array([rng.choice(n_classes, p=shares[code]) for code in codes])
    y[:n_classes] = np.arange(n_classes)
    if missing:
        codes = np.where(rng.random(n) < 0.15, -1, codes)
    return codes, y, rng.gamma(1.0, size=n)


def vectors_of(codes, y, units: list[int]) -> dict[int, Vector]:
    """Class weights of each category that is there, -1 for the missing ones."""
    n_classes = int(y.max()) + 1
    sums = {int(code): [0] * n_classes for code in np.unique(codes)}
    for code, label, unit in zip(codes, y, units, strict=True):
        sums[int(code)][label] += unit
    return {code: tuple(vector) for code, vector in sums.items() if sum(vector) > 0}


def add(vectors: list[Vector], n_classes: int) -> Vector:
    return tuple(sum(vector[c] for vector in vectors) for c in range(n_classes))


def candidates(vectors: dict[int, Vector], n_classes: int):
    """The documented order: prefixes by each class's share in turn, then missing alone."""
    missing = vectors.get(-1)
    present = sorted(code for code in vectors if code >= 0)
    ways = ["left", "right"] if missing else [None]
    for c in range(n_classes):
        by_share = sorted(present, key=lambda code: Fraction(vectors[code][c], sum(vectors[code])))
        for size in range(1, len(present)):
            side = set(by_share[:size])
            left = side if present[0] in side else set(present) - side
            for way in ways:
                yield frozenset(left), way
    if missing:
        yield frozenset(present), "right"


def best_subset(vectors: dict[int, Vector], n_classes: int, criterion: str) -> list[Sides]:
    """The first candidate of least cost; for entropy all whose costs differ by rounding alone."""
    total = add(list(vectors.values()), n_classes)
    costs: dict[Sides, float] = {}
    for left, way in candidates(vectors, n_classes):
        inside = [vectors[code] for code in left] + ([vectors[-1]] if way == "left" else [])
        one = add(inside, n_classes)
        other = tuple(a - b for a, b in zip(total, one, strict=True))
        if drop_is_positive(criterion, total, one, other):
            costs.setdefault((left, way), phi(criterion, one) + phi(criterion, other))
    least = min(costs.values())
    margin = 1 + (1e-12 if criterion == "entropy" else 0.0)
    near = [sides for sides, cost in costs.items() if cost <= least * margin]
    return near if criterion == "entropy" else near[:1]


def root_of(model: TreeClassifier, any_missing: bool) -> Sides:
    tree = model.tree_
    part = tree.groups(0)
    codes, branches = tree.group_codes[part], tree.group_branches[part]
    way = ("left", "right")[tree.missing_branch[0]] if any_missing else None
    return frozenset(codes[branches == 0].tolist()), way


@pytest.mark.parametrize("missing", [False, True], ids=["complete", "missing"])
@pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize(("size", "n_classes"), [(11, 3), (17, 5), (60, 3), (300, 4)])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_root_is_the_best_of_the_orders_by_class_share(
    criterion, size, n_classes, weighted, missing
):
    codes, y, weights = categories_table(size + n_classes, size, n_classes, missing=missing)
    weights = weights if weighted else np.ones(len(y))
    X = pd.DataFrame({"c": pd.Categorical.from_codes(codes, [f"k{i:03d}" for i in range(size)])})
    model = TreeClassifier(
        min_category_size=1, pruning=None, min_samples_leaf=1, criterion=criterion, max_leaf_nodes=2
    ).fit(X, y, weights)
    vectors = vectors_of(codes, y, list(integer_weights(weights.tolist())[0]))
    assert root_of(model, missing) in best_subset(vectors, n_classes, criterion)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_ties_between_class_orders_go_to_the_first_class(criterion):
    # Every category is pure: each class can be cut off, at the same cost.
    codes = np.repeat(np.arange(12), 4)
    y = codes % 3
    X = pd.DataFrame({"c": pd.Categorical.from_codes(codes, list("abcdefghijkl"))})
    model = TreeClassifier(
        min_category_size=1, pruning=None, min_samples_leaf=1, criterion=criterion, max_leaf_nodes=2
    ).fit(X, y)
    vectors = vectors_of(codes, y, [1] * len(y))
    assert root_of(model, False) == best_subset(vectors, 3, criterion)[0]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_hundred_thousand_categories_are_fitted_in_seconds(n_classes):
    rng = np.random.default_rng(n_classes)
    names = [f"k{i:06d}" for i in range(100_000)]
    codes = rng.integers(0, len(names), 200_000)
    y = (codes * 31 % 7 + rng.integers(0, 3, len(codes))) % n_classes
    X = pd.DataFrame({"c": pd.Categorical.from_codes(codes, names)})
    model = TreeClassifier(pruning=None, min_samples_leaf=1, max_leaf_nodes=20, min_category_size=1)
    start = time.perf_counter()
    model.fit(X, y)
    assert time.perf_counter() - start < 5.0 * PATIENCE
    assert model.get_n_leaves() == 20
    np.testing.assert_array_equal(
        np.bincount(model.apply(X), minlength=model.tree_.n_nodes)[model.tree_.leaf_ids],
        model.tree_.rows[model.tree_.leaf_ids],
    )
