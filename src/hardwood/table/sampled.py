"""Some rows of a prediction table, each column read once; one column may be shuffled or filled.

In: a prediction table and row numbers. Out: a `SampledTable`, which is a table itself. Invariant: a
column is dense and has as many values as there are rows; the caller's table is not changed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.table.reading import Table
from hardwood.table.schema import Column

Rows = NDArray[np.intp]


class SampledTable(Table):
    """The columns that were read are shared with the tables made from this one."""

    __slots__ = ("_changed", "_known", "_rows", "_whole")

    def __init__(self, whole: Table, rows: Rows) -> None:
        self.n_rows = len(rows)
        self.n_columns = whole.n_columns
        self.names = whole.names
        self._whole, self._rows = whole, rows
        self._known: dict[int, Column] = {}
        self._changed: dict[int, Column] = {}

    def column(self, j: int) -> Column:
        return self._changed.get(j) or self._read(j)

    def _read(self, j: int) -> Column:
        if j not in self._known:
            self._known[j] = _taken(_dense(self._whole.column(j), self._whole.n_rows), self._rows)
        return self._known[j]

    def matrix(self) -> None:
        return None

    def shuffled(self, j: int, order: Rows) -> SampledTable:
        """The same rows with column j in another order."""
        return self._with(j, _taken(self._read(j), order))

    def filled(self, j: int, value: Any) -> SampledTable:
        """The same rows with one value of column j in all of them, or with one for each."""
        found = self._read(j)
        values = np.full(self.n_rows, value, dtype=found.values.dtype)
        return self._with(j, replace(found, values=values, missing=None))

    def _with(self, j: int, column: Column) -> SampledTable:
        other = SampledTable(self._whole, self._rows)
        other._known, other._changed = self._known, {j: column}
        return other


def spaced_rows(n_rows: int, most: int) -> Rows:
    """All rows, or `most` of them at even distances."""
    if n_rows <= most:
        return np.arange(n_rows)
    return np.linspace(0, n_rows - 1, most).astype(np.intp)


def present(column: Column) -> NDArray[np.bool_]:
    """Where a dense column has a value; a category that training did not see is one."""
    if column.schema.kind == "category":
        return np.asarray(column.values != -1)
    here = np.ones(len(column.values), dtype=np.bool_)
    if column.values.dtype.kind == "f":
        here = ~np.isnan(column.values)
    return here if column.missing is None else here & ~column.missing


def _dense(column: Column, n_rows: int) -> Column:
    if column.rows is None:
        return column
    values = np.zeros(n_rows, dtype=column.values.dtype)
    values[column.rows] = column.values
    missing: NDArray[Any] | None = None
    if column.missing is not None:
        missing = np.zeros(n_rows, dtype=np.bool_)
        missing[column.rows] = column.missing
    return replace(column, values=values, missing=missing, rows=None)


def _taken(column: Column, rows: Rows) -> Column:
    missing = None if column.missing is None else column.missing[rows]
    return replace(column, values=np.ascontiguousarray(column.values[rows]), missing=missing)
