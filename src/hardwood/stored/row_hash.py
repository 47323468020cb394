"""A hash of rows: what data that has no files to look at is recognised by.

In: Arrow tables, block by block. Out: a hash of the columns' values in order. Invariant: it does
not depend on where blocks and chunks end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np


def hash_of_rows(tables: Iterable[Any]) -> str:
    columns: list[_ColumnHash] = []
    for table in tables:
        columns = columns or [_ColumnHash() for _ in table.column_names]
        for own, column in zip(columns, table.columns, strict=True):
            own.add(column)
    whole = hashlib.blake2b(digest_size=32)
    for own in columns:
        whole.update(own.digest())
    return whole.hexdigest()


class _ColumnHash:
    """Bytes of the values, their lengths where they have any, and which are missing, each in a
    stream of its own."""

    def __init__(self) -> None:
        self._streams = [hashlib.blake2b(digest_size=32) for _ in range(3)]

    def add(self, column: Any) -> None:
        import pyarrow
        from pyarrow import compute

        values, lengths, missing = self._streams
        kind = column.type
        if pyarrow.types.is_dictionary(kind):
            column, kind = column.cast(kind.value_type), kind.value_type
        missing.update(_bytes(compute.is_null(column)))
        if pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind):
            values.update(_bytes(compute.fill_null(column, 0)))
        elif pyarrow.types.is_boolean(kind):
            values.update(_bytes(compute.fill_null(column, False)))
        else:
            texts = [str(each).encode() for each in column.to_pylist()]
            lengths.update(np.array([len(text) for text in texts], dtype=np.int64).tobytes())
            values.update(b"".join(texts))

    def digest(self) -> bytes:
        return b"".join(stream.digest() for stream in self._streams)


def _bytes(column: Any) -> bytes:
    return np.ascontiguousarray(column.to_numpy()).tobytes()
