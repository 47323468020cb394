"""Golden tables as files for the C++ driver: whole numbers of 64 bits and bytes, little-endian.

In: a folder. Out: a file per table: rows, classes, labels (int32), the number of columns, and of
each column kind, type, stride, count, categories, whether it has a mask, whether it is sparse,
then its values, its mask and its rows. Bytes have their number before them.
"""

from __future__ import annotations

from pathlib import Path
from struct import pack
from typing import Any

import numpy as np

from hardwood.encoding import read_labels
from hardwood.encoding.columns import core_column
from hardwood.table import read_training_table
from tests.golden.tables import table

NAMES = ("few", "smooth", "signed-zeros", "integers", "categories", "holes", "mixed2", "mixed7",
         "zeros", "sparse", "cancer", "digits", "mixed-large3", "images")  # fmt: skip
TYPES = {
    name: i for i, name in enumerate(("f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"))
}


def write_tables(folder: Path) -> list[Path]:
    """The files of all tables."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name in NAMES:
        data = table(name)
        read = read_training_table(data.X)
        labels = read_labels(data.y, data.rows)
        content = pack("<2Q", data.rows, len(labels.classes)) + _bytes(labels.codes.astype("<i4"))
        content += pack("<Q", read.n_columns)
        for j in range(read.n_columns):
            content += _column(core_column(read.column(j)))
        paths.append(folder / name)
        paths[-1].write_bytes(content)
    return paths


def _column(column: Any) -> bytes:
    kind, values, missing, rows, categories = column
    values = np.ascontiguousarray(values)
    kind_of_number = "u1" if values.dtype == bool else values.dtype.str[1:]
    numbers = (kind, TYPES[kind_of_number], values.itemsize, len(values), categories)
    head = pack("<7Q", *numbers, missing is not None, rows is not None)
    return head + b"".join(map(_bytes, (values, missing, rows)))


def _bytes(values: Any) -> bytes:
    content = b"" if values is None else np.ascontiguousarray(values).tobytes()
    return pack("<Q", len(content)) + content
