"""Trees as the flat arrays of ONNX's TreeEnsemble: binary nodes x <= split, one value a leaf.

In: trees with multi-way nodes. Out: `TreeArrays`. Cuts of a node become a balanced search; a
branch for missing values alone becomes a test against the largest number, which NaN fails. A
category node asks about a column of its own that already holds the branch number (`Routes`), so
no subtree is written twice and no set tests are needed, which runtimes support unevenly.
Invariant: every leaf of a tree is one leaf here, and each tree adds to a target of its own, so
that no runtime's order of adding matters.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import INTERVAL, Tree


@dataclass(frozen=True, slots=True)
class Choice:
    """The branch #(cuts < x) of `children`; NaN takes `missing`."""

    feature: int
    cuts: Sequence[float]
    children: Sequence[int | Choice]
    missing: int


@dataclass(slots=True)
class Routes:
    """Features of the ensemble: numeric columns as they are, then a column per way in which a node
    sends categories on. A route is the branch of a missing, of an unknown and of each category."""

    places: dict[int, int]
    """Column -> feature, for numeric columns."""
    by_column: dict[int, dict[tuple[int, ...], int]] = field(default_factory=dict)
    """Category column -> route -> feature."""
    count: int = 0

    def feature(self, column: int, route: tuple[int, ...]) -> int:
        known = self.by_column.setdefault(column, {})
        if route not in known:
            known[route] = self.count
            self.count += 1
        return known[route]

    def choice(self, tree: Tree, schemas: Sequence[ColumnSchema], node: int) -> Choice:
        column, children = int(tree.feature[node]), list(tree.children(node))
        missing = int(tree.missing_branch[node])
        if tree.kind[node] == INTERVAL:
            feature, cuts = self.places[column], tree.thresholds[tree.cuts(node)].tolist()
            if len(children) == len(cuts) + 1:
                return Choice(feature, cuts, children, missing)
            present = Choice(feature, cuts, children[:-1], -1)
            return Choice(feature, [sys.float_info.max], [present, children[-1]], 1)
        default = int(tree.default_branch[node])
        route = np.full(len(schemas[column].categories) + 2, default)
        route[0] = missing
        own = tree.groups(node)
        route[tree.group_codes[own] + 2] = tree.group_branches[own]
        cuts = [branch + 0.5 for branch in range(len(children) - 1)]
        return Choice(self.feature(column, tuple(route.tolist())), cuts, children, -1)


@dataclass(slots=True)
class TreeArrays:
    """What TreeEnsemble takes; see its `nodes_*` and `leaf_*`."""

    roots: list[int] = field(default_factory=list)
    feature: list[int] = field(default_factory=list)
    split: list[float] = field(default_factory=list)
    true_id: list[int] = field(default_factory=list)
    false_id: list[int] = field(default_factory=list)
    true_leaf: list[int] = field(default_factory=list)
    false_leaf: list[int] = field(default_factory=list)
    missing_true: list[int] = field(default_factory=list)
    leaf_target: list[int] = field(default_factory=list)
    leaf_value: list[float] = field(default_factory=list)

    def add_constant(self, value: float) -> None:
        """A tree whose leaves agree; the operator has no tree without a split."""
        root = self._node()
        self.feature[root], self.split[root] = 0, 0.0
        self._link(root, (self._leaf(value), True), (self._leaf(value), True))
        self.roots.append(root)

    def add(
        self, tree: Tree, choose: Callable[[int], Choice], value: Callable[[int], float]
    ) -> None:
        """Without recursion, since trees can be deep."""
        first = _resolved(tree, 0, choose)
        if isinstance(first, int):
            self.add_constant(value(first))
            return
        root = self._node()
        pending = [(root, first)]
        while pending:
            place, choice = pending.pop()
            middle = len(choice.cuts) // 2
            self.feature[place], self.split[place] = choice.feature, choice.cuts[middle] + 0.0
            self.missing_true[place] = int(0 <= choice.missing <= middle)
            sides = []
            for part in _halves(choice, middle):
                side = _resolved(tree, part, choose)
                if isinstance(side, int):
                    sides.append((self._leaf(value(side)), True))
                else:
                    sides.append((self._node(), False))
                    pending.append((sides[-1][0], side))
            self._link(place, *sides)
        self.roots.append(root)

    def _node(self) -> int:
        for each in (self.feature, self.true_id, self.false_id, self.true_leaf, self.false_leaf):
            each.append(0)
        self.missing_true.append(0)
        self.split.append(0.0)
        return len(self.feature) - 1

    def _leaf(self, value: float) -> int:
        self.leaf_target.append(len(self.roots))
        self.leaf_value.append(value)
        return len(self.leaf_value) - 1

    def _link(self, place: int, true: tuple[int, bool], false: tuple[int, bool]) -> None:
        if true[0] == false[0]:
            # onnxruntime takes a root whose two sides have one number, a leaf's and a node's, for
            # a tree of one leaf (its issue 24679): the leaf moves to the next number.
            leaf = true[0] if true[1] else false[0]
            moved = self._leaf(self.leaf_value[leaf])
            true, false = ((moved, True), false) if true[1] else (true, (moved, True))
        self.true_id[place], self.true_leaf[place] = true[0], int(true[1])
        self.false_id[place], self.false_leaf[place] = false[0], int(false[1])


def _halves(choice: Choice, middle: int) -> tuple[Choice, Choice]:
    after = middle + 1
    left = Choice(choice.feature, choice.cuts[:middle], choice.children[:after], choice.missing)
    right_missing = choice.missing - after
    right = Choice(choice.feature, choice.cuts[after:], choice.children[after:], right_missing)
    return left, right


def _resolved(tree: Tree, part: int | Choice, choose: Callable[[int], Choice]) -> int | Choice:
    """A leaf, or a choice that has a cut."""
    while True:
        if isinstance(part, int):
            if not tree.branches[part]:
                return part
            part = choose(part)
        elif part.cuts:
            return part
        else:
            part = part.children[0]


def route_table(routes: dict[tuple[int, ...], int]) -> NDArray[np.float64]:
    """[missing, unknown, categories...; routes]"""
    return np.array(list(routes), dtype=np.float64).T.copy()
