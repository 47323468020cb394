"""Columns most of whose values are the same are added up by lists of the others; trees do not
depend on it.

Copies of a dense column between them keep a table from being listed. A copy never wins: of equal
candidates the first column is taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from hardwood import BoostedTreesClassifier, TreeClassifier

ROWS, COLUMNS, VALUES = 20_000, 48, 40
CALM = 3  # calm columns a tile of eight where copies stand between them


def tables(classes: int) -> tuple[pd.DataFrame, pd.DataFrame, NDArray[np.int64]]:
    """Listed and with copies; mostly 7 in the calm columns, which say most of the class."""
    rng = np.random.default_rng(classes)
    calm = np.full((ROWS, COLUMNS), 7.0)
    share = np.linspace(0.02, 0.6, COLUMNS)
    other = rng.random((ROWS, COLUMNS)) < share
    calm[other] = rng.integers(0, VALUES, int(other.sum()))
    calm[rng.random(ROWS) < 0.1, 5] = np.nan
    calm[:, 11] = np.where(other[:, 11], calm[:, 11], 0)
    dense = rng.integers(0, VALUES, ROWS).astype(np.float64)
    score = np.nan_to_num(calm)[:, ::4].sum(axis=1) / 12 + (dense > 20) * (calm[:, 30] > 9)
    y = pd.qcut(score + rng.standard_normal(ROWS), classes, labels=False).astype(np.int64)
    named = {"dense": dense} | {f"calm{j}": calm[:, j] for j in range(COLUMNS)}
    listed = pd.DataFrame(named)
    mixed = {"dense": dense}
    for j in range(COLUMNS):
        if j % CALM == 0:
            mixed |= {f"copy{j}.{k}": dense for k in range(8 - CALM)}
        mixed[f"calm{j}"] = calm[:, j]
    return listed, pd.DataFrame(mixed), y


@pytest.fixture(scope="module", params=[2, 3], ids=["two", "three"])
def pair(request: Any) -> Any:
    return tables(request.param)


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize("counted", [1, 30])
def test_a_tree_is_the_same_with_bytes_listed_and_not(
    pair: Any, jobs: int, weighted: bool, counted: int
) -> None:
    listed, mixed, y = pair
    weights = np.random.default_rng(1).random(ROWS) + 0.25 if weighted else None
    model = TreeClassifier(
        max_leaf_nodes=40, min_samples_leaf=counted, pruning=None, n_jobs=jobs, max_depth=None
    )
    text = model.fit(listed, y, weights).to_text()
    assert "calm" in text
    assert text == model.fit(mixed, y, weights).to_text()


@pytest.mark.parametrize(
    "choice",
    [
        {"max_leaf_nodes": 31, "max_depth": None},
        {"max_depth": 4, "variant": "real"},
        {"max_depth": 3, "variant": "discrete", "multiclass": "pairs"},
        {"max_depth": 3, "variant": "discrete", "multiclass": "samme"},
        {"max_depth": 3, "min_samples_leaf": 50},
    ],
    ids=["leaves", "real", "pairs", "samme", "examples"],
)
@pytest.mark.parametrize("jobs", [1, 3])
def test_boosted_trees_are_the_same_with_bytes_listed_and_not(
    pair: Any, choice: dict[str, Any], jobs: int
) -> None:
    listed, mixed, y = pair
    model = BoostedTreesClassifier(
        **{"n_estimators": 6, "feature_fraction": 1.0, "n_jobs": jobs} | choice
    )
    few = slice(0, 500)
    scores = model.fit(listed, y).decision_function(listed[few])
    assert np.array_equal(scores, model.fit(mixed, y).decision_function(mixed[few]))


@pytest.mark.parametrize("share", [0.7, 0.3], ids=["most", "few"])
def test_listed_columns_may_be_drawn(pair: Any, share: float) -> None:
    """Lists hold all columns of a block; where few of them may be split on, words are read."""
    listed, _, y = pair
    digests = {
        BoostedTreesClassifier(
            n_estimators=5, max_depth=4, feature_fraction=share, search=search, random_state=3
        )
        .fit(listed, y)
        .digest()
        for search in ("auto", "adaptive", "exhaustive")
    }
    assert len(digests) == 1
