"""NumPy arrays and lists of lists as a source of columns.

In: anything that NumPy turns into two dimensions. Out: views of its columns, any stride; only
float16, long double, foreign byte orders and odd strides are copied. Masked arrays keep their
mask.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.table.numbers import exact_matrix
from hardwood.table.objects import EXACT, label_strings, read_objects
from hardwood.table.raw import Labels, Numbers, quoted, refuse_cells, refuse_complex, refuse_dates
from hardwood.table.shapes import check_shape


class ArraySource:
    """Columns of a two-dimensional array."""

    __slots__ = ("_array", "_mask", "n_columns", "n_rows", "names")

    def __init__(self, array: NDArray[Any]) -> None:
        self.n_rows, self.n_columns = check_shape(array.shape, array)
        self.names: tuple[str, ...] | None = None
        self._mask: NDArray[np.bool_] | None = None
        if isinstance(array, np.ma.MaskedArray):
            self._mask = np.ma.getmaskarray(array)
            array = array.data
        self._array = np.asarray(array)

    def read(self, j: int) -> Numbers | Labels:
        column = self._array[:, j]
        if self._mask is None or not self._mask[:, j].any():
            return read_array(column, quoted(None, j))
        mask = np.ascontiguousarray(self._mask[:, j])
        if column.dtype.kind in "biuf":
            raw = read_array(column, quoted(None, j))
            return Numbers(raw.values, mask) if isinstance(raw, Numbers) else raw
        column = column.astype(object)
        column[mask] = None
        return read_array(column, quoted(None, j))

    def matrix(self) -> NDArray[Any] | None:
        return exact_matrix(self._array) if self._mask is None else None


def array_source(X: Any) -> ArraySource:
    """A source from an array, an object that converts itself to one, or nested lists."""
    if isinstance(X, np.matrix):
        raise TypeError(
            "np.matrix is not supported: X is one; convert it to an array with np.asarray(X)."
        )
    if isinstance(X, np.ndarray):
        return ArraySource(X)
    try:
        array = np.asarray(X)
        if not isinstance(X, (list, tuple)):
            return ArraySource(array)
        # NumPy would turn [[1, "a"]] into strings and round [[2**60 + 1, 0.5]].
        rounded = array.dtype.kind == "f" and bool(np.any(np.abs(array) >= EXACT))
        if array.dtype.kind in "US" or rounded:
            array = np.array(X, dtype=object)
    except ValueError as error:
        raise ValueError(
            f"X is a {type(X).__name__} that does not form a table ({error}); "
            "every row must have the same number of cells."
        ) from error
    return ArraySource(array)


def read_array(column: NDArray[Any], label: str) -> Numbers | Labels:
    """Numbers or labels of a one-dimensional array; `label` names it in messages."""
    dtype = column.dtype
    kind = dtype.kind
    if kind in "biuf":
        if kind == "f" and dtype.itemsize not in (4, 8):
            column = column.astype(np.float64)
        elif not dtype.isnative or column.strides[0] % dtype.itemsize:
            column = column.astype(dtype.newbyteorder("="))
        return Numbers(column)
    if kind in "OT":
        return read_objects(column.astype(object, copy=False), label)
    if kind == "U":
        return label_strings(column.tolist())
    if kind == "c":
        raise refuse_complex(label)
    if kind in "Mm":
        raise refuse_dates(label, str(dtype))
    raise refuse_cells(label, {dtype.type})
