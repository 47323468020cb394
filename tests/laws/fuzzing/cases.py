"""A table, labels, weights and parameters as plain Python data.

A `Case` prints as source, so that a shrunk one can be pasted into a script.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Random = np.random.Generator


@dataclass(frozen=True)
class Field:
    """A column. kind: float, int, bool, text or category; `listed`: a category's declared list."""

    kind: str
    values: tuple[Any, ...]
    listed: tuple[str, ...] = ()


DraftLine = tuple[str, str, str]
"""What is done, the node, and the column: ("prefer", "L", "x0"); a leaf has no column."""


@dataclass(frozen=True)
class Case:
    number: int
    fields: tuple[Field, ...]
    y: tuple[Any, ...]
    weights: tuple[float, ...] | None
    boosted: bool
    parameters: tuple[tuple[str, Any], ...]
    draft: tuple[DraftLine, ...] = ()

    @property
    def rows(self) -> int:
        return len(self.y)

    def taken(self, rows: list[int]) -> Case:
        """The case with these rows alone, or again and again."""
        fields = tuple(
            Field(f.kind, tuple(f.values[i] for i in rows), f.listed) for f in self.fields
        )
        weights = None if self.weights is None else tuple(self.weights[i] for i in rows)
        y = tuple(self.y[i] for i in rows)
        return replace(self, fields=fields, y=y, weights=weights)


def pick(rng: Random, items: Any) -> Any:
    return items[int(rng.integers(len(items)))]


def ordered(field: Field) -> bool:
    """Whether the values of a field have an order; categories may be declared to have one."""
    return field.kind != "text" and (field.kind != "category" or len(field.listed) % 2 == 1)


def is_whole(weights: tuple[float, ...] | None) -> bool:
    return weights is not None and all(w == math.floor(w) for w in weights)
