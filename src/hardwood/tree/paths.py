"""The branches of a tree as conditions, and a walk over all of them.

In: a tree and the schemas of its columns. Out: the conditions of a node's branches, and `walk`,
every node in reading order (a parent before its children, branches left to right) with the branch
that leads to it and the conditions on the way, joined into one per column. Invariant: a row
reaches a node exactly when every condition of the node's `path` holds; where a missing value goes
down every branch, a path says how it goes by the heaviest ones, as `apply` does.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import INTERVAL, Tree
from hardwood.tree.conditions import Condition, Group, Interval, join


@dataclass(frozen=True, slots=True)
class Step:
    """One node of a walk; the root has no branch."""

    node: int
    branch: Condition | None
    path: dict[int, Condition]
    """By column index, in the order in which the columns were first asked."""


def walk(
    tree: Tree,
    schemas: Sequence[ColumnSchema],
    max_depth: int | None = None,
    ends: Container[int] = (),
) -> Iterator[Step]:
    """Every node down to `max_depth`, and nothing below the nodes in `ends`, in reading order."""
    pending = [Step(0, None, {})]
    while pending:
        step = pending.pop()
        yield step
        deeper = max_depth is None or tree.depth[step.node] < max_depth
        if deeper and step.node not in ends:
            pending.extend(reversed(list(_steps_below(tree, schemas, step))))


def steps_to(tree: Tree, schemas: Sequence[ColumnSchema], node: int) -> list[Step]:
    """The steps of `walk` on the way to one node, from the root on."""
    way = [node]
    while way[-1]:
        way.append(int(tree.parent[way[-1]]))
    steps = [Step(0, None, {})]
    for child in reversed(way[:-1]):
        steps += (step for step in _steps_below(tree, schemas, steps[-1]) if step.node == child)
    return steps


def branch_conditions(
    tree: Tree, schemas: Sequence[ColumnSchema], node: int
) -> Sequence[Condition]:
    """One exact condition per branch, left to right; none for a leaf."""
    if not tree.branches[node]:
        return []
    schema = schemas[tree.feature[node]]
    return (_intervals if tree.kind[node] == INTERVAL else _groups)(tree, schema, node)


def node_cuts(tree: Tree, schema: ColumnSchema, node: int) -> list[float] | list[int]:
    """The ascending cuts of an interval node as Python numbers."""
    if schema.kind == "numeric":
        numbers: list[float] = tree.thresholds[tree.cuts(node)].tolist()
        return numbers
    cuts = tree.integer_thresholds[tree.cuts(node)]
    integers: list[int] = (cuts.view(np.uint64) if schema.kind == "unsigned" else cuts).tolist()
    return integers


def _steps_below(tree: Tree, schemas: Sequence[ColumnSchema], step: Step) -> Iterator[Step]:
    column = int(tree.feature[step.node])
    earlier = step.path.get(column)
    conditions = branch_conditions(tree, schemas, step.node)
    for child, branch in zip(tree.children(step.node), conditions, strict=True):
        joined = branch if earlier is None else join(earlier, branch)
        told = _as_told(told_of(tree, branch), joined)
        yield Step(child, told, {**step.path, column: joined})


def told_of(tree: Tree, branch: Condition) -> Condition:
    """A branch does not speak of missing values where these go down every branch."""
    return branch if tree.share is None else replace(branch, missing=False)


def _as_told(branch: Condition, joined: Condition) -> Condition:
    """A branch speaks of other categories only if some can still come this way."""
    if not isinstance(branch, Group) or not isinstance(joined, Group):
        return branch
    more = joined.others_known() or len(joined.codes) > len(branch.codes)
    return replace(branch, others=branch.others and (more or not branch.excluded))


def _intervals(tree: Tree, schema: ColumnSchema, node: int) -> list[Interval]:
    ends = [None, *node_cuts(tree, schema, node), None]
    missing, seen = int(tree.missing_branch[node]), bool(tree.missing_seen[node])
    branches = [
        Interval(schema, lower, upper, branch == missing, seen)
        for branch, (lower, upper) in enumerate(pairwise(ends))
    ]
    if len(branches) < tree.branches[node]:
        branches.append(Interval(schema, missing=True, missing_seen=True, present=False))
    return branches


def _groups(tree: Tree, schema: ColumnSchema, node: int) -> list[Group]:
    own = tree.groups(node)
    every = frozenset(tree.group_codes[own].tolist())
    members: list[list[int]] = [[] for _ in tree.children(node)]
    for code, branch in zip(tree.group_codes[own], tree.group_branches[own], strict=True):
        members[branch].append(int(code))
    missing, seen = int(tree.missing_branch[node]), bool(tree.missing_seen[node])
    default = int(tree.default_branch[node])
    return [
        Group(
            schema,
            tuple(codes),
            every.difference(codes),
            branch == default,
            branch == missing,
            seen,
        )
        for branch, codes in enumerate(members)
    ]
