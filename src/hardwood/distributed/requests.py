"""Messages that ask a part and leave it as it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hardwood._core import Arrivals, HistogramBatch, KeySumsBatch, QuestionBatch, RowBatch
from hardwood.boosting import Ensemble
from hardwood.distributed.messages import Float64s, Int64s, Request, T, joined
from hardwood.distributed.part_held_out import hash_digits
from hardwood.tree import Tree

if TYPE_CHECKING:
    from hardwood.distributed.part import PartState


@dataclass(frozen=True, slots=True)
class HistogramsOf(Request[HistogramBatch]):
    nodes: list[int]

    def run(self, part: PartState) -> HistogramBatch:
        return part.core.histograms(self.nodes)

    def merged(self, one: HistogramBatch, other: HistogramBatch) -> HistogramBatch:
        return joined(one, other)


@dataclass(frozen=True, slots=True)
class OpenBuckets(Request[KeySumsBatch]):
    """Nodes, columns and intervals of keys. Answered: the sums of each key."""

    batch: QuestionBatch

    def run(self, part: PartState) -> KeySumsBatch:
        return part.core.open(self.batch)

    def merged(self, one: KeySumsBatch, other: KeySumsBatch) -> KeySumsBatch:
        return joined(one, other)


@dataclass(frozen=True, slots=True)
class RowsOf(Request[int]):
    node: int

    def run(self, part: PartState) -> int:
        return part.core.rows_of(self.node)


@dataclass(frozen=True, slots=True)
class GatherRows(Request[RowBatch]):
    """Answered: the coded rows of small nodes, which the coordinator goes on with."""

    nodes: list[int]

    def run(self, part: PartState) -> RowBatch:
        return part.core.gather(self.nodes)

    def merged(self, one: RowBatch, other: RowBatch) -> RowBatch:
        return joined(one, other)


@dataclass(frozen=True, slots=True)
class TotalsOf(Request[Float64s]):
    """Answered: weight, loss and rows of a booster."""

    booster: int

    def run(self, part: PartState) -> Float64s:
        return part.core.factor_totals(self.booster)


@dataclass(frozen=True, slots=True)
class ExactTotalOf(Request[Float64s]):
    """Answered: the weight as exact addends."""

    booster: int

    def run(self, part: PartState) -> Float64s:
        return part.core.exact_parts(self.booster)

    def merged(self, one: Float64s, other: Float64s) -> Float64s:
        return np.concatenate([one, other])


@dataclass(frozen=True, slots=True)
class WeightDigits(Request[Int64s]):
    """Answered: the weight of the rows whose weight begins with a prefix, by its next digit."""

    shift: int
    bits: int
    prefix: int

    def run(self, part: PartState) -> Int64s:
        return part.core.weight_digits(self.shift, self.bits, self.prefix)


@dataclass(frozen=True, slots=True)
class CountExamples(Request[int]):
    def run(self, part: PartState) -> int:
        return part.count_examples()


@dataclass(frozen=True, slots=True)
class SendTrials(Request[Arrivals]):
    """Nodes, their heaviest branches and rows. Answered: what raising would bring to which leaf."""

    nodes: NDArray[np.int32]
    heaviest: NDArray[np.int32]
    rows: Int64s

    def run(self, part: PartState) -> Arrivals:
        return part.core.send(self.nodes, self.heaviest, self.rows)

    def merged(self, one: Arrivals, other: Arrivals) -> Arrivals:
        return joined(one, other)


@dataclass(frozen=True, slots=True)
class HashDigits(Request[Int64s]):
    """Answered: by class, rows whose hash begins with a prefix, by the hash's next digit."""

    seed: int
    first_rows: dict[int, int]
    prefixes: list[int]
    shift: int

    def run(self, part: PartState) -> Int64s:
        first = self.first_rows[part.number]
        return hash_digits(self.seed, first, part.labels, self.prefixes, self.shift)


@dataclass(frozen=True, slots=True)
class HeldOutWeights(Request[Float64s]):
    """Answered: class weights of the held-out rows by leaf."""

    tree: Tree

    def run(self, part: PartState) -> Float64s:
        return part.held.class_weights(self.tree)


class _OfEachPart(Request[dict[int, T]]):
    """Answers by the number of the part."""

    def merged(self, one: dict[int, T], other: dict[int, T]) -> dict[int, T]:
        return one | other


@dataclass(frozen=True, slots=True)
class HeldOutLabels(_OfEachPart[tuple[NDArray[np.int32], Int64s]]):
    """Answered: class numbers and weights of the held-out rows."""

    def run(self, part: PartState) -> dict[int, tuple[NDArray[np.int32], Int64s]]:
        rows = part.held.rows
        return {part.number: (rows.labels, rows.weights)}


@dataclass(frozen=True, slots=True)
class HeldOutScores(_OfEachPart[Float64s]):
    """Answered: what some trees say of the held-out rows, [rows, outputs]."""

    trees: Ensemble

    def run(self, part: PartState) -> dict[int, Float64s]:
        return {part.number: self.trees.scores(part.held.rows.table, 1)}


@dataclass(frozen=True, slots=True)
class LeafClassRows(Request[Int64s]):
    """Answered: rows with weight that are not held out, by class and leaf."""

    tree: Tree

    def run(self, part: PartState) -> Int64s:
        return part.leaf_class_rows(self.tree)


@dataclass(frozen=True, slots=True)
class WeightProducts(Request[tuple[Float64s, float, bool]]):
    """Answered: exact addends of weight x class factor, the largest, whether all are whole."""

    factors: Float64s

    def run(self, part: PartState) -> tuple[Float64s, float, bool]:
        return part.products(self.factors)

    def merged(
        self, one: tuple[Float64s, float, bool], other: tuple[Float64s, float, bool]
    ) -> tuple[Float64s, float, bool]:
        addends = np.concatenate([one[0], other[0]])
        return addends, max(one[1], other[1]), one[2] and other[2]
