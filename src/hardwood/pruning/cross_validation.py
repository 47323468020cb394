"""The alpha of cost-complexity pruning that cross-validation chooses (Breiman et al. 1984, 3.4).

In: the path of the whole tree, and for each fold the path of a tree grown without it and the
mistakes that its nodes make on it. Out: one of the alphas of the whole tree. Between two
neighbouring alphas the tree is the same; its error is estimated at their geometric mean, over all
folds together.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from hardwood.pruning.cost_complexity import PruningPath

Floats = NDArray[np.float64]

FOLDS = 5
LARGEST = float(np.finfo(np.float64).max)
"""An alpha at which every tree is its root."""


def chosen_alpha(path: PruningPath, folds: Iterable[tuple[PruningPath, Floats]]) -> float:
    """The alpha of least estimated error, the largest such alpha on a tie."""
    alphas = np.unique(path.alphas)
    between = np.append(np.sqrt(alphas[:-1] * alphas[1:]), LARGEST)
    mistakes = np.zeros(len(alphas))
    for fold, mistaken in folds:
        mistakes += mistakes_along(fold, mistaken, between)
    best = np.flatnonzero(mistakes == mistakes.min())[-1]
    return float(alphas[best])


def mistakes_along(path: PruningPath, mistakes: Floats, alphas: Floats) -> Floats:
    """The mistakes of the pruned tree at each of the ascending alphas, from those of its nodes.

    A node is a leaf from its own alpha on and until a node above it is one.
    """
    until = _until(path)
    first = np.searchsorted(alphas, path.cut_at, side="left")
    end = np.searchsorted(alphas, until, side="left")
    is_leaf_somewhere = first < end
    size = len(alphas) + 1
    change = np.bincount(first[is_leaf_somewhere], mistakes[is_leaf_somewhere], size)
    change -= np.bincount(end[is_leaf_somewhere], mistakes[is_leaf_somewhere], size)
    return np.asarray(np.cumsum(change)[:-1])


def _until(path: PruningPath) -> Floats:
    """[N] the least alpha of the nodes above a node; infinite for the root, also when it is cut."""
    tree = path.tree
    until = [np.inf] * tree.n_nodes
    cut_at = path.cut_at.tolist()
    for node, above in enumerate(tree.parent.tolist()):
        if above >= 0:
            until[node] = min(until[above], cut_at[above])
    return np.array(until)
