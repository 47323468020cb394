"""Many trees as one set of flat arrays, and back.

In: trees over the same columns and classes. Out: `PackedTrees`, a dict of one-dimensional arrays in
which the trees lie one after the other, without what follows from the rest:

    one entry per tree   nodes [prior]
    per node             branches depth rows cost [share] [pool], class_weights and [class_rows]
                         (C entries each)
    per split node       first_child feature kind cut_count group_count missing_branch
                         missing_seen default_branch
    per leaf             [value]
    per cut              thresholds (numeric columns), integer_thresholds (integer, unsigned)
    per grouped category group_codes group_branches

first_child counts from the tree's own root. `share`, `value`, `prior` and `class_rows` are there
when the trees have them, `pool` when one of them has it.
Invariant: unpacking gives trees with the same nodes, cuts and groups, to the bit; cuts and groups
then lie in the order of their nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import Tree

PackedTrees = dict[str, NDArray[Any]]

PER_NODE = ("branches", "depth", "rows", "cost")
PER_SPLIT = (
    "first_child", "feature", "kind", "cut_count", "group_count", "missing_branch",
    "missing_seen", "default_branch",
)  # fmt: skip
PER_CUT = ("thresholds", "integer_thresholds")
PER_GROUP = ("group_codes", "group_branches")
REQUIRED = ("nodes", *PER_NODE, "class_weights", *PER_SPLIT, *PER_CUT, *PER_GROUP)
OPTIONAL = ("share", "value", "prior", "class_rows", "pool")

_OTHER_TYPES: dict[str, type[np.generic]] = {
    "rows": np.int64,
    "cost": np.float64,
    "class_weights": np.float64,
    "kind": np.uint8,
    "missing_seen": np.uint8,
    "thresholds": np.float64,
    "integer_thresholds": np.int64,
    "share": np.float64,
    "value": np.float64,
    "prior": np.float64,
    "class_rows": np.int64,
}
TYPES = {name: np.dtype(_OTHER_TYPES.get(name, np.int32)) for name in (*REQUIRED, *OPTIONAL)}


def spread(begin: NDArray[Any], count: NDArray[Any]) -> NDArray[np.int64]:
    """begin[0], begin[0] + 1, ... (count[0] of them), begin[1], ..."""
    first = np.cumsum(count, dtype=np.int64) - count
    return np.repeat(begin - first, count) + np.arange(int(count.sum()))


def pack(trees: Sequence[Tree], schemas: Sequence[ColumnSchema]) -> PackedTrees:
    """The trees must agree in having `share`, `value`, a prior and `class_rows`, or not."""

    def whole(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(tree, name) for tree in trees])

    nodes = np.array([tree.n_nodes for tree in trees])
    parts: PackedTrees = {"nodes": nodes, **{name: whole(name) for name in PER_NODE}}
    split = parts["branches"] > 0
    parts["class_weights"] = whole("class_weights").ravel()
    counts = {"cut": whole("cut_count"), "group": whole("group_count")}
    feature = whole("feature")
    parts.update({name: whole(name)[split] for name in PER_SPLIT})
    cuts = _places(trees, nodes, "cut", counts["cut"], "thresholds")
    numeric = np.array([schema.kind == "numeric" for schema in schemas], dtype=bool)
    in_floats = np.repeat(numeric[feature], counts["cut"])
    parts["thresholds"] = whole("thresholds")[cuts[in_floats]]
    parts["integer_thresholds"] = whole("integer_thresholds")[cuts[~in_floats]]
    grouped = _places(trees, nodes, "group", counts["group"], "group_codes")
    parts.update({name: whole(name)[grouped] for name in PER_GROUP})
    if trees[0].share is not None:
        parts["share"] = whole("share")
    if trees[0].value is not None:
        parts["value"] = whole("value")[~split]
    if trees[0].prior:
        parts["prior"] = np.array([tree.prior for tree in trees])
    if any(tree.pool is not None for tree in trees):
        parts["pool"] = np.concatenate([_pool(tree) for tree in trees])
    if trees[0].class_rows is not None:
        parts["class_rows"] = whole("class_rows").ravel()
    return {name: array.astype(TYPES[name], copy=False) for name, array in parts.items()}


def _pool(tree: Tree) -> NDArray[Any]:
    return np.arange(tree.n_nodes) if tree.pool is None else tree.pool


def _places(
    trees: Sequence[Tree], nodes: NDArray[Any], way: str, count: NDArray[Any], listed: str
) -> NDArray[np.int64]:
    """Where the nodes' cuts, or groups, stand in the list of all trees, node by node."""
    lengths = np.array([len(getattr(tree, listed)) for tree in trees])
    start = np.repeat(np.cumsum(lengths) - lengths, nodes)
    begin = np.concatenate([getattr(tree, f"{way}_begin") for tree in trees])
    return spread(begin + start, count)


def parents(packed: PackedTrees) -> NDArray[np.int64]:
    """[all nodes] the parent's place among all trees' nodes, -1 for roots."""
    nodes = packed["nodes"].astype(np.int64)
    start = np.cumsum(nodes) - nodes
    splits = np.flatnonzero(packed["branches"])
    first = packed["first_child"] + np.repeat(start, nodes)[splits]
    parent = np.full(int(nodes.sum()), -1, dtype=np.int64)
    arity = packed["branches"][splits]
    parent[spread(first, arity)] = np.repeat(splits, arity)
    return parent


def unpack(packed: PackedTrees, classes: int, schemas: Sequence[ColumnSchema]) -> tuple[Tree, ...]:
    """The trees in their order; their arrays are read-only views of arrays they share."""
    whole = _side_by_side(packed, classes, schemas)
    for array in whole.values():
        array.flags.writeable = False
    tree_of_node = np.repeat(np.arange(len(packed["nodes"])), packed["nodes"])
    ends = {
        "node": np.cumsum(packed["nodes"], dtype=np.int64),
        "cut": _ends(tree_of_node, whole["cut_count"], len(packed["nodes"])),
        "group": _ends(tree_of_node, whole["group_count"], len(packed["nodes"])),
    }
    limits = {way: [0, *end.tolist()] for way, end in ends.items()}
    way_of = dict.fromkeys(PER_CUT, "cut") | dict.fromkeys(PER_GROUP, "group")
    parts = [(name, array, limits[way_of.get(name, "node")]) for name, array in whole.items()]
    count = len(packed["nodes"])
    priors = packed.get("prior", np.zeros(count)).tolist()
    return tuple(
        _without_pools_of_one(
            Tree(
                **{name: array[limit[t] : limit[t + 1]] for name, array, limit in parts},
                prior=priors[t],
            )
        )
        for t in range(count)
    )


def _without_pools_of_one(tree: Tree) -> Tree:
    """One of several trees may have pools while others have none."""
    if tree.pool is None or (tree.pool != np.arange(tree.n_nodes)).any():
        return tree
    return replace(tree, pool=None)


def _ends(
    tree_of_node: NDArray[np.intp], count: NDArray[np.int32], trees: int
) -> NDArray[np.int64]:
    """Where each tree's cuts or groups end."""
    per_tree = np.bincount(tree_of_node, weights=count, minlength=trees)
    return np.cumsum(per_tree.astype(np.int64))


def _side_by_side(
    packed: PackedTrees, classes: int, schemas: Sequence[ColumnSchema]
) -> PackedTrees:
    """Every array of `Tree`, for all trees at once."""
    nodes = packed["nodes"].astype(np.int64)
    total = int(nodes.sum())
    start = np.repeat(np.cumsum(nodes) - nodes, nodes)
    split = packed["branches"] > 0
    whole: PackedTrees = {name: packed[name].copy() for name in PER_NODE}
    absent = {"first_child": -1, "feature": -1, "missing_branch": -1, "default_branch": -1}
    for name in PER_SPLIT:
        whole[name] = np.full(total, absent.get(name, 0), dtype=TYPES[name])
        whole[name][split] = packed[name]
    parent = parents(packed)
    whole["parent"] = np.where(parent < 0, -1, parent - start).astype(np.int32)
    whole["class_weights"] = packed["class_weights"].reshape(total, classes).copy()
    roots = np.cumsum(nodes) - nodes
    for name in ("cut", "group"):
        begin = np.cumsum(whole[f"{name}_count"], dtype=np.int64) - whole[f"{name}_count"]
        whole[f"{name}_begin"] = begin - np.repeat(begin[roots], nodes)
    numeric = np.array([schema.kind == "numeric" for schema in schemas], dtype=bool)
    in_floats = np.repeat(numeric[whole["feature"]], whole["cut_count"])
    whole["thresholds"] = np.full(len(in_floats), np.nan)
    whole["thresholds"][in_floats] = packed["thresholds"]
    whole["integer_thresholds"] = np.zeros(len(in_floats), dtype=np.int64)
    whole["integer_thresholds"][~in_floats] = packed["integer_thresholds"]
    whole.update({name: packed[name].copy() for name in PER_GROUP})
    if "class_rows" in packed:
        whole["class_rows"] = packed["class_rows"].reshape(total, classes).copy()
    for name in ("share", "pool"):
        if name in packed:
            whole[name] = packed[name].copy()
    if "value" in packed:
        whole["value"] = np.zeros(total)
        whole["value"][~split] = packed["value"]
    return whole
