"""AdaBoost over (example, class) pairs: one tree over pairs is a tree for every class.

In: rounds of a core booster whose rows are the pairs of every example with every class, the class
being the last column (Aziz, Anderton & Aslam 2018). Out: per round and class the tree that is left
when every split on the class column is replaced by the branch of that class. A node of it holds the
examples that reach it with that class; an example's weight is that of its pairs that the tree saw.
Invariant: the class's tree says of an example what the tree over pairs says of the pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from hardwood._core import Booster, EncodedTable, MemoryBooster, PartsBooster
from hardwood.boosting.rounds import (
    BoostingRules,
    Rounds,
    booster_constraints,
    same_bound,
    start_booster,
)
from hardwood.criteria import Criterion, cost
from hardwood.encoding import UserWeights
from hardwood.growing import Constraints, tree_of
from hardwood.table import Table
from hardwood.tree import Tree
from hardwood.tree.packed import spread
from hardwood.tree.route import leaves_of

Arrays = dict[str, NDArray[Any]]

MOST_CLASSES = 256
MOST_PAIRS = 2**32 - 1
_COPIED = ("branches", "feature", "kind", "cut_count", "group_count", "missing_branch",
           "missing_seen", "default_branch")  # fmt: skip
_FLAT = {"cut": ("thresholds", "integer_thresholds"), "group": ("group_codes", "group_branches")}


def refuse_too_many(rows: int, classes: int, where: str = "given were") -> None:
    if classes > MOST_CLASSES:
        raise ValueError(
            f"multiclass='pairs' takes at most {MOST_CLASSES} classes; y has {classes}. Use "
            "multiclass='ovr' or 'samme'."
        )
    if rows * classes > MOST_PAIRS:
        raise ValueError(
            f"multiclass='pairs' takes at most {MOST_PAIRS} pairs of a row and a class; {where} "
            f"{rows} rows, and there are {classes} classes. Use fewer rows, or multiclass='ovr'."
        )


@dataclass
class PairRounds(Rounds):
    """The first class's rounds; they train those of all classes."""

    others: list[Rounds] = field(default_factory=list)
    criterion: Criterion = "error"
    column: int = 0
    """Of the class, in the trees over pairs."""

    @property
    def all_classes(self) -> list[Rounds]:
        return [self, *self.others]

    def _add(self, done: dict[str, Any]) -> None:
        arrays, value, weight, record = self._read(done)
        if arrays is not None:
            grown = {**arrays, "value": value, "pair_rows": done["pair_rows"],
                     "pair_weights": done["pair_weights"]}  # fmt: skip
            trees = class_trees(grown, len(self.all_classes), self.column, self.criterion)
            for each, tree in zip(self.all_classes, trees, strict=True):
                each.trees.append(tree)
                each.tree_weights.append(weight)
        for each in self.all_classes:
            each.records.append(record)

    def replay_pairs(self, earlier: Sequence[Rounds], table: Table, threads: int) -> None:
        """Take over the rounds of an earlier fit on the same rows."""
        assert isinstance(self.booster, MemoryBooster)
        says = np.array([-1.0, 1.0])
        for trees in zip(*(each.rounds_that_count() for each in earlier), strict=True):
            said = np.empty((table.n_rows, len(trees)), dtype=np.int32)
            for label, (tree, _) in enumerate(trees):
                assert tree.value is not None
                said[:, label] = tree.value[leaves_of(tree, table, threads)] > 0
            self.booster.replay(said.ravel(), says, trees[0][1].error)
        self._take_all(earlier)

    def replay_pairs_over_parts(self, earlier: Sequence[Rounds]) -> bool:
        """The same where rows are not in memory; whether they are the same rows."""
        assert isinstance(self.booster, PartsBooster)
        same = True
        for rounds in zip(*(each.rounds_that_count() for each in earlier), strict=True):
            trees, record = [tree for tree, _ in rounds], rounds[0][1]
            values = np.concatenate([tree.value for tree in trees])
            bound = self.booster.replay_pairs(trees, values, record.error)
            same = same and same_bound(bound, record)
        self._take_all(earlier)
        return same

    def _take_all(self, earlier: Sequence[Rounds]) -> None:
        for each, before in zip(self.all_classes, earlier, strict=True):
            each._take(before)


def start_pairs(
    table: EncodedTable,
    labels: NDArray[np.int32],
    classes: int,
    weights: UserWeights,
    rules: BoostingRules,
    constraints: Constraints | None,
) -> list[Rounds]:
    """The rounds of all classes before the first. From here on the table's rows are pairs. The
    constraints are on columns that meet; the class may meet all."""
    refuse_too_many(len(labels), classes)
    table.make_pairs(classes)
    own = booster_constraints(constraints, 0)
    booster = start_booster(table, labels, 2, weights, rules, own, classes)
    return pair_rounds(booster, classes, len(table.storages) - 1, rules)


def pair_rounds(booster: Booster, classes: int, column: int, rules: BoostingRules) -> list[Rounds]:
    """Those of all classes, of a booster over pairs; `column` is the class."""
    others = [Rounds(None, 2) for _ in range(1, classes)]
    criterion = criterion_of(rules.criterion)
    leading = PairRounds(booster, 2, others=others, criterion=criterion, column=column)
    return leading.all_classes


def class_trees(grown: Arrays, classes: int, column: int, criterion: Criterion) -> list[Tree]:
    """The trees of all classes, from the core's arrays of a tree over pairs, its leaf values and
    the sums of examples in its leaves."""
    nodes = len(grown["parent"])
    if nodes == 1:
        summed = {name: grown[name].reshape(-1, n * classes).sum(axis=0)
                  for name, n in (("pair_rows", 1), ("pair_weights", 2))}  # fmt: skip
        grown = {**grown, **summed}
    rows = grown["pair_rows"].reshape(nodes, classes)
    weights = grown["pair_weights"].reshape(nodes, classes, 2)
    stands = _standing_nodes(grown, classes, column)
    made = np.flatnonzero((grown["first_child"] >= 0) & (grown["feature"] != column))
    made = made[np.argsort(grown["first_child"][made])]  # in order of creation
    return [
        _class_tree(grown, stands[c], made, rows[:, c], weights[:, c], criterion)
        for c in range(classes)
    ]


def _standing_nodes(grown: Arrays, classes: int, column: int) -> NDArray[np.intp]:
    """[classes, nodes] which node stands for a node in a class's tree."""
    every = np.arange(classes)
    stands = np.tile(np.arange(len(grown["parent"])), (classes, 1))
    for node in np.flatnonzero(grown["feature"] == column)[::-1]:  # children before parents
        cut = grown["thresholds"][grown["cut_begin"][node]]
        stands[:, node] = stands[every, grown["first_child"][node] + (every > cut)]
    return stands


def _class_tree(
    grown: Arrays,
    stands: NDArray[np.intp],
    made: NDArray[np.intp],
    rows: NDArray[np.int64],
    weights: NDArray[np.int64],
    criterion: Criterion,
) -> Tree:
    """`rows` and `weights`: of the leaves of the tree over pairs."""
    order, parent = [int(stands[0])], [-1]
    first = {}
    place = {order[0]: 0}
    for node in made.tolist():
        if node not in place:
            continue
        begin = int(grown["first_child"][node])
        children = stands[begin : begin + int(grown["branches"][node])].tolist()
        first[place[node]] = len(order)
        for child in children:
            place[child] = len(order)
            order.append(child)
            parent.append(place[node])
    own: Arrays = {name: grown[name][order] for name in _COPIED}
    own["parent"] = np.array(parent, dtype=np.int32)
    own["first_child"] = np.array([first.get(i, -1) for i in range(len(order))], dtype=np.int32)
    for way, names in _FLAT.items():
        count = own[f"{way}_count"].astype(np.int64)
        at = spread(grown[f"{way}_begin"][order], count)
        own[f"{way}_begin"] = np.cumsum(count) - count
        own.update({name: grown[name][at] for name in names})
    _add_up(own, rows[order], weights[order], criterion)
    total = float(own["class_weights"][:2].sum())
    return tree_of(own, 2, 1 / total, total, grown["value"][order])


def _add_up(
    own: Arrays, rows: NDArray[np.int64], weights: NDArray[np.int64], criterion: Criterion
) -> None:
    """Depths, and sums of the leaves for the nodes above them."""
    depth = np.zeros(len(rows), dtype=np.int32)
    for node in range(1, len(rows)):
        depth[node] = depth[own["parent"][node]] + 1
    for node in range(len(rows) - 1, 0, -1):
        rows[own["parent"][node]] += rows[node]
        weights[own["parent"][node]] += weights[node]
    own["depth"], own["rows"] = depth, rows
    own["class_weights"] = weights.astype(np.float64).ravel()
    own["cost"] = cost(weights.astype(np.float64), criterion)


def criterion_of(name: str) -> Criterion:
    """By which nodes are described; AAA18's stump error describes a node as the error does."""
    return "error" if name == "stump" else cast(Criterion, name)
