"""Which nodes of a grown tree stay, and the tree that they make.

In: a tree and its `SurvivingNodes`. Out: a new `Tree`. A surviving node keeps its number as far as
order goes, and it asks its own split, or after raising the split of a node below it. Its children
are the children of the node whose split it asks. Invariant: a parent comes before its children, and
the children of a node are consecutive, as in the grown tree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardwood.criteria import Criterion, cost
from hardwood.tree.arrays import LEAF, Floats, Int32s, Int64s, Tree

NO_SPLIT, GONE = -1, -2


@dataclass(frozen=True, eq=False)
class SurvivingNodes:
    """The first three are by node; the others by the node that a split belonged to."""

    split: Int32s
    """[N] the node whose split is asked; NO_SPLIT for a leaf, GONE for a node that is gone."""
    class_weights: Floats
    rows: Int64s
    missing_branch: Int32s
    missing_seen: NDArray[np.uint8]
    default_branch: Int32s
    added_split: Int32s
    """[A] splits that raising made see categories, the categories' codes and their branches."""
    added_code: Int32s
    added_branch: Int32s
    share: Floats | None = None
    """[N] by node, where examples are fractional."""
    class_rows: Int64s | None = None
    """[N, C] by node, where they are known after pruning."""


def collapsed(tree: Tree, becomes_leaf: NDArray[np.bool_]) -> Tree:
    """The tree with leaves in place of the marked nodes; what lay below them is gone."""
    split = np.where(tree.is_leaf | becomes_leaf, NO_SPLIT, np.arange(tree.n_nodes))
    for nodes in levels(tree)[1:]:
        split[nodes] = np.where(split[tree.parent[nodes]] < 0, GONE, split[nodes])
    none = np.zeros(0, dtype=np.int32)
    surviving = SurvivingNodes(
        split.astype(np.int32), tree.class_weights, tree.rows, tree.missing_branch,
        tree.missing_seen, tree.default_branch, none, none, none, tree.share,
        tree.class_rows,
    )  # fmt: skip
    return rebuilt(tree, surviving, None)


def levels(tree: Tree) -> list[NDArray[np.intp]]:
    """The nodes of each depth, ascending."""
    order = np.argsort(tree.depth, kind="stable")
    return np.split(order, np.cumsum(np.bincount(tree.depth))[:-1])


def rebuilt(tree: Tree, surviving: SurvivingNodes, criterion: Criterion | None) -> Tree:
    """The pruned tree; the same object when every node stays what it was. The criterion is needed
    where class weights changed."""
    if np.array_equal(surviving.split, np.where(tree.is_leaf, NO_SPLIT, np.arange(tree.n_nodes))):
        return tree
    kept = np.flatnonzero(surviving.split != GONE)
    source = surviving.split[kept]
    inner = source >= 0
    number = np.cumsum(surviving.split != GONE) - 1

    def of_split(values: NDArray[np.generic], of_leaf: int) -> NDArray[np.generic]:
        return np.where(inner, values[source], of_leaf).astype(values.dtype)

    first_child = np.where(inner, number[tree.first_child[source]], -1).astype(np.int32)
    branches = of_split(tree.branches, 0)
    parent = _parents(first_child, branches)
    cut_count = of_split(tree.cut_count, 0)
    cuts = _gathered(tree.cut_begin[source], cut_count)
    group_count, codes, group_branches = _groups(tree, surviving, source)
    arrays = {
        "parent": parent,
        "first_child": first_child,
        "branches": branches,
        "feature": of_split(tree.feature, -1),
        "kind": of_split(tree.kind, LEAF),
        "cut_begin": _begins(cut_count),
        "cut_count": cut_count,
        "thresholds": tree.thresholds[cuts],
        "integer_thresholds": tree.integer_thresholds[cuts],
        "group_begin": _begins(group_count),
        "group_count": group_count,
        "group_codes": codes,
        "group_branches": group_branches,
        "missing_branch": of_split(surviving.missing_branch, -1),
        "missing_seen": of_split(surviving.missing_seen, 0),
        "default_branch": of_split(surviving.default_branch, -1),
        "depth": _depths(parent),
        "rows": surviving.rows[kept],
        "class_weights": surviving.class_weights[kept],
        "cost": _costs(tree, surviving, kept, criterion),
    }
    if surviving.share is not None:
        arrays["share"] = surviving.share[kept]
    if surviving.class_rows is not None:
        arrays["class_rows"] = surviving.class_rows[kept]
    for array in arrays.values():
        array.flags.writeable = False
    return Tree(**arrays)  # type: ignore[arg-type]


def _parents(first_child: Int32s, branches: NDArray[np.generic]) -> Int32s:
    parent = np.full(len(first_child), -1, dtype=np.int32)
    inner = np.flatnonzero(first_child >= 0)
    children = _gathered(first_child[inner].astype(np.int64), branches[inner])
    parent[children] = np.repeat(inner, branches[inner].astype(np.intp))
    return parent


def _begins(count: NDArray[np.generic]) -> Int64s:
    counts = count.astype(np.int64)
    return np.where(counts > 0, np.cumsum(counts) - counts, 0)


def _gathered(begin: Int64s, count: NDArray[np.generic]) -> NDArray[np.intp]:
    """The positions of the ranges [begin, begin + count), one range after the other."""
    counts = count.astype(np.int64)
    first = np.cumsum(counts) - counts
    return np.repeat(begin - first, counts) + np.arange(int(counts.sum()))


def _groups(tree: Tree, surviving: SurvivingNodes, source: Int32s) -> tuple[Int32s, Int32s, Int32s]:
    """Category counts, codes and branches of the nodes, with the categories that raising added."""
    own_count = np.where(source >= 0, tree.group_count[source], 0)
    own = _gathered(tree.group_begin[source], own_count)
    number = np.full(tree.n_nodes, -1)
    number[source[source >= 0]] = np.flatnonzero(source >= 0)
    new = number[surviving.added_split] >= 0
    node = np.concatenate(
        [np.repeat(np.arange(len(source)), own_count), number[surviving.added_split[new]]]
    )
    code = np.concatenate([tree.group_codes[own], surviving.added_code[new]])
    branch = np.concatenate([tree.group_branches[own], surviving.added_branch[new]])
    order = np.lexsort((code, node))
    count = np.bincount(node, minlength=len(source)).astype(np.int32)
    return count, code[order].astype(np.int32), branch[order].astype(np.int32)


def _depths(parent: Int32s) -> Int32s:
    depth = [0] * len(parent)
    for node, above in enumerate(parent.tolist()):
        if above >= 0:
            depth[node] = depth[above] + 1
    return np.array(depth, dtype=np.int32)


def _costs(
    tree: Tree, surviving: SurvivingNodes, kept: NDArray[np.intp], criterion: Criterion | None
) -> Floats:
    """Those of growth, and new ones where raising brought other rows."""
    costs = tree.cost[kept]
    weights = surviving.class_weights[kept]
    other = (weights != tree.class_weights[kept]).any(axis=1)
    if criterion is not None and other.any():
        costs[other] = cost(weights[other], criterion) / tree.weight[0]
    return costs
