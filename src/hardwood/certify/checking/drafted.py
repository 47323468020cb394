"""What a draft asked of a tree, found again in the tree.

In: a model's draft as plain data, a tree, the column schemas. Out: `Told`: which nodes were told
what. Compared: the told splits, columns and leaves are there, and forbidden columns are not used.
That a line was passed over is taken from the model; that the node then grew freely is checked like
any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hardwood.certify.checking.ledger import Ledger
from hardwood.table import ColumnSchema
from hardwood.tree.arrays import GROUPS, LEAF, Tree


@dataclass(frozen=True, eq=False)
class Told:
    """Nodes by what they were told. `preferred` is the column; `forbidden` are those of a node."""

    splits: frozenset[int] = frozenset()
    preferred: dict[int, int] = field(default_factory=dict)
    leaves: frozenset[int] = frozenset()
    forbidden: dict[int, frozenset[int]] = field(default_factory=dict)
    order: tuple[int, ...] = ()
    """The told splits, in the order of the draft."""

    def says(self, node: int) -> bool:
        """Whether a node was told to be split."""
        return node in self.splits or node in self.preferred

    def columns(self, node: int, columns: Any) -> list[int]:
        """Those that a node's split was sought among."""
        if node in self.preferred:
            return [self.preferred[node]]
        never = self.forbidden.get(node, frozenset())
        return [j for j in columns.tolist() if j not in never]


def told_of(ledger: Ledger, model: Any, tree: Tree, schemas: Sequence[ColumnSchema]) -> Told:
    draft = getattr(model, "draft_", None)
    if draft is None:
        return Told()
    number = {schema.name: j for j, schema in enumerate(schemas)}
    splits, leaves, order = set(), set(), []
    preferred: dict[int, int] = {}
    never: dict[int, list[tuple[int, bool]]] = {}
    for place, line in enumerate(draft.to_dict()["lines"]):
        node = _node(tree, line["node"])
        if place in model.unmet_:
            continue
        name = f"line {place + 1} of the draft"
        if not ledger.true(node is not None, f"{name} is about a node that is not there."):
            continue
        assert node is not None
        if line["do"] == "leaf":
            leaves.add(node)
            ledger.true(tree.kind[node] == LEAF, f"{name}: node {node} is split, not a leaf.")
        elif line["do"] == "forbid":
            never.setdefault(node, []).append((number.get(line["column"], -1), line["below"]))
        elif line["do"] != "note":
            order.append(node)
            same = _same(tree, node, line, schemas)
            ledger.true(same, f"{name}: node {node} is not split as it says.")
            if line["do"] == "split":
                splits.add(node)
            else:
                preferred[node] = number.get(line["column"], -1)
    forbidden = _forbidden(tree, never)
    for node, columns in forbidden.items():
        used = int(tree.feature[node])
        ledger.true(used not in columns, f"node {node} is split on the forbidden column {used}.")
    return Told(frozenset(splits), preferred, frozenset(leaves), forbidden, tuple(order))


def _node(tree: Tree, path: list[int]) -> int | None:
    node = 0
    for branch in path:
        if branch >= int(tree.branches[node]):
            return None
        node = int(tree.first_child[node]) + branch
    return node


def _forbidden(tree: Tree, never: dict[int, list[tuple[int, bool]]]) -> dict[int, frozenset[int]]:
    below: dict[int, frozenset[int]] = {}
    here: dict[int, frozenset[int]] = {}
    for node in range(tree.n_nodes if never else 0):
        lasting = below.get(int(tree.parent[node]), frozenset()) if node else frozenset()
        own = never.get(node, [])
        below[node] = lasting | {column for column, lasts in own if lasts}
        here[node] = below[node] | {column for column, _ in own}
    return {node: columns for node, columns in here.items() if columns}


def _same(tree: Tree, node: int, line: dict[str, Any], schemas: Sequence[ColumnSchema]) -> bool:
    if tree.kind[node] == LEAF or schemas[tree.feature[node]].name != line["column"]:
        return False
    if line["do"] == "prefer":
        return True
    schema = schemas[tree.feature[node]]
    missing = line.get("missing")
    if missing is not None and tree.missing_seen[node] and tree.missing_branch[node] != missing:
        return False
    if tree.kind[node] == GROUPS:
        part = tree.groups(node)
        taken = dict(
            zip(tree.group_codes[part].tolist(), tree.group_branches[part].tolist(), strict=True)
        )
        said = {(type(v), v): b for b, group in enumerate(line["groups"]) for v in group}
        return len(line["groups"]) == tree.branches[node] and all(
            taken.get(code) == said.get((type(value), value), taken.get(code))
            for code, value in enumerate(map(_plain, schema.categories))
        )
    cuts = tree.cuts(node)
    if schema.kind != "numeric":
        whole = tree.integer_thresholds[cuts]
        bits = (whole.view(np.uint64) if schema.kind == "unsigned" else whole).tolist()
        return bool(bits == [int(t // 1) for t in line["thresholds"]])
    values = tree.thresholds[cuts].tolist()
    if schema.ordered:
        values = [_plain(schema.categories[int(value)]) for value in values]
    return bool(values == line["thresholds"])


def _plain(value: Any) -> Any:
    plain = value.item() if isinstance(value, np.generic) else value
    return plain if plain is None or isinstance(plain, bool | int | float | str) else str(plain)
