"""One row to explain, in any form in which users have it.

In: a table of one row (as prediction takes it), a mapping or pandas Series from column names to
values, or a sequence of values in the order of the columns. Out: a prediction `Table` of one row,
and `cell`, the row's value in a column as the model understands it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from hardwood.table import Column, ColumnSchema, Table, read_prediction_table
from hardwood.table.schema import MISSING_CODE, UNSEEN_CODE
from hardwood.tree.numbers import plain_value, value_text
from hardwood.tree.ranked import category_column

_SHOWN = 5


class _Unseen:
    """A category that the model's column does not have."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "a category not seen in training"


UNSEEN = _Unseen()


class OneRow(Table):
    """A table of one row, each column of which is read once."""

    __slots__ = ("_columns",)

    def __init__(self, table: Table) -> None:
        super().__init__(table._source, table._understand)
        self._columns: dict[int, Column] = {}

    def column(self, j: int) -> Column:
        if j not in self._columns:
            self._columns[j] = super().column(j)
        return self._columns[j]


def read_row(
    x: Any, schemas: Sequence[ColumnSchema], names_were_given: bool, model_name: str
) -> Table:
    """A table of the one row x; a ValueError or TypeError says what else x is."""
    if nw.dependencies.is_pandas_series(x):
        by_name = names_were_given and all(isinstance(name, str) for name in x.index)
        x = dict(x.items()) if by_name else x.tolist()
    if isinstance(x, Mapping):
        return _table_of([x[name] for name in _checked_names(x, schemas)], schemas)
    if _is_flat(x):
        cells = list(x)
        if len(cells) != len(schemas):
            raise ValueError(
                f"x has {len(cells)} values, but {model_name} is expecting {len(schemas)}, one for "
                "each column; use None for a missing value."
            )
        return _table_of(cells, schemas)
    if x is None or isinstance(x, str | bytes) or np.isscalar(x):
        raise TypeError(
            f"x is of type {type(x).__name__}; a row is a table of one row, a dict of column names "
            "and values, or a sequence of values."
        )
    table = OneRow(read_prediction_table(x, schemas, names_were_given, model_name=model_name))
    if table.n_rows != 1:
        raise ValueError(
            f"x has {table.n_rows} rows; one row is explained at a time, for example x[:1]."
        )
    return table


def cell(column: Column) -> object:
    """The only row's value: None when missing, UNSEEN for a category that is not the model's."""
    column = category_column(column)
    if column.missing is not None and column.missing[0]:
        return None
    if not len(column.values):  # sparse, nothing stored
        return False if column.schema.boolean else 0.0
    value = plain_value(column.values[0])
    if column.schema.kind == "category":
        special = {MISSING_CODE: None, UNSEEN_CODE: UNSEEN}
        return special[value] if value in special else column.schema.categories[int(str(value))]
    if value != value:
        return None
    return bool(value) if column.schema.boolean and value in (0, 1) else value


def cell_text(value: object) -> str:
    """As it stands behind "here": `42.5`, `Oslo`, `missing`."""
    if value is None:
        return "missing"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if value is UNSEEN else value_text(value)


def _is_flat(x: Any) -> bool:
    if isinstance(x, np.ndarray):
        return bool(x.ndim == 1)
    if nw.dependencies.is_polars_series(x):
        return True
    return isinstance(x, list | tuple) and not any(
        isinstance(each, list | tuple | np.ndarray) for each in x
    )


def _checked_names(x: Mapping[Any, Any], schemas: Sequence[ColumnSchema]) -> list[str]:
    names = [schema.name for schema in schemas]
    absent = [name for name in names if name not in x]
    unknown = [name for name in x if name not in set(names)]
    if absent or unknown:
        parts = [
            f"{what} {', '.join(map(repr, found[:_SHOWN]))}{', ...' if found[_SHOWN:] else ''}"
            for what, found in (("lacks", absent), ("has the unknown", unknown))
            if found
        ]
        raise ValueError(
            f"x {' and '.join(parts)}; it must have every column of the model and no other, None "
            "for a missing value."
        )
    return names


def _table_of(cells: list[Any], schemas: Sequence[ColumnSchema]) -> Table:
    if all(type(value) is float for value in cells):  # many times faster than Python objects
        return OneRow(read_prediction_table(np.array([cells]), schemas, False))
    row = np.empty((1, len(cells)), dtype=object)
    for j, value in enumerate(cells):
        row[0, j] = value
    return OneRow(read_prediction_table(row, schemas, False))
