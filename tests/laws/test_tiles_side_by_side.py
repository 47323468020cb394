"""Tiles of long, narrow tables stand side by side, those of wider tables alone; trees are the same.

A table of eight tiles is compared with itself plus copies of its first columns, which make a ninth
tile. A copy never wins: of equal candidates the smaller column is taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hardwood import BoostedTreesClassifier, TreeClassifier

ROWS, COLUMNS = 1 << 17, 64  # 2^20 words: from here on tiles stand side by side


def tables(seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Columns of up to 256 values, every eighth of many; three classes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 250, (ROWS, COLUMNS)).astype(np.float64)
    X[:, ::8] = rng.standard_normal((ROWS, COLUMNS // 8))
    X[rng.random(ROWS) < 0.05, 3] = np.nan
    score = X[:, 0] + (X[:, 1] > 120) * X[:, 8] + np.nan_to_num(X[:, 3]) / 200
    y = np.digitize(score + rng.standard_normal(ROWS), [0.0, 1.5])
    return X, np.hstack([X, X[:, :8]]), y


@pytest.mark.parametrize("missing", ["branch", "fractional"])
def test_a_tree_is_the_same_with_its_tiles_side_by_side_and_alone(missing: Any) -> None:
    X, wider, y = tables(0)
    model = TreeClassifier(max_leaf_nodes=12, missing=missing, pruning=None, n_jobs=2)
    assert model.fit(X, y).to_text() == model.fit(wider, y).to_text()


@pytest.mark.parametrize(
    "choice",
    [
        {"max_leaf_nodes": 12},
        {"max_depth": 3, "variant": "discrete", "multiclass": "pairs"},
        {"max_depth": 3, "min_samples_leaf": 50, "feature_fraction": 1.0},
    ],
    ids=["leaves", "pairs", "examples"],
)
def test_boosted_trees_are_the_same_with_tiles_side_by_side_and_alone(
    choice: dict[str, Any],
) -> None:
    X, wider, y = tables(1)
    model = BoostedTreesClassifier(
        **{"n_estimators": 2, "feature_fraction": 1.0, "n_jobs": 2} | choice
    )
    few = slice(0, 500)
    narrow_scores = model.fit(X, y).decision_function(X[few])
    assert np.array_equal(narrow_scores, model.fit(wider, y).decision_function(wider[few]))
