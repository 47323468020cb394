"""Subtrees whose leaves all have one label, which readers may see as one leaf.

In: a tree. Out: the topmost nodes of such subtrees with the leaves below them. Nothing of the tree
changes: the probabilities are still those of its leaves, and are told as a range.
"""

from __future__ import annotations

import numpy as np

from hardwood.tree.arrays import Tree


def merged_leaves(tree: Tree) -> dict[int, list[int]]:
    """By node: the leaves that stand behind it, in reading order; only where there are several."""
    label = np.where(tree.is_leaf, tree.label, -1)
    for node in range(tree.n_nodes - 1, -1, -1):  # children come after their parent
        below = {int(label[child]) for child in tree.children(node)}
        if len(below) == 1:
            label[node] = below.pop()
    inner = np.flatnonzero(~tree.is_leaf & (label >= 0)).tolist()
    return {
        node: leaves_below(tree, node)
        for node in inner
        if node == 0 or label[tree.parent[node]] < 0
    }


def leaves_below(tree: Tree, node: int) -> list[int]:
    """In reading order; the node itself when it is a leaf."""
    pending, leaves = [node], []
    while pending:
        each = pending.pop()
        children = tree.children(each)
        if not children:
            leaves.append(each)
        pending.extend(reversed(children))
    return leaves
