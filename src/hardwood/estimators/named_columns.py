"""Columns of a table as constraints name them: by place or by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from hardwood.training import Training


@dataclass(frozen=True)
class Columns:
    """The columns by place and by name."""

    training: Training
    parameter: str

    @property
    def count(self) -> int:
        return len(self.training.schemas)

    def place(self, column: Any) -> int:
        names = self.training.names
        if isinstance(column, str):
            if names is None:
                raise ValueError(
                    f"{self.parameter} names the column {column!r}, but X has no column names; "
                    "give the places of columns, or X as a data frame."
                )
            if column not in names:
                raise ValueError(
                    f"{self.parameter} names {column!r}, which is no column of X; correct the name."
                )
            return names.index(column)
        if not is_whole(column) or not 0 <= column < self.count:
            raise ValueError(
                f"{self.parameter} has {column!r} for a column; allowed are column names and "
                f"whole numbers from 0 to {self.count - 1}."
            )
        return int(column)

    def name(self, place: int) -> str:
        return repr(self.training.schemas[place].name)

    def key(self, place: int) -> str:
        """By which a dict says the column: its name, or its place where X has no names."""
        return repr(place) if self.training.names is None else self.name(place)


def is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))


def is_list(value: Any) -> bool:
    """Whether one can go through it: NumPy's arrays without a dimension only look so."""
    return isinstance(value, Iterable) and getattr(value, "ndim", 1) > 0
