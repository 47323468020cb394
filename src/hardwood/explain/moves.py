"""What it costs to move a row's value in a column, and where it is moved to.

In: the row's value, the column's schema, the cuts that the model has there and what the caller
wishes. Out: a `NumberMove` or `CategoryMove`: the cost of reaching an interval or a set of
categories, infinite where that is not allowed, and the value to take there. Invariants: staying
costs nothing, a present value never becomes missing, and the cost of an interval is the distance to
its nearest end, times the cost of a unit: for x > cut the limit, which the value taken exceeds by
at most STEP of the column's scale. Whole numbers stay whole, so there the value taken costs just
that.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from hardwood.explain.readable_value import just_above
from hardwood.table import ColumnSchema
from hardwood.tree.numbers import plain_value

STEP = 0.001
"""How far beyond an open end a value is taken, at most, in scales of its column."""

Number = float | int
End = Number | None


@dataclass(frozen=True, slots=True)
class NumberMove:
    """Of a number, or the rank of an ordered category; None: the row misses it."""

    value: Number | None
    unit: float
    """What a change by 1 costs."""
    scale: float
    """A missing value is filled in at the cost of a change by this much."""
    up: bool = True
    down: bool = True
    whole: bool = False
    least: Number = -math.inf
    most: Number = math.inf

    def cost(self, lower: End, upper: End) -> float:
        """Of reaching lower < x <= upper."""
        x = self.value
        if x is None:
            reachable = (self.up or self.down) and self._any(lower, upper) is not None
            return self.unit * self.scale if reachable else math.inf
        if upper is not None and x > upper:
            end = math.floor(upper) if self.whole else upper
            allowed = self.down and end >= self.least and (lower is None or end > lower)
            return float(x - end) * self.unit if allowed else math.inf
        if lower is not None and x <= lower:
            end = math.floor(lower) + 1 if self.whole else lower
            allowed = self.up and end <= self.most and (upper is None or end <= upper)
            return float(end - x) * self.unit if allowed else math.inf
        return 0.0

    def taken(self, lower: End, upper: End) -> Any:
        """The value in an interval that can be reached."""
        x = self.value
        if x is None:
            return self._any(lower, upper)
        new: Number = x
        if upper is not None and x > upper:
            new = math.floor(upper) if self.whole else upper
        elif lower is not None and x <= lower:
            new = self._above(lower, upper)
        return type(x)(new) if isinstance(x, bool) or self.whole else new

    def _above(self, lower: Number, upper: End) -> Number:
        if self.whole:
            return math.floor(lower) + 1
        limit = self.most if upper is None else min(upper, self.most)
        return just_above(float(lower), float(limit), STEP * self.scale)

    def _any(self, lower: End, upper: End) -> Number | None:
        """A value of the interval; None: it has none."""
        if upper is not None:
            end: Number = min(math.floor(upper) if self.whole else upper, self.most)
        elif lower is not None:
            end = min(self._above(lower, upper), self.most)
        else:
            end = 0 if self.whole else 0.0
        inside = end >= self.least and (lower is None or end > lower)
        return end if inside else None


@dataclass(frozen=True, slots=True)
class CategoryMove:
    """Of a category: `own` is its code, negative when the row misses it or the model does not know
    it."""

    own: int
    unit: float
    """What a change costs; infinite: none is allowed."""

    def cost(self, stays: bool, codes: Collection[int]) -> float:
        """Of being one of `codes`; `stays`: the row's own value will do."""
        if stays:
            return 0.0
        return self.unit if codes else math.inf


Move = NumberMove | CategoryMove


@dataclass(frozen=True, slots=True)
class Wishes:
    """By column number."""

    frozen: frozenset[int] = frozenset()
    only_up: frozenset[int] = frozenset()
    only_down: frozenset[int] = frozenset()
    costs: tuple[tuple[int, float], ...] = ()
    """Of a change by 1, or of a category."""


def move_of(
    column: int,
    schema: ColumnSchema,
    value: object,
    code: int,
    cuts: Sequence[Number],
    wish: Wishes,
) -> Move:
    """`value` as the model understands it, None when missing; `code` of a category; `cuts`: all of
    the model's in this column, ascending."""
    given = dict(wish.costs).get(column)
    frozen = column in wish.frozen
    if schema.kind == "category":
        return CategoryMove(code, math.inf if frozen else 1.0 if given is None else given)
    up = not frozen and column not in wish.only_down
    down = not frozen and column not in wish.only_up
    if schema.ordered:
        last = len(schema.categories) - 1
        scale = float(max(last, 1))
        rank = code if code >= 0 else None
        return NumberMove(rank, given or 1 / scale, scale, up, down, True, 0, last)
    number: Any = plain_value(value)
    scale = scale_of(cuts)
    if isinstance(number, bool) or (schema.boolean and number is None):
        return NumberMove(number, given or 1 / scale, scale, up, down, True, 0, 1)
    whole = schema.kind != "numeric" or (
        all(float(cut).is_integer() for cut in cuts)
        and (number is None or float(number).is_integer())
    )
    limits = (0, math.inf) if schema.kind == "unsigned" else (-math.inf, math.inf)
    return NumberMove(number, given or 1 / scale, scale, up, down, whole, *limits)


def scale_of(cuts: Sequence[Number]) -> float:
    """What a change of 1 costs in comparison: from the lowest to the highest cut; of one cut its
    distance from 0, or 1."""
    if not cuts:
        return 1.0
    apart = float(cuts[-1] - cuts[0])
    if not math.isfinite(apart):
        return 1e308
    return apart or abs(float(cuts[0])) or 1.0
