"""A table's columns -> rank codes in the core.

In: a `Table`. Out: the core's `EncodedTable` and the schemas a model remembers. Every distinct
value keeps a code of its own; a missing value has one too. The caller's arrays are only read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hardwood._core import ColumnKind, EncodedTable, InfiniteValueError, encode
from hardwood.errors import infinite_value
from hardwood.table import Column, ColumnSchema, Table

__all__ = ["EncodedTable", "core_column", "encode_table"]

if TYPE_CHECKING:
    from hardwood._core import CoreColumn

KIND_NUMBERS = {kind.name: kind.value for kind in ColumnKind}


def core_column(column: Column) -> CoreColumn:
    """The form in which the core takes a column."""
    schema = column.schema
    kind = KIND_NUMBERS[schema.kind]
    codes = len(schema.categories) if schema.kind == "category" else 0
    values = column.values
    if column.rows is not None:  # stored entries are float64 in the core
        values = values.astype(np.float64, copy=False)
    return kind, values, column.missing, column.rows, codes


def encode_table(table: Table, threads: int) -> tuple[EncodedTable, tuple[ColumnSchema, ...]]:
    """Codes of all columns; an infinite value is a ValueError that names its column."""
    columns = [table.column(j) for j in range(table.n_columns)]
    schemas = tuple(column.schema for column in columns)
    try:
        encoded = encode([core_column(column) for column in columns], table.n_rows, threads)
    except InfiniteValueError as error:
        raise infinite_value(schemas[error.args[0]].name) from None
    return encoded, schemas
