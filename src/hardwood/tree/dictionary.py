"""A tree as plain Python objects that `json.dumps` takes.

In: a tree, the schemas of its columns, its classes. Out:

    {"classes": [...],
     "prior": 8.0,                             (weight of the pseudo-examples; only with a prior)
     "columns": [{"name": ..., "kind": ..., "categories": [...]}, ...],     (categories: if any;
                                               "boolean": true, where values were True and False)
     "nodes": [
       {"node": 0, "parent": None, "depth": 0, "rows": ..., "weight": ..., "class_weights": [...],
        "shares": [...], "label": ..., "cost": ...,                          (every node)
        "class_rows": [...],                     (rows by class; only where rows have weights)
        "children": [1, 2], "column": "age", "column_index": 3,              (split nodes only)
        "conditions": ["age <= 42.5", "age > 42.5"],
        "missing_branch": 0, "missing_seen": False, "default_branch": 0,
        "cuts": [42.5]},                         (or "groups": [[category, ...], ...] per branch)
       ...]}

"shares" are what `predict_proba` gives, "class_weights" what training saw. Where a missing value
goes down every branch, each node also has its "share" of it, and the
"missing_branch" is that of `apply`.

The nodes lie flat in order of creation, a parent before its children, since a deep tree as nested
objects would exceed what JSON readers can stack. Invariant: no NaN, no NumPy objects; whole-number
cuts keep all their digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import INTERVAL, Tree
from hardwood.tree.conditions import Group
from hardwood.tree.numbers import json_value
from hardwood.tree.paths import branch_conditions, node_cuts, told_of


def to_dict(
    tree: Tree, schemas: Sequence[ColumnSchema], classes: Sequence[object]
) -> dict[str, Any]:
    prior = {"prior": tree.prior} if tree.prior else {}
    return {
        "classes": [json_value(label) for label in classes],
        **prior,
        "columns": columns_of(schemas),
        "nodes": nodes_of(tree, schemas, classes),
    }


def columns_of(schemas: Sequence[ColumnSchema]) -> list[dict[str, Any]]:
    return list(map(_column, schemas))


def nodes_of(
    tree: Tree, schemas: Sequence[ColumnSchema], classes: Sequence[object]
) -> list[dict[str, Any]]:
    """One entry per node; `value` is there for boosted trees, `share` for fractional examples."""
    labels = [json_value(label) for label in classes]
    nodes = []
    for node in range(tree.n_nodes):
        parent = int(tree.parent[node])
        entry = {
            "node": node,
            "parent": parent if parent >= 0 else None,
            "depth": int(tree.depth[node]),
            "rows": int(tree.rows[node]),
            "weight": float(tree.weight[node]),
            "class_weights": tree.class_weights[node].tolist(),
            "shares": tree.shares[node].tolist(),
            "label": labels[tree.label[node]],
            "cost": float(tree.cost[node]),
        }
        if tree.class_rows is not None:
            entry["class_rows"] = tree.class_rows[node].tolist()
        if tree.value is not None:
            entry["value"] = float(tree.value[node])
        if tree.share is not None:
            entry["share"] = float(tree.share[node])
        nodes.append(entry | _split(tree, schemas, node) if tree.branches[node] else entry)
    return nodes


def _column(schema: ColumnSchema) -> dict[str, Any]:
    kind = "ordered" if schema.ordered else schema.kind
    column: dict[str, Any] = {"name": schema.name, "kind": kind}
    if schema.boolean:
        column["boolean"] = True
    if schema.categories or schema.kind == "category":
        column["categories"] = [json_value(value) for value in schema.categories]
    return column


def _split(tree: Tree, schemas: Sequence[ColumnSchema], node: int) -> dict[str, Any]:
    column = int(tree.feature[node])
    conditions = branch_conditions(tree, schemas, node)
    split: dict[str, Any] = {
        "children": list(tree.children(node)),
        "column": schemas[column].name,
        "column_index": column,
        "conditions": [str(told_of(tree, condition)) for condition in conditions],
        "missing_branch": int(tree.missing_branch[node]),
        "missing_seen": bool(tree.missing_seen[node]),
        "default_branch": int(tree.default_branch[node]),
    }
    if tree.kind[node] == INTERVAL:
        split["cuts"] = node_cuts(tree, schemas[column], node)
    else:
        groups = [condition for condition in conditions if isinstance(condition, Group)]
        split["groups"] = [[json_value(value) for value in group.values] for group in groups]
    return split
