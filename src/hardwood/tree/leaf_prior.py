"""The probabilities of a tree's nodes: class weights, moved towards the nodes above.

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

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LARGEST_PRIOR = 2.0**1000
"""Weights of nodes stay below this; above it sums could leave float64."""


def probabilities(class_weights: Floats, parent: NDArray[np.int32], prior: float) -> Floats:
    """[N, C] of every node."""
    weight = np.cumsum(class_weights, axis=1)[:, -1:]
    shares = class_weights / weight
    if prior == 0.0:
        return shares
    above = np.zeros_like(shares)
    depth = np.zeros((len(shares), 1))
    for nodes, ancestors in _climb(parent):
        above[nodes] += shares[ancestors]
        depth[nodes] += 1.0
    heaviest = class_weights == class_weights.max(axis=1, keepdims=True)
    raised = np.where(heaviest, above, -1.0).argmax(axis=1)
    mean = np.zeros_like(shares)
    for nodes, ancestors in _climb(parent):
        theirs = shares[ancestors]
        theirs[np.arange(len(nodes)), raised[nodes]] = theirs.max(axis=1)
        mean[nodes] += theirs / np.cumsum(theirs, axis=1)[:, -1:]
    mean /= np.maximum(depth, 1.0)
    part = prior / (weight + prior)  # from weights alone: the same bits whatever a row weighs
    moved = (1.0 - part) * shares + part * mean
    return np.where(depth > 0.0, moved, shares)


def _climb(parent: NDArray[np.int32]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.int32]]]:
    """The nodes that have a j-th ancestor, and that ancestor, for j = 1, 2, ..."""
    nodes = np.flatnonzero(parent >= 0)
    ancestors = parent[nodes]
    while len(nodes):
        yield nodes, ancestors
        ancestors = parent[ancestors]
        nodes, ancestors = nodes[ancestors >= 0], ancestors[ancestors >= 0]
