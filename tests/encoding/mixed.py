"""A table whose columns take every storage of the encoder, for tests that compare storages.

Out: a pandas frame of 40 columns, labels and weights; `widened` appends constant columns, so that
the encoder's rule for wide tables applies. Invariant: the same table for the same arguments.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from hardwood import TreeClassifier
from hardwood.encoding import encode_table
from hardwood.table import read_training_table

WIDE = 4200  # beyond this many columns the encoder keeps rarely set ones as entries


def mixed_table(seed: int, *, n_classes: int = 2, n: int = 3000) -> tuple[pd.DataFrame, Any, Any]:
    """Few values, mostly one value, many values, categories up to and beyond 256, missing."""
    rng = np.random.default_rng(seed)
    columns: dict[str, Any] = {}
    for k in range(12):
        columns[f"few{k}"] = rng.integers(0, 2 + k, n) / 4
    for k in range(6):
        columns[f"rare{k}"] = np.where(rng.random(n) < 0.012, 1.0 + rng.integers(0, 1 + k, n), 0.0)
    for k in range(4):
        columns[f"spike{k}"] = np.where(rng.random(n) < 0.012, rng.normal(size=n), float(k - 1))
    for k in range(4):
        columns[f"level{k}"] = np.round(rng.normal(size=n) * 10 * (k + 1)) / 10
    for k in range(5):
        columns[f"any{k}"] = rng.normal(size=n) ** 3
    for k, size in enumerate((5, 16, 40, 256, 257, 700)):
        codes = np.minimum(rng.geometric(3 / size, n) - 1, size - 1)
        codes[rng.random(n) < (0.05 if k % 2 else 0.0)] = -1
        names = [f"v{i:03d}" for i in range(size)]
        columns[f"category{size}"] = pd.Categorical.from_codes(codes, names)
    columns["same"] = np.full(n, 3.5)
    columns["gone"] = np.full(n, np.nan)
    columns["large"] = 2**60 + rng.integers(0, 900, n)
    frame = pd.DataFrame(columns)
    for name in ("few1", "rare2", "spike1", "level0", "any1", "any3"):
        frame.loc[rng.random(n) < 0.08, name] = np.nan
    score = (
        np.nan_to_num(frame["any0"] / 2 + frame["few3"] + frame["rare0"] + frame["spike0"])
        + (frame["category257"].cat.codes % 5) / 2
        + (frame["category40"].cat.codes % 3) / 2
        + rng.normal(size=n)
    )
    edges = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1])
    return frame, np.searchsorted(edges, score), rng.gamma(1.0, size=n)


def widened(frame: pd.DataFrame) -> pd.DataFrame:
    same = np.zeros((len(frame), WIDE))
    return pd.concat([frame, pd.DataFrame(same).add_prefix("constant")], axis=1)


def storages(X: Any) -> list[str]:
    return encode_table(read_training_table(X, "from_dtype"), 1)[0].storages


def assert_same_tree(one: TreeClassifier, other: TreeClassifier) -> None:
    """Splits, class weights, costs and history to the bit."""
    for name, values in vars(one.tree_).items():
        if isinstance(values, np.ndarray):
            np.testing.assert_array_equal(getattr(other.tree_, name), values, err_msg=name)
    assert one.history_.keys() == other.history_.keys()
    for name, values in one.history_.items():
        np.testing.assert_array_equal(other.history_[name], values, err_msg=name)
