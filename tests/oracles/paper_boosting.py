"""AdaBoost by the rules of the runs in Aziz, Anderton & Aslam 2018, in plain NumPy.

In: a table, labels -1 and +1, rounds. Out: scores of all rows after each round, and what Algorithm
1 assesses. Three rules differ from the library's: a stump may be constant, so a column that is
constant in a node competes, and wins ties, and a node is sought again below a constant stump;
trimming cuts through rows of equal weight; a round no better than chance is passed over. Weights
are whole numbers that float64 adds exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

SCALE = 2.0**52
CHANCE = 0.5 - 2.0**-40
"""An error of one half, but for the rounding of the weights."""
TIED = 2.0**-32
"""Errors that differ by less than this share of a node's weight are equal but for that rounding."""


@dataclass(frozen=True)
class Coded:
    """The columns as ranks of their values; `values[k][code]` is the value."""

    codes: Any
    values: list[Any]

    @classmethod
    def of(cls, X: Any) -> Coded:
        pairs = [np.unique(column, return_inverse=True) for column in X.T]
        codes = np.column_stack([ranks for _, ranks in pairs]).astype(np.int64)
        return cls(codes, [values for values, _ in pairs])

    @property
    def sizes(self) -> list[int]:
        return [len(values) for values in self.values]


@dataclass(frozen=True)
class Stump:
    """The rows with at most `code` in `column` go left and are called `left`, the others -left."""

    error: float
    column: int
    code: int
    left: float
    assessed: int


class Race:
    """Algorithm 1 in one node: rows in decreasing weight, two columns at a time."""

    def __init__(self, codes: Any, signed: Any, sizes: list[int]) -> None:
        self.codes, self.signed = codes, signed
        self.seen_weight = np.concatenate([[0.0], np.cumsum(np.abs(signed))])
        self.seen_sign = np.concatenate([[0.0], np.cumsum(signed)])
        self.rows, self.columns = codes.shape
        half = int(np.searchsorted(self.seen_weight, self.seen_weight[-1] / 2))
        start = min(max(half, 1), self.rows)
        self.seen = np.zeros(self.columns, dtype=np.int64)
        self.sums = [np.zeros(size) for size in sizes]
        self.low = np.zeros(self.columns)
        self.assessed = 0
        for column in range(self.columns):
            self._advance_to(column, start)

    def _advance_to(self, column: int, end: int) -> None:
        begin, sums = int(self.seen[column]), self.sums[column]
        part = self.codes[begin:end, column]
        sums += np.bincount(part, weights=self.signed[begin:end], minlength=len(sums))
        self.seen[column] = end
        self.assessed += end - begin
        self.low[column] = self.errors(column).min()

    def errors(self, column: int) -> Any:
        """Per cut the smaller error of both polarities, on what was seen."""
        return np.minimum(*self._both(column))

    def _both(self, column: int) -> tuple[Any, Any]:
        seen, left = self.seen[column], np.cumsum(self.sums[column])
        weight, sign = self.seen_weight[seen], self.seen_sign[seen]
        return (weight - sign) / 2 + left, (weight + sign) / 2 - left

    def high(self, column: int) -> float:
        unseen = self.seen_weight[-1] - self.seen_weight[self.seen[column]]
        return float(self.low[column] + unseen)

    def _by_weight(self, column: int, gap: float) -> None:
        seen = int(self.seen[column])
        if seen < self.rows:
            end = int(np.searchsorted(self.seen_weight, self.seen_weight[seen] + gap))
            self._advance_to(column, min(max(end, seen + 1), self.rows))

    def winner(self) -> Stump:
        best = min(range(self.columns), key=lambda column: (self.high(column), column))
        while self.columns > 1:
            rest = self.low.copy()
            rest[best] = np.inf
            other = int(np.argmin(rest))
            if not self._open(best, other):
                break
            self._by_weight(best, self.high(best) - self.low[other])
            if self._open(best, other):
                self._by_weight(other, self.high(best) - self.low[other])
            if (self.high(other), other) < (self.high(best), best):
                best = other
        self._advance_to(best, self.rows)
        return self._stump(best)

    def _open(self, best: int, other: int) -> bool:
        return (self.high(best), best) > (self.low[other], other)

    def _stump(self, column: int) -> Stump:
        minus, plus = self._both(column)
        present = np.unique(self.codes[:, column])
        errors = np.minimum(minus, plus)[present]
        best = int(np.argmin(errors))
        if errors[-1] <= errors[best] + TIED * self.seen_weight[-1]:
            best = len(present) - 1  # all rows on one side
        code = int(present[best])
        left = -1.0 if minus[code] <= plus[code] else 1.0
        return Stump(float(errors[best]), column, code, left, self.assessed)


def drawn_stump(codes: Any, signed: Any, sizes: list[int], ties: Any) -> Stump:
    """Any of the stumps of smallest error, constant ones among them, each as likely."""
    total, sign = np.abs(signed).sum(), signed.sum()
    found = []
    for column, size in enumerate(sizes):
        left = np.cumsum(np.bincount(codes[:, column], weights=signed, minlength=size))
        minus, plus = (total - sign) / 2 + left, (total + sign) / 2 - left
        for code in np.unique(codes[:, column]):
            answer = -1.0 if minus[code] <= plus[code] else 1.0
            found.append((min(minus[code], plus[code]), column, int(code), answer))
    least = min(found)[0]
    tied = [each for each in found if each[0] <= least + TIED * total]
    error, column, code, left = tied[ties.integers(len(tied))]
    return Stump(error, column, code, left, codes.size)


@dataclass
class Growth:
    """One tree, grown on some rows and answering for all; ties are drawn where `ties` is given."""

    table: Coded
    signed: Any
    everyone: Any
    answers: Any
    ties: Any = None
    assessed: int = 0

    def grow(self, rows: Any, reached: Any, depth: int) -> None:
        """`rows` in decreasing weight; `reached` are those of `everyone` that come here."""
        codes = self.table.codes[rows]
        if self.ties is None:
            stump = Race(codes, self.signed[rows], self.table.sizes).winner()
        else:
            stump = drawn_stump(codes, self.signed[rows], self.table.sizes, self.ties)
        here = codes[:, stump.column]
        left = here <= stump.code
        if left.all():  # a constant stump: the levels below seek the same node again
            self.assessed += depth * stump.assessed
            self.answers[reached] = stump.left
            return
        self.assessed += stump.assessed
        values = self.table.values[stump.column]
        cut = (values[stump.code] + values[here[~left].min()]) / 2
        below = self.everyone[reached, stump.column] <= cut
        for inside, there, answer in ((left, below, stump.left), (~left, ~below, -stump.left)):
            if depth == 1:
                self.answers[reached[there]] = answer
            else:
                self.grow(rows[inside], reached[there], depth - 1)


def paper_rounds(
    X: Any, sign: Any, X_test: Any, depth: int, weight_fraction: float = 1.0, ties: Any = None
) -> Iterator[tuple[Any, int]]:
    """Per round the scores of the training and then the test rows, and the assessments."""
    table, everyone = Coded.of(X), np.vstack([X, X_test])
    scores, count, passed = np.zeros(len(everyone)), 0, False
    while True:
        if not passed:  # else nothing changed: the same tree, as often as asked
            real = np.exp(-sign * scores[: len(sign)])
            weights = np.rint(real / real.sum() * SCALE)
            tree = Growth(table, weights * sign, everyone, np.zeros(len(everyone)), ties)
            tree.grow(_heaviest(weights, weight_fraction), np.arange(len(everyone)), depth)
            missed = float(weights[tree.answers[: len(sign)] != sign].sum() / weights.sum())
            count, passed = tree.assessed, missed >= CHANCE
            if not passed:
                scores = scores + 0.5 * np.log((1 - missed) / max(missed, 1 / SCALE)) * tree.answers
        yield scores, count


def _heaviest(weights: Any, share: float) -> Any:
    """Rows in decreasing weight, cut where they hold the share, through ties."""
    order = np.argsort(-weights, kind="stable")
    held = np.cumsum(weights[order])
    kept = int(np.searchsorted(held, share * held[-1])) + 1
    return order[: min(kept, len(order))]


def pairs_of(X: Any, y: Any, classes: Any) -> tuple[Any, Any]:
    """Every row with every class, the class as the last column, and whether it is the row's."""
    many = len(classes)
    table = np.column_stack([np.repeat(X, many, axis=0), np.tile(np.arange(many), len(X))])
    return table, np.where(np.tile(classes, len(X)) == np.repeat(y, many), 1.0, -1.0)
