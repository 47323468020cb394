"""What is drawn from a seed: columns, cuts and held-out rows (docs/theory/rules.md#draws).

In: the seed, and a class number per row or the class weights of branches. Out: columns, which cuts
a tree may use, or which rows are held out. Invariant: from the rule alone; the code that drew for
the model is not used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
GOLDEN = 0x9E3779B97F4A7C15
WORD = 2**64
FEW_VALUES = 8


def seed_of(random_state: Any) -> int | None:
    """The seed, 0 for None; None where the model does not keep it."""
    if random_state is None:
        return 0
    return int(random_state) if isinstance(random_state, Integral) else None


def drawn_columns(seed: int, r: int, columns: int, fraction: float) -> Whole:
    """The columns that the trees of round r may use, ascending."""
    places = np.arange(columns)
    state = _mixed(_mixed(seed % WORD) ^ r)
    count = max(1, math.ceil(fraction * columns))
    for i in range(count):
        state = (state + GOLDEN) % WORD
        j = i + _mixed(state) % (columns - i)
        places[[i, j]] = places[[j, i]]
    return np.sort(places[:count])


@dataclass(frozen=True)
class CutDraw:
    """The cuts of numeric columns that the trees of round r may use; `shares`: by column."""

    seed: int
    r: int
    shares: tuple[float, ...]

    def takes(
        self, column: int, left: NDArray[np.float64], whole: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """[cuts] of a node with the class weights `whole`; left is [cuts, classes]."""
        if self.shares[column] >= 1:
            return np.ones(len(left), dtype=np.bool_)
        start = _mixed(_mixed(_mixed(self.seed % WORD) ^ self.r))
        limit = int(self.shares[column] * 2.0**64)
        present = np.flatnonzero(whole)
        found = []
        for side in left:
            hashes = [start, start]
            for c in present.tolist():
                hashes[0] = _mixed(hashes[0] ^ int(side[c]))
                hashes[1] = _mixed(hashes[1] ^ int(whole[c] - side[c]))
            found.append(_mixed(sum(hashes) % WORD) < limit)
        return np.array(found, dtype=np.bool_)


def share_of_cuts(fraction: float, values: int) -> float:
    """Of a column with so many values in the table: one cut or more is drawn on average."""
    if values < 2:
        return 1.0
    return max(fraction, 1 / (values - 1)) if values <= FEW_VALUES else fraction


def _mixed(x: int) -> int:
    """SplitMix64's next number after the state x."""
    x = (x + GOLDEN) % WORD
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB % WORD
    return x ^ x >> 31


def held_out_rows(seed: int, labels: Whole, classes: int, share: float) -> NDArray[np.bool_]:
    """[rows] True for those that are held out: with the classes one after the other, of the first m
    rows round(m * share), halves up, so many of each class but at most all but one, those of the
    smallest hashes."""
    start = _mixed(seed % WORD)
    hashes = np.array([_mixed(start ^ i) for i in range(len(labels))], dtype=np.uint64)
    held = np.zeros(len(labels), dtype=np.bool_)
    before = 0
    for c in range(classes):
        rows = np.flatnonzero(labels == c)
        after = before + len(rows)
        wanted = math.floor(after * share + 0.5) - math.floor(before * share + 0.5)
        held[rows[np.argsort(hashes[rows])[: max(min(wanted, len(rows) - 1), 0)]]] = True
        before = after
    return held
