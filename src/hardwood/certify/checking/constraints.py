"""Monotone and interaction constraints, read again and held against the trees.

In: the parameters of a model, its trees, class weights from the data. The rules
(docs/theory/rules.md#monotone-constraints, #interaction-constraints): the branches of a split of a
constrained column are in order. A single tree's outputs are probabilities (`pools.py` has what is
asked of all its leaves). A boosted tree's output is the score of its second class; every node has
an interval, which a split of a constrained column cuts at the middle of what the two branches say,
and leaf scores are clipped into it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.ledger import Ledger
from hardwood.certify.checking.training_rows import TrainingRows
from hardwood.tree.arrays import LEAF, Tree

Floats = NDArray[np.float64]
Clip = Callable[[Floats, Floats, Floats], Floats]
"""Of values, into intervals from low to high."""
SURELY = 1e-9
"""A candidate that keeps an order by less is not held against a tree."""


@dataclass(frozen=True, eq=False)
class Asked:
    """signs: [columns, classes]. groups: of columns that may meet; None: any may. most: not 0: so
    many columns may meet. needs: by column those that it stands below."""

    signs: NDArray[np.int64]
    groups: list[set[int]] | None
    most: int
    needs: dict[int, set[int]]

    @property
    def monotone(self) -> bool:
        return bool(self.signs.any())

    def for_class(self, label: int) -> Asked:
        return Asked(self.signs[:, label : label + 1], self.groups, self.most, self.needs)

    def may_meet(self, path: set[int]) -> bool:
        if self.most:
            return len(path) <= self.most
        return self.groups is None or any(path <= group for group in self.groups)

    def allowed(self, path: set[int], columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of these columns the ones that may be split on below splits on those of `path`."""
        if self.most:
            chosen = set(columns.tolist()) if len(path) < self.most else path
        elif self.groups is not None:
            chosen = set().union(*(group for group in self.groups if path <= group))
        else:
            chosen = set(columns.tolist())
        chosen = {j for j in chosen if self.needs.get(j, set()) <= path}
        return np.array([j for j in columns.tolist() if j in chosen], dtype=np.int64)


def asked_of(model: Any, data: TrainingRows) -> Asked:
    names = [schema.name for schema in data.schemas]
    classes = data.classes.tolist()
    signs = np.zeros((len(names), len(classes)), dtype=np.int64)
    given = getattr(model, "monotonic_cst", None)
    given = {} if given is None else given
    pairs = given.items() if isinstance(given, dict) else enumerate(given)
    for column, told in pairs:
        j = names.index(column) if isinstance(column, str) else int(column)
        by_class = told if isinstance(told, dict) else {classes[-1]: told}
        for label, sign in by_class.items():
            signs[j, classes.index(label)] = sign
    if len(classes) == 2:
        signs[:, 0] = np.where(signs[:, 0] == 0, -signs[:, 1], signs[:, 0])
        signs[:, 1] = np.where(signs[:, 1] == 0, -signs[:, 0], signs[:, 1])
    elif len(classes) == 1:
        signs[:] = 0
    given = getattr(model, "interaction_cst", None)
    return Asked(signs, *_groups(given, names), _needs(given, names))


def _groups(given: Any, names: list[str]) -> tuple[list[set[int]] | None, int]:
    if given is None or len(names) < 2:
        return None, 0
    if isinstance(given, str):
        return None, {"pairwise": 2, "no_interactions": 1}[given]
    sets = [] if isinstance(given, dict) else [each for each in given if not isinstance(each, dict)]
    if not sets and given:
        return None, 0
    groups = [{_place(c, names) for c in each} for each in sets]
    rest = set(range(len(names))).difference(*groups)
    return [*groups, rest] if rest else groups, 0


def _place(column: Any, names: list[str]) -> int:
    return names.index(column) if isinstance(column, str) else int(column)


def _needs(given: Any, names: list[str]) -> dict[int, set[int]]:
    listed = [given] if isinstance(given, dict) else [] if given is None else given
    found: dict[int, set[int]] = {}
    for each in listed:
        for column, others in each.items() if isinstance(each, dict) else ():
            several = [others] if isinstance(others, (str, int, np.integer)) else others
            found.setdefault(_place(column, names), set()).update(
                _place(other, names) for other in several
            )
    return found


def path_columns(tree: Tree) -> list[set[int]]:
    """Per node the columns of the splits above it."""
    paths: list[set[int]] = [set()]
    for node in range(1, tree.n_nodes):
        parent = int(tree.parent[node])
        paths.append(paths[parent] | {int(tree.feature[parent])})
    return paths


def compare_interactions(ledger: Ledger, tree: Tree, asked: Asked) -> None:
    if asked.groups is None and not asked.most and not asked.needs:
        return
    paths = path_columns(tree)
    for node in np.flatnonzero(tree.kind != LEAF).tolist():
        column = int(tree.feature[node])
        ledger.true(
            asked.needs.get(column, set()) <= paths[node],
            f"interaction_cst keeps column {column} off node {node}: others must stand above it.",
        )
    for path in paths:
        ledger.true(
            asked.may_meet(path), f"interaction_cst keeps columns {sorted(path)} off one path."
        )


def parts_values(tree: Tree, node: int) -> bool:
    """Not missing values against the rest."""
    return bool(tree.kind[node] != LEAF and tree.cut_count[node] > 0)


def intervals(tree: Tree, asked: Asked, said: Floats, clip: Clip) -> tuple[Floats, Floats]:
    """[nodes, outputs] within which all leaves below a node lie; `said` is what each would say as a
    leaf, before it is clipped."""
    low, high = np.full(said.shape, -np.inf), np.full(said.shape, np.inf)
    for node in np.flatnonzero(tree.kind != LEAF).tolist():
        children = tree.children(node)
        low[children], high[children] = low[node], high[node]
        if not parts_values(tree, node):
            continue
        own = clip(said[children], low[node], high[node])
        middle = (own[0] + own[-1]) / 2
        sign = asked.signs[int(tree.feature[node])]
        first, last = int(children[0]), int(children[-1])
        high[first] = np.where(sign > 0, middle, high[first])
        low[first] = np.where(sign < 0, middle, low[first])
        low[last] = np.where(sign > 0, middle, low[last])
        high[last] = np.where(sign < 0, middle, high[last])
    return low, high


def clipped_labels(said: Floats, low: Floats, high: Floats) -> Floats:
    """1 or -1, the other one where it lies outside."""
    return np.asarray(np.where((low <= said) & (said <= high), said, -said))


def compare_monotone(ledger: Ledger, tree: Tree, asked: Asked, outputs: Floats) -> None:
    """No leaf left of a split of a constrained column is on the wrong side of one right of it: of
    the very numbers that the tree gives."""
    least, most = np.array(outputs), np.array(outputs)
    for node in range(tree.n_nodes - 1, -1, -1):
        if tree.kind[node] != LEAF:
            least[node] = least[tree.children(node)].min(axis=0)
            most[node] = most[tree.children(node)].max(axis=0)
    for node in np.flatnonzero(tree.kind != LEAF).tolist():
        sign = asked.signs[int(tree.feature[node])]
        if not sign.any() or not parts_values(tree, node):
            continue
        first, last = (int(tree.children(node)[i]) for i in (0, -1))
        rises = (sign <= 0) | (most[first] <= least[last])
        falls = (sign >= 0) | (most[last] <= least[first])
        ledger.true(
            (rises & falls).all(), f"monotonic_cst is not kept below the split of node {node}."
        )


@dataclass(frozen=True, eq=False)
class Admission:
    """Which candidates surely keep the constraints of a tree. probability: of a branch of a node
    with these class weights; None where no order of probabilities is asked for."""

    asked: Asked
    paths: list[set[int]]
    low: Floats
    high: Floats
    probability: Callable[[int, Floats], Floats] | None

    def columns(self, node: int, columns: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.asked.allowed(self.paths[node], columns)

    def binds(self, node: int) -> bool:
        return bool(np.isfinite(self.low[node]).any() or np.isfinite(self.high[node]).any())

    def excess(self, node: int, weights: Floats) -> Floats:
        """What branches of the node with these class weights cost more than without constraints."""
        del node
        return np.zeros(len(weights))

    def admits(self, node: int, column: int, left: Floats, right: Floats) -> bool:
        signs = self.asked.signs[column]
        if self.probability is None or (not signs.any() and not self.binds(node)):
            return True
        one, other = self.probability(node, left), self.probability(node, right)
        inside = [
            (self.low[node] + SURELY <= side) & (side <= self.high[node] - SURELY)
            for side in (one, other)
        ]
        free = ~self.asked.signs.any(axis=0)
        ordered = signs * (other - one) >= SURELY * abs(signs)
        return bool((free | (inside[0] & inside[1])).all() and ordered.all())
