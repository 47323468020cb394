"""The cheapest way of a row to another leaf of one tree.

Best-first search from the root: a node costs what the row must change to reach it, children never
cost less, so the first wanted leaf that is taken from the heap is the cheapest. Only nodes that
are cheaper than the answer are looked at.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardwood.explain.branches import Codes, Ends, branches_of
from hardwood.explain.moves import CategoryMove, Move, NumberMove
from hardwood.table import ColumnSchema
from hardwood.tree import Tree
from hardwood.tree.arrays import INTERVAL
from hardwood.tree.paths import node_cuts

Box = dict[int, Ends | Codes]
"""What a value may be, by column; a column that is not there may be anything."""


class Way(NamedTuple):
    leaf: int
    cost: float
    """The limit (see `moves`)."""
    box: Box


def cheapest_leaf(
    tree: Tree,
    schemas: Sequence[ColumnSchema],
    moves: Mapping[int, Move],
    wanted: NDArray[np.bool_],
) -> Way | None:
    """The cheapest of the wanted leaves, fewer changes first on a tie, then the first found; None:
    none can be reached."""
    heap: list[tuple[float, int, int, int, Box, dict[int, float]]] = [(0.0, 0, 0, 0, {}, {})]
    made = 0
    while heap:
        cost, _, _, node, box, costs = heappop(heap)
        if not tree.branches[node]:
            if wanted[node]:
                return Way(node, cost, box)
            continue
        column = int(tree.feature[node])
        move, before = moves[column], box.get(column)
        for child, branch in zip(
            tree.children(node), branches_of(tree, schemas, node), strict=True
        ):
            allowed: Ends | Codes = branch
            if before is not None:
                allowed = before & branch  # type: ignore[operator]
            price = cost_of(move, allowed)
            if price == math.inf:
                continue
            below = {**costs, column: price}
            made += 1
            changes = sum(map(bool, below.values()))
            total = math.fsum(below.values())
            heappush(heap, (total, changes, made, child, {**box, column: allowed}, below))
    return None


def cuts_of(tree: Tree, schemas: Sequence[ColumnSchema]) -> dict[int, list[Any]]:
    """All cuts of the columns that the tree uses, ascending; found once and kept with the tree."""
    kept: dict[int, list[Any]] | None = tree.__dict__.get("_cuts")
    if kept is None:
        found: dict[int, set[Any]] = {j: set() for j in tree.used_features}
        for node in np.flatnonzero(tree.kind == INTERVAL).tolist():
            column = int(tree.feature[node])
            found[column].update(node_cuts(tree, schemas[column], node))
        made = {j: sorted(cuts) for j, cuts in found.items()}
        kept = tree.__dict__.setdefault("_cuts", made)
    return kept


def cost_of(move: Move, allowed: Ends | Codes) -> float:
    """Of bringing a column's value where it is allowed."""
    if isinstance(move, CategoryMove):
        assert isinstance(allowed, Codes)
        return move.cost(allowed.has(move.own), allowed.codes)
    assert isinstance(allowed, Ends)
    if move.value is None and allowed.missing:
        return 0.0
    return move.cost(allowed.lower, allowed.upper) if allowed.present else math.inf


def value_in(move: Move, allowed: Ends | Codes) -> tuple[bool, object]:
    """Whether the value changes, and to what: a number, a rank or the code of a category."""
    if isinstance(move, NumberMove):
        assert isinstance(allowed, Ends)
        if move.value is None and allowed.missing:
            return False, None
        new = move.taken(allowed.lower, allowed.upper)
        return move.value is None or new != move.value, new
    assert isinstance(allowed, Codes)
    if allowed.has(move.own):
        return False, move.own
    return True, min(allowed.codes)
