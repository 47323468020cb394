"""Whether a tree's arrays fit together and to the columns they ask about.

In: a tree and the column schemas. Out: True when rows can be sent down it; otherwise the ledger
says which array does not fit. Invariant: once this holds, every index that the other checks take
from the tree is within its array, and every node's children come after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.ledger import Ledger
from hardwood.table import ColumnSchema
from hardwood.tree.arrays import GROUPS, INTERVAL, LEAF, Tree

PER_NODE = (
    "parent", "first_child", "branches", "feature", "kind", "cut_begin", "cut_count", "group_begin",
    "group_count", "missing_branch", "missing_seen", "default_branch", "depth", "rows", "cost",
)  # fmt: skip


def fits_together(
    ledger: Ledger, tree: Tree, schemas: Sequence[ColumnSchema], classes: int
) -> bool:
    """Shapes, family relations, kinds, cuts and groups."""
    before = len(ledger.differences)
    nodes = len(tree.parent)
    for name in PER_NODE:
        claimed = getattr(tree, name).shape
        ledger.true(claimed == (nodes,), f"{name} has shape {claimed}; the tree has {nodes} nodes.")
    if tree.share is not None:
        claimed = tree.share.shape
        ledger.true(claimed == (nodes,), f"share has shape {claimed}; the tree has {nodes} nodes.")
    claimed = tree.class_weights.shape
    ledger.true(
        claimed == (nodes, classes),
        f"class_weights has shape {claimed}; expected {(nodes, classes)}.",
    )
    if len(ledger.differences) == before:
        _check_families(ledger, tree)
        _check_leaves(ledger, tree)
        _check_splits(ledger, tree, schemas)
    if len(ledger.differences) == before:
        _check_parts(ledger, tree)
    if len(ledger.differences) == before:
        for node in np.flatnonzero(tree.kind == INTERVAL).tolist():
            _check_cuts(ledger, tree, node, schemas[tree.feature[node]])
        for node in np.flatnonzero(tree.kind == GROUPS).tolist():
            _check_groups(ledger, tree, node, schemas[tree.feature[node]])
    return len(ledger.differences) == before


def _check_families(ledger: Ledger, tree: Tree) -> None:
    """Children are consecutive, and each node but the root is the child of exactly one."""
    split = np.flatnonzero(tree.kind != LEAF)
    parent = np.full(len(tree.parent), -1, dtype=np.int64)
    place = np.zeros(len(tree.parent), dtype=np.int64)
    for node in split.tolist():
        first, branches = int(tree.first_child[node]), int(tree.branches[node])
        inside = node < first and branches >= 2 and first + branches <= len(parent)
        if not ledger.true(inside, f"node {node}: its children are not nodes that follow it."):
            return
        place[first : first + branches] += 1
        parent[first : first + branches] = node
    ledger.true(
        place[0] == 0 and (place[1:] == 1).all(), "some node is not the child of exactly one other."
    )
    ledger.equal("parent", tree.parent, parent)
    depth = np.zeros(len(parent), dtype=np.int64)
    for node in range(1, len(parent)):
        depth[node] = depth[parent[node]] + 1
    ledger.equal("depth", tree.depth, depth)


def _check_leaves(ledger: Ledger, tree: Tree) -> None:
    leaf = tree.kind == LEAF
    for name, nothing in (
        ("first_child", -1), ("branches", 0), ("feature", -1), ("missing_branch", -1),
        ("default_branch", -1), ("missing_seen", 0), ("cut_count", 0), ("group_count", 0),
    ):  # fmt: skip
        claimed = getattr(tree, name)
        ledger.true((claimed[leaf] == nothing).all(), f"a leaf has a {name} other than {nothing}.")
    if tree.value is not None:
        shape = tree.value.shape
        if ledger.true(shape == leaf.shape, f"value has shape {shape}; expected {leaf.shape}."):
            ledger.true((tree.value[~leaf] == 0).all(), "a node that is split has a value.")


def _check_splits(ledger: Ledger, tree: Tree, schemas: Sequence[ColumnSchema]) -> None:
    split = tree.kind != LEAF
    feature = tree.feature[split]
    if not ledger.true(
        ((feature >= 0) & (feature < len(schemas))).all(), "a split asks about no column."
    ):
        return
    by_column = [GROUPS if schema.kind == "category" else INTERVAL for schema in schemas]
    kinds = np.array(by_column, dtype=np.int64)[feature]
    ledger.true((tree.kind[split] == kinds).all(), "a split's kind is not the kind of its column.")
    for name in ("missing_branch", "default_branch"):
        claimed = getattr(tree, name)[split]
        ledger.true(
            ((claimed >= 0) & (claimed < tree.branches[split])).all(),
            f"the {name} of a split is none of its branches.",
        )
    seen = tree.missing_seen
    ledger.true(((seen == 0) | (seen == 1)).all(), "missing_seen is neither 0 nor 1.")


def _check_parts(ledger: Ledger, tree: Tree) -> None:
    """Each node has its own part of the flat arrays, and every entry is somebody's."""
    shapes = (tree.thresholds.shape, tree.integer_thresholds.shape)
    ledger.true(shapes[0] == shapes[1], f"thresholds and integer_thresholds have shapes {shapes}.")
    shapes = (tree.group_codes.shape, tree.group_branches.shape)
    ledger.true(shapes[0] == shapes[1], f"group_codes and group_branches have shapes {shapes}.")
    for name, begin, count, size in (
        ("thresholds", tree.cut_begin, tree.cut_count, len(tree.thresholds)),
        ("group_codes", tree.group_begin, tree.group_count, len(tree.group_codes)),
    ):
        taken = _owners(begin, count, size)
        ledger.true(
            taken is not None and (taken == 1).all(),
            f"the nodes' parts of {name} do not cover it once each.",
        )


def _owners(
    begin: NDArray[np.int64], count: NDArray[np.int32], size: int
) -> NDArray[np.int64] | None:
    taken = np.zeros(size, dtype=np.int64)
    for first, length in zip(begin.tolist(), count.tolist(), strict=True):
        if length < 0 or (length and not 0 <= first <= size - length):
            return None
        taken[first : first + length if length else first] += 1
    return taken


def _check_cuts(ledger: Ledger, tree: Tree, node: int, schema: ColumnSchema) -> None:
    """One cut fewer than branches; two fewer where the last branch is for missing values alone."""
    cuts, branches = tree.cuts(node), int(tree.branches[node])
    count = int(tree.cut_count[node])
    alone = tree.missing_seen[node] == 1 and tree.missing_branch[node] == branches - 1
    ledger.true(
        count == branches - 1 or (alone and count == branches - 2),
        f"node {node} has {count} cuts for {branches} branches.",
    )
    floats, whole = tree.thresholds[cuts], tree.integer_thresholds[cuts]
    ledger.true(tree.group_count[node] == 0, f"node {node} has cuts and categories.")
    if schema.kind == "numeric":
        ledger.true(
            np.isfinite(floats).all() and not whole.any(),
            f"node {node}: its thresholds are not finite numbers with 0 as integer thresholds.",
        )
        rising = bool((np.diff(floats) > 0).all())
    else:
        ledger.true(
            np.isnan(floats).all(), f"node {node}: the float threshold of whole numbers is not NaN."
        )
        exact = whole.view(np.uint64).tolist() if schema.kind == "unsigned" else whole.tolist()
        rising = all(low < high for low, high in pairwise(exact))
    ledger.true(rising, f"node {node}: its cuts do not rise.")


def _check_groups(ledger: Ledger, tree: Tree, node: int, schema: ColumnSchema) -> None:
    groups, branches = tree.groups(node), int(tree.branches[node])
    codes, taken = tree.group_codes[groups], tree.group_branches[groups]
    known = len(codes) > 0 and codes[0] >= 0 and codes[-1] < len(schema.categories)
    ledger.true(
        known and (np.diff(codes) > 0).all(),
        f"node {node}: its categories are not codes of {schema.name!r} in rising order.",
    )
    ledger.true(
        ((taken >= 0) & (taken < branches)).all(), f"node {node}: a category takes no branch."
    )
    ledger.true(tree.cut_count[node] == 0, f"node {node} has categories and cuts.")
