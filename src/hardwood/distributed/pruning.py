"""Error-based pruning over parts: the round trips around the core's decisions.

In: a grown tree whose rows are with the parts, and where the parts have each leaf's rows. Out: the
tree that `hardwood.pruning.error_based` makes of the same rows in one place, to the bit. The
decisions are the core's, as there; here only what raising would do is asked of the parts. One round
trip tries every node that waits for nothing below it, so about as many are needed as the tree is
deep. The parts follow by a list of changes, which are events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import FractionalTrials, RaisingTrials, SplitBatch, cuts_of_tree
from hardwood.criteria import Criterion
from hardwood.distributed.codebooks import CodePlan
from hardwood.distributed.events import BeginPruning, ChangeNodes, DividePieces, SplitNodes
from hardwood.distributed.messages import Event
from hardwood.distributed.requests import SendTrials
from hardwood.distributed.team import Team
from hardwood.encoding import Weights
from hardwood.pruning.error_based import Confidence, pruned_tree, with_whole_shares
from hardwood.tree import Tree

_ROUTES = (
    "first_child", "branches", "feature", "cut_begin", "cut_count", "group_begin", "group_count",
    "group_codes", "group_branches", "missing_branch", "missing_seen", "default_branch",
)  # fmt: skip


@dataclass(frozen=True)
class PartLocations:
    """Under which name the parts have the rows of a leaf; a leaf may be there under several.
    untold: splits that the parts must be told of first."""

    leaves: NDArray[np.int32]
    names: NDArray[np.int32]
    untold: SplitBatch | None = None


class PartsPruning:
    def __init__(
        self,
        team: Team,
        plan: CodePlan,
        locations: PartLocations,
        weights: Weights,
        *,
        fractional: bool = False,
    ) -> None:
        self._fractional = fractional
        self._team, self._plan, self._locations, self._weights = team, plan, locations, weights

    def error_based(
        self,
        tree: Tree,
        *,
        criterion: Criterion,
        confidence: float,
        raising: bool,
        freedom: NDArray[np.uint8] | None = None,
    ) -> Tree:
        """The pruned tree; the same object when nothing is cut. freedom: what a draft leaves to
        pruning, per node."""
        told = *self._trials_of(tree, confidence), raising, freedom
        if self._fractional:
            found = self._by_pieces(tree, FractionalTrials(*told))
        else:
            found = self._by_rows(tree, RaisingTrials(*told))
        pruned = pruned_tree(tree, found, criterion)
        whole = tree.share is not None and not self._fractional and pruned is not tree
        return with_whole_shares(pruned) if whole else pruned

    def _trials_of(self, tree: Tree, confidence: float) -> tuple[Any, ...]:
        estimate = Confidence.of(confidence)
        flat = np.ascontiguousarray(tree.class_weights).reshape(-1)
        examples = self._weights.examples_per_weight
        return tree, flat, tree.n_classes, estimate.log, estimate.deviation, examples

    def _by_rows(self, tree: Tree, core: RaisingTrials) -> dict[str, NDArray[Any]]:
        trials = core.next()
        core.changes()  # the beginning tells of them
        events = self._begin(tree, core) if len(trials[0]) else []
        while len(trials[0]):
            answer = self._team.ask(events, [SendTrials(*trials)])
            core.take(answer.requests[0], self._weights.unit)
            trials = core.next()
            changes = core.changes()
            events = [ChangeNodes(changes)] if changes else []
        return core.pruned()

    def _by_pieces(self, tree: Tree, core: FractionalTrials) -> dict[str, NDArray[Any]]:
        """Trials go down level by level, since shares are of what all parts have at a node."""
        order = core.next()
        core.changes()  # the beginning tells of them
        events = self._begin(tree, core) if order else []
        while order:
            answer = self._team.ask([*events, DividePieces(order)], [])
            core.take(answer.events[-1], self._weights.unit)
            order = core.next()
            changes = core.changes()
            events = [ChangeNodes(changes)] if changes else []
        return core.pruned()

    def _begin(self, tree: Tree, core: RaisingTrials | FractionalTrials) -> list[Event[Any]]:
        """The tree with its cuts in shared codes, surviving nodes that are leaves by now, and where
        the rows of the parts' nodes are."""
        arrays: dict[str, NDArray[Any]] = {name: getattr(tree, name) for name in _ROUTES}
        arrays["cuts"] = cuts_of_tree(tree, self._plan.core)
        leaves = np.flatnonzero((core.splits() == -1) & ~tree.is_leaf).astype(np.int32)
        surviving = core.where_rows_are()[self._locations.leaves].astype(np.int32)
        untold = [SplitNodes(self._locations.untold)] if self._locations.untold else []
        return [*untold, BeginPruning(arrays, leaves, self._locations.names, surviving)]
