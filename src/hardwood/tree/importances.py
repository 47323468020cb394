"""How much each column lowered the potential.

In: a tree. Out: per column the sum of the drops of its splits, w(l)(G(l) - G_after), scaled to sum
to 1; all 0 for a tree that is a leaf. Invariant: no entry is negative.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hardwood.tree.arrays import Tree


def node_drops(tree: Tree) -> NDArray[np.float64]:
    """[N] the drop of each split, 0 for leaves; rounding never makes one negative."""
    below = np.bincount(tree.parent[1:], weights=tree.cost[1:], minlength=tree.n_nodes)
    return np.where(tree.is_leaf, 0.0, np.maximum(tree.cost - below, 0.0))


def feature_importances(tree: Tree, n_columns: int) -> NDArray[np.float64]:
    split = ~tree.is_leaf
    totals = np.bincount(
        tree.feature[split], weights=node_drops(tree)[split], minlength=n_columns
    ).astype(np.float64)
    total = totals.sum()
    return totals / total if total > 0.0 else totals
