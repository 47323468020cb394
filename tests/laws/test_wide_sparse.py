"""Columns stored as entries (rarely set, in tables of more than 4,096 columns) against lanes.

Adding columns of one value to a table moves the storage of the others and must not move the model.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse

from hardwood import BoostedTreesClassifier, TreeClassifier

pytestmark = pytest.mark.grid

ROWS, LIVE, WIDE = 6000, 24, 4200


def _table(seed: int, values: int, missing: bool) -> tuple[sparse.csc_array, NDArray[np.int64]]:
    """LIVE columns of at most one entry in 64 rows, of so many values, some of them negative."""
    rng = np.random.default_rng(seed)
    columns, score = [], np.zeros(ROWS)
    for j in range(LIVE):
        rows = rng.choice(ROWS, size=int(rng.integers(3, ROWS // 64)), replace=False)
        cells = rng.integers(1, values + 1, size=len(rows)) / 8.0
        if j % 3 == 1:
            cells *= rng.choice([-1.0, 1.0], size=len(rows))
        score[rows] += (cells - 0.5 * values / 8.0) * (1 if j % 2 else -1)
        if missing and j % 4 == 0:
            cells[: len(rows) // 5] = np.nan
        columns.append(sparse.csc_array((cells, (rows, np.zeros_like(rows))), shape=(ROWS, 1)))
    return sparse.csc_array(sparse.hstack(columns)), (
        score + rng.normal(size=ROWS)
    ).argsort().argsort()


def _wide(narrow: sparse.csc_array) -> sparse.csc_array:
    empty = sparse.csc_array((ROWS, WIDE - LIVE))
    return sparse.csc_array(sparse.hstack([narrow, empty]))


@pytest.mark.parametrize("values", [1, 6, 400, 100000])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"criterion": "entropy", "min_samples_leaf": 7},
        {"criterion": "gini", "branching": "multiway", "max_leaf_nodes": 20, "max_branches": 4},
    ],
)
def test_entries_and_lanes_grow_one_tree(
    values: int, missing: bool, options: dict[str, object]
) -> None:
    narrow, ranks = _table(values, values, missing)
    y = ranks * 3 // ROWS
    weights = np.random.default_rng(1).integers(1, 4, size=ROWS)
    settings = {"max_leaf_nodes": 40, "pruning": None} | options
    few = TreeClassifier(**settings, n_jobs=1).fit(narrow, y, sample_weight=weights)
    many = TreeClassifier(**settings, n_jobs=2).fit(_wide(narrow), y, sample_weight=weights)
    assert few.get_n_leaves() > 5
    for name in ("feature", "thresholds", "first_child", "missing_branch", "class_weights"):
        assert np.array_equal(getattr(few.tree_, name), getattr(many.tree_, name)), name


@pytest.mark.parametrize("values", [1, 6, 400, 100000])
@pytest.mark.parametrize("variant", ["logistic", "discrete"])
def test_entries_and_lanes_boost_alike(values: int, variant: str) -> None:
    narrow, ranks = _table(values + 1, values, values == 400)
    y = ranks * 2 // ROWS
    few, many = (
        BoostedTreesClassifier(
            n_estimators=8, max_depth=3, variant=variant, feature_fraction=1.0
        ).fit(X, y)
        for X in (narrow, _wide(narrow))
    )
    assert np.array_equal(few.decision_function(narrow), many.decision_function(_wide(narrow)))
    for ours, theirs in zip(few.trees_, many.trees_, strict=True):
        assert np.array_equal(ours.feature, theirs.feature)
        assert np.array_equal(ours.thresholds, theirs.thresholds)
