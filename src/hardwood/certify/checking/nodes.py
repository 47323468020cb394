"""Rows sent down a tree, and every node's facts compared with them.

In: a tree that fits together, the rows with whole-number weights, and which rows growth saw. Out:
`NodeFacts`. A numeric value x takes branch #(cuts < x), a category the branch it is listed under, a
missing value `missing_branch` (in parts every branch, in a tree with shares), anything else
`default_branch`. Rules compared (docs/theory/rules.md#thresholds, #categories, #missing-values): a
threshold is the shortest decimal in the middle half of the adjacent values present in the node
(`thresholds.py`); listed categories are those present; where no missing value was seen it takes the
heaviest branch, the first on a tie. Cost: O(rows x depth), in NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.ledger import CLOSE, Ledger
from hardwood.certify.checking.thresholds import threshold_between
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
    n_examples: int

    @property
    def total(self) -> float:
        return float(self.units.sum())


@dataclass(frozen=True, eq=False)
class NodeFacts:
    """Per node, from the data: class weights in units, rows, these by class, members; per row its
    leaf.

    `known` and `examples` are of the rows that had a value at the split above: all rows, unless
    missing values go down every branch. `members` are the seen rows of a node; `leaf` is that of
    each row, seen or not, by the heaviest branch where it takes several.
    """

    units: Floats
    known: Floats
    rows: NDArray[np.int64]
    examples: Floats
    members: list[Rows]
    leaf: NDArray[np.int64]
    class_rows: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Part:
    """The rows at a node, with as much of their units and examples as is there; `known` False for
    those without a value at the split above that take every branch."""

    rows: Rows
    units: NDArray[np.int64]
    examples: Floats
    known: NDArray[np.bool_]

    def __getitem__(self, chosen: Any) -> Part:
        return Part(
            self.rows[chosen], self.units[chosen], self.examples[chosen], self.known[chosen]
        )


def follow(
    ledger: Ledger,
    tree: Tree,
    seen: Seen,
    *,
    as_grown: bool = True,
    given: frozenset[int] = frozenset(),
) -> NodeFacts:
    """Send all rows down; with `as_grown` also compare what growth decides at each node. Rows
    that growth did not see are sent too, to learn their leaf. given: nodes whose split a draft
    says, categories and thresholds included."""
    nodes, count = tree.n_nodes, seen.data.n_rows
    facts = NodeFacts(
        np.zeros((nodes, seen.classes)),
        np.zeros((nodes, seen.classes)),
        np.zeros(nodes, dtype=np.int64),
        np.zeros(nodes),
        [],
        np.full(count, -1, dtype=np.int64),
        np.zeros((nodes, seen.classes), dtype=np.int64),
    )
    waiting: dict[int, Part] = {
        0: Part(np.arange(count), seen.units, seen.examples, np.ones(count, dtype=np.bool_))
    }
    for node in range(nodes):
        part = waiting.pop(node)
        present = part[part.units > 0]
        _note(facts, node, present, seen)
        if tree.kind[node] == LEAF:
            facts.leaf[part.rows] = node
            continue
        column = seen.data.column(int(tree.feature[node]))
        branch = branches_of(tree, node, column, part.rows)
        if as_grown:
            there = branch[part.units > 0]
            _compare_missing(ledger, tree, node, column, present.rows)
            if node not in given:
                _compare_condition(ledger, tree, node, column, present.rows, there)
        for j, below in enumerate(_divided(tree, node, column, part, branch)):
            waiting[int(tree.first_child[node]) + j] = below
    return facts


def _note(facts: NodeFacts, node: int, present: Part, seen: Seen) -> None:
    labels, known = seen.labels[present.rows], present.known
    weights = present.units.astype(np.float64)
    facts.units[node] = np.bincount(labels, weights, minlength=seen.classes)
    facts.known[node] = np.bincount(labels[known], weights[known], minlength=seen.classes)
    facts.examples[node] = present.examples[known].sum()
    facts.rows[node] = len(present.rows)
    facts.class_rows[node] = np.bincount(labels, minlength=seen.classes)
    facts.members.append(present.rows)


def _divided(
    tree: Tree, node: int, column: Values, part: Part, branch: NDArray[np.int64]
) -> list[Part]:
    """What each branch gets. Fractional examples (C4.5): a missing value takes every branch, with
    floor(w A_j / A) of its w units, A_j the branch's units with a value; the rest goes to the
    heaviest."""
    branches = int(tree.branches[node])
    gone = column.missing[part.rows]
    every = tree.share is not None and bool(gone.any())
    there = part[~gone] if every else part
    whole = Part(there.rows, there.units, there.examples, np.ones(len(there.rows), np.bool_))
    taken = branch[~gone] if every else branch
    made = [whole[taken == j] for j in range(branches)]
    if not every:
        return made
    known = [int(each.units.sum()) for each in made]
    shared = _shared_out(part[gone], known)
    return [
        Part(*(np.concatenate(pair) for pair in zip(_fields(one), _fields(two), strict=True)))
        for one, two in zip(made, shared, strict=True)
    ]


def _shared_out(part: Part, known: list[int]) -> list[Part]:
    total, heaviest = max(sum(known), 1), known.index(max(known))
    amounts, place = np.unique(part.units, return_inverse=True)
    table = np.array(
        [[amount * weight // total for weight in known] for amount in amounts.tolist()],
        dtype=np.int64,
    ).reshape(-1, len(known))
    table[:, heaviest] += amounts - table.sum(axis=1)
    unknown = np.zeros(len(part.rows), dtype=np.bool_)
    made = []
    for j, weight in enumerate(known):
        units = table[place, j]
        whole = Part(part.rows, units, part.examples * (weight / total), unknown)
        # A row that growth did not see, or of which nothing is left, follows the heaviest branch.
        made.append(whole if j == heaviest else whole[units > 0])
    return made


def _fields(part: Part) -> tuple[NDArray[Any], ...]:
    return part.rows, part.units, part.examples, part.known


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


def _compare_missing(ledger: Ledger, tree: Tree, node: int, column: Values, members: Rows) -> None:
    ledger.true(
        bool(column.missing[members].any()) == bool(tree.missing_seen[node]),
        f"missing_seen of node {node} is {tree.missing_seen[node]}; the data say otherwise.",
    )


def _compare_condition(
    ledger: Ledger,
    tree: Tree,
    node: int,
    column: Values,
    members: Rows,
    branch: NDArray[np.int64],
) -> None:
    values, missing = column.values[members], column.missing[members]
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
    claimed = cuts_of(tree, node, column).tolist()
    values, branch = values[~missing], branch[~missing]
    for j, cut in enumerate(claimed):
        low, high = values[branch <= j], values[branch > j]
        if ledger.true(
            len(low) and len(high), f"node {node}: no row lies on one side of its cut {cut}."
        ):
            found = threshold_between(low.max().item(), high.min().item(), column.whole)
            ledger.true(cut == found, f"threshold of node {node} is {cut}; the data say {found}.")


def compare_routes(ledger: Ledger, tree: Tree, facts: NodeFacts, *, exact: bool) -> None:
    """Default branches, missing values that were never seen, shares, and no empty branch. Unless
    the weights are exact, branches that nearly tie may come in any order."""
    weight = facts.known.sum(axis=1)
    share = np.ones(tree.n_nodes)
    for node in np.flatnonzero(tree.kind != LEAF).tolist():
        children = tree.children(node)
        of_branch = weight[children]
        share[children] = of_branch / of_branch.sum()
        claimed = int(tree.default_branch[node])
        heaviest = int(of_branch.argmax())
        near = not exact and of_branch[claimed] >= of_branch[heaviest] * (1 - CLOSE)
        ledger.true(
            claimed == heaviest or near,
            f"default_branch of node {node} is {claimed}; the heaviest branch is {heaviest}.",
        )
        if not tree.missing_seen[node] or tree.share is not None:
            ledger.true(
                tree.missing_branch[node] == claimed,
                f"missing_branch of node {node} is {tree.missing_branch[node]}; no missing value "
                f"decided it, and the default branch is {claimed}.",
            )
        ledger.true((of_branch > 0).all(), f"node {node} has a branch without rows.")
    if tree.share is not None:
        ledger.close("share", tree.share, share)
