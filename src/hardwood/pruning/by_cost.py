"""Error-based pruning where mistakes have costs.

In: a tree with its costs, a confidence, how many examples a weight of 1 is. Out: the pruned tree. A
leaf of n examples that mistakes e of them is expected to mistake U(n, e), C4.5's upper limit
(docs/theory/rules.md#pruning); each of these is taken to cost what the leaf's own mistakes cost on
average or, if it makes none, what its label would cost on average over all rows of other classes.
Bottom-up, a node becomes a leaf if that is expected to cost at most a tenth of an average mistake
more than its subtree. Branches are not raised: what a raised branch costs depends on its labels,
which change with the rows.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting.row_losses import exponential
from hardwood.pruning.error_based import Confidence
from hardwood.pruning.surviving_nodes import collapsed
from hardwood.tree import Tree

Floats = NDArray[np.float64]

TOLERANCE = 0.1
"""C4.5's, in mistakes."""


def pruned_by_cost(
    tree: Tree,
    priced: Tree,
    confidence: float,
    examples: float,
    kept: NDArray[np.bool_] | None = None,
) -> Tree:
    """`priced`: the tree with its costs and leaf prior, whose labels are those of `predict`. kept:
    [N] splits that stay, with all above them."""
    assert priced.costs is not None
    # By a power of two, so that nothing is rounded: with costs up to 1 no sum overflows.
    costs = np.ldexp(priced.costs, -int(np.frexp(priced.costs.max())[1]))
    as_leaf = estimated_costs(replace(priced, costs=costs), confidence, examples).tolist()
    slack = TOLERANCE * float(costs[~np.eye(len(costs), dtype=bool)].mean())
    below = [0.0] * tree.n_nodes
    parent, leaf = tree.parent.tolist(), tree.is_leaf.tolist()
    becomes_leaf = np.zeros(tree.n_nodes, dtype=bool)
    for node in reversed(range(tree.n_nodes)):
        stays = kept is not None and kept[node]
        if leaf[node] or (not stays and as_leaf[node] <= below[node] + slack):
            becomes_leaf[node] = True
            below[node] = as_leaf[node]
        if parent[node] >= 0:
            below[parent[node]] += below[node]
    return collapsed(tree, becomes_leaf)


def estimated_costs(priced: Tree, confidence: float, examples: float) -> Floats:
    """[N] of each node as a leaf, in costs of examples."""
    assert priced.costs is not None
    nodes = np.arange(priced.n_nodes)
    right = priced.class_weights[nodes, priced.label]
    wrong = np.maximum(priced.weight - right, 0.0)
    paid = np.cumsum(priced.class_weights * priced.costs.T[priced.label], axis=1)[:, -1]
    everyone = priced.class_weights[0]
    others = everyone.sum() - everyone[priced.label]
    usual = (priced.costs.T[priced.label] * everyone).sum(axis=1) / np.where(others > 0, others, 1)
    rate = np.where(wrong > 0, paid / np.where(wrong > 0, wrong, 1), usual)
    return rate * pessimistic_errors(priced.weight * examples, wrong * examples, confidence)


def pessimistic_errors(n: Floats, e: Floats, confidence: float) -> Floats:
    """U(n, e): exact for e = 0, a straight line from there to e = 1, beyond that Wilson's limit
    with a continuity correction of a half."""
    estimate = Confidence.of(confidence)
    clean = n * (1 - exponential(np.maximum(estimate.log / n, -700.0)))
    between = e + clean + e * (_several(n, np.ones_like(n), estimate.deviation) - clean)
    beyond = e + _several(n, np.maximum(e, 1.0), estimate.deviation)
    return np.where(e >= 1, beyond, np.where(e > 0, between, clean))


def _several(n: Floats, e: Floats, deviation: float) -> Floats:
    """What is added to e >= 1 errors."""
    z2 = deviation * deviation
    f = np.minimum((e + 0.5) / n, 1.0)
    with np.errstate(over="ignore"):
        spread = np.sqrt(f / n - f * f / n + z2 / (4 * n * n))
    limit = (f + z2 / (2 * n) + deviation * spread) / (1 + z2 / n)
    return np.where(e + 0.5 >= n, np.maximum(n - e, 0.0), limit * n - e)
