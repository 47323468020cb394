"""Whether a column numbers the rows: 0, 1, 2, ... in any order, or whole numbers that only go up.

The first rows decide for nearly every column that it does not, so most columns are not read whole.
"""

from __future__ import annotations

import numpy as np

from hardwood.table import Column

FIRST = 32


def numbers_rows(column: Column) -> bool:
    values = column.values
    if column.rows is not None or column.missing is not None or len(values) < FIRST:
        return False
    if values.dtype.kind == "b" or column.schema.kind == "category":
        return False
    head = values[:FIRST]
    if not _whole(head) or len(np.unique(head)) < FIRST or not _whole(values):
        return False
    if bool((values[1:] > values[:-1]).all()):
        return True
    low, high = int(values.min()), int(values.max())
    return high - low == len(values) - 1 and len(np.unique(values)) == len(values)


def _whole(values: np.ndarray) -> bool:
    if values.dtype.kind != "f":
        return True
    return bool(np.isfinite(values).all()) and bool((values == np.floor(values)).all())
