"""Columns of many rows are ranked in buckets; a table of the ranks is ranked by counting.

Both must give one tree: the same columns, and the same rows at every node.
"""

from __future__ import annotations

import numpy as np
import pytest

from hardwood import TreeClassifier

ROWS = 50_000

COLUMNS = {
    "even": lambda rng: rng.random(ROWS),
    "mostly zero": lambda rng: np.where(rng.random(ROWS) < 0.6, 0.0, rng.normal(size=ROWS)),
    "two heavy values": lambda rng: (
        rng.choice([-1.5, 0.0, np.pi], ROWS, p=[0.45, 0.1, 0.45])
        + np.where(rng.random(ROWS) < 0.1, rng.normal(size=ROWS), 0.0)
    ),
    "many magnitudes": lambda rng: np.exp((rng.normal(size=ROWS) * 200.0).clip(-700.0, 690.0)),
    "last bits": lambda rng: 1.0 + rng.integers(0, 30_000, ROWS) * np.finfo(float).eps,
    "far and near": lambda rng: np.where(
        rng.random(ROWS) < 0.01, 1e300, 1.0 + rng.integers(0, 9000, ROWS) * np.finfo(float).eps
    ),
    "both zeros": lambda rng: rng.choice([-0.0, 0.0, -1e-320, 1e-320, 0.5], ROWS),
    "descending": lambda _: np.arange(ROWS, 0, -1) / 3.0,
    "a single other": lambda _: np.where(np.arange(ROWS) == 777, 2.5, 7.5),
    "the other is larger": lambda _: np.where(np.arange(ROWS) > 40_000, 7.5, 2.5),
    "a third value late": lambda rng: np.where(
        np.arange(ROWS) == 49_999, 9.5, rng.integers(0, 2, ROWS)
    ),
    "integers beyond 2^53": lambda rng: rng.integers(-(2**62), 2**62, ROWS),
    "constant": lambda _: np.full(ROWS, 4.0),
}


def ranks_of(values: np.ndarray, missing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    distinct, codes = np.unique(values[~missing], return_inverse=True)
    ranks = np.full(ROWS, np.nan)
    ranks[~missing] = codes
    return distinct, ranks


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("name", COLUMNS)
def test_a_ranked_column_gives_the_tree_of_its_ranks(name, missing):
    import pandas as pd

    rng = np.random.default_rng(5)
    values = COLUMNS[name](rng)
    absent = rng.random(ROWS) < missing
    distinct, ranks = ranks_of(values, absent)
    other = rng.integers(0, 3, ROWS).astype(float)
    y = (np.nan_to_num(ranks) * 7 // max(len(distinct), 1) + other) % 2 == 0
    y ^= rng.random(ROWS) < 0.2
    column = pd.Series(values).astype("Int64") if values.dtype.kind == "i" else pd.Series(values)
    given = pd.DataFrame({"a": column.mask(absent), "b": other})
    model = TreeClassifier(max_leaf_nodes=120, pruning=None, min_samples_leaf=1)
    tree, leaf = model.fit(given, y).tree_, model.apply(given)
    table = np.column_stack([ranks, other])
    by_rank = model.fit(table, y).tree_
    for field in ("feature", "first_child", "rows", "missing_branch", "class_weights"):
        assert np.array_equal(getattr(tree, field), getattr(by_rank, field)), field
    assert np.array_equal(leaf, model.apply(table))
