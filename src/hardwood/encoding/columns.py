"""A table's columns -> rank codes in the core.

In: a `Table`. Out: the core's `EncodedTable` and the schemas a model remembers. Every distinct value
keeps a code of its own; a missing value has one too. The caller's arrays are only read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwood._core import EncodedTable, InfiniteValueError, encode
from hardwood.table import Column, ColumnSchema, Table

if TYPE_CHECKING:
    from hardwood._core import CoreColumn

KIND_NUMBERS = {"numeric": 0, "integer": 1, "unsigned": 2, "category": 3}


def core_column(column: Column) -> CoreColumn:
    """The form in which the core takes a column."""
    schema = column.schema
    kind = KIND_NUMBERS[schema.kind]
    return kind, column.values, column.missing, column.rows, len(schema.categories)


def encode_table(table: Table, threads: int) -> tuple[EncodedTable, tuple[ColumnSchema, ...]]:
    """Codes of all columns; an infinite value is a ValueError that names its column."""
    columns = [table.column(j) for j in range(table.n_columns)]
    schemas = tuple(column.schema for column in columns)
    try:
        encoded = encode([core_column(column) for column in columns], table.n_rows, threads)
    except InfiniteValueError as error:
        name = schemas[error.args[0]].name
        raise ValueError(
            f"Column {name!r} of X contains infinity; allowed are finite numbers, and NaN for a "
            "missing value. Replace infinity by a finite number or NaN."
        ) from None
    return encoded, schemas
