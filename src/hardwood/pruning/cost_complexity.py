"""Minimal cost-complexity pruning (Breiman, Friedman, Olshen & Stone 1984, chapter 3).

In: a tree and its criterion. Out: a `PruningPath`: the alpha at which each node becomes a leaf.
With R(t) the cost of node t as a leaf, R(T_t) that of its subtree and L(T_t) its leaves, the
weakest link is the node of least (R(t) - R(T_t)) / (L(T_t) - 1), the smaller number on a tie; it
is cut, and so on until the root is a leaf. R is scikit-learn's for gini and entropy: the weight's
share times the impurity, which is half of our cost for gini (ours is 1 at 1/2) and our cost for
entropy. For km and error it is half of our cost too, so that R of error is the training error, and
R bounds it otherwise. Invariant: alphas never fall, so a larger alpha's tree is part of a smaller
one's.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardwood.criteria import Criterion
from hardwood.pruning.surviving_nodes import collapsed
from hardwood.tree import Tree

SCALE: dict[Criterion, float] = {"km": 0.5, "gini": 0.5, "entropy": 1.0, "error": 0.5}


@dataclass(frozen=True, eq=False)
class PruningPath:
    """`alphas` and `impurities` are scikit-learn's: of the whole tree, then after each cut."""

    tree: Tree
    cut_at: NDArray[np.float64]
    """[N] the alpha from which on a node is a leaf: 0 for leaves, infinite for nodes that are gone
    before they would be cut."""
    alphas: NDArray[np.float64]
    impurities: NDArray[np.float64]

    def tree_at(self, alpha: float) -> Tree:
        """The smallest tree of least R(T) + alpha L(T); the whole tree at alpha 0."""
        if alpha == 0.0:
            return self.tree
        return collapsed(self.tree, self.cut_at <= alpha)


def pruning_path(
    tree: Tree, criterion: Criterion, kept: NDArray[np.bool_] | None = None
) -> PruningPath:
    """All weakest links; O(leaves x depth) steps. kept: splits that are never cut."""
    links = _Links(tree, SCALE[criterion], kept)
    cut_at = np.where(tree.is_leaf, 0.0, np.inf)
    alphas, impurities = [0.0], [links.branch_cost[0]]
    while (weakest := links.cut_weakest()) is not None:
        alpha, node = weakest
        alphas.append(max(alpha, alphas[-1]))  # rounding alone can make one smaller
        impurities.append(links.branch_cost[0])
        cut_at[node] = alphas[-1]
    return PruningPath(tree, cut_at, np.array(alphas), np.array(impurities))


class _Links:
    """What the nodes would cost as leaves and as subtrees, while links are cut."""

    def __init__(self, tree: Tree, scale: float, kept: NDArray[np.bool_] | None) -> None:
        self.tree = tree
        self.kept = [False] * tree.n_nodes if kept is None else kept.tolist()
        self.parent = tree.parent.tolist()
        self.leaf_cost = (tree.cost * scale).tolist()
        self.branch_cost = list(self.leaf_cost)
        self.leaves = [1] * tree.n_nodes
        self.strength = [-1.0] * tree.n_nodes  # below 0: a leaf, or gone
        for node in reversed(np.flatnonzero(~tree.is_leaf).tolist()):
            children = tree.children(node)
            self.branch_cost[node] = sum(self.branch_cost[child] for child in children)
            self.leaves[node] = sum(self.leaves[child] for child in children)
        self.heap: list[tuple[float, int]] = []
        for node in np.flatnonzero(~tree.is_leaf).tolist():
            self._measure(node)

    def _measure(self, node: int) -> None:
        if self.kept[node]:
            return
        saved = self.leaf_cost[node] - self.branch_cost[node]
        self.strength[node] = max(saved, 0.0) / (self.leaves[node] - 1)
        heapq.heappush(self.heap, (self.strength[node], node))

    def cut_weakest(self) -> tuple[float, int] | None:
        """Makes the weakest node a leaf: its strength and number; None when no link is left."""
        while self.heap:
            strength, node = heapq.heappop(self.heap)
            if self.strength[node] == strength:
                self._cut(node)
                return strength, node
        return None

    def _cut(self, node: int) -> None:
        fewer = self.leaves[node] - 1
        more = self.leaf_cost[node] - self.branch_cost[node]
        self.leaves[node], self.branch_cost[node] = 1, self.leaf_cost[node]
        below = [node]
        while below:
            at = below.pop()
            if self.strength[at] >= 0.0:
                self.strength[at] = -1.0
                below.extend(self.tree.children(at))
        above = self.parent[node]
        while above >= 0:
            self.leaves[above] -= fewer
            self.branch_cost[above] += more
            self._measure(above)
            above = self.parent[above]
