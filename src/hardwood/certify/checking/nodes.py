"""Rows sent down a tree, and every node's facts compared with them.

In: a tree that fits together, the rows with whole-number weights, and which rows growth saw. Out:
`NodeFacts`. A numeric value x takes branch #(cuts < x), a category the branch it is listed under,
a missing value `missing_branch`, anything else `default_branch`. Rules compared (PAPERS 6):
a threshold is the midpoint of the adjacent values present in the node, or the lower one where the
midpoint rounds to the upper; listed categories are those present; where no missing value was seen
it takes the heaviest branch, the first on a tie. Cost: O(rows x depth), in NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.ledger import CLOSE, Ledger
from hardwood.certify.checking.training_rows import TrainingRows, Values
from hardwood.tree.arrays import GROUPS, LEAF, Tree

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Seen:
    """The rows that a tree is sent: whole-number weights, 0 for those that growth did not see."""

    data: TrainingRows
    labels: NDArray[np.int64]
    classes: int
    units: NDArray[np.int64]
    examples: Floats

    @property
    def total(self) -> float:
        return float(self.units.sum())


@dataclass(frozen=True, eq=False)
class NodeFacts:
    """Per node, from the data: class weights in units, rows, examples, members; per row its leaf.

    `members` are the seen rows of a node; `leaf` is -1 for a row that was not sent.
    """

    units: Floats
    rows: NDArray[np.int64]
    examples: Floats
    members: list[Rows]
    leaf: NDArray[np.int64]


def follow(ledger: Ledger, tree: Tree, seen: Seen, *, as_grown: bool = True) -> NodeFacts:
    """Send all rows down; with `as_grown` also compare what growth decides at each node. Rows
    that growth did not see are sent too, to learn their leaf."""
    nodes, present = tree.n_nodes, seen.units > 0
    facts = NodeFacts(
        np.zeros((nodes, seen.classes)),
        np.zeros(nodes, dtype=np.int64),
        np.zeros(nodes),
        [],
        np.full(seen.data.n_rows, -1, dtype=np.int64),
    )
    waiting: list[Rows] = [np.zeros(0, dtype=np.intp)] * nodes
    waiting[0] = np.arange(seen.data.n_rows)
    for node in range(nodes):
        rows = waiting[node]
        waiting[node] = rows[:0]
        members = rows[present[rows]]
        facts.members.append(members)
        weights = seen.units[members].astype(np.float64)
        facts.units[node] = np.bincount(seen.labels[members], weights, minlength=seen.classes)
        facts.rows[node] = len(members)
        facts.examples[node] = seen.examples[members].sum()
        if tree.kind[node] == LEAF:
            facts.leaf[rows] = node
            continue
        column = seen.data.column(int(tree.feature[node]))
        branch = branches_of(tree, node, column, rows)
        if as_grown:
            _compare_condition(ledger, tree, node, column, members, branch[present[rows]])
        first = int(tree.first_child[node])
        for j in range(int(tree.branches[node])):
            waiting[first + j] = rows[branch == j]
    return facts


def branches_of(tree: Tree, node: int, column: Values, rows: Rows) -> NDArray[np.int64]:
    """The branch that each row takes."""
    values, missing = column.values[rows], column.missing[rows]
    if tree.kind[node] == GROUPS:
        part = tree.groups(node)
        table = np.full(len(column.schema.categories) + 2, tree.default_branch[node], np.int64)
        table[tree.group_codes[part]] = tree.group_branches[part]
        branch: NDArray[np.int64] = table[
            values
        ]  # codes -1 and -2 find the last two entries, no category's
    else:
        branch = np.searchsorted(cuts_of(tree, node, column), values, side="left")
    branch[missing] = tree.missing_branch[node]
    return branch


def cuts_of(tree: Tree, node: int, column: Values) -> NDArray[Any]:
    """The node's cuts in the column's own type."""
    part = tree.cuts(node)
    if column.schema.kind == "numeric":
        return tree.thresholds[part]
    return tree.integer_thresholds[part].view(column.values.dtype)


def _compare_condition(
    ledger: Ledger,
    tree: Tree,
    node: int,
    column: Values,
    members: Rows,
    branch: NDArray[np.int64],
) -> None:
    values, missing = column.values[members], column.missing[members]
    ledger.true(
        bool(missing.any()) == bool(tree.missing_seen[node]),
        f"missing_seen of node {node} is {tree.missing_seen[node]}; the data say otherwise.",
    )
    if tree.kind[node] == GROUPS:
        part = tree.groups(node)
        present = np.unique(values[~missing])
        ledger.equal(f"the categories listed at node {node}", tree.group_codes[part], present, "")
        if tree.branches[node] == 2:
            ledger.true(
                tree.group_branches[part][0] == 0,
                f"node {node}: its first category does not go left.",
            )
        return
    told = cuts_of(tree, node, column).tolist()
    values, branch = values[~missing], branch[~missing]
    for j, cut in enumerate(told):
        low, high = values[branch <= j], values[branch > j]
        if ledger.true(
            len(low) and len(high), f"node {node}: no row lies on one side of its cut {cut}."
        ):
            middle = midpoint(low.max().item(), high.min().item())
            ledger.true(cut == middle, f"threshold of node {node} is {cut}; the data say {middle}.")


def midpoint(low: float | int, high: float | int) -> float | int:
    """The middle of two adjacent values, or the lower where it rounds to the upper."""
    if isinstance(low, int) and isinstance(high, int):
        return (low + high) // 2
    middle = float((Fraction(low) + Fraction(high)) / 2)
    return low if middle >= high else middle


def compare_routes(ledger: Ledger, tree: Tree, units: Floats, *, exact: bool) -> None:
    """Default branches, missing values that were never seen, and no empty branch; `units` are the
    nodes' class weights. Unless they are exact, branches that nearly tie may come in any order."""
    weight = units.sum(axis=1)
    for node in np.flatnonzero(tree.kind != LEAF).tolist():
        of_branch = weight[tree.children(node)]
        told = int(tree.default_branch[node])
        heaviest = int(of_branch.argmax())
        near = not exact and of_branch[told] >= of_branch[heaviest] * (1 - CLOSE)
        ledger.true(
            told == heaviest or near,
            f"default_branch of node {node} is {told}; the heaviest branch is {heaviest}.",
        )
        if not tree.missing_seen[node]:
            ledger.true(
                tree.missing_branch[node] == told,
                f"missing_branch of node {node} is {tree.missing_branch[node]}, but no missing "
                f"value was seen there and the default branch is {told}.",
            )
        ledger.true((of_branch > 0).all(), f"node {node} has a branch without rows.")
