"""What must hold for a row to take a branch, in the user's own values.

In: ends of an interval or category codes, and the schema of their column. Out: conditions that
print themselves ("age <= 42.5 or missing", "city in {Oslo, Bergen} (and others)") and that `join`
makes one of, when two are about the same column. Invariant: a condition is exact, also for missing
values and categories that training never saw at the node; the text leaves those two out where they
could not be met in the training table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hardwood.table.schema import ColumnSchema
from hardwood.tree.numbers import number_text, value_text

Parts = tuple[str, list[str], str]


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
            return "".join(_flat(self.parts()))
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
            (self.lower is None or self.lower < truth)
            and (self.upper is None or truth <= self.upper)
            for truth in (0, 1)
        ]
        return {(True, False): "false", (False, True): "true", (True, True): "present"}.get(
            (within[0], within[1])
        )

    def parts(self) -> Parts:
        """Where the text lists categories: what stands before them, they, and what follows."""
        if not self.schema.ordered or not self.present:
            return str(self), [], ""
        suffix = " or missing" if self.missing and self.missing_seen else ""
        names = self._between()
        if names is None:
            return f"{self.schema.name} {self._one_end()}{suffix}", [], ""
        return f"{self.schema.name} in {{", names, f"}}{suffix}"

    def _between(self) -> list[str] | None:
        """The ordered categories within both ends."""
        if self.lower is None or self.upper is None:
            return None
        first, last = math.floor(self.lower) + 1, math.floor(self.upper)
        return list(map(value_text, self.schema.categories[max(first, 0) : max(last + 1, 0)]))

    def _one_end(self) -> str:
        """An end by the name of an ordered category."""
        names = self.schema.categories
        first = 0 if self.lower is None else math.floor(self.lower) + 1
        last = len(names) - 1 if self.upper is None else math.floor(self.upper)
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

    def parts(self) -> Parts:
        """As those of an interval."""
        column = self.schema.name
        suffix = " (and others)" if self.others_known() else ""
        with_missing = self.missing and self.missing_seen
        if not self.codes:
            said = f"is missing{suffix}" if with_missing else "is another value"
            return f"{column} {said}", [], ""
        if self.others and not self.excluded and not with_missing:
            return f"{column} is present", [], ""
        names = list(map(value_text, self.values))
        return f"{column} in {{", names, f"}}{suffix}{' or missing' if with_missing else ''}"

    def __str__(self) -> str:
        return "".join(_flat(self.parts()))


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
    before, names, after = condition.parts()
    used = 0
    for shown, name in enumerate(names):
        used += len(name) + 2
        if used > width and shown:
            return "".join(_flat((before, [*names[:shown], f"{len(names) - shown} more"], after)))
    return str(condition)


def lines_of(condition: Condition, width: int) -> list[str]:
    """As printed, in lines of about `width` characters that break between category names."""
    lines = [""]
    for piece in _flat(condition.parts()):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _given(*ends: float | int | None) -> list[float | int]:
    return [end for end in ends if end is not None]


def _flat(parts: Parts) -> list[str]:
    """Pieces that make up the text: each category name with what holds it to its neighbours."""
    before, names, after = parts
    if not names:
        return [before + after]
    pieces = [f"{name}, " for name in names[:-1]] + [names[-1] + after]
    return [before + pieces[0], *pieces[1:]]
