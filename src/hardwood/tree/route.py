"""Rows of a prediction table -> the leaves they reach.

Only the columns that the tree asks about are read. Infinite values are refused, as in training.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import find_leaves
from hardwood.encoding import core_column
from hardwood.table import Column, Table
from hardwood.tree.arrays import Tree


def leaves_of(tree: Tree, table: Table, threads: int) -> NDArray[np.int32]:
    """The number of the leaf that each row reaches."""
    used = {int(feature) for feature in tree.feature[tree.feature >= 0]}
    columns: list[Any] = [None] * table.n_columns
    for j in sorted(used):
        column = table.column(j)
        _refuse_infinity(column)
        columns[j] = core_column(column)
    return find_leaves(tree, columns, table.n_rows, threads)


def _refuse_infinity(column: Column) -> None:
    if column.values.dtype.kind == "f" and np.isinf(column.values).any():
        raise ValueError(
            f"Column {column.schema.name!r} of X contains infinity; allowed are finite numbers, and "
            "NaN for a missing value."
        )
