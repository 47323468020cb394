"""What two trees on differently stored tables must share, and how a table's columns are stored."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardwood import TreeClassifier
from hardwood.encoding import encode_table
from hardwood.table import read_training_table


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
