"""Whether packed trees are trees: what prediction and everything that reads a tree rely on.

In: the arrays of `hardwood.tree.packed`, in their types, the columns' schemas and the number of
classes. Out: nothing, or a ModelFileError. All trees are looked at together; the work is linear in
the arrays, but for one sort. After these checks
every node is reached exactly once from its root, a child's number is above its parent's, every
branch, column, cut and category exists, cuts and categories ascend, and all numbers are finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.errors import ModelFileError
from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import GROUPS, INTERVAL
from hardwood.tree.leaf_prior import LARGEST_PRIOR
from hardwood.tree.packed import PER_NODE, PER_SPLIT, REQUIRED, PackedTrees, parents, spread

SHARE_TOLERANCE = 1e-9
SUM_TOLERANCE = 1e-9
BRANCH_TOLERANCE = 1e-6


def check_trees(packed: PackedTrees, schemas: Sequence[ColumnSchema], classes: int) -> None:
    _lengths(packed, classes)
    _structure(packed)
    _splits(packed, schemas)
    _cuts(packed, schemas)
    _groups(packed, schemas)
    _numbers(packed, classes)
    if "share" in packed:
        _shares(packed)
    if "pool" in packed:
        _pools(packed)


def check_sums(packed: PackedTrees, classes: int) -> None:
    """Of trees that were grown here: the branches of a node hold its weight and its rows, class by
    class. Fractional examples are rows of several branches."""
    parent, split = parents(packed), packed["branches"] > 0
    below = parent >= 0
    if "share" not in packed:
        rows = np.bincount(parent[below], packed["rows"][below], minlength=len(parent))
        _must(rows[split] == packed["rows"][split], "the rows of a node's branches are not its.")
        if "class_rows" in packed:
            for own in packed["class_rows"].reshape(-1, classes).T:
                sums = np.bincount(parent[below], own[below], minlength=len(parent))
                _must(sums[split] == own[split], "the rows of a node's branches are not its.")
    weights = packed["class_weights"].reshape(-1, classes)
    least = SUM_TOLERANCE * weights.sum(axis=1)[split]
    for own in weights.T:
        sums = np.bincount(parent[below], own[below], minlength=len(parent))
        good = np.abs(sums[split] - own[split]) <= least
        _must(good, "the weights of a node's branches do not add up to its own.")


def _must(condition: Any, otherwise: str) -> None:
    # An array's own method: np.all takes three times as long, and a small tree is checked so often.
    if not (condition.all() if isinstance(condition, np.ndarray) else condition):
        raise ModelFileError(otherwise)


def _lengths(packed: PackedTrees, classes: int) -> None:
    absent = [name for name in REQUIRED if name not in packed]
    _must(not absent, f"its trees have no array {absent[0] if absent else ''!r}.")
    nodes, branches = packed["nodes"], packed["branches"]
    _must(len(nodes) > 0, "it has no tree.")
    _must(nodes > 0, "one of its trees has no node.")
    total = int(nodes.sum(dtype=np.int64))
    splits = int(np.count_nonzero(branches))
    expected = dict.fromkeys(PER_NODE, total) | dict.fromkeys(PER_SPLIT, splits)
    expected |= {"class_weights": total * classes, "share": total, "value": total - splits}
    expected |= {"class_rows": total * classes, "prior": len(nodes), "pool": total}
    for name, length in expected.items():
        if name in packed and len(packed[name]) != length:
            raise ModelFileError(
                f"its array tree.{name} has {len(packed[name])} entries where its trees need "
                f"{length}."
            )
    _must((branches == 0) | (branches > 1), "a node has one branch, or fewer than none.")
    edges = int(branches.sum(dtype=np.int64))
    _must(edges == total - len(nodes), "its trees have nodes without a parent, or with two.")


def _structure(packed: PackedTrees) -> None:
    nodes = packed["nodes"].astype(np.int64)
    start = np.cumsum(nodes) - nodes
    splits = np.flatnonzero(packed["branches"])
    own = np.repeat(np.arange(len(nodes)), nodes)[splits]
    first = packed["first_child"] + start[own]
    arity = packed["branches"][splits]
    _must(first > splits, "a node stands before its parent.")
    _must(first + arity <= (start + nodes)[own], "a node's children lie outside its tree.")
    children = np.sort(spread(first, arity))
    others = np.delete(np.arange(int(nodes.sum())), start)
    _must(children == others, "its trees have nodes without a parent, or with two.")
    parent = parents(packed)
    depth = np.where(parent < 0, 0, packed["depth"][parent] + np.int64(1))
    _must(packed["depth"] == depth, "a node's depth is not one more than its parent's.")


def _splits(packed: PackedTrees, schemas: Sequence[ColumnSchema]) -> None:
    feature, arity = packed["feature"], packed["branches"][packed["branches"] > 0]
    _must(
        (feature >= 0) & (feature < len(schemas)), "a node asks about a column that is not there."
    )
    grouped = np.array([schema.kind == "category" for schema in schemas])[feature]
    kind = np.where(grouped, GROUPS, INTERVAL)
    _must(packed["kind"] == kind, "a node does not suit its column's kind.")
    for name in ("missing_branch", "default_branch"):
        branch = packed[name]
        _must((branch >= 0) & (branch < arity), f"a node's {name} is a branch that is not there.")
    _must(packed["missing_seen"] <= 1, "an entry of missing_seen is neither 0 nor 1.")
    cuts = packed["cut_count"].astype(np.int64)
    alone = (packed["missing_branch"] == arity - 1) & (packed["missing_seen"] == 1)
    right = (cuts == arity - 1) | ((cuts == arity - 2) & alone)
    _must(np.where(grouped, cuts == 0, right), "a node's cuts do not make its branches.")
    groups = packed["group_count"]
    _must(np.where(grouped, groups > 0, groups == 0), "a node's groups do not suit its column.")


def _cuts(packed: PackedTrees, schemas: Sequence[ColumnSchema]) -> None:
    count = packed["cut_count"].astype(np.int64)
    kinds = np.array([schema.kind for schema in schemas])[packed["feature"]]
    numeric = kinds == "numeric"
    wrong = "its trees have more cuts or fewer than its nodes say."
    _must(int(count[numeric].sum()) == len(packed["thresholds"]), wrong)
    _must(int(count[~numeric].sum()) == len(packed["integer_thresholds"]), wrong)
    _must(np.isfinite(packed["thresholds"]), "a threshold is not a finite number.")
    owner = np.repeat(np.arange(len(count)), count)
    own = owner[np.repeat(numeric, count)]
    _must(_ascending(packed["thresholds"], own), "a node's cuts are not ascending.")
    own = owner[np.repeat(~numeric, count)]
    bits = packed["integer_thresholds"].view(np.uint64)
    keys = np.where(kinds[own] == "unsigned", bits, bits ^ np.uint64(1 << 63))
    _must(_ascending(keys, own), "a node's cuts are not ascending.")


def _ascending(values: NDArray[Any], owner: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Where the owner stays the same the value must rise."""
    return np.asarray((values[1:] > values[:-1]) | (owner[1:] != owner[:-1]))


def _groups(packed: PackedTrees, schemas: Sequence[ColumnSchema]) -> None:
    count = packed["group_count"].astype(np.int64)
    codes, branches = packed["group_codes"], packed["group_branches"]
    wrong = "its trees have more grouped categories or fewer than its nodes say."
    _must(int(count.sum()) == len(codes) and len(codes) == len(branches), wrong)
    owner = np.repeat(np.arange(len(count)), count)
    known = np.array([len(schema.categories) for schema in schemas])[packed["feature"][owner]]
    _must((codes >= 0) & (codes < known), "a node has a category that its column does not have.")
    _must(_ascending(codes, owner), "a node's categories are not ascending.")
    arity = packed["branches"][packed["branches"] > 0][owner]
    _must((branches >= 0) & (branches < arity), "a category takes a branch that is not there.")


def _numbers(packed: PackedTrees, classes: int) -> None:
    _must(packed["rows"] >= 0, "a node has a negative number of rows.")
    for name in ("cost", "class_weights"):
        array = packed[name]
        _must(np.isfinite(array) & (array >= 0), f"{name} holds a negative or infinite number.")
    # Costs are w(l)G(l) over all weight, and G is at most the number of classes.
    _must(packed["cost"] <= classes, "a node's cost is larger than a criterion can be.")
    with np.errstate(over="ignore"):
        weight = packed["class_weights"].reshape(-1, classes).sum(axis=1)
    _must((weight > 0) & np.isfinite(weight), "a node has no weight, or an infinite one.")
    parent = parents(packed)
    most = weight[parent] * (1 + BRANCH_TOLERANCE)
    _must((weight <= most) | (parent < 0), "a branch weighs more than its node.")
    if "value" in packed:
        _must(np.isfinite(packed["value"]), "a leaf's value is not a finite number.")
    if "class_rows" in packed:
        rows = packed["class_rows"].reshape(-1, classes)
        _must(rows >= 0, "a node has a negative number of rows.")
        _must((rows <= packed["rows"][:, None]).all(axis=1), "a class has more rows than its node.")
        good = rows.sum(axis=1) == packed["rows"]  # no entry is above `rows`, so no sum overflows
        _must(good, "the rows of a node's classes are not its rows.")
    if "prior" in packed:
        prior = packed["prior"]
        _must((prior > 0) & (prior <= LARGEST_PRIOR), "a tree's prior is not a positive number.")


def _pools(packed: PackedTrees) -> None:
    nodes = packed["nodes"].astype(np.int64)
    start = np.repeat(np.cumsum(nodes) - nodes, nodes)
    own = np.arange(len(start)) - start
    pool = packed["pool"]
    _must((pool >= 0) & (pool <= own), "a leaf's pool does not start at a leaf before it.")
    first = pool + start
    _must(pool[first] == pool, "a leaf's pool does not start at a leaf before it.")
    inner = packed["branches"] > 0
    _must(~(inner | inner[first]) | (pool == own), "a node that is no leaf is in a pool.")


def _shares(packed: PackedTrees) -> None:
    share, parent = packed["share"], parents(packed)
    _must((share >= 0) & (share <= 1), "a share is not between 0 and 1.")
    _must(share[parent < 0] == 1, "a root's share is not 1.")
    below = np.bincount(parent[parent >= 0], share[parent >= 0], minlength=len(share))
    split = packed["branches"] > 0
    good = np.abs(below[split] - 1) <= SHARE_TOLERANCE
    _must(good, "the shares of a node's branches do not add up to 1.")
