"""One entry per split, in growth order, about the tree as grown.

In: what the grower recorded. Out: a dict of equal-length arrays. For a split of leaf l with weight
w, branch shares w_j and costs w G: drop = w(l)G(l) - sum w_j G_j, gain = drop / w(l), relative gain
= gain / G(l) (Hatano 2004), advantage = 1/4 sum_j |P(j|1) - P(j|0)| (Dietterich, Kearns & Mansour
1996, eq. 7; half the total variation distance between the two classes' branch distributions).
Invariant: drop = weight * gain, and potential falls by drop, up to rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.growing.growth import Growth
from hardwood.tree.arrays import Tree
from hardwood.tree.importances import node_drops

History = dict[str, NDArray[Any]]


def history(growth: Growth) -> History:
    """What `history_` holds, by name; `q` and `advantage` are NaN for any number of classes but
    two."""
    tree, nodes = growth.tree, growth.split_nodes
    weight = tree.weight[nodes] / tree.weight[0]
    drop = node_drops(tree)[nodes]
    two = tree.n_classes == 2
    unknown = np.full(len(nodes), np.nan)
    return {
        "node": nodes,
        "feature": tree.feature[nodes],
        "branches": tree.branches[nodes],
        "exact": growth.exact,
        "weight": weight,
        "q": tree.class_weights[nodes, 1] / tree.weight[nodes] if two else unknown,
        "gain": drop / weight,
        "drop": drop,
        "relative_gain": drop / tree.cost[nodes],
        "advantage": _node_advantages(tree)[nodes] if two else unknown.copy(),
        "potential": growth.potential,
        "error": growth.error,
    }


def _node_advantages(tree: Tree) -> NDArray[np.float64]:
    """[N] 0 for leaves; NaN for a split of a pure node, where one class has no distribution."""
    parent = tree.parent[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        given_class = tree.class_weights[1:] / tree.class_weights[parent]
    apart = np.abs(given_class[:, 1] - given_class[:, 0])
    return np.bincount(parent, weights=apart, minlength=tree.n_nodes) / 4.0
