"""Rows held out of growth over parts, as the coordinator sees them.

A part needs to know only between which hashes the drawn rows of each class lie. They are found
digit by digit: the parts tell how many hashes of each class begin with the digits found so far, by
their next digit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting import Ensemble
from hardwood.boosting.row_losses import RowLoss
from hardwood.distributed.agreement import Agreement, Grid
from hardwood.distributed.events import HoldOut, WatchLoss
from hardwood.distributed.part_held_out import DIGIT_BITS, HashRanges, Int64s
from hardwood.distributed.requests import (
    HashDigits,
    HeldOutLabels,
    HeldOutScores,
    HeldOutWeights,
)
from hardwood.distributed.team import Team
from hardwood.encoding.drawn_rows import Draw
from hardwood.tree import Tree

HASH_BITS = 64


class PartsWatch:
    """`Watch` of held-out rows in parts."""

    def __init__(self, team: Team, weight: float, judge: RowLoss) -> None:
        self._team, self._weight, self._judge = team, weight, judge

    def loss(self, latest: Ensemble, threads: int) -> float:
        del threads  # the parts have their own
        addends = self._team.tell(WatchLoss(latest, self._judge))
        return math.fsum(addends) / self._weight


class PartsHeldOut:
    def __init__(self, team: Team, agreement: Agreement) -> None:
        self._team, self._agreement = team, agreement
        self._found: dict[tuple[int, ...], list[int]] = {}
        self.rows, self.weight = 0, 0

    def hold(self, draw: Draw, grid: Grid) -> tuple[int, int]:
        """As `Training.hold_out`."""
        low = [below + 1 for below in self._hashes_at(draw.seed, draw.first - 1)]
        high = self._hashes_at(draw.seed, draw.end - 1)
        ranges = HashRanges(draw.seed, self._agreement.first_rows, low, high)
        left, held = self._team.tell(HoldOut(ranges, grid.exponent, grid.factors)).tolist()
        self.rows, self.weight = draw.rows, held
        return left, held

    def class_weights(self, tree: Tree) -> NDArray[np.float64]:
        return self._team.learn(HeldOutWeights(tree))

    def watch(self, judge: RowLoss) -> PartsWatch:
        return PartsWatch(self._team, float(self.weight), judge)

    def labels(self) -> tuple[NDArray[np.int32], Int64s]:
        """Class numbers and weights, in the order of the rows."""
        found = self._team.learn(HeldOutLabels())
        labels, weights = zip(*(found[part] for part in self._in_order(found)), strict=True)
        return np.concatenate(labels), np.concatenate(weights)

    def scores(self, trees: Ensemble, threads: int) -> NDArray[np.float64]:
        """What trees say, in the same order."""
        del threads  # the parts have their own
        found = self._team.learn(HeldOutScores(trees))
        return np.concatenate([found[part] for part in self._in_order(found)])

    def _in_order(self, parts: Iterable[int]) -> list[int]:
        return sorted(parts, key=self._agreement.first_rows.__getitem__)

    def _hashes_at(self, seed: int, places: Int64s) -> list[int]:
        """Of each class the hash at a place in the order of its hashes; -1 at place -1."""
        key = (seed, *places.tolist())
        if key not in self._found:
            self._found[key] = self._search(seed, places)
        return self._found[key]

    def _search(self, seed: int, places: Int64s) -> list[int]:
        if (places < 0).all():
            return [-1] * len(places)
        first_rows, wanted = self._agreement.first_rows, np.maximum(places, 0)
        prefixes = [0] * len(places)
        for shift in range(HASH_BITS - DIGIT_BITS, -1, -DIGIT_BITS):
            found = self._team.learn(HashDigits(seed, first_rows, prefixes, shift))
            counts = found.reshape(len(places), -1)
            upto = np.cumsum(counts, axis=1)
            digits = (upto <= wanted[:, None]).sum(axis=1)
            wanted = wanted - np.where(digits > 0, upto[np.arange(len(places)), digits - 1], 0)
            prefixes = [
                (prefix << DIGIT_BITS) + digit
                for prefix, digit in zip(prefixes, digits.tolist(), strict=True)
            ]
        return [-1 if place < 0 else prefix for place, prefix in zip(places, prefixes, strict=True)]
