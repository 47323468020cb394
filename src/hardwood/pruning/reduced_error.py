"""Reduced-error pruning (Quinlan 1987, "Simplifying decision trees").

In: a tree and the weight of held-out rows that each of its nodes as a leaf would mislabel. Out:
the smallest of the trees, made by turning nodes into leaves, that mislabel least of the held-out
weight.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hardwood.pruning.surviving_nodes import collapsed
from hardwood.tree import Tree


def reduced_error(
    tree: Tree, mistakes: NDArray[np.float64], kept: NDArray[np.bool_] | None = None
) -> Tree:
    """Bottom-up, a node becomes a leaf when that makes no more mistakes than its subtree. kept:
    splits that stay."""
    stays = [False] * tree.n_nodes if kept is None else kept.tolist()
    as_leaf = mistakes.tolist()
    below = [0.0] * tree.n_nodes
    parent, leaf = tree.parent.tolist(), tree.is_leaf.tolist()
    becomes_leaf = np.zeros(tree.n_nodes, dtype=bool)
    for node in reversed(range(tree.n_nodes)):
        if leaf[node] or (as_leaf[node] <= below[node] and not stays[node]):
            becomes_leaf[node] = True
            below[node] = as_leaf[node]
        if parent[node] >= 0:
            below[parent[node]] += below[node]
    return collapsed(tree, becomes_leaf)
