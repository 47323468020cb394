"""The libraries whose frames are read, and a column as the tests look at it."""

from __future__ import annotations

from typing import Any

import pytest

from hardwood.table import Column

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

MAKERS = {
    "pandas": pd.DataFrame,
    "pandas with Arrow": lambda data: pa.table(data).to_pandas(types_mapper=pd.ArrowDtype),
    "pandas nullable": lambda data: pa.table(data).to_pandas().convert_dtypes(),
    "polars": lambda data: pl.DataFrame(data, strict=False),
    "Arrow": pa.table,
}
every_library = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())


class Capsule:
    """A table known only by its Arrow stream."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


def present(column: Column) -> list[Any]:
    """The column's values with None where one is missing."""
    values = [None if value != value else value for value in column.values.tolist()]
    if column.missing is None:
        return values
    return [None if gone else v for v, gone in zip(values, column.missing.tolist(), strict=True)]
