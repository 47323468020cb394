"""A node's question in shared codes: from a candidate while the tree grows, from a finished tree.

A condition is the core's tuple (column, arity, cuts, codes, branches, missing branch, default
branch, bucket left of the cut, bucket right of it). While a tree grows, rows are told apart by the
cut that was found; in a finished tree by its thresholds, which put every training row the same way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.distributed.codebooks import BUCKETED, CodePlan, key_of
from hardwood.tree.arrays import GROUPS, Tree

NONE = 0xFFFFFFFF

Condition = tuple[int, int, list[int], list[int], list[int], int, int, int, int]


def of_candidate(plan: CodePlan, split: dict[str, Any], default: int) -> Condition:
    """A split in two."""
    column = split["column"]
    missing = int(split["missing_right"]) if split["missing_seen"] else default
    if plan.schemas[column].kind == "category":
        codes = [*split["left_codes"], *split["right_codes"]]
        branches = [0] * len(split["left_codes"]) + [1] * len(split["right_codes"])
        return column, 2, [], codes, branches, missing, default, NONE, NONE
    if split["next_group"] == NONE:  # missing against the rest
        return column, 2, [], [], [], missing, default, NONE, NONE
    group, after = split["group"], split["next_group"]
    return column, 2, [split["cut"]], [], [], missing, default, group, after


def of_branching(plan: CodePlan, split: dict[str, Any], default: int) -> Condition:
    """A split in three or more."""
    column = split["column"]
    missing = split["missing_branch"] if split["missing_branch"] >= 0 else default
    if plan.schemas[column].kind == "category":
        codes, branches = split["codes"], split["branch_of"]
        return column, split["arity"], [], codes, branches, missing, default, NONE, NONE
    return column, split["arity"], split["lower"], [], [], missing, default, NONE, NONE


def of_tree(plan: CodePlan, tree: Tree) -> tuple[list[Condition | None], list[int]]:
    """Conditions by value of every inner node, and first children."""
    conditions = [
        None if tree.first_child[node] < 0 else _of_node(plan, tree, node)
        for node in range(tree.n_nodes)
    ]
    return conditions, tree.first_child.tolist()


def cuts_of_tree(plan: CodePlan, tree: Tree) -> NDArray[np.uint64]:
    """All thresholds of a finished tree in shared codes, beside its own."""
    cuts = np.zeros(len(tree.thresholds), dtype=np.uint64)
    for node in np.flatnonzero(tree.cut_count > 0).tolist():
        cuts[tree.cuts(node)] = _cuts(plan, tree, node, int(tree.feature[node]))
    return cuts


def _of_node(plan: CodePlan, tree: Tree, node: int) -> Condition:
    column, arity = int(tree.feature[node]), int(tree.branches[node])
    missing, default = int(tree.missing_branch[node]), int(tree.default_branch[node])
    if tree.kind[node] == GROUPS:
        own = tree.groups(node)
        codes, branches = tree.group_codes[own].tolist(), tree.group_branches[own].tolist()
        return column, arity, [], codes, branches, missing, default, NONE, NONE
    cuts = _cuts(plan, tree, node, column)
    return column, arity, cuts, [], [], missing, default, NONE, NONE


def _cuts(plan: CodePlan, tree: Tree, node: int, column: int) -> list[int]:
    """Thresholds as keys, or as the last code that is not above them."""
    kind, code, own = plan.schemas[column].kind, plan.codes[column], tree.cuts(node)
    if kind == "numeric":
        values: list[Any] = tree.thresholds[own].tolist()
    else:
        values = tree.integer_thresholds[own].tolist()
        if kind == "unsigned":
            values = [value % 2**64 for value in values]
    keys = [key_of(value, kind) for value in values]
    if code.coding == BUCKETED:
        return keys
    cuts = [int(np.searchsorted(code.keys, np.uint64(key), side="right")) - 1 for key in keys]
    if any(cut < 0 for cut in cuts):
        raise ValueError("the tree does not fit these codebooks")
    return cuts
