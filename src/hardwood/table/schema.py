"""What a model remembers of a column, and one column's values of one table.

`Column.values` by kind:

    numeric    any-stride bool, int8..int64, uint8..uint64, float32, float64; each value is
               exactly a float64; NaN is missing. Of ordered categories: float64 ranks
    integer    int64, some value beyond 2^53 in training
    unsigned   uint64, some value of 2^63 or more in training
    category   C-contiguous int32 codes into `schema.categories`; -1 missing; -2 a category
               that the schema does not have (prediction only)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["numeric", "integer", "unsigned", "category"]

MISSING_CODE = -1
UNSEEN_CODE = -2


@dataclass(frozen=True, slots=True)
class ColumnSchema:
    """A column as a model knows it; `categories` holds the user's own values, in order. A numeric
    column that has them is one of ordered categories, whose numbers are ranks, from 0."""

    name: str
    kind: Kind
    categories: tuple[object, ...] = ()
    boolean: bool = field(default=False, compare=False, repr=False)
    """Training had True and False in this numeric column. Only what people read depends on it."""

    @property
    def ordered(self) -> bool:
        return self.kind == "numeric" and bool(self.categories)


@dataclass(frozen=True, slots=True)
class Column:
    """One column of one table.

    missing: True where the value is missing, beside NaN; None when no mask is needed.
    rows: for a sparse column values[i] stands at row rows[i] (ascending, unique) and every
    other row is 0; None for a dense column.
    """

    schema: ColumnSchema
    values: NDArray[Any]
    missing: NDArray[np.bool_] | None = None
    rows: NDArray[np.int32] | None = None
