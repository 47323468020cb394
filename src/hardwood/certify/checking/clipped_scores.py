"""Boosted trees under monotonic_cst: what a split costs where leaf scores are clipped.

In: a tree, its class weights, the round's prior. Out: a `ScoreAdmission`, which says which
candidates surely keep the order and what clipping adds to their cost, and a replay whose costs and
drops have that. The rules (docs/theory/rules.md#monotone-constraints): a branch whose best score
lies outside the node's interval pays the loss at the nearer end instead of the least one. The loss
of a score v is W- exp(v) + W+ exp(-v), for gentle W- (1 + v)^2 + W+ (1 - v)^2; discrete pays
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.constraints import (
    SURELY,
    Admission,
    Asked,
    clipped_labels,
    intervals,
    path_columns,
)
from hardwood.certify.checking.formulas import cost
from hardwood.certify.checking.growth import Replay
from hardwood.certify.checking.rounds import leaf_values
from hardwood.tree.arrays import Tree

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoreAdmission(Admission):
    """Of a boosted tree; prior in the units of the round."""

    variant: str
    prior: float

    def admits(self, node: int, column: int, left: Floats, right: Floats) -> bool:
        sign = int(self.asked.signs[column, 0])
        if sign == 0:
            return True
        sides = np.array([left, right] if sign > 0 else [right, left])
        low, high = self.low[node, 0], self.high[node, 0]
        own = leaf_values(self.variant, 2, sides, self.prior)
        odds = (sides[:, 1] + self.prior) / (sides.sum(axis=1) + 2 * self.prior)
        if odds[0] < odds[1] - SURELY:
            return True
        if self.variant == "discrete":
            said = clipped_labels(own, low, high)
            apart = np.abs(sides[:, 0] - sides[:, 1]) > SURELY * sides.sum(axis=1)
            return bool(apart.all() and said[0] <= said[1])
        below, above = own < low - SURELY, own > high + SURELY
        said = np.clip(own, low, high)
        return bool(below.all() or above.all() or said[0] <= said[1] - SURELY)

    def excess(self, node: int, weights: Floats) -> Floats:
        if self.variant == "discrete":
            return np.zeros(len(weights))
        minus, plus = weights[:, 0], weights[:, 1]
        low, high = float(self.low[node, 0]), float(self.high[node, 0])
        if self.variant == "gentle":
            best = (plus - minus) / (plus + minus)
            nearest = np.clip(best, low, high)
            loss = minus * (1 + nearest) ** 2 + plus * (1 - nearest) ** 2
        else:
            with np.errstate(divide="ignore"):
                best = (np.log(plus) - np.log(minus)) / 2
            nearest = np.clip(best, low, high)
            at = np.where(np.isfinite(nearest), nearest, 0.0)
            loss = minus * np.exp(at) + plus * np.exp(-at)
        least = cost(weights, "gini" if self.variant == "gentle" else "km")
        return np.asarray(np.where(nearest == best, 0.0, np.maximum(loss - least, 0.0)))


def unconstrained(asked: Asked, tree: Tree) -> Admission:
    """Only columns are kept off one path."""
    nothing = np.zeros((tree.n_nodes, 1))
    return Admission(asked, path_columns(tree), nothing - np.inf, nothing + np.inf, None)


def score_admission(
    asked: Asked, tree: Tree, units: Floats, variant: str, prior: float
) -> Admission:
    if not asked.monotone:
        return unconstrained(asked, tree)
    own = leaf_values(variant, 2, units, prior)
    clip = clipped_labels if variant == "discrete" else np.clip
    low, high = intervals(tree, asked, own[:, None], clip)
    return ScoreAdmission(asked, path_columns(tree), low, high, None, variant, prior)


def with_clipping(found: Replay, admission: Admission) -> Replay:
    """Costs of nodes as leaves, and drops of splits: the branches are clipped as their node is."""
    if not isinstance(admission, ScoreAdmission):
        return found
    tree, units = found.tree, found.facts.units
    more = [float(admission.excess(v, units[v : v + 1])[0]) for v in range(tree.n_nodes)]
    costs = found.cost + np.array(more) / found.total
    drop = np.array(found.drop)
    for node in found.order.tolist():
        children = tree.children(node)
        branches = found.cost[children] + admission.excess(node, units[children]) / found.total
        drop[node] = max(costs[node] - branches.sum(), 0.0)
    return replace(found, cost=costs, drop=drop)
