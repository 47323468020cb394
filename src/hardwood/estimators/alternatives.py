"""What else a node could be split on, and what that would cost.

In: the rows of a node and what the tree does there now. Out: `Alternatives`, a sequence of
`Alternative`s, best first. Errors are training weight: what the branches of the split, as leaves,
mislabel. Invariant: every number is about the rows of the node, exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from typing import Any, overload

from hardwood.draft import Line, node_text
from hardwood.draft.lines import Path, checked
from hardwood.growing.ranking import NodeRows, OfferedSplit
from hardwood.tree.numbers import number_text, value_text


@dataclass(frozen=True, eq=False)
class Alternative:
    """One way to split a node."""

    line: Line
    """The split as a line of a draft: `Draft([*draft.lines, alternative.line])` takes it."""
    drop: float
    """By how much it lowers the potential of the tree."""
    price: float
    """How much less that is than the best split of the node; with several branches, as drop over
    the price of so many (docs/theory/rules.md#multiway)."""
    errors: float
    """Training weight that its branches, as leaves, mislabel."""
    more_errors: float
    """The same, less that of the split that the node has now (of the node, if it is a leaf)."""
    class_weights: Any
    """[branches, classes]."""
    exact: bool
    """No rule of thumb took part in the search of this column."""

    @property
    def column(self) -> str:
        """The column that it asks about."""
        assert self.line.column is not None
        return self.line.column

    def __str__(self) -> str:
        change = errors_text(self.more_errors)
        return f"{self.line.words}: drop {self.drop:.6g}, price {self.price:.6g}, {change}"


def errors_text(more: float) -> str:
    """`3 more errors`, `as many errors`."""
    if more == 0:
        return "as many errors"
    number = number_text(round(abs(more), 9))
    return f"{number} {'more' if more > 0 else 'fewer'} error{'' if number == '1' else 's'}"


class Alternatives(Sequence[Alternative]):
    """The best splits of a node, best first; `at` and `round` try others."""

    def __init__(
        self, rows: NodeRows, node: int, path: Path, now: float, offered: list[OfferedSplit]
    ) -> None:
        self._rows, self._now = rows, now
        self.node, self.path = node, path
        self._best = offered[0].drop / offered[0].price if offered else 0.0
        self._items = [self._alternative(each) for each in offered]

    @overload
    def __getitem__(self, number: int) -> Alternative: ...

    @overload
    def __getitem__(self, number: slice) -> list[Alternative]: ...

    def __getitem__(self, number: int | slice) -> Alternative | list[Alternative]:
        return self._items[number]

    def __len__(self) -> int:
        return len(self._items)

    def at(
        self,
        column: str,
        threshold: Any = None,
        *,
        thresholds: Sequence[Any] = (),
        groups: Sequence[Sequence[Any]] | None = None,
        missing: int | None = None,
    ) -> Alternative:
        """What a split of your own would cost; the arguments are those of `Draft.split`."""
        cuts = tuple(thresholds) if threshold is None else (threshold, *thresholds)
        sets = None if groups is None else tuple(tuple(group) for group in groups)
        return self._told(checked(Line("split", self.path, column, cuts, sets, missing)))

    def round(self, number: int = 0, digits: int = 1) -> Alternative:
        """An alternative with its thresholds rounded to so many significant digits."""
        line = self._items[number].line
        if not line.thresholds or isinstance(line.thresholds[0], str):
            raise ValueError(f"There is no threshold to round in: {line.words}.")
        short = tuple(rounded(each, digits) for each in line.thresholds)
        return self._told(checked(replace(line, thresholds=short)))

    def price_of_rounding(self, number: int = 0, digits: int = 1) -> str:
        """`60 instead of 62.37: 3 more errors`."""
        before, after = self._items[number], self.round(number, digits)
        texts = [thresholds_text(each.line) for each in (after, before)]
        return f"{texts[0]} instead of {texts[1]}: {errors_text(after.errors - before.errors)}"

    def __str__(self) -> str:
        head = f"Node {self.node} ({node_text(self.path)}), {number_text(self._now)} errors now"
        rows = [f"{number:3}. {each}" for number, each in enumerate(self._items, 1)]
        return "\n".join([head, *(rows or ["  no column offers an admissible split"])])

    def _told(self, line: Line) -> Alternative:
        found = self._rows.told(line)
        if found is None:
            raise ValueError(
                f"A branch would have no rows: {line.words}, at node {node_text(self.path)}."
            )
        if math.isinf(found.drop):
            raise ValueError(
                "monotonic_cst or interaction_cst does not admit this split: "
                f"{line.words}, at node {node_text(self.path)}."
            )
        return self._alternative(replace(found, line=line))

    def _alternative(self, offered: OfferedSplit) -> Alternative:
        return Alternative(
            replace(offered.line, node=self.path),
            offered.drop,
            max(self._best - offered.drop / offered.price, 0.0),
            offered.errors,
            offered.errors - self._now,
            offered.class_weights,
            offered.exact,
        )


def thresholds_text(line: Line) -> str:
    """`62.37`, or several: `20, 62.37`."""
    return ", ".join(map(value_text, line.thresholds))


def rounded(value: Any, digits: int) -> float | int:
    """The decimal of so many significant digits that is nearest."""
    if digits < 1:
        raise ValueError(f"digits must be at least 1; given was {digits!r}.")
    near = Context(prec=digits).plus(Decimal(value))
    return int(near) if isinstance(value, int) else float(near)
