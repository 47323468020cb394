"""Leaves that answer together, of a tree under monotonic_cst.

In: a tree, its signs, and the probabilities that the data give each leaf by itself. Compared
(docs/theory/rules.md#monotone-constraints): the branches of every split of a constrained column
are in order; of any two leaves that rows can reach which differ in one constrained column alone,
the answers are in order in the very floats. That numbers in order are the nearest ones has a short
proof: in each pool what leaves have above the mean can be passed on, along pairs that must be in
order, to leaves that have less. It is looked for where one class has signs, or there are two.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.constraints import Asked, parts_values
from hardwood.certify.checking.ledger import Ledger
from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import GROUPS, LEAF, Tree

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]

BLOCK = 1 << 22
"""Pairs of leaves that are looked at together."""
LARGEST = 300
"""Leaves of a pool whose proof is looked for."""
ROUNDING = 1e-9


def compare_split_order(ledger: Ledger, tree: Tree, asked: Asked, own: Floats) -> None:
    """own: [nodes, classes] what each node would say by itself."""
    for node in np.flatnonzero(tree.kind != LEAF).tolist():
        signs = asked.signs[int(tree.feature[node])]
        if signs.any() and parts_values(tree, node):
            first, last = own[tree.children(node)[0]], own[tree.children(node)[-1]]
            ledger.true(
                (signs * (last - first) >= -ROUNDING).all(),
                f"monotonic_cst does not admit the split of node {node}.",
            )


def compare_pools(
    ledger: Ledger, tree: Tree, asked: Asked, own: Floats, schemas: Sequence[ColumnSchema]
) -> None:
    """Of the tree that answers."""
    leaves = tree.leaf_ids
    pool = (np.arange(tree.n_nodes) if tree.pool is None else tree.pool)[leaves]
    labels = np.flatnonzero(asked.signs.any(axis=0)).tolist()
    within: list[Pairs] = []
    for column, below, above in _meetings(tree, asked, schemas):
        for label in labels:
            sign = int(asked.signs[column, label])
            lower, upper = (below, above) if sign > 0 else (above, below)
            said = tree.shares[leaves, label]
            ledger.true(
                sign == 0 or (said[lower] <= said[upper]).all(),
                f"monotonic_cst is not kept in column {column}.",
            )
            if sign and label == labels[-1]:
                same = pool[lower] == pool[upper]
                within.append((lower[same], upper[same]))
    if tree.pool is None:
        return
    if tree.n_classes > 2 and len(labels) > 1:
        ledger.skip("Whether pools of several classes' signs are needed was not decided again.")
        return
    more = (own[leaves] - tree.shares[leaves])[:, labels[-1]] * tree.weight[leaves]
    _compare_nearest(ledger, pool, more / tree.weight[0], within)


def _meetings(
    tree: Tree, asked: Asked, schemas: Sequence[ColumnSchema]
) -> Iterator[tuple[int, NDArray[np.intp], NDArray[np.intp]]]:
    """Columns with signs, and pairs of leaves of which rows that differ in the column alone can
    reach the first with the lower value: by place among the leaves."""
    cells = {column: _cells(tree, column, schemas[column]) for column in tree.used_features}
    count = tree.n_leaves
    for start in range(0, count, max(1, BLOCK // count)):
        block = slice(start, start + max(1, BLOCK // count))
        apart = {j: (own[block] @ own.T) == 0 for j, own in cells.items()}
        number = sum(each.astype(np.int64) for each in apart.values())
        for column in np.flatnonzero(asked.signs.any(axis=1)).tolist():
            if column not in cells:
                continue
            known = cells[column][:, :-1] > 0
            low = np.where(known.any(axis=1), known.argmax(axis=1), known.shape[1])
            high = np.where(
                known.any(axis=1), known.shape[1] - 1 - known[:, ::-1].argmax(axis=1), -1
            )
            others = number - apart[column] == 0
            below, above = np.nonzero(others & (low[block, None] < high[None, :]))
            below += start
            yield column, below[below != above], above[below != above]


def _cells(tree: Tree, column: int, schema: ColumnSchema) -> Floats32:
    """[leaves, cells] 1 where a row with a value of the cell can reach the leaf. Cells lie between
    the column's cuts, or are categories and one for all others; the last one is missing values."""
    nodes = np.flatnonzero(tree.feature == column).tolist()
    if schema.kind == "category":
        listed = np.unique(np.concatenate([tree.group_codes[tree.groups(v)] for v in nodes]))
        values = len(listed) + 1
    else:
        cuts: NDArray[Any] = (
            tree.thresholds if schema.kind == "numeric" else tree.integer_thresholds
        )
        cuts = cuts.view(np.uint64) if schema.kind == "unsigned" else cuts
        listed = np.unique(np.concatenate([cuts[tree.cuts(v)] for v in nodes]))
        values = len(listed) + 1
    reached = np.ones((tree.n_nodes, values + 1), dtype=bool)
    for node in range(tree.n_nodes):
        if tree.kind[node] == LEAF:
            continue
        children = tree.children(node)
        reached[children] = reached[node]
        if tree.feature[node] != column:
            continue
        branch = np.full(values + 1, tree.default_branch[node])
        if tree.kind[node] == GROUPS:
            own = tree.groups(node)
            branch[np.searchsorted(listed, tree.group_codes[own])] = tree.group_branches[own]
        else:
            place = np.searchsorted(listed, cuts[tree.cuts(node)])
            branch = np.searchsorted(place, np.arange(values + 1))
        branch[-1] = tree.missing_branch[node]
        for taken, child in enumerate(children):
            reached[child] &= branch == taken
    return reached[tree.leaf_ids].astype(np.float32)


def _compare_nearest(
    ledger: Ledger, pool: NDArray[np.integer], more: Floats, within: list[Pairs]
) -> None:
    """more: what a leaf has above its pool's mean, by weight."""
    lower, upper = (np.concatenate(ends) for ends in zip(*within, strict=True))
    for first in np.unique(pool).tolist():
        members = np.flatnonzero(pool == first)
        if len(members) == 1:
            continue
        if len(members) > LARGEST:
            ledger.skip(f"Whether a pool of {len(members)} leaves is needed was not decided again.")
            continue
        mine = pool[lower] == first
        place = {int(leaf): i for i, leaf in enumerate(members)}
        ways: list[set[int]] = [set() for _ in members]
        for one, other in zip(lower[mine].tolist(), upper[mine].tolist(), strict=True):
            ways[place[one]].add(place[other])
        left = _not_passed_on(more[members].tolist(), [sorted(each) for each in ways])
        ledger.true(
            left <= ROUNDING, f"the leaves that answer with leaf {first} need not answer together."
        )


def _not_passed_on(more: list[float], ways: list[list[int]]) -> float:
    """What cannot go from items that have too much to items that have too little, along the ways or
    back on ways that something went along; by one shortest way at a time."""
    flow: list[dict[int, float]] = [{} for _ in more]
    while True:
        start = [i for i, own in enumerate(more) if own > ROUNDING / len(more)]
        before: dict[int, int] = dict.fromkeys(start, -1)
        queue = deque(start)
        end = -1
        while queue and end < 0:
            at = queue.popleft()
            end = at if more[at] < 0 else -1
            for to in (*ways[at], *(i for i, back in flow[at].items() if back > 0)):
                if to not in before:
                    before[to] = at
                    queue.append(to)
        if end < 0:
            return sum(own for own in more if own > 0)
        way = [end]
        while before[way[-1]] >= 0:
            way.append(before[way[-1]])
        steps = [(b, a) for a, b in pairwise(way)]
        back = [flow[a][b] for a, b in steps if b not in ways[a]]
        amount = min([more[way[-1]], -more[end], *back])
        more[way[-1]] -= amount
        more[end] += amount
        for a, b in steps:
            if b in ways[a]:
                flow[b][a] = flow[b].get(a, 0.0) + amount
            else:
                flow[a][b] -= amount
