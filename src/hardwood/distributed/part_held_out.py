"""The held-out rows of one part: which they are, and what trees make of them.

In: between which hashes the held-out rows of each class lie (`encoding.drawn_rows` has the hash).
The rows are decoded, and answers are counts and sums that add up over parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting import Ensemble
from hardwood.boosting.row_losses import RowLoss
from hardwood.distributed.codebooks import CodePlan
from hardwood.distributed.decoding import decoded_rows
from hardwood.encoding.drawn_rows import Mask, row_hashes
from hardwood.training.held_out_rows import HeldOutRows
from hardwood.tree import Tree

DIGIT_BITS = 8
Int64s = NDArray[np.int64]


@dataclass(frozen=True)
class HashRanges:
    """Of each class the rows whose hash is from low to high, both included. first_rows: the
    position of each part's first row among all rows."""

    seed: int
    first_rows: dict[int, int]
    low: list[int]
    high: list[int]

    def mask(self, part: int, labels: NDArray[np.int32]) -> Mask:
        """[rows of the part] which are held out."""
        ranges = zip(self.low, self.high, strict=True)
        kept = [(low, high) if low <= high else (1, 0) for low, high in ranges]
        low, high = np.array(kept, dtype=np.uint64).T
        hashes = row_hashes(self.seed, self.first_rows[part], len(labels))
        return np.asarray((hashes >= low[labels]) & (hashes <= high[labels]))


def hash_digits(
    seed: int, first_row: int, labels: NDArray[np.int32], prefixes: list[int], shift: int
) -> Int64s:
    """[classes x digits] how many rows of each class have a hash that begins with the class's
    prefix, by the digit that comes next, whose last bit is the bit `shift`."""
    hashes = row_hashes(seed, first_row, len(labels)) >> np.uint64(shift)
    known = np.array(prefixes, dtype=np.uint64)
    begins = (hashes >> np.uint64(DIGIT_BITS)) == known[labels]
    digit = (hashes[begins] & np.uint64(2**DIGIT_BITS - 1)).astype(np.int64)
    place = labels[begins].astype(np.int64) * 2**DIGIT_BITS + digit
    return np.bincount(place, minlength=len(prefixes) * 2**DIGIT_BITS)


class PartHeldOut:
    """The held-out rows of one part."""

    def __init__(
        self, stored: dict[str, Any], plan: CodePlan, labels: NDArray[np.int32], classes: int,
        mask: Mask, weights: Int64s,
    ) -> None:  # fmt: skip
        rows = np.flatnonzero(mask)
        self.mask = mask
        self.weight = np.array([weights[~mask].sum(), weights[mask].sum()])
        table = decoded_rows(stored, plan, rows)
        self.rows = HeldOutRows(table, np.asarray(labels[rows]), weights[rows], classes)
        self._watched = self.rows.watched()

    def class_weights(self, tree: Tree) -> NDArray[np.float64]:
        """[N, classes] by leaf."""
        return self.rows.class_weights(tree, 1)

    def losses(self, latest: Ensemble, judge: RowLoss) -> NDArray[np.float64]:
        """Exact addends of weight x loss, once the latest round's trees are added."""
        return self._watched.addends(latest, judge, 1)
