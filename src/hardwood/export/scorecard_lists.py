"""The lists of a scorecard, in log odds.

In: a forest. Out: log odds that every row has, and by name lists of (conditions, log odds), of
which a row meets one line each. A tree is one list, its leaves. Boosted stumps are a list per
column: all cuts of the column, or all sets that its categories are told apart by, with what the
stumps of the column add there together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from hardwood.export.forest import Forest, ScoredTree
from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import INTERVAL
from hardwood.tree.conditions import Condition, Group, Interval
from hardwood.tree.paths import node_cuts, walk

Lines = list[tuple[Sequence[Condition], float]]


def leaf_list(forest: Forest, position: int) -> tuple[float, dict[str, Lines]]:
    """The leaves of a tree with the log odds of the class at `position`; a condition says where
    missing values go also where training had none."""
    tree = forest.tree
    lines: Lines = []
    for step in walk(tree, forest.schemas):
        if tree.branches[step.node]:
            continue
        share = float(tree.shares[step.node, position])
        others = float(np.delete(tree.shares[step.node], position).sum())
        if share <= 0.0 or others <= 0.0:
            raise ValueError(
                "A leaf of the tree gives a class the probability 0, which has no finite log odds; "
                "fit with leaf_prior above 0 (the default is 8)."
            )
        met = [replace(each, missing_seen=True) for each in step.path.values()]
        lines.append((met, math.log(share / others)))
    return 0.0, {"leaf": lines}


def stump_lists(forest: Forest, opposite: bool) -> tuple[float, dict[str, Lines]]:
    """`opposite`: the log odds of the first class instead of the second."""
    deepest = max((scored.tree.max_depth for scored in forest.trees), default=0)
    if deepest > 1:
        raise ValueError(
            f"A scorecard needs boosted trees of depth 1, and the deepest of these has {deepest}; "
            "fit with max_depth=1."
        )
    sign = -forest.slope if opposite else forest.slope
    start, by_column = 0.0, dict[int, list[ScoredTree]]()
    for scored in forest.trees:
        if scored.tree.branches[0]:
            by_column.setdefault(int(scored.tree.feature[0]), []).append(scored)
        else:
            start += sign * scored.addend(0)
    lists = {}
    for column in sorted(by_column):
        schema, stumps = forest.schemas[column], by_column[column]
        lines = (_groups if schema.kind == "category" else _intervals)(schema, stumps)
        lists[schema.name] = [(met, sign * value) for met, value in lines]
    return start, lists


def _intervals(schema: ColumnSchema, stumps: Sequence[ScoredTree]) -> Lines:
    cuts = sorted({cut + 0 for each in stumps for cut in node_cuts(each.tree, schema, 0)})
    ends = [None, *cuts, None]
    lines: Lines = []
    for lower, upper in pairwise(ends):
        value = sum(_at(each, schema, upper) for each in stumps)
        lines.append(([Interval(schema, lower, upper)], value))
    missing = Interval(schema, missing=True, missing_seen=True, present=False)
    return [*lines, ([missing], sum(map(_of_missing, stumps)))]


def _at(stump: ScoredTree, schema: ColumnSchema, upper: float | int | None) -> float:
    """What the stump adds to values up to `upper` (None: all above its last cut)."""
    cuts = node_cuts(stump.tree, schema, 0)
    branch = len(cuts) if upper is None else sum(cut < upper for cut in cuts)
    return stump.addend(stump.tree.children(0)[branch])


def _of_missing(stump: ScoredTree) -> float:
    return stump.addend(stump.tree.children(0)[int(stump.tree.missing_branch[0])])


def _groups(schema: ColumnSchema, stumps: Sequence[ScoredTree]) -> Lines:
    """Categories that every stump sends the same way share a line."""
    alike: dict[tuple[int, ...], list[int]] = {}
    for code in range(len(schema.categories)):
        alike.setdefault(tuple(_branch(each, code) for each in stumps), []).append(code)
    lines: Lines = []
    for branches, codes in alike.items():
        value = sum(_child(each, branch) for each, branch in zip(stumps, branches, strict=True))
        lines.append(([Group(schema, tuple(codes))], value))
    every = frozenset(range(len(schema.categories)))
    unknown = sum(_child(each, int(each.tree.default_branch[0])) for each in stumps)
    lines.append(([Group(schema, (), every, others=True)], unknown))
    missing = Group(schema, (), every, missing=True, missing_seen=True)
    return [*lines, ([missing], sum(map(_of_missing, stumps)))]


def _branch(stump: ScoredTree, code: int) -> int:
    tree = stump.tree
    assert tree.kind[0] != INTERVAL
    own = tree.groups(0)
    places = np.flatnonzero(tree.group_codes[own] == code)
    return int(tree.group_branches[own][places[0]] if len(places) else tree.default_branch[0])


def _child(stump: ScoredTree, branch: int) -> float:
    return stump.addend(stump.tree.children(0)[branch])
