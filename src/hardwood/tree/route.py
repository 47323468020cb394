"""Rows of a prediction table -> the leaves they reach, or the class shares of all these.

Only the columns that the tree asks about are read; an infinite value that decides a row's way is
refused, as in training.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import InfiniteValueError, combine_shares, find_leaves
from hardwood.encoding import core_column
from hardwood.errors import infinite_value
from hardwood.table import Table
from hardwood.tree.arrays import Floats, Tree


def leaves_of(tree: Tree, table: Table, threads: int) -> NDArray[np.int32]:
    """The number of the leaf that each row reaches; by the heaviest branch in place of all, where a
    missing value goes down every branch."""
    with named_columns(table):
        return find_leaves(tree, used_columns(tree, table), table.n_rows, threads)


def shares_of(tree: Tree, table: Table, threads: int) -> tuple[NDArray[np.int32], Floats]:
    """The one leaf that each row reaches, or -1, and its class shares: those of all leaves that it
    reaches, weighted with the product of the shares on the way."""
    if tree.share is None:
        leaves = leaves_of(tree, table, threads)
        return leaves, tree.shares[leaves]
    with named_columns(table):
        columns = used_columns(tree, table)
        leaves, shares = combine_shares(tree, tree.shares, columns, table.n_rows, threads)
    return leaves, shares.reshape(-1, tree.n_classes)


def labels_of(tree: Tree, table: Table, threads: int) -> NDArray[np.intp]:
    """The class of the largest share or, with costs, of the least expected cost, the first on a
    tie; a single leaf's label is its own."""
    if tree.share is None:
        return tree.label[leaves_of(tree, table, threads)]
    leaves, shares = shares_of(tree, table, threads)
    return np.where(leaves < 0, tree.labels_of(shares), tree.label[leaves])


def used_columns(tree: Tree, table: Table) -> list[Any]:
    """The columns that the tree asks about, in the core's form; None in place of the others."""
    columns: list[Any] = [None] * table.n_columns
    for j in tree.used_features:
        columns[j] = core_column(table.column(j))
    return columns


@contextmanager
def named_columns(table: Table) -> Iterator[None]:
    """An infinite value's column is told by its name."""
    try:
        yield
    except InfiniteValueError as error:
        raise infinite_value(table.column(error.args[0]).schema.name) from None
