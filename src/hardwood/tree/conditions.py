"""What must hold for a row to take a branch, in the user's own values.

In: ends of an interval or category codes, and the schema of their column. Out: conditions that
print themselves ("age <= 42.5 or missing", "city in {Oslo, Bergen} (and others)") and that `join`
makes one of, when two are about the same column. Invariant: a condition is exact, also for missing
values and categories that training never saw at the node; the text leaves those two out where they
could not be met in the training table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from hardwood.table.schema import ColumnSchema
from hardwood.tree.numbers import number_text, value_text


@dataclass(frozen=True, slots=True)
class Interval:
    """lower < x <= upper, either end open when None, no x at all when not `present`; or missing,
    when `missing`."""

    schema: ColumnSchema
    lower: float | int | None = None
    upper: float | int | None = None
    missing: bool = False
    missing_seen: bool = False
    present: bool = True

    def __and__(self, later: Interval) -> Interval:
        return Interval(
            self.schema,
            max(_given(self.lower, later.lower), default=None),
            min(_given(self.upper, later.upper), default=None),
            self.missing and later.missing,
            self.missing_seen or later.missing_seen,
            self.present and later.present,
        )

    def __str__(self) -> str:
        column, lower, upper = self.schema.name, self.lower, self.upper
        suffix = " or missing" if self.missing and self.missing_seen else ""
        if not self.present:
            return f"{column} is missing"
        if self.schema.ordered:
            return f"{column} {self._ranks()}{suffix}"
        if self.schema.boolean and (said := self._truth()):
            return f"{column} is {said}{suffix}"
        if lower is not None and upper is not None:
            return f"{column} in ({number_text(lower)}, {number_text(upper)}]{suffix}"
        if lower is not None:
            return f"{column} > {number_text(lower)}{suffix}"
        if upper is not None:
            return f"{column} <= {number_text(upper)}{suffix}"
        return f"{column} is present{suffix}"

    def _truth(self) -> str | None:
        """Which of False and True lie between the ends; None where neither does."""
        within = [
            (self.lower is None or self.lower < truth) and (self.upper is None or truth <= self.upper)
            for truth in (0, 1)
        ]
        return {(True, False): "false", (False, True): "true", (True, True): "present"}.get(
            (within[0], within[1])
        )

    def _ranks(self) -> str:
        """The ends by the names of ordered categories."""
        names = self.schema.categories
        first = 0 if self.lower is None else math.floor(self.lower) + 1
        last = len(names) - 1 if self.upper is None else math.floor(self.upper)
        if self.lower is not None and self.upper is not None:
            between = names[max(first, 0) : max(last + 1, 0)]
            return f"in {{{_list_of(map(value_text, between), None)}}}"
        if self.lower is not None:
            return f"> {value_text(names[min(max(first - 1, 0), len(names) - 1)])}"
        if self.upper is not None:
            return f"<= {value_text(names[min(max(last, 0), len(names) - 1)])}"
        return "is present"


@dataclass(frozen=True, slots=True)
class Group:
    """The category is one of `codes`; or, when `others`, any not in `excluded`; or missing."""

    schema: ColumnSchema
    codes: tuple[int, ...]
    excluded: frozenset[int] = frozenset()
    others: bool = False
    missing: bool = False
    missing_seen: bool = False

    def __and__(self, later: Group) -> Group:
        mine, yours = set(self.codes), set(later.codes)
        both = mine & yours
        if later.others:
            both |= mine - later.excluded
        if self.others:
            both |= yours - self.excluded
        return Group(
            self.schema,
            tuple(sorted(both)),
            self.excluded | later.excluded,
            self.others and later.others,
            self.missing and later.missing,
            self.missing_seen or later.missing_seen,
        )

    @property
    def values(self) -> tuple[object, ...]:
        return tuple(self.schema.categories[code] for code in self.codes)

    def others_known(self) -> bool:
        """Whether the column has categories that take this branch without being named."""
        named = self.excluded.union(self.codes)
        return self.others and len(named) < len(self.schema.categories)

    def text(self, width: int | None = None) -> str:
        """`width` limits the characters of category names; see `short_text`."""
        column = self.schema.name
        suffix = " (and others)" if self.others_known() else ""
        with_missing = self.missing and self.missing_seen
        if not self.codes:
            return f"{column} is missing{suffix}" if with_missing else f"{column} is another value"
        if self.others and not self.excluded and not with_missing:
            return f"{column} is present"
        names = _list_of(map(value_text, self.values), width)
        return f"{column} in {{{names}}}{suffix}{' or missing' if with_missing else ''}"

    def __str__(self) -> str:
        return self.text()


Condition = Interval | Group


def join(earlier: Condition, later: Condition) -> Condition:
    """Both hold; they are about the same column, so both are groups or neither is."""
    if isinstance(earlier, Group):
        assert isinstance(later, Group)
        return earlier & later
    assert not isinstance(later, Group)
    return earlier & later


def short_text(condition: Condition, width: int) -> str:
    """As printed, but category names beyond `width` characters are counted instead of listed."""
    return condition.text(width) if isinstance(condition, Group) else str(condition)


def _given(*ends: float | int | None) -> list[float | int]:
    return [end for end in ends if end is not None]


def _list_of(names: Iterable[str], width: int | None) -> str:
    shown: list[str] = []
    used = 0
    every = list(names)
    for name in every:
        used += len(name) + 2
        if width is not None and used > width and shown:
            return f"{', '.join(shown)}, {len(every) - len(shown)} more"
        shown.append(name)
    return ", ".join(shown)
