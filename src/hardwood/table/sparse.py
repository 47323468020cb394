"""scipy.sparse matrices and arrays, of any format, as a source of sparse columns.

In: a sparse table. Out: per column its stored entries in ascending row order; every other row is
0. A column of integers beyond 2^53 is a dense one. Duplicate entries are summed, explicit zeros
stay zeros, explicit NaN is missing. Held as CSC, converted on the first read; the caller's matrix
is not sorted in place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardwood.table.arrays import read_array
from hardwood.table.numbers import kind_of
from hardwood.table.raw import Labels, Numbers, quoted
from hardwood.table.shapes import check_shape


class SparseSource:
    """Columns of a sparse matrix or array."""

    __slots__ = ("_columns", "_given", "n_columns", "n_rows", "names")

    def __init__(self, given: Any) -> None:
        self.n_rows, self.n_columns = check_shape(given.shape, given)
        self.names: tuple[str, ...] | None = None
        self._given = given
        self._columns: Any = None

    def read(self, j: int) -> Numbers | Labels:
        if self._columns is None:
            self._columns = _canonical_columns(self._given)
        csc = self._columns
        stored = slice(csc.indptr[j], csc.indptr[j + 1])
        raw = read_array(csc.data[stored], quoted(None, j))
        if isinstance(raw, Labels):
            raise TypeError(
                f"{quoted(None, j)} of the sparse X holds strings; a sparse table holds numbers. "
                "Give the table in a dense form."
            )
        rows = csc.indices[stored].astype(np.int32, copy=False)
        if kind_of(raw) == "numeric":
            return Numbers(raw.values, raw.missing, rows)
        every = np.zeros(self.n_rows, raw.values.dtype)  # integers that float64 does not hold
        every[rows] = raw.values
        return Numbers(every)

    def matrix(self) -> None:
        return None


def _canonical_columns(given: Any) -> Any:
    csc = given.tocsc()
    if not csc.has_canonical_format:
        if np.shares_memory(csc.data, getattr(given, "data", np.empty(0))):
            csc = csc.copy()
        csc.sum_duplicates()
    return csc
