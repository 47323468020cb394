"""One class against the others, threshold by threshold.

In: each row's probability of the class, and whether it has the class. Out: `Steps`: for every
distinct probability, from the highest down, how many rows have at least that much. ROC, precision
and recall, lift, confusion matrices and costs are quotients of these counts. Invariant: counts are
whole numbers, so that areas are those of scikit-learn but for the rounding of one division.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Steps:
    """`hits[i]` rows of the class and `alarms[i]` others have a score of at least `scores[i]`.
    The first entry is a threshold above every score: no row has it."""

    scores: Floats
    hits: Counts
    alarms: Counts

    @property
    def positives(self) -> int:
        return int(self.hits[-1])

    @property
    def negatives(self) -> int:
        return int(self.alarms[-1])

    @property
    def recall(self) -> Floats:
        return np.asarray(self.hits / max(self.positives, 1))

    @property
    def false_alarm_rate(self) -> Floats:
        return np.asarray(self.alarms / max(self.negatives, 1))

    @property
    def precision(self) -> Floats:
        """1 where no row is taken, as scikit-learn draws it."""
        taken = self.hits + self.alarms
        return np.where(taken == 0, 1.0, self.hits / np.maximum(taken, 1))

    @property
    def lift(self) -> Floats:
        """How many times more of the class there is among the rows taken than among all; without
        the first entry, where no row is taken."""
        return self.precision[1:] * (self.positives + self.negatives) / max(self.positives, 1)

    @property
    def taken(self) -> Floats:
        """The share of all rows that have the score; without the first entry."""
        return (self.hits + self.alarms)[1:] / max(self.positives + self.negatives, 1)

    def auc(self) -> float:
        """The area under the ROC curve; NaN where one side has no row."""
        if not self.positives or not self.negatives:
            return math.nan
        twice = np.diff(self.alarms) * (self.hits[1:] + self.hits[:-1])
        return int(twice.sum()) / (2 * self.positives * self.negatives)

    def average_precision(self) -> float:
        """The sum of precisions, each by the rise of recall; NaN where no row has the class."""
        if not self.positives:
            return math.nan
        return float(np.sum(np.diff(self.hits) * self.precision[1:])) / self.positives

    def corners(self) -> NDArray[np.intp]:
        """Entries on the upper convex hull of the ROC curve. Whatever the two kinds of mistakes
        cost, a cheapest threshold is among them."""
        kept = np.arange(len(self.hits))
        while len(kept) > 2:
            x, y = self.alarms[kept], self.hits[kept]
            # A point on or below the line between its neighbours is no corner.
            across, up = x[2:] - x[:-2], y[2:] - y[:-2]
            under = (x[1:-1] - x[:-2]) * up >= (y[1:-1] - y[:-2]) * across
            if not under.any():
                break
            kept = np.delete(kept, 1 + np.flatnonzero(under))
        return kept

    def kept(self, most: int, *always: int) -> NDArray[np.intp]:
        """All entries, or about `most` of them: even steps along the ROC curve, its corners and
        those that are asked for."""
        count = len(self.hits)
        if count <= most:
            return np.arange(count)
        way = self.recall + self.false_alarm_rate
        even = np.searchsorted(way, np.linspace(0.0, way[-1], most))
        chosen = [np.minimum(even, count - 1), self.corners(), np.array([0, count - 1, *always])]
        return np.unique(np.concatenate(chosen))

    def threshold(self, at: int) -> float:
        """The shortest decimal that takes exactly the rows of entry `at` (0.5 if that does): above
        the next lower score, at most the entry's own. Infinity for the entry without rows."""
        high = float(self.scores[at])
        low = float(self.scores[at + 1]) if at + 1 < len(self.scores) else -math.inf
        return _short_between(low, high)


def steps_of(score: Floats, has: NDArray[np.bool_]) -> Steps:
    order = np.argsort(-score, kind="stable")
    falling = score[order]
    ends = np.flatnonzero(np.append(falling[1:] != falling[:-1], True))
    hits = np.cumsum(has[order], dtype=np.int64)[ends]
    return Steps(
        np.concatenate(([math.inf], falling[ends])),
        np.concatenate(([0], hits)),
        np.concatenate(([0], ends + 1 - hits)),
    )


def _short_between(low: float, high: float) -> float:
    if low < 0.5 <= high < math.inf:
        return 0.5
    if not math.isfinite(high):
        return high
    for digits in range(1, 17):
        short = float(f"{math.floor(high * 10**digits)}e-{digits}")
        if low < short <= high:
            return short
    return high
