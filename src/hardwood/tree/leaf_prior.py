"""The probabilities of a tree's nodes: class weights, moved towards the nodes above; and the means
of leaves that answer together (`hardwood.tree.pools`).

In: class weights and parents of all nodes, and the weight m of the pseudo-examples. Out: [N, C]
probabilities. With w the class weights of a node, W their sum and a_1 ... a_d the class shares of
the d nodes above it,

    p = (w + m/d (a'_1 + ... + a'_d)) / (W + m)

where a'_j is a_j with the share of the node's heaviest class raised to the largest one, and divided
by its sum. The pseudo-examples so never overrule the node: its heaviest class stays the most
probable one. Of several heaviest classes the one with the largest sum of the a_j is raised, the
first on a tie (docs/theory/rules.md#leaf-prior). The root, and every node at m = 0, has its raw
shares. Invariants: more weight of a class never lowers its probability; with m > 0 no class that
has weight at the root has probability 0; sums run in one order, so every machine rounds alike.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LARGEST_PRIOR = 2.0**1000
"""Weights of nodes stay below this; above it sums could leave float64."""


def probabilities(class_weights: Floats, parent: NDArray[np.int32], prior: float) -> Floats:
    """[N, C] of every node. A parent stands before its children."""
    weight = np.cumsum(class_weights, axis=1)[:, -1:]
    shares = class_weights / weight
    if prior == 0.0 or len(shares) == 1:
        return shares
    levels = _levels(parent)
    above = np.zeros_like(shares)
    for nodes in levels:
        above[nodes] = above[parent[nodes]] + shares[parent[nodes]]
    heaviest = class_weights == class_weights.max(axis=1, keepdims=True)
    raised = np.where(heaviest, above, -1.0).argmax(axis=1)
    mean = np.zeros_like(shares)
    for label in np.unique(raised[1:]).tolist():
        _add_raised(mean, shares, parent, levels, raised == label, label)
    for depth, nodes in enumerate(levels, 1):
        mean[nodes] /= depth
    part = prior / (weight + prior)  # from weights alone: the same bits whatever a row weighs
    found = (1.0 - part) * shares + part * mean
    found[0] = shares[0]
    return found


def means_of_pools(shares: Floats, part: Floats, pool: NDArray[np.intp]) -> Floats:
    """[pools, C] the weighted means of leaves, summed in their order; of a single one its own
    shares. part: the weight of each over that of the root, so the same whatever a row weighs."""
    weight = np.bincount(pool, part)
    found = np.stack([np.bincount(pool, part * own) / weight for own in shares.T], axis=1)
    alone = np.bincount(pool)[pool] == 1
    found[pool[alone]] = shares[alone]
    return found


def _levels(parent: NDArray[np.int32]) -> list[NDArray[np.intp]]:
    """The nodes of depth 1, 2, ..."""
    depth = [0] * len(parent)
    for node, above in enumerate(parent[1:].tolist(), 1):
        depth[node] = depth[above] + 1
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.cumsum(np.bincount(depth))[:-1])[1:]


def _add_raised(
    mean: Floats,
    shares: Floats,
    parent: NDArray[np.int32],
    levels: list[NDArray[np.intp]],
    wanted: NDArray[np.bool_],
    label: int,
) -> None:
    """Writes into the wanted nodes of `mean` the sums, from the root down, of the shares above them
    with that of `label` raised. Of all nodes only these and the nodes above them are looked at, so
    that the work over all labels is at most nodes x depth, and at most nodes x labels."""
    seen = wanted.copy()
    for nodes in reversed(levels):
        seen[parent[nodes[seen[nodes]]]] = True
    place = np.cumsum(seen) - 1
    lifted = shares[seen]
    lifted[:, label] = lifted.max(axis=1)
    lifted /= np.cumsum(lifted, axis=1)[:, -1:]
    total = np.zeros_like(lifted)
    for nodes in levels:
        own = nodes[seen[nodes]]
        if not len(own):
            break
        upper = place[parent[own]]
        total[place[own]] = total[upper] + lifted[upper]
    mean[wanted] = total[place[wanted]]
