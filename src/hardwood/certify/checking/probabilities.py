"""The probabilities of a tree's leaves, from the data's class weights, `leaf_prior` and pools.

In: what the data say of a tree, and the parameter. Compared: `prior`, and the shares and labels of
all nodes by the formula of docs/theory/rules.md#leaf-prior, node by node up to the root. Where two
heaviest classes of a node have the same shares above it but for rounding, either may be the label.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.growth import Replay
from hardwood.certify.checking.ledger import CLOSE, Ledger
from hardwood.certify.checking.nodes import Seen
from hardwood.tree.arrays import Tree

Floats = NDArray[np.float64]


def compare_probabilities(
    ledger: Ledger, claimed: Tree, found: Replay, seen: Seen, leaf_prior: float
) -> Floats:
    """`leaf_prior` examples, each of which weighs all weight over the number of examples. Out: what
    each node would say by itself."""
    units = found.facts.units
    examples = float(seen.examples[seen.units > 0].sum())
    prior = leaf_prior * seen.total / examples
    shares = units / units.sum(axis=1, keepdims=True)
    expected = shares.copy()
    if leaf_prior > 0:
        for node in range(1, claimed.n_nodes):
            above = shares[_ancestors(claimed, node)]
            raised = _raised(units[node], above, int(claimed.heaviest[node]))
            expected[node] = _moved(units[node], above, raised, prior)
    own, weight = expected.copy(), units.sum(axis=1)
    for first in [] if claimed.pool is None else np.unique(claimed.pool).tolist():
        members = np.flatnonzero(claimed.pool == first)
        expected[members] = np.average(own[members], axis=0, weights=weight[members])
    ledger.close("prior", claimed.prior, leaf_prior * claimed.weight[0] / examples)
    ledger.close("shares", claimed.shares, expected, scale=1.0)
    said = expected[np.arange(claimed.n_nodes), claimed.heaviest]
    ledger.close("the most probable class", said, expected.max(axis=1), scale=1.0)
    alone = np.bincount(_pool(claimed), minlength=claimed.n_nodes)[_pool(claimed)] == 1
    heaviest = units.max(axis=1) - units[np.arange(claimed.n_nodes), claimed.heaviest]
    ledger.close("heaviest's weight", heaviest * alone, np.zeros(claimed.n_nodes), weight)
    if claimed.costs is not None:
        paid = expected @ claimed.costs
        paid_by_label = paid[np.arange(claimed.n_nodes), claimed.label]
        least = paid.min(axis=1)
        ledger.close("label's expected cost", paid_by_label, least, scale=claimed.costs.max())
    return np.asarray(own)


def _pool(tree: Tree) -> NDArray[np.integer]:
    return np.arange(tree.n_nodes) if tree.pool is None else tree.pool


def branch_probability(tree: Tree, units: Floats, prior: float) -> Callable[[int, Floats], Floats]:
    """What a branch of a node with given class weights, all in units, would say."""
    shares = units / units.sum(axis=1, keepdims=True)

    def found(node: int, weights: Floats) -> Floats:
        if prior == 0:
            return np.asarray(weights / weights.sum())
        above = shares[[node, *_ancestors(tree, node)]]
        return _moved(weights, above, _raised(weights, above, -1), prior)

    return found


def _ancestors(tree: Tree, node: int) -> list[int]:
    above = []
    while tree.parent[node] >= 0:
        node = int(tree.parent[node])
        above.append(node)
    return above


def _raised(weights: Floats, above: Floats, label: int) -> int:
    """The heaviest class with the largest shares above."""
    candidates = np.flatnonzero(weights == weights.max()).tolist()
    sums = {c: math.fsum(above[:, c]) for c in candidates}
    best = max(sums.values())
    if label in sums and sums[label] >= best - CLOSE * best:
        return label
    return min(c for c in candidates if sums[c] == best)


def _moved(weights: Floats, above: Floats, raised: int, prior: float) -> Floats:
    lifted = above.copy()
    lifted[:, raised] = above.max(axis=1)
    lifted /= lifted.sum(axis=1, keepdims=True)
    return np.asarray((weights + prior * lifted.mean(axis=0)) / (weights.sum() + prior))
