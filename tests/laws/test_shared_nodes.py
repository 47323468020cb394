"""Nodes of many rows or columns are divided, summed and searched by several threads at once."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier

pytestmark = pytest.mark.threads


def long_table(rows: int = 72_000) -> tuple[pd.DataFrame, np.ndarray]:
    """Every way in which rows are divided: lanes, buckets, bundles, categories, missing values."""
    rng = np.random.default_rng(5)
    smooth = rng.normal(size=rows)
    frame = pd.DataFrame(
        {
            "smooth": np.where(rng.random(rows) < 0.1, np.nan, smooth),
            "amount": np.where(rng.random(rows) < 0.7, 0.0, rng.exponential(size=rows)),
            "step": rng.integers(0, 60, rows).astype(float),
            "flag": rng.random(rows) < 0.2,
            "letter": pd.Categorical.from_codes(rng.integers(-1, 9, rows), list("abcdefghi")),
        }
    )
    score = np.sin(3 * smooth) + frame["flag"] + frame["step"] / 60 + rng.normal(size=rows)
    return frame, (score > 0.8).to_numpy().astype(int)


def wide_table(rows: int = 1500, columns: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """Half of the columns are zero for most rows, so that most words of their tiles are alike."""
    rng = np.random.default_rng(6)
    X = np.floor(rng.exponential(40, size=(rows, columns)))
    X[:, ::2][rng.random((rows, columns // 2)) < 0.95] = 0.0
    X = np.hstack([X[:, ::2], X[:, 1::2]])
    return X, (X[:, 3] + X[:, -5] / 9 + rng.normal(scale=9, size=rows) > 12).astype(int)


@pytest.mark.parametrize("table", [long_table, wide_table])
@pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weighted"])
def test_a_tree_is_the_same_for_any_number_of_threads(table, weighted):
    X, y = table()
    weights = np.random.default_rng(7).integers(0, 4, len(y)) if weighted else None
    shape = {"pruning": None, "max_leaf_nodes": 12, "criterion": "km"}
    digests = {
        TreeClassifier(n_jobs=jobs, **shape).fit(X, y, weights).digest() for jobs in (1, 2, 3)
    }
    assert len(digests) == 1


@pytest.mark.parametrize("table", [long_table, wide_table])
def test_boosted_trees_are_the_same_for_any_number_of_threads_and_search(table):
    X, y = table()
    shape = {"n_estimators": 4, "max_depth": None, "max_leaf_nodes": 10}
    digests = {
        BoostedTreesClassifier(n_jobs=jobs, search=search, **shape).fit(X, y).digest()
        for jobs, search in [(1, "auto"), (2, "auto"), (3, "auto"), (2, "exhaustive")]
    }
    assert len(digests) == 1


@pytest.mark.parametrize("name", ["portable", "avx2"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_long_table_is_divided_alike_by_narrower_instruction_sets(name, jobs):
    """Wide ones keep the rows of large nodes as bits, also those after the last 64."""
    from hardwood import _core

    X, y = long_table(72_037)
    three = y + (X["step"] > 50).to_numpy()
    weights = np.random.default_rng(8).integers(1, 5, len(y))
    shape = {"max_depth": None, "max_leaf_nodes": 10, "n_jobs": jobs}
    single = {"pruning": None, **shape}

    def digests() -> list[str]:
        return [
            BoostedTreesClassifier(n_estimators=2, **shape).fit(X, y).digest(),
            TreeClassifier(**single).fit(X, three).digest(),
            TreeClassifier(criterion="gini", **single).fit(X, three, weights).digest(),
        ]

    usual = digests()
    _core.limit_instruction_set(name)
    try:
        assert digests() == usual
    finally:
        _core.limit_instruction_set("avx512")
