"""Leaves that answer together, so that probabilities keep an order.

In: a tree, and a sign for each column and class (1: the class's probability may not fall as the
value rises, -1: not rise). Out: its pools. The probability of a class at the leaves becomes the
nearest one that is in order: the sum of weight x (new - old)² over the leaves is least. In that
solution leaves form pools, and a pool has the weighted mean of its leaves. All classes of a pool
get their means, so probabilities add up to 1. Where several classes have signs they take turns, the
last one first; pools only grow together, until every class is in order
(docs/theory/rules.md#pools).

Invariant: of any two rows that differ in a column with a sign alone, and have a value there, the
leaves' probabilities are in order in the very floats; a tree in order already has no pools.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hardwood._core import Meetings, meeting_leaves
from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import Tree
from hardwood.tree.leaf_prior import means_of_pools

Floats = NDArray[np.float64]
Int32s = NDArray[np.int32]
Places = NDArray[np.intp]


def pooled(tree: Tree, signs: NDArray[np.int8], schemas: Sequence[ColumnSchema]) -> Tree:
    """The tree with the pools that the signs, [columns, classes], ask for."""
    leaves = tree.leaf_ids
    place = np.zeros(tree.n_nodes, dtype=np.intp)
    place[leaves] = np.arange(len(leaves))
    meetings = _InOrder(
        meeting_leaves(tree, _ranks(tree, schemas), np.array(signs.any(axis=1), dtype=np.uint8)),
        signs,
        place,
    )
    part = tree.weight[leaves] / tree.weight[0]  # of the weight: the same whatever a row weighs
    pool = _pools(tree.shares[leaves], part, meetings)
    first = np.unique(pool, return_index=True)[1]
    if len(first) == len(leaves):
        return tree
    whole = np.arange(tree.n_nodes, dtype=np.int32)
    whole[leaves] = leaves[first[pool]]
    whole.flags.writeable = False
    return replace(tree, pool=whole)


@dataclass(frozen=True, eq=False)
class _InOrder:
    """Leaves that follow each other as a column rises, [columns, classes] the signs of columns, and
    [nodes] the place of a leaf among the leaves."""

    meetings: Meetings
    signs: NDArray[np.int8]
    place: Places

    def first_wrong(self, label: int, pool: Places, value: Floats) -> tuple[int, int] | None:
        return self.meetings.first_wrong(self._sign(label), self._item(pool), value)

    def nearest(self, label: int, pool: Places, weight: Floats, value: Floats) -> Places:
        """The pools that share a number where numbers in order are nearest to the values."""
        found = self.meetings.nearest(self._sign(label), self._item(pool), weight, value)
        return np.asarray(found, dtype=np.intp)

    def _sign(self, label: int) -> NDArray[np.int8]:
        return np.ascontiguousarray(self.signs[:, label])

    def _item(self, pool: Places) -> Int32s:
        return np.asarray(pool[self.place], dtype=np.int32)


def _pools(shares: Floats, part: Floats, meetings: _InOrder) -> Places:
    """By leaf the number of its pool."""
    pool = np.arange(len(shares))
    turns = np.flatnonzero(meetings.signs.any(axis=0))[::-1].tolist()
    fine = 0
    while fine < len(turns):
        label = turns.pop(0)
        turns.append(label)
        joined = _one_turn(shares, part, meetings, label, pool)
        fine = fine + 1 if joined is pool else 0
        pool = joined
    return pool


def _one_turn(shares: Floats, part: Floats, meetings: _InOrder, label: int, pool: Places) -> Places:
    """The pools, joined until the class is in order; the same object where it was."""
    while True:
        value = np.ascontiguousarray(means_of_pools(shares, part, pool)[:, label])
        wrong = meetings.first_wrong(label, pool, value)
        if wrong is None:
            return pool
        group = meetings.nearest(label, pool, np.bincount(pool, part).astype(float), value)
        if len(group) == group.max() + 1:  # what is wrong is less than rounding: those two are one
            one, other = sorted(wrong)
            group[other] = group[one]
            group = np.unique(group, return_inverse=True)[1].reshape(-1)
        pool = group[pool]


def _ranks(tree: Tree, schemas: Sequence[ColumnSchema]) -> Int32s:
    """[N] the place of a node's cut among those of its column, -1 without one."""
    ranks = np.full(tree.n_nodes, -1, dtype=np.int32)
    for column in tree.used_features:
        nodes = np.flatnonzero((tree.feature == column) & (tree.cut_count > 0))
        at = tree.cut_begin[nodes]
        kind = schemas[column].kind
        cuts = tree.thresholds[at] if kind == "numeric" else tree.integer_thresholds[at]
        ordered = cuts.view(np.uint64) if kind == "unsigned" else cuts
        ranks[nodes] = np.unique(ordered, return_inverse=True)[1].reshape(-1)
    return ranks
