"""Searches for the best stump that count every look (Aziz, Anderton & Aslam 2018).

The rules: docs/theory/rules.md#search, #assessments and #lower-bounds.

In: columns of plain Python values, labels 0 and 1, integer weights. Out: the best stump of the best
column and the number of assessments, row x column lookups, that the search asked for. Nothing is
fast here: a stump is the list of the rows it mistakes.

Rows of weight 0 are absent; the others stand in decreasing weight, rows that tie by number. After
the first m of them a column's L is the least weight that one of its stumps mistakes there, and its
U is L plus the unseen weight. Columns are compared by (error, number), so all searches return one
stump: THE order is smaller error, smaller column, smaller cut, missing left before right.

What counts: a column that is constant on the rows (missing values being one value more) offers no
stump and does not compete, but while *all* columns are looked at it is looked at as well. So
exhaustive search costs rows x columns, and quick and adaptive search start with m x columns. The
lower bounds leave such columns out. Without any stump quick and adaptive search stop after their
first phase, and the bounds are 0.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.oracles.topdown_problem import Column


@dataclass(frozen=True)
class Stump:
    """`polarity` +1: class 1 above the threshold (in `right`); `mistakes`: rows it gets wrong."""

    cut: int
    missing: str | None
    threshold: float | int | None
    polarity: int
    mistakes: frozenset[int]


@dataclass(frozen=True)
class Found:
    column: int | None
    stump: Stump | None
    error: int
    assessments: int


@dataclass
class Search:
    """The columns' stumps, the rows in decreasing weight, and how far each column was read."""

    stumps: list[list[Stump]]
    order: list[int]
    weights: Sequence[int]
    read: list[int] = field(default_factory=list)
    assessments: int = 0

    @property
    def competing(self) -> list[int]:
        return [j for j, stumps in enumerate(self.stumps) if stumps]

    @property
    def n(self) -> int:
        return len(self.order)

    def seen_weight(self, m: int) -> int:
        return sum(self.weights[row] for row in self.order[:m])

    def rows_holding(self, goal: float) -> int:
        """The smallest number of heaviest rows whose weight reaches the goal, or all rows."""
        return next((m for m in range(self.n) if self.seen_weight(m) >= goal), self.n)

    def look(self, column: int, m: int) -> None:
        """Read the column up to the first m rows; what was read is not read again."""
        self.assessments += max(m - self.read[column], 0)
        self.read[column] = max(m, self.read[column])

    def look_everywhere(self, m: int) -> None:
        for column in range(len(self.stumps)):
            self.look(column, m)

    def lower(self, column: int) -> int:
        return self.least_mistakes(column, self.order[: self.read[column]])

    def upper(self, column: int) -> int:
        unseen = self.seen_weight(self.n) - self.seen_weight(self.read[column])
        return self.lower(column) + unseen

    def least_mistakes(self, column: int, rows: Sequence[int]) -> int:
        return min(self._mistaken(stump, rows) for stump in self.stumps[column])

    def _mistaken(self, stump: Stump, rows: Sequence[int]) -> int:
        return sum(self.weights[row] for row in rows if row in stump.mistakes)

    def found(self, column: int) -> Found:
        """The column's best stump, read to the end."""
        assert self.read[column] == self.n
        best = min(self.stumps[column], key=lambda stump: self._mistaken(stump, self.order))
        return Found(column, best, self._mistaken(best, self.order), self.assessments)


def prepare(columns: Sequence[Column], labels: Sequence[int], weights: Sequence[int]) -> Search:
    order = sorted((i for i, w in enumerate(weights) if w > 0), key=lambda i: (-weights[i], i))
    stumps = [stumps_of(column, labels, sorted(order)) for column in columns]
    return Search(stumps, order, weights, [0] * len(columns))


def stumps_of(column: Column, labels: Sequence[int], rows: Sequence[int]) -> list[Stump]:
    """Every stump of the column: all cuts, or all groups of categories, missing on either side."""
    values = {row: column.values[row] for row in rows}
    present = sorted({value for value in values.values() if value is not None})
    missing = any(value is None for value in values.values())
    found = []
    for cut, left in enumerate(_left_sides(column.kind, present)):
        apart = len(left) == len(present)
        ways: list[str | None] = ["left", "right"] if missing else [None]
        if apart:
            ways = ["right"] if missing else []
        threshold = None
        if column.kind != "category" and not apart:
            threshold = column.threshold(present[cut], present[cut + 1])
        for way in ways:
            goes_right = {
                row
                for row, value in values.items()
                if (way == "right" if value is None else value not in left)
            }
            for polarity in (1, -1):
                says = {row: int((row in goes_right) == (polarity == 1)) for row in rows}
                wrong = frozenset(row for row in rows if says[row] != labels[row])
                found.append(Stump(cut, way, threshold, polarity, wrong))
    return found


def _left_sides(kind: str, present: list[object]) -> list[set[object]]:
    """Left sides in order, the whole of them last; a category's side holds the first category."""
    if kind != "category":
        return [set(present[: cut + 1]) for cut in range(len(present))]
    first, rest = present[:1], present[1:]
    return [
        {*first, *some}
        for size in range(len(present))
        for some in itertools.combinations(rest, size)
    ]


def exhaustive(search: Search) -> Found:
    """Every column on every row."""
    search.look_everywhere(search.n)
    if not search.competing:
        return Found(None, None, 0, search.assessments)
    return search.found(min(search.competing, key=lambda j: (search.lower(j), j)))


def quick(search: Search, start: float = 0.5, batches: int = 10) -> Found:
    """Appel et al. (2013): all columns on a share of the weight, then one column after another."""
    whole = search.seen_weight(search.n)
    first = search.rows_holding(start * float(whole))
    search.look_everywhere(first)
    ends = [_end_of_batch(search, first, i, batches) for i in range(1, batches + 1)]
    best: tuple[float, int] = (math.inf, -1)
    for column in sorted(search.competing, key=lambda j: (search.lower(j), j)):
        for end in ends:
            if (search.lower(column), column) > best:
                break
            search.look(column, end)
        else:
            best = min(best, (search.lower(column), column))
    return search.found(best[1]) if search.competing else Found(None, None, 0, search.assessments)


def _end_of_batch(search: Search, first: int, number: int, batches: int) -> int:
    """Rows that hold so many of the equal shares of the weight that the first rows left over."""
    before, whole = search.seen_weight(first), search.seen_weight(search.n)
    goal = number * (whole - before)
    rows = range(first, search.n)
    return next((m for m in rows if batches * (search.seen_weight(m) - before) >= goal), search.n)


def adaptive(search: Search) -> Found:
    """Algorithm 1, its swap corrected: winner and challenger read on until one cannot lose."""
    search.look_everywhere(search.rows_holding(search.seen_weight(search.n) / 2))
    competing = search.competing
    if not competing:
        return Found(None, None, 0, search.assessments)
    a = min(competing, key=lambda j: (search.upper(j), j))
    while len(competing) > 1:
        b = min((j for j in competing if j != a), key=lambda j: (search.lower(j), j))
        if gap(search, a, b) <= 0:
            break
        before = search.assessments, a
        _take(search, a, gap(search, a, b))
        if gap(search, a, b) > 0:
            _take(search, b, gap(search, a, b))
        if (search.upper(b), b) < (search.upper(a), a):
            a = b
        assert (search.assessments, a) != before, "a pass without progress"
    search.look(a, search.n)
    return search.found(a)


def gap(search: Search, a: int, b: int) -> int:
    """Positive exactly when (U_a, a) > (L_b, b)."""
    return search.upper(a) - search.lower(b) + (b < a)


def _take(search: Search, column: int, weight: int) -> None:
    """The heaviest unseen rows holding the weight."""
    search.look(column, search.rows_holding(search.seen_weight(search.read[column]) + weight))


def weight_order_bound(search: Search) -> int:
    """n for the winner; for any other column the first m rows with L_m >= E*."""

    def first_rows(column: int, goal: int) -> int:
        rows = range(search.n + 1)
        return next(m for m in rows if search.least_mistakes(column, search.order[:m]) >= goal)

    return _bound(search, first_rows)


def exact_bound(search: Search) -> int:
    """The same with any set of rows in place of the first: all subsets are tried."""

    def fewest_rows(column: int, goal: int) -> int:
        for size in range(search.n + 1):
            for rows in itertools.combinations(search.order, size):
                if search.least_mistakes(column, rows) >= goal:
                    return size
        raise AssertionError("the whole column mistakes less than the winner")

    return _bound(search, fewest_rows)


def _bound(search: Search, needed: Callable[[int, int], int]) -> int:
    if not search.competing:
        return 0
    errors = {j: search.least_mistakes(j, search.order) for j in search.competing}
    winner = min(errors, key=lambda j: (errors[j], j))
    others = [j for j in errors if j != winner]
    return search.n + sum(needed(j, errors[winner]) for j in others)
