"""A column as its source holds it, before a kind is chosen: numbers, or labels.

Every source (NumPy, frames, sparse) yields these two records, so that kinds, categories and
prediction are decided in one place, whatever the table's library.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Numbers:
    """Values of a bool, integer or float dtype; `missing` and `rows` as in `Column`."""

    values: NDArray[Any]
    missing: NDArray[np.bool_] | None = None
    rows: NDArray[np.int32] | None = None


@dataclass(frozen=True, slots=True)
class Labels:
    """Integer codes into `values`, -1 for missing; values are distinct, none is missing.

    They are all strings or all numbers, in the order declared by the dtype or else ascending.
    """

    codes: NDArray[Any]
    values: tuple[object, ...]
    ordered: bool = False
    """The dtype says that the order of the values means something."""

    @property
    def are_numbers(self) -> bool:
        return bool(self.values) and not isinstance(self.values[0], str)


class Source(Protocol):
    """A table whose shape is known and whose columns are read one at a time."""

    n_rows: int
    n_columns: int
    names: tuple[str, ...] | None

    def read(self, j: int) -> Numbers | Labels: ...

    def matrix(self) -> NDArray[Any] | None:
        """The table as one array, as `exact_matrix` in numbers.py takes it, where that is cheaper
        than to read its columns; else None."""


def quoted(names: tuple[str, ...] | None, j: int) -> str:
    """How a message names column j."""
    return f"Column {j}" if names is None else f"Column {names[j]!r}"


def refuse_dates(column: str, what: str) -> TypeError:
    return TypeError(
        f"{column} holds dates, times or durations ({what}), which have no agreed numeric unit; "
        "turn it into numbers first, for example days since a fixed date."
    )


def refuse_cells(column: str, types: Iterable[type]) -> TypeError:
    found = ", ".join(sorted({kind.__name__ for kind in types}))
    return TypeError(
        f"{column} holds cells of type {found}; a column's argument must be all strings or all "
        "real numbers, with None or NaN for missing values. Convert the column to one of the two, "
        "or drop it."
    )


def refuse_complex(column: str) -> ValueError:
    return ValueError(
        f"Complex data not supported: {column.lower()} holds complex numbers; "
        "give real and imaginary parts as two columns."
    )
