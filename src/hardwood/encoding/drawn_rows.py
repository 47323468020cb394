"""Rows drawn from a seed and their positions, each class with its share.

Row i has the hash mix(mix(seed) ^ i), SplitMix64's finaliser, which gives no two rows the same. The
rows of a class stand in the order of their hashes, and a `Draw` names places in that order, so it
does not matter where the rows are or how they are cut into parts. How many rows of each class are
drawn follows from the number of rows of each class alone: classes stand one after the other, and of
the first m rows in that order round(m * share) are drawn, halves up; so each class keeps its share
to within one row, and so do all rows together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Int64s = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Draw:
    """Of each class the rows at the places first to end - 1, in the order of their hashes."""

    seed: int
    first: Int64s
    end: Int64s

    @property
    def rows(self) -> int:
        return int((self.end - self.first).sum())


def draw_share(class_rows: Int64s, share: float, seed: int) -> Draw:
    """A share of the rows; of every class at least one row is left."""
    ends = np.cumsum(class_rows)
    drawn = np.floor(ends * share + 0.5) - np.floor((ends - class_rows) * share + 0.5)
    end = np.minimum(drawn.astype(np.int64), np.maximum(class_rows - 1, 0))
    return Draw(seed, np.zeros_like(end), end)


def draw_fold(class_rows: Int64s, fold: int, folds: int, seed: int) -> Draw:
    """One of `folds` sets of rows that have no row in common and hold all of them together. A fold
    has as many rows of a class as if the rows, class after class, were dealt out in turn."""
    ends = np.cumsum(class_rows)
    begins = ends - class_rows

    def dealt(turn: int) -> Int64s:
        """How many rows of each class the fold of this turn has."""
        return np.asarray((ends + folds - 1 - turn) // folds - (begins + folds - 1 - turn) // folds)

    first = sum((dealt(turn) for turn in range(fold)), np.zeros_like(ends))
    return Draw(seed, first, first + dealt(fold))


def draw_none(class_rows: Int64s) -> Draw:
    return Draw(0, np.zeros_like(class_rows), np.zeros_like(class_rows))


def drawn_rows(draw: Draw, labels: NDArray[np.int32]) -> Mask:
    """[rows] which of all rows are drawn."""
    classes = len(draw.first)
    order = np.lexsort((row_hashes(draw.seed, 0, len(labels)), labels))
    sizes = np.bincount(labels, minlength=classes)
    place = np.arange(len(labels)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    drawn = np.zeros(len(labels), dtype=np.bool_)
    of_class = labels[order]
    drawn[order] = (place >= draw.first[of_class]) & (place < draw.end[of_class])
    return drawn


def row_hashes(seed: int, first_row: int, rows: int) -> NDArray[np.uint64]:
    """Of `rows` rows from the first one on, by their positions among all rows."""
    start = _mix(np.array([seed & (2**64 - 1)], dtype=np.uint64))
    return _mix(start ^ np.arange(first_row, first_row + rows, dtype=np.uint64))


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)))
