"""The cheapest change of a row for a boosted model: costs per cell in, values out.

The search over boxes is the core's (cpp/explain/cheapest_change.hpp). `nearest_plausible` is the
variant that looks at the boxes of given rows alone, one after the other.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardwood.explain.branches import Codes, Ends
from hardwood.explain.cell_grid import CellGrid, Mask
from hardwood.explain.moves import CategoryMove, Move, NumberMove
from hardwood.explain.tree_change import value_in
from hardwood.table import Table
from hardwood.table.schema import MISSING_CODE, UNSEEN_CODE
from hardwood.tree.route import leaves_of

Floats = NDArray[np.float64]


class Found(NamedTuple):
    """Cells by column, their cost and the bound; no cells: none was found."""

    cells: dict[int, int]
    cost: float
    bound: float
    complete: bool


@dataclass(frozen=True)
class AnswerRule:
    """How scores become an answer: above `cut` the second of two classes; by the costs of mistakes
    among more; None: the largest score."""

    cut: float
    costs: Floats | None
    votes: bool
    slope: int

    def told(self) -> dict[str, Any]:
        flat = np.zeros(0) if self.costs is None else np.ascontiguousarray(self.costs).ravel()
        return {
            "cut": self.cut,
            "costs": flat,
            "votes": self.votes,
            "slope": float(self.slope),
        }


def cheapest_cells(
    grid: CellGrid,
    moves: dict[int, Move],
    targets: Sequence[int],
    rule: AnswerRule,
    seconds: float,
) -> Found:
    """The cheapest cells that get one of the target classes."""
    if math.isinf(rule.cut):  # one kind of mistake costs nothing: there is one answer
        return Found({}, math.inf, math.inf, True)
    costs = {j: cell_costs(grid, j, moves[j]) for j in grid.columns}
    flat = np.concatenate(list(costs.values())) if costs else np.zeros(0)
    own = np.array([own_cell(grid, j, moves[j]) for j in grid.columns], dtype=np.int32)
    best = Found({}, math.inf, math.inf, True)
    until = time.monotonic() + seconds
    bound, complete = math.inf, True
    for target in targets:
        left = max(until - time.monotonic(), 0.0)
        found, whole, cost, least, cells, _ = grid.core.cheapest_change(
            flat, own, target, best.cost, left, rule.told()
        )
        complete &= whole
        bound = min(bound, least)
        if found:
            best = Found(dict(zip(grid.columns, cells.tolist(), strict=True)), cost, 0.0, True)
    return best._replace(bound=min(bound, best.cost), complete=complete)


def cell_costs(grid: CellGrid, column: int, move: Move) -> Floats:
    """Of every cell of a column; infinite where the value may not go."""
    count, own = grid.count(column), own_cell(grid, column, move)
    costs = np.full(count, math.inf)
    if isinstance(move, CategoryMove):
        costs[:-2] = move.unit
    else:
        for cell in range(count - 1):
            ends = grid.interval(column, cell)
            costs[cell] = move.cost(ends.lower, ends.upper)
    costs[own] = 0.0
    return costs


def own_cell(grid: CellGrid, column: int, move: Move) -> int:
    """The cell of the row's value."""
    if isinstance(move, CategoryMove):
        last = grid.count(column) - 1
        return {MISSING_CODE: last, UNSEEN_CODE: last - 1}.get(move.own, move.own)
    if move.value is None:
        return grid.count(column) - 1
    return bisect_left(grid.cuts[column], move.value)


def values_in(grid: CellGrid, moves: dict[int, Move], cells: dict[int, int]) -> dict[int, object]:
    """The values to take in cells, of the columns that leave their own."""
    new: dict[int, object] = {}
    for column, at in cells.items():
        move = moves[column]
        if at == own_cell(grid, column, move):
            continue
        allowed: Ends | Codes
        if isinstance(move, NumberMove):
            allowed = grid.interval(column, at)
        else:
            allowed = Codes(frozenset([at]), False, False)
        changed, value = value_in(move, allowed)
        if changed:
            new[column] = value
    return new


def nearest_plausible(
    grid: CellGrid, moves: dict[int, Move], table: Table, wanted: NDArray[np.bool_], threads: int
) -> Found:
    """The cheapest cells within the box of one of the wanted rows of a table: the values that every
    tree sends to the same leaf as it sends that row. All boxes are looked at."""
    costs = {j: cell_costs(grid, j, moves[j]) for j in grid.columns}
    rows = np.flatnonzero(wanted)
    masks: dict[int, NDArray[np.bool_]] = {
        j: np.ones((len(rows), grid.count(j)), dtype=np.bool_) for j in grid.columns
    }
    for tree, _, _ in grid.trees:
        leaves = leaves_of(tree, table, threads)[rows]
        boxes = dict(grid.leaves(tree))
        for j in tree.used_features:
            everything = np.ones(grid.count(j), dtype=np.bool_)
            by_leaf: dict[int, Mask] = {leaf: box.get(j, everything) for leaf, box in boxes.items()}
            place = {leaf: number for number, leaf in enumerate(by_leaf)}
            numbers = np.array([place[leaf] for leaf in leaves.tolist()], dtype=np.intp)
            if len(numbers):
                masks[j] &= np.array(list(by_leaf.values()))[numbers]
    total = np.zeros(len(rows))
    for j, allowed in masks.items():
        total += np.where(allowed, costs[j], math.inf).min(axis=1, initial=math.inf)
    if not len(rows) or not np.isfinite(total.min()):
        return Found({}, math.inf, math.inf, True)
    at = int(total.argmin())
    cells = {}
    for j, allowed in masks.items():
        price = np.where(allowed[at], costs[j], math.inf)
        own = own_cell(grid, j, moves[j])
        cells[j] = own if allowed[at, own] else int(price.argmin())
    return Found(cells, float(total[at]), float(total[at]), True)
