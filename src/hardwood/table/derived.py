"""Tables that are made of others: some rows, or columns that a function makes.

A column is made when it is first asked for, and kept, since those who watch a model ask for the
same columns again and again.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hardwood.table.reading import Table
from hardwood.table.schema import Column


class DerivedTable(Table):
    __slots__ = ("_kept", "_make")

    def __init__(
        self,
        n_rows: int,
        n_columns: int,
        names: tuple[str, ...] | None,
        make: Callable[[int], Column],
    ) -> None:
        self.n_rows, self.n_columns, self.names = n_rows, n_columns, names
        self._make = make
        self._kept: dict[int, Column] = {}

    def column(self, j: int) -> Column:
        if j not in self._kept:
            self._kept[j] = self._make(j)
        return self._kept[j]

    def matrix(self) -> None:
        return None


def some_rows(table: Table, rows: NDArray[np.intp]) -> DerivedTable:
    """The rows at ascending positions."""

    def make(j: int) -> Column:
        column = table.column(j)
        if column.rows is None:
            missing = None if column.missing is None else column.missing[rows]
            return Column(column.schema, column.values[rows], missing)
        place = np.searchsorted(rows, column.rows)
        here = (place < len(rows)) & (rows[np.minimum(place, len(rows) - 1)] == column.rows)
        missing = None if column.missing is None else column.missing[here]
        return Column(column.schema, column.values[here], missing, place[here].astype(np.int32))

    return DerivedTable(len(rows), table.n_columns, table.names, make)
