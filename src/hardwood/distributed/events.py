"""Messages that change a part's state. Their order is a fit's history: a lost part replays it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import Arrivals, PieceOrder, SplitBatch
from hardwood.boosting import Ensemble
from hardwood.boosting.row_losses import RowLoss
from hardwood.distributed.messages import Event, Float64s, Int64s, joined
from hardwood.distributed.part_held_out import HashRanges

if TYPE_CHECKING:
    from hardwood.distributed.part import PartState

SplitSums = tuple[Int64s, Int64s, Int64s, NDArray[np.uint64], NDArray[np.uint64]]


class _Silent(Event[None]):
    def merged(self, one: None, other: None) -> None:
        """Nothing is answered."""


@dataclass(frozen=True, slots=True)
class SetWeights(Event[Int64s]):
    """Weights on the grid 2^exponent (None: each row weighs 1), times the class factors. Answered:
    examples and rows of positive weight. units: of an example; 0: not counted apart."""

    exponent: int | None
    factors: Float64s | None
    units: int

    def run(self, part: PartState) -> Int64s:
        return part.set_weights(self.exponent, self.factors, self.units)


@dataclass(frozen=True, slots=True)
class SetFactors(Event[Int64s]):
    """Rows get a factor for each booster, or for each of so many classes (pairs). Answered as for
    `SetWeights`."""

    factors: Float64s | None
    whole: bool
    examples: bool
    logistic: bool
    boosters: int
    pairs: int = 0

    def run(self, part: PartState) -> Int64s:
        return part.set_factors(self)


@dataclass(frozen=True, slots=True)
class StartRows(Event[Int64s]):
    """All rows from a weight on go to the root. target: a class against the rest, or -1. pieces:
    rows that miss values will go down every branch. Answered: totals by channel."""

    target: int
    least: int
    pieces: bool = False

    def run(self, part: PartState) -> Int64s:
        return part.core.start(self.target, self.least, self.pieces)


@dataclass(frozen=True, slots=True)
class SplitNodes(Event[SplitSums]):
    """Answered: rows, examples and (of pieces) class weights of the children, keys beside cuts."""

    batch: SplitBatch

    def run(self, part: PartState) -> SplitSums:
        return part.core.split(self.batch)

    def merged(self, one: SplitSums, other: SplitSums) -> SplitSums:
        rows, examples, weights = one[0] + other[0], one[1] + other[1], one[2] + other[2]
        return rows, examples, weights, np.maximum(one[3], other[3]), np.minimum(one[4], other[4])


@dataclass(frozen=True, slots=True)
class RoundWeights(Event[int]):
    """Whole-number weights of a booster's factors. Answered: their total."""

    booster: int
    exponent: int

    def run(self, part: PartState) -> int:
        return part.core.round_weights(self.booster, self.exponent)


@dataclass(frozen=True, slots=True)
class ScaleFactors(_Silent):
    booster: int
    by: float

    def run(self, part: PartState) -> None:
        part.core.scale(self.booster, self.by)


@dataclass(frozen=True, slots=True)
class RouteRows(Event[Int64s]):
    """Rows that a finished tree did not see go down it. Answered: their class weights by node."""

    tree: SplitBatch

    def run(self, part: PartState) -> Int64s:
        return part.core.route_absent(self.tree)


@dataclass(frozen=True, slots=True)
class MultiplyFactors(_Silent):
    """Factors of the rows of each node, by same or other label."""

    booster: int
    nodes: list[int]
    same: Float64s
    other: Float64s
    label: list[int]
    routed: bool

    def run(self, part: PartState) -> None:
        part.core.multiply(self.booster, self.nodes, self.same, self.other, self.label, self.routed)


@dataclass(frozen=True, slots=True)
class SumPairs(Event[Int64s]):
    """What reaches the leaves of a tree over pairs; nodes[i] is its leaves[i]. Nothing changes, but
    it has its place among the events: the next one may be another round's weights. Answered: by
    leaf and class how many rows have weight, and then what they weigh by whether it is their own.
    """

    nodes: list[int]
    leaves: list[int]
    tree_nodes: int
    routed: bool

    def run(self, part: PartState) -> Int64s:
        return part.core.sum_pairs(self.nodes, self.leaves, self.tree_nodes, self.routed)


@dataclass(frozen=True, slots=True)
class BeginPruning(_Silent):
    """The grown tree, nodes that are leaves by now, and where the rows of the parts' nodes are."""

    tree: dict[str, NDArray[Any]]
    leaves: NDArray[np.int32]
    nodes: NDArray[np.int32]
    surviving: NDArray[np.int32]

    def run(self, part: PartState) -> None:
        part.keep(self.tree)
        part.core.begin_pruning(self.tree, self.leaves, self.nodes, self.surviving)


@dataclass(frozen=True, slots=True)
class ChangeNodes(_Silent):
    """New leaves and raised branches, in order."""

    changes: list[Any]

    def run(self, part: PartState) -> None:
        part.core.change(self.changes)


@dataclass(frozen=True, slots=True)
class DividePieces(Event[Arrivals]):
    """Trials to begin and nodes to divide. Answered: what came to the nodes that trials reached."""

    order: PieceOrder

    def run(self, part: PartState) -> Arrivals:
        return part.core.divide_pieces(self.order)

    def merged(self, one: Arrivals, other: Arrivals) -> Arrivals:
        return joined(one, other)


@dataclass(frozen=True, slots=True)
class HoldOut(Event[Int64s]):
    """Answered: the weight that is left and the weight held out."""

    ranges: HashRanges
    exponent: int | None
    factors: Float64s | None

    def run(self, part: PartState) -> Int64s:
        return part.hold(self.ranges, self.exponent, self.factors)


@dataclass(frozen=True, slots=True)
class WatchLoss(Event[Float64s]):
    """A round's trees. Answered: exact addends of weight x loss of the held-out rows."""

    latest: Ensemble
    judge: RowLoss

    def run(self, part: PartState) -> Float64s:
        return part.held.losses(self.latest, self.judge)

    def merged(self, one: Float64s, other: Float64s) -> Float64s:
        return np.concatenate([one, other])
