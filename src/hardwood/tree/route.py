"""Rows of a prediction table -> the leaves they reach.

Only the columns that the tree asks about are read; an infinite value that decides a row's way is
refused, as in training.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import InfiniteValueError, find_leaves
from hardwood.encoding import core_column
from hardwood.errors import infinite_value
from hardwood.table import Table
from hardwood.tree.arrays import Tree


def used_columns(tree: Tree, table: Table) -> list[Any]:
    """The columns that the tree asks about, in the core's form; None in place of the others."""
    columns: list[Any] = [None] * table.n_columns
    for j in tree.used_features:
        columns[j] = core_column(table.column(j))
    return columns


def leaves_of(tree: Tree, table: Table, threads: int) -> NDArray[np.int32]:
    """The number of the leaf that each row reaches."""
    try:
        return find_leaves(tree, used_columns(tree, table), table.n_rows, threads)
    except InfiniteValueError as error:
        raise infinite_value(table.column(error.args[0]).schema.name) from None
