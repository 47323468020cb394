"""Boxes with values, in groups that add up: the leaves of many trees, ready to be bounded.

In: groups of (box, value); the boxes of a group cover the starting box, so that every row lies in
one piece of each group. Out: which pieces meet a smaller box, and from that the least and the
largest value of every group there. Sets of cells lie as 64-bit words, column by column, for the
pieces that do not take every cell of it. Invariant: a sum of floats, added in one order, of numbers
that are each at most others is at most the sum of the others in that order, because rounding keeps
the order; so bounds that are added as prediction adds hold for what prediction gives, to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.proving.walking import Box

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Piece = tuple[Box, float]

MOST_WORDS = 2**26
"""Words of all sets together (512 MB); a larger model is not searched."""


class TooLargeError(Exception):
    """The model has more boxes than are searched."""


@dataclass(frozen=True, eq=False)
class _Column:
    pieces: NDArray[np.intp]
    words: NDArray[np.uint64]


class Pieces:
    def __init__(self, groups: Sequence[Sequence[Piece]], start: Box) -> None:
        self.start = start
        self.boxes = [
            {c: mask & start[c] for c, mask in box.items() if start[c] & ~mask}
            for group in groups
            for box, _ in group
        ]
        self.values = np.array([value for group in groups for _, value in group])
        sizes = [len(group) for group in groups]
        self.begins = np.cumsum([0, *sizes[:-1]]).astype(np.intp)
        self.sizes = np.array(sizes, dtype=np.intp)
        self._columns = self._packed()

    def _packed(self) -> dict[int, _Column]:
        where: dict[int, list[int]] = {}
        for place, box in enumerate(self.boxes):
            for column in box:
                where.setdefault(column, []).append(place)
        wide = {column: _words(self.start[column]) for column in where}
        if sum(wide[column] * len(places) for column, places in where.items()) > MOST_WORDS:
            raise TooLargeError
        return {
            column: _Column(
                np.array(places, dtype=np.intp),
                np.array(
                    [_as_words(self.boxes[place][column], wide[column]) for place in places]
                ).reshape(len(places), wide[column]),
            )
            for column, places in where.items()
        }

    def narrowed(self, alive: Bools, column: int, mask: int) -> Bools:
        """The pieces of `alive` that meet the box once the column has these cells alone."""
        own = self._columns.get(column)
        after = alive.copy()
        if own is not None:
            words = _as_words(mask, own.words.shape[1])
            after[own.pieces] &= (own.words & words).any(axis=1)
        return after

    def extremes(self, alive: Bools) -> tuple[Floats, Floats]:
        """The least and the largest value of each group."""
        low = np.minimum.reduceat(np.where(alive, self.values, np.inf), self.begins)
        high = np.maximum.reduceat(np.where(alive, self.values, -np.inf), self.begins)
        return low, high

    def split(
        self, box: Box, alive: Bools, group: int, least: bool, avoid: int | None = None
    ) -> tuple[int, int, int] | None:
        """A column of the box in two, so that the group's extreme piece fills one side: the column,
        the cells inside and outside. None where only the column `avoid` could be split."""
        begin = self.begins[group]
        places = begin + np.flatnonzero(alive[begin : begin + self.sizes[group]])
        order = np.argsort(self.values[places], kind="stable")
        for place in places[order if least else order[::-1]].tolist():
            for column, mask in self.boxes[place].items():
                inside = box[column] & mask
                if column != avoid and inside != box[column]:
                    return column, inside, box[column] & ~mask
        return None


def summed(values: Floats) -> float:
    """One after the other, as prediction adds."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def _words(mask: int) -> int:
    return (mask.bit_length() + 63) // 64


def _as_words(mask: int, words: int) -> NDArray[np.uint64]:
    return np.frombuffer(mask.to_bytes(8 * words, "little"), dtype="<u8")
