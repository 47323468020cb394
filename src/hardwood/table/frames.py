"""Data frames (pandas, polars, Arrow and whatever narwhals knows) as a source of columns.

In: an eager frame, or any object with the Arrow PyCapsule stream. Out: columns by position; a
numeric column is viewed where its library allows it. Integers with nulls stay integers beside a
mask. Lazy frames are refused, since they have no rows yet; a DuckDB relation is run by reading it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from hardwood.table.arrays import read_array
from hardwood.table.names import string_names
from hardwood.table.numbers import exact_matrix
from hardwood.table.raw import Labels, Numbers, quoted, refuse_cells, refuse_dates
from hardwood.table.shapes import check_shape
from hardwood.table.strings import label_series

_DATES = (nw.Date, nw.Datetime, nw.Duration, nw.Time)
_FEW_CELLS = 1 << 16  # a copy of so many is cheaper than to ask for columns one by one
_NESTED = (nw.List, nw.Array, nw.Struct, nw.Binary)


class FrameSource:
    """Columns of a frame; `series(j)` gives column j in the frame's own library, `whole()` all of
    them as one array where they have one type of numbers."""

    __slots__ = ("_series", "_whole", "n_columns", "n_rows", "names")

    def __init__(
        self,
        frame: Any,
        shape: tuple[int, int],
        names: Sequence[Any],
        series: Callable[[int], Any],
        whole: Callable[[], NDArray[Any] | None] | None = None,
    ) -> None:
        self.n_rows, self.n_columns = check_shape(shape, frame)
        self.names = string_names(names)
        self._series, self._whole = series, whole

    def read(self, j: int) -> Numbers | Labels:
        return read_series(self._series(j), quoted(self.names, j))

    def matrix(self) -> NDArray[Any] | None:
        if self._whole is None or self.n_rows * self.n_columns > _FEW_CELLS:
            return None
        array = self._whole()
        return None if array is None else exact_matrix(array)


def frame_source(X: Any) -> FrameSource | None:
    """A source when X is a frame, else None."""
    if nw.dependencies.is_narwhals_dataframe(X) or nw.dependencies.is_narwhals_lazyframe(X):
        return frame_source(X.to_native())
    if nw.dependencies.is_pandas_dataframe(X):
        return _pandas_source(X)
    if nw.dependencies.is_pandas_like_dataframe(X):
        return FrameSource(X, X.shape, list(X.columns), lambda j: X.iloc[:, j])
    if nw.dependencies.is_polars_dataframe(X):
        return FrameSource(X, X.shape, X.columns, X.to_series, lambda: _polars_matrix(X))
    if nw.dependencies.is_pyarrow_table(X):
        return FrameSource(X, X.shape, X.column_names, X.column)
    refuse_absent_rows(X)
    frame = nw.from_native(X, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return FrameSource(X, frame.shape, frame.columns, lambda j: frame[:, j].to_native())
    if hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__"):
        return frame_source(_import_arrow(X))
    return None


def refuse_absent_rows(X: object) -> None:
    """A lazy frame or a data set is no table until its rows are read."""
    if type(X).__module__.startswith("pyarrow.") and hasattr(X, "get_fragments"):
        raise TypeError(
            f"X is a data set ({_full_name(X)}), whose rows are not there yet; "
            "read them first, for example with X.to_table()."
        )
    frame, streams = nw.from_native(X, pass_through=True), hasattr(X, "__arrow_c_stream__")
    if isinstance(frame, nw.LazyFrame) and not (streams and frame.implementation.is_duckdb()):
        raise TypeError(
            f"X is a lazy frame ({_full_name(X)}), whose rows are not there yet; "
            f"collect it first, for example with X.{_collecting(X)}()."
        )


def _pandas_source(X: Any) -> FrameSource:
    names = X.columns.tolist()

    def series(j: int) -> Any:  # by a name at half the cost of a position
        return X[names[j]] if isinstance(names[j], str) else X.iloc[:, j]

    def whole() -> NDArray[Any] | None:
        types = X.dtypes.tolist()
        numbers = isinstance(types[0], np.dtype) and types[0].kind in "biuf"
        return X.to_numpy() if numbers and types.count(types[0]) == len(types) else None

    return FrameSource(X, X.shape, names, series, whole)


def _polars_matrix(X: Any) -> NDArray[Any] | None:
    types = X.dtypes
    if not (types[0].is_float() or types[0].is_integer()) or types.count(types[0]) < len(types):
        return None
    array: NDArray[Any] = X.to_numpy()
    rounded = types[0].is_integer() and array.dtype.kind not in "iu"  # integers beside nulls
    return None if rounded else array


def read_series(series: Any, column: str) -> Numbers | Labels:
    """Numbers or labels of one series; `column` names it in messages."""
    if isinstance(getattr(series, "dtype", None), np.dtype):  # pandas over NumPy
        return read_array(series.to_numpy(), column)
    wrapped = nw.from_native(series, series_only=True)
    dtype = wrapped.dtype
    if dtype.is_float():
        return read_array(wrapped.to_numpy(), column)
    if dtype.is_integer():
        return _read_with_nulls(wrapped, 0, column)
    if isinstance(dtype, nw.Boolean):
        return _read_with_nulls(wrapped, False, column)
    if isinstance(dtype, (nw.String, nw.Categorical, nw.Enum)):
        return label_series(wrapped, column)
    if isinstance(dtype, _DATES):
        raise refuse_dates(column, str(dtype))
    if isinstance(dtype, nw.Decimal):
        return Numbers(wrapped.cast(nw.Float64()).to_numpy())
    if isinstance(dtype, _NESTED):
        raise refuse_cells(column, {type(dtype)})
    return read_array(np.asarray(wrapped.to_numpy()), column)


def _read_with_nulls(series: nw.Series[Any], filler: int, column: str) -> Numbers:
    missing = None
    if series.null_count():
        missing = series.is_null().to_numpy()
        series = series.fill_null(filler)
    if isinstance(series.dtype, (nw.Int128, nw.UInt128)):
        raise ValueError(
            f"{column} holds 128-bit integers; integers of at most 64 bits are allowed. "
            "Cast the column to Int64, or scale it."
        )
    return Numbers(series.to_numpy(), missing)


def _import_arrow(X: Any) -> Any:
    for library in ("pyarrow", "polars"):
        if importlib.util.find_spec(library) is None:
            continue
        try:
            if library == "pyarrow" and not hasattr(X, "__arrow_c_stream__"):
                import pyarrow

                return pyarrow.Table.from_batches([pyarrow.record_batch(X)])
            return nw.from_arrow(X, backend=library).to_native()
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"X is a {_full_name(X)} whose Arrow data is not a table ({error}); "
                "give a table: a stream of record batches."
            ) from error
    raise ImportError(
        f"X is a {_full_name(X)}, read through the Arrow PyCapsule interface, which needs pyarrow "
        "or polars; install one of them, for example with: pip install pyarrow"
    )


def _collecting(X: object) -> str:
    return "collect" if hasattr(X, "collect") else "compute"


def _full_name(X: object) -> str:
    return f"{type(X).__module__}.{type(X).__qualname__}"
