"""Searches for the plain TopDown that keep constraints, slow and obvious, in fractions.

In: signs per (column, class), and groups of columns that may meet. `ShareSearch` is a single tree's
(docs/theory/rules.md#monotone-constraints): it looks at all candidates in THE order and takes the
first whose branches have probabilities in order (what becomes of leaves further apart is in
`pools.py`). `ScoreSearch` is a round's of boosting: leaves say ln((W+ + e)/(W- + e))/2, clipped,
and a candidate costs what clipping loses as well. Where a comparison is closer than rounding can
decide, the node is undecided. Nothing of hardwood is imported.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.oracles.topdown_candidates import candidates
from tests.oracles.topdown_problem import Node, Problem, Split, Vector, phi

NEAR = 1e-12


@dataclass
class ConstrainedSearch:
    """`groups` None: any columns may meet. `needs`: columns that must stand above a column."""

    signs: Mapping[tuple[int, int], int] = field(default_factory=dict)
    groups: Sequence[frozenset[int]] | None = None
    needs: Mapping[int, frozenset[int]] = field(default_factory=dict)
    nodes: dict[int, Node] = field(default_factory=dict)

    def __call__(self, problem: Problem, node: Node) -> tuple[Split | None, bool]:
        self.nodes[node.number] = node
        offered = [s for j in self._allowed(problem, node) for s in candidates(problem, node, j)]
        return self.choose(problem, node, offered)

    def choose(
        self, problem: Problem, node: Node, offered: list[Split]
    ) -> tuple[Split | None, bool]:
        raise NotImplementedError

    def above(self, node: Node) -> list[Node]:
        """The nodes above, the nearest first."""
        found = []
        while node.parent >= 0:
            node = self.nodes[node.parent]
            found.append(node)
        return found

    def _allowed(self, problem: Problem, node: Node) -> list[int]:
        path = {above.split.column for above in self.above(node) if above.split is not None}
        ready = [j for j in problem.allowed if self.needs.get(j, frozenset()) <= path]
        if self.groups is None:
            return ready
        fitting = [group for group in self.groups if path <= group]
        return [j for j in ready if any(j in group for group in fitting)]

    def says(self, problem: Problem, node: Node, vector: Vector, label: int) -> Any:
        """What a branch of the node with these class weights says."""
        raise NotImplementedError

    def outputs(self) -> list[int]:
        return sorted({label for _, label in self.signs})


def in_order(low: Any, high: Any) -> tuple[bool, bool]:
    """Whether low <= high, and whether that is sure."""
    return low <= high, abs(high - low) > NEAR


@dataclass
class ShareSearch(ConstrainedSearch):
    """`leaf_prior` in examples."""

    leaf_prior: float = 0.0

    def choose(
        self, problem: Problem, node: Node, offered: list[Split]
    ) -> tuple[Split | None, bool]:
        doubt = False
        for split in sorted(offered, key=lambda each: each.order):
            kept, sure = self._keeps(problem, node, split)
            doubt = doubt or not sure
            if kept:
                close = problem.rules.criterion == "entropy" and any(
                    other.cost <= split.cost * (1 + NEAR)
                    and set(other.vectors) != set(split.vectors)
                    for other in offered
                )
                return split, doubt or close
        return None, doubt

    def _keeps(self, problem: Problem, node: Node, split: Split) -> tuple[bool, bool]:
        checks = []
        for label in self.outputs():
            left, right = (self.says(problem, node, v, label) for v in split.vectors)
            sign = self.signs.get((split.column, label), 0)
            if split.threshold is not None and sign:
                checks.append(in_order(left, right) if sign > 0 else in_order(right, left))
        refused = [sure for fine, sure in checks if not fine]
        if self.leaf_prior == 0:  # shares are divisions, and order survives rounding
            return not refused, True
        return not refused, any(refused) if refused else all(sure for _, sure in checks)

    def says(self, problem: Problem, node: Node, vector: Vector, label: int) -> Fraction:
        weight = sum(vector)
        own = Fraction(vector[label], weight)
        if self.leaf_prior == 0:
            return own
        prior = Fraction(self.leaf_prior) * problem.total / sum(problem.examples)
        shares = [
            [Fraction(a, sum(each.vector)) for a in each.vector]
            for each in (node, *self.above(node))
        ]
        heaviest = [c for c, a in enumerate(vector) if a == max(vector)]
        raised = max(heaviest, key=lambda c: (sum(each[c] for each in shares), -c))
        mean = Fraction(0)
        for each in shares:
            lifted = [max(each) if c == raised else a for c, a in enumerate(each)]
            mean += lifted[label] / sum(lifted) / len(shares)
        return (own * weight + prior * mean) / (weight + prior)


@dataclass
class ScoreSearch(ConstrainedSearch):
    """Two classes; `prior` is the weight of the pseudo-examples of each class."""

    prior: float = 1.0

    def interval(self, problem: Problem, node: Node, label: int) -> tuple[Any, Any]:
        """Within which the output of the class must lie below the node."""
        if node.parent < 0:
            return -math.inf, math.inf
        parent = self.nodes[node.parent]
        low, high = self.interval(problem, parent, label)
        assert parent.split is not None
        assert parent.children is not None
        sign = self.signs.get((parent.split.column, label), 0)
        if parent.split.threshold is None or sign == 0:
            return low, high
        left, right = (self.says(problem, parent, v, label) for v in parent.split.vectors)
        middle = (left + right) / 2
        is_left = node.number == parent.children[0]
        return (low, middle) if is_left == (sign > 0) else (middle, high)

    def choose(
        self, problem: Problem, node: Node, offered: list[Split]
    ) -> tuple[Split | None, bool]:
        """Near ties of different branches are undecided."""
        paid = [(self._paid(problem, node, split), split) for split in offered]
        fine = [(cost, split) for cost, split in paid if cost < self._as_leaf(problem, node)]
        doubt = any(math.isnan(cost) for cost, _ in paid)
        if not fine:
            return None, doubt
        cost, best = min(fine, key=lambda each: (each[0], each[1].order[1:]))
        rivals = [s for c, s in fine if c <= cost * (1 + NEAR) + NEAR]
        return best, doubt or any(set(s.vectors) != set(best.vectors) for s in rivals)

    def _as_leaf(self, problem: Problem, node: Node) -> float:
        own = phi(problem.rules.criterion, node.vector)
        return (own + self._excess(problem, node, node.vector)) * (1 - 1e-11)

    def _paid(self, problem: Problem, node: Node, split: Split) -> float:
        left, right = (self.says(problem, node, v, 1) for v in split.vectors)
        sign = self.signs.get((split.column, 1), 0)
        if split.threshold is not None and sign:
            if left != right and abs(left - right) <= NEAR:
                return math.nan
            if left != right and (left < right) != (sign > 0):
                return math.inf
        return split.cost + sum(self._excess(problem, node, v) for v in split.vectors)

    def _excess(self, problem: Problem, node: Node, vector: Vector) -> float:
        """The least loss of a value within the interval, beyond that of any value."""
        low, high = self.interval(problem, node, 1)
        best = -math.inf if not vector[1] else math.inf
        if min(vector) > 0:
            best = math.log(vector[1] / vector[0]) / 2
        if low <= best <= high:
            return 0.0
        value = min(max(best, low), high)
        loss = vector[1] * math.exp(-value) + vector[0] * math.exp(value)
        return max(0.0, loss - 2 * math.sqrt(vector[0] * vector[1]))

    def _own(self, vector: Vector) -> float:
        return math.log((vector[1] + self.prior) / (vector[0] + self.prior)) / 2

    def says(self, problem: Problem, node: Node, vector: Vector, label: int) -> float:
        low, high = self.interval(problem, node, label)
        return float(min(max(self._own(vector), low), high))
