"""The probabilities of a tree's leaves, from the data's class weights and `leaf_prior`.

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
) -> None:
    """`leaf_prior` examples, each of which weighs all weight over the number of examples."""
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
    ledger.close("prior", claimed.prior, leaf_prior * claimed.weight[0] / examples)
    ledger.close("shares", claimed.shares, expected, scale=1.0)
    heaviest = units.max(axis=1) - units[np.arange(claimed.n_nodes), claimed.heaviest]
    ledger.close("heaviest's weight", heaviest, np.zeros(claimed.n_nodes), units.sum(axis=1))
    if claimed.costs is not None:
        paid = expected @ claimed.costs
        own = paid[np.arange(claimed.n_nodes), claimed.label]
        ledger.close("label's expected cost", own, paid.min(axis=1), scale=claimed.costs.max())


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
