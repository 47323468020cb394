"""The best split of leaves whose rows are elsewhere, from sums over all parts.

In: leaves with their histograms. Out: each leaf's split and priority. Histograms are tried first;
then buckets that could hold the best cut are opened, the leading column's before the others', large
ones in pieces, for all leaves in the same round trips.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import GrowthOptions, MergedSearch
from hardwood.distributed.codebooks import CodePlan
from hardwood.distributed.leaf import Leaf

MOST_KEYS = 1 << 21  # asked for in one round trip, about
EVERYTHING = [(0, 2**64 - 1, 1)]
CHOICES = ("drop", "weight", "number")

Question = tuple[int, int, list[tuple[int, int, int]]]
Opening = tuple[Leaf, int, list[tuple[int, int, int]]]


class LeafSearch:
    """`ask` opens buckets: questions to a `KeySumsBatch`."""

    def __init__(
        self,
        plan: CodePlan,
        options: GrowthOptions,
        allowed: NDArray[np.uint8] | None,
        ask: Callable[[list[Question]], Any],
    ) -> None:
        self._plan, self._options, self._allowed = plan, options, allowed
        self._ask = ask

    def root(self, weights: list[float], examples: float | None, rows: int) -> Leaf:
        """The first leaf, which says what all others have to know of the table."""
        self._classes = len(weights)
        self._counted = examples is not None
        self._root_weight = sum(weights)
        leaf = self.leaf(0, weights, 0)
        leaf.examples, leaf.rows = examples or 0.0, rows
        return leaf

    def leaf(self, number: int, weights: list[float], depth: int) -> Leaf:
        return Leaf(number, weights, depth, self._search_of(weights, 0.0))

    def _search_of(self, weights: list[float], examples: float) -> MergedSearch:
        options = self._options
        channels = [*weights, examples] if self._counted else weights
        return MergedSearch(
            self._plan.core,
            options.criterion,
            channels,
            self._classes,
            options.min_weight,
            options.min_examples,
        )

    def may_split(self, leaf: Leaf) -> bool:
        options = self._options
        if len(leaf.classes) < 2 or (options.max_depth and leaf.depth >= options.max_depth):
            return False
        if leaf.weight < 2 * options.min_weight:
            return False
        known = self._counted and leaf.rows > 0
        return not known or leaf.examples >= 2 * options.min_examples

    def run(self, leaves: list[Leaf], *, keep: bool) -> None:
        """Find the best splits in two. keep: what was learned is wanted for wider ones."""
        for leaf in leaves:
            if self._counted:
                leaf.search = self._search_of(leaf.weights, leaf.examples)
            assert leaf.cells is not None
            leaf.search.run(leaf.cells, self._allowed)
            for c, sums in leaf.listed.items():
                leaf.search.try_listed(c, *sums)
        self._open(leaves, first=True)
        while self._open(leaves, first=False):
            continue
        for leaf in leaves:
            self._settle(leaf)
            if not keep:
                self._forget(leaf)

    def _open(self, leaves: list[Leaf], *, first: bool) -> bool:
        """Ask for keys that could hold the best cut: of the column that leads, then of all. A round
        trip carries a bounded number of keys. False when there was nothing to ask."""
        pending: list[Opening] = []
        keys, any_wanted = 0.0, False
        for leaf in leaves:
            for column, intervals, expected in leaf.search.wanted(leaf.rows, first):
                pending.append((leaf, column, intervals))
                any_wanted = True
                keys += expected
                if keys > MOST_KEYS:
                    self._open_now(pending)
                    pending, keys = [], 0.0
        if pending:
            self._open_now(pending)
        return any_wanted

    def _open_now(self, opens: list[Opening]) -> None:
        sums = self._ask([(leaf.number, c, intervals) for leaf, c, intervals in opens])
        for i, (leaf, c, _) in enumerate(opens):
            assert leaf.cells is not None
            leaf.search.offer(leaf.cells, c, sums, i)

    def _settle(self, leaf: Leaf) -> None:
        """The best split, now that all that could win has been tried."""
        best = leaf.search.best()
        leaf.searched, leaf.exact = True, leaf.search.exact
        choice = CHOICES[self._options.leaf_choice]
        if best is not None:
            drop = max(0.0, leaf.cost - best["cost"])
            if drop / self._root_weight >= self._options.min_drop:
                leaf.split = best
            if choice == "drop":
                leaf.priority = drop
        if choice == "weight":
            leaf.priority = leaf.cost

    def _forget(self, leaf: Leaf) -> None:
        """Keep the histogram only where it spares more than it takes."""
        leaf.listed = {}
        if leaf.cells is not None:
            worth = leaf.rows * len(self._plan.codes) > len(leaf.cells)
            if leaf.split is None or not worth:
                leaf.cells = None

    def choose_branching(self, leaf: Leaf, prices: list[float]) -> bool:
        """The best of the acceptable functions, by the prices of each number of branches."""
        assert leaf.cells is not None
        columns = self._plan.bucketed
        keys = dict(leaf.listed)
        if columns:
            sums = self._ask([(leaf.number, c, EVERYTHING) for c in columns])
            keys.update((c, (sums, i)) for i, c in enumerate(columns))
        leaf.wide = leaf.search.wide(
            prices,
            self._options.min_drop,
            self._root_weight,
            leaf.split is not None,
            leaf.cells,
            keys,
        )
        leaf.exact = leaf.search.exact
        return leaf.split is not None or leaf.wide is not None
