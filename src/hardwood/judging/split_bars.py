"""What a split sees: its column in a few bars, by class.

In: a tree, a table of some rows and their class numbers. Out: `SplitBars` of a node. Bars of
numbers reach from the 1 % to the 99 % quantile of the node's rows, and always over its cuts; what
lies beyond is in the outermost ones. Of categories the most frequent ones have a bar each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardwood.table import Column, ColumnSchema, Table
from hardwood.table.sampled import present
from hardwood.tree.arrays import INTERVAL, Tree
from hardwood.tree.paths import node_cuts
from hardwood.tree.ranked import as_categories, category_column, in_sets

Codes = NDArray[np.intp]
BARS = 16
CATEGORIES = 12


@dataclass(frozen=True, eq=False)
class SplitBars:
    """`counts[c, i]` rows of class c in bar i. Of numbers bars divide [low, high] evenly; of
    categories bar i is `codes[i]`."""

    schema: ColumnSchema
    counts: NDArray[np.int64]
    missing: int
    cuts: list[float]
    low: float = 0.0
    high: float = 0.0
    codes: list[int] | None = None


def rows_by_depth(tree: Tree, leaves: NDArray[np.int32]) -> list[NDArray[np.int32]]:
    """[depth][rows] the node of that depth on each row's way, or its leaf if that is higher."""
    ways = [leaves]
    for depth in range(int(tree.max_depth) - 1, -1, -1):
        at = ways[-1]
        ways.append(np.where(tree.depth[at] > depth, tree.parent[at], at))
    return ways[::-1]


class SplitViews:
    """The bars of any split of one tree on one table."""

    def __init__(self, tree: Tree, schemas: Sequence[ColumnSchema], table: Table) -> None:
        self._table, self._schemas = table, as_categories(schemas)
        self._tree = in_sets(tree, schemas)

    def bars(self, node: int, here: NDArray[np.bool_], labels: Codes, classes: int) -> SplitBars:
        """`here` says which rows reach the node."""
        feature = int(self._tree.feature[node])
        column = category_column(self._table.column(feature))
        cuts: list[float] = []
        if self._tree.kind[node] == INTERVAL:
            cuts = [float(cut) for cut in node_cuts(self._tree, self._schemas[feature], node)]
        return column_bars(column, here, labels, classes, cuts)


def column_bars(
    column: Column, here: NDArray[np.bool_], labels: Codes, classes: int, cuts: list[float]
) -> SplitBars:
    """Any column, whose categories have no order; `here` says which rows count."""
    known = here & present(column)
    values, label = column.values[known], labels[known]
    missing = int(here.sum() - known.sum())
    if column.schema.kind == "category":
        place, codes = _common(values)
        counts = _counted(label, place, classes, len(codes))
        return SplitBars(column.schema, counts, missing, cuts, codes=codes)
    place, low, high = _intervals(values, cuts)
    counts = _counted(label, place, classes, BARS)
    return SplitBars(column.schema, counts, missing, cuts, low, high)


def _common(values: NDArray[np.int32]) -> tuple[Codes, list[int]]:
    """The bar of each value, -1 for none, and the categories that have one."""
    counts = np.bincount(values[values >= 0], minlength=1)
    common = np.argsort(-counts, kind="stable")[:CATEGORIES]
    common = common[counts[common] > 0]
    place = np.full(len(counts) + 2, -1)  # the two last are the codes -2 and -1
    place[common] = np.arange(len(common))
    return place[values], common.tolist()


def _intervals(values: NDArray[np.generic], cuts: list[float]) -> tuple[Codes, float, float]:
    halves = values.astype(np.float64) / 2  # so that a range cannot overflow
    ends = [cut / 2 for cut in cuts]
    if len(halves):
        ends += np.quantile(halves, [0.01, 0.99], method="nearest").tolist()
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    width = (high - low) / BARS or 1.0
    return np.clip((halves - low) / width, 0, BARS - 1).astype(np.intp), 2 * low, 2 * high


def _counted(label: Codes, place: Codes, classes: int, bars: int) -> NDArray[np.int64]:
    inside, bars = place >= 0, max(bars, 1)
    cells = np.bincount(label[inside] * bars + place[inside], minlength=classes * bars)
    return cells.reshape(classes, bars)
