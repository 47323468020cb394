"""The draft of a tree that is there: its splits as lines, in the order in which they were made.

In: a tree, its column schemas. Out: lines that, carried out on the same rows, make the same nodes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hardwood.draft.draft import Draft
from hardwood.draft.lines import Line, Path
from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import GROUPS, Tree
from hardwood.tree.numbers import json_value


def path_of(tree: Tree, node: int) -> Path:
    """The branches that lead to a node."""
    branches: list[int] = []
    while node:
        parent = int(tree.parent[node])
        branches.append(node - int(tree.first_child[parent]))
        node = parent
    return tuple(reversed(branches))


def node_at(tree: Tree, path: Path) -> int:
    """The node that a path leads to."""
    node = 0
    for branch in path:
        node = int(tree.first_child[node]) + branch
    return node


def draft_of_tree(tree: Tree, schemas: Sequence[ColumnSchema]) -> Draft:
    """Every split, then every leaf, so that nothing grows beyond the tree."""
    splits = np.flatnonzero(~tree.is_leaf)
    order = splits[np.argsort(tree.first_child[splits])].tolist()
    lines = [split_line(tree, node, schemas) for node in order]
    lines += [Line("leaf", path_of(tree, node)) for node in tree.leaf_ids.tolist()]
    return Draft(lines)


def split_line(tree: Tree, node: int, schemas: Sequence[ColumnSchema], reason: str = "") -> Line:
    """The split of a node as a line."""
    schema, path = schemas[tree.feature[node]], path_of(tree, node)
    routed = bool(tree.missing_seen[node]) and tree.share is None
    missing = int(tree.missing_branch[node]) if routed else None
    if tree.kind[node] == GROUPS:
        groups: list[list[object]] = [[] for _ in tree.children(node)]
        part = tree.groups(node)
        for code, branch in zip(tree.group_codes[part], tree.group_branches[part], strict=True):
            groups[branch].append(json_value(schema.categories[code]))
        sets = tuple(tuple(group) for group in groups)
        return Line("split", path, schema.name, (), sets, missing, True, reason)  # type: ignore[arg-type]
    cuts = cut_values(tree, node, schema)
    return Line("split", path, schema.name, cuts, None, missing, True, reason)


def cut_values(
    tree: Tree, node: int, schema: ColumnSchema
) -> tuple[bool | int | float | str | None, ...]:
    """The thresholds as a draft has them."""
    part = tree.cuts(node)
    if schema.kind == "numeric":
        values = tree.thresholds[part].tolist()
        if schema.ordered:
            return tuple(json_value(schema.categories[int(value)]) for value in values)
        return tuple(value + 0.0 for value in values)
    whole = tree.integer_thresholds[part]
    return tuple((whole.view(np.uint64) if schema.kind == "unsigned" else whole).tolist())
