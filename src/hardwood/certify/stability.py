"""How firmly each split of a tree stands: its margin over its rival, in drop and in weight.

In: a tree, and its training rows or none. Out: a `Stability` that prints itself, weakest split
first. With rows the rival is the best split of another column (or another cut of the same one, if
asked for), and the weight is bounded over all of them; without rows it is to make no split at all,
which the tree's class weights tell. Invariant: no change of row weights of less than `at_least` in
all lets a rival that is admissible now cost as little as the split, all limits being as they are
(up to 1e-9; `weight_margin` has the argument).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.candidates import split_cost
from hardwood.certify.checking.constraints import Admission
from hardwood.certify.checking.nodes import NodeFacts, Seen
from hardwood.certify.rivals import Candidates, candidates
from hardwood.certify.weight_margin import enough_change, least_change
from hardwood.criteria import Criterion, cost
from hardwood.table import ColumnSchema
from hardwood.tree import Tree
from hardwood.tree.conditions import short_text
from hardwood.tree.paths import branch_conditions, told_of
from hardwood.tree.text import CATEGORY_WIDTH

Floats = NDArray[np.float64]
NO_SPLIT = "no split"
SHOWN = 20


@dataclass(frozen=True, slots=True)
class SplitStability:
    """One split and what would replace it."""

    node: int
    column: str
    split: str
    """The condition of its first branch."""
    drop: float
    """Of the potential, as in `history_`."""
    rival: str
    """The best of the others, as the condition of one branch; "no split": the node stays a leaf."""
    rival_drop: float
    margin: float
    """drop - rival_drop; negative where pruning raised a split that would not be chosen there."""
    nearest: str
    """The rival for which `at_least` holds with least to spare: it needs least weight."""
    at_least: float
    """So much weight must change, added and taken away counted alike, before any rival wins; NaN
    where the node has more than two classes, the split more than two branches, or the criterion is
    the stump error of discrete boosting. In a boosted model weights are shares of a round's."""
    enough: float
    """A change of so much, of one class on one side, is known to be enough for the rival or the
    nearest one; infinite where none was found, NaN as above."""
    tree: int = 0
    """The place of a boosted model's tree, in the order of its rounds."""

    def __str__(self) -> str:
        said = f"node {self.node}, {self.split}: drop {self.drop:.4g}, "
        said += f"{self.margin:.4g} ahead of {self.rival}"
        if math.isnan(self.at_least):
            return said
        if self.at_least == 0:
            return f"{said}; the least change of weight may let another win"
        known = f"{self.enough:.4g} is enough" if self.enough < math.inf else "none is known"
        return f"{said}; a change of weight below {self.at_least:.4g} keeps it, {known}"


@dataclass(frozen=True, slots=True)
class Stability(Sequence[SplitStability]):
    """The splits in the order of their nodes."""

    splits: tuple[SplitStability, ...]
    with_rows: bool
    """Whether rivals are other splits; else each split is compared with none at all."""

    def __getitem__(self, place: Any) -> Any:
        return self.splits[place]

    def __len__(self) -> int:
        return len(self.splits)

    def __str__(self) -> str:
        if not self.splits:
            return "The model makes no split."
        weakest = sorted(self.splits, key=lambda each: (_firmness(each), each.tree, each.node))
        lines = [f"{len(self.splits)} splits, the least firm first"]
        lines += [f"  {each}" for each in weakest[:SHOWN]]
        if len(weakest) > SHOWN:
            lines.append(f"  and {len(weakest) - SHOWN} more")
        if not self.with_rows:
            lines.append("Other splits are known from the training rows alone: stability(X, y).")
        return "\n".join(lines)


def _firmness(split: SplitStability) -> float:
    return split.margin if math.isnan(split.at_least) else split.at_least


class Taken(NamedTuple):
    """A split of a tree: class weights in the user's units, [branches, classes present]."""

    node: int
    branches: Floats
    present: NDArray[np.intp]


def splits_of(tree: Tree) -> list[Taken]:
    found = []
    for node in np.flatnonzero(tree.branches).tolist():
        present = np.flatnonzero(tree.class_weights[node])
        branches = tree.class_weights[tree.children(node)][:, present]
        found.append(Taken(node, branches, present))
    return found


def stability_alone(
    tree: Tree, schemas: Sequence[ColumnSchema], criterion: Criterion, number: int = 0
) -> list[SplitStability]:
    """Each split against none."""
    total = float(tree.weight[0])
    found = []
    for taken in splits_of(tree):
        whole = taken.branches.sum(axis=0)
        margin = float(cost(whole, criterion) - cost(taken.branches, criterion).sum()) / total
        least = enough = math.nan
        if taken.branches.shape == (2, 2):
            rival = np.stack([whole, np.zeros(2)])
            least, _ = least_change(taken.branches, rival[None], criterion)
            enough = enough_change(np.stack([taken.branches, 0 * taken.branches], 1), criterion)
        told = _told(tree, schemas, taken.node)
        found.append(
            SplitStability(
                *told, margin, NO_SPLIT, 0.0, margin, NO_SPLIT, least, enough, tree=number
            )
        )
    return found


@dataclass(frozen=True, eq=False)
class Growth:
    """The rows of a tree's nodes, and the rules by which its splits were chosen."""

    tree: Tree
    schemas: Sequence[ColumnSchema]
    seen: Seen
    facts: NodeFacts
    rules: Any
    unit: float
    same_column: bool
    columns: NDArray[np.int64]
    """That the tree could use."""
    admission: Admission
    """Which of them a node may be split on, and how."""


def stability_on_rows(growth: Growth) -> list[SplitStability]:
    """Each split against the best others."""
    return [_on_rows(growth, taken) for taken in splits_of(growth.tree)]


class _Rivals(NamedTuple):
    """All candidates of a node, column by column."""

    offers: list[Candidates]
    left: Floats
    """[candidates, classes present] in the user's units."""

    def at(self, place: int) -> tuple[Candidates, int]:
        for each in self.offers:
            if place < len(each):
                return each, place
            place -= len(each)
        raise IndexError(place)


def _on_rows(growth: Growth, taken: Taken) -> SplitStability:
    tree, criterion = growth.tree, growth.rules.formula
    told = _told(tree, growth.schemas, taken.node)
    total, whole = float(tree.weight[0]), taken.branches.sum(axis=0)
    before = float(cost(whole, criterion))
    stump = growth.rules.criterion == "stump"
    after = cost(taken.branches, criterion).sum()
    if stump:
        after = split_cost(taken.branches[:1], taken.branches[1:], growth.rules)[0]
    drop = (before - float(after)) / total
    rivals = _rivals(growth, taken)
    if not len(rivals.left):
        least = math.nan
        return SplitStability(*told, drop, NO_SPLIT, 0.0, drop, NO_SPLIT, least, least)
    both = np.stack([rivals.left, np.maximum(whole - rivals.left, 0.0)], axis=1)
    costs = cost(both, criterion).sum(axis=1)
    if stump:
        costs = split_cost(both[:, 0], both[:, 1], growth.rules)
    best = int(costs.argmin())
    rival_drop = (before - float(costs[best])) / total
    least = enough = math.nan
    nearest = best
    if taken.branches.shape == (2, 2) and not stump:
        least, nearest = least_change(taken.branches, both, criterion)
        enough = min(
            enough_change(_cells(growth, taken, rivals, place), criterion)
            for place in {best, nearest}
        )
    words = []
    for place in (best, nearest):
        offer, own = rivals.at(place)
        words.append(offer.words(own))
    margin = drop - rival_drop
    return SplitStability(*told, drop, words[0], rival_drop, margin, words[1], least, enough)


def _rivals(growth: Growth, taken: Taken) -> _Rivals:
    rows, column = growth.facts.members[taken.node], int(growth.tree.feature[taken.node])
    offers = []
    for j in growth.admission.columns(taken.node, growth.columns).tolist():
        if j == column and not growth.same_column:
            continue
        offer = candidates(growth.seen, j, rows, growth.rules)
        if offer is not None:
            offer = _without(offer, taken, growth) if j == column else offer
            offers.append(_admitted(offer, taken, growth, j))
    offers = [each for each in offers if len(each)]
    left = [each.left[:, taken.present] * growth.unit for each in offers]
    return _Rivals(offers, np.concatenate(left) if left else np.zeros((0, len(taken.present))))


def _admitted(offer: Candidates, taken: Taken, growth: Growth, column: int) -> Candidates:
    """Those that keep the constraints."""
    if not growth.admission.asked.monotone:
        return offer
    whole = growth.facts.units[taken.node]
    fine = [
        i
        for i in range(len(offer))
        if growth.admission.admits(taken.node, column, offer.left[i], whole - offer.left[i])
    ]
    return _chosen(offer, fine)


def _chosen(offer: Candidates, own: list[int]) -> Candidates:
    return Candidates(offer.left[own], lambda i: offer.sides(own[i]), lambda i: offer.words(own[i]))


def _without(offer: Candidates, taken: Taken, growth: Growth) -> Candidates:
    """The column's own candidates but for the split that was taken."""
    first = _first_branch(growth, taken)
    own = [
        i
        for i in range(len(offer))
        if not (np.array_equal(offer.sides(i), first) or np.array_equal(offer.sides(i), ~first))
    ]
    return _chosen(offer, own)


def _first_branch(growth: Growth, taken: Taken) -> NDArray[np.bool_]:
    """Which rows of the node take its first branch."""
    below = growth.facts.members[growth.tree.children(taken.node)[0]]
    return np.isin(growth.facts.members[taken.node], below, assume_unique=True)


def _cells(growth: Growth, taken: Taken, rivals: _Rivals, place: int) -> Floats:
    """[2, 2, 2] weights by branch of the split, side of the rival and class."""
    offer, own = rivals.at(place)
    rows = growth.facts.members[taken.node]
    label = np.searchsorted(taken.present, growth.seen.labels[rows])
    cells = ((~_first_branch(growth, taken)) * 2 + ~offer.sides(own)) * 2 + label
    weights = growth.seen.units[rows] * growth.unit
    return np.asarray(np.bincount(cells, weights, minlength=8).reshape(2, 2, 2), np.float64)


def _told(tree: Tree, schemas: Sequence[ColumnSchema], node: int) -> tuple[int, str, str]:
    first = told_of(tree, branch_conditions(tree, schemas, node)[0])
    return node, schemas[tree.feature[node]].name, short_text(first, CATEGORY_WIDTH)
