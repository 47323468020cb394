"""What a tree's splits see: the column that a node asks about, in a few bars, by class.

In: a fitted tree, a table and its class numbers, if known. Out: plain data for JSON: counts per
class and bar of at most ROWS rows at even distances; no row of the table is in it. Bars of numbers
reach from the 1 % to the 99 % quantile of the node's rows, and always over its cuts; what lies
beyond is in the outermost ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.estimators.parameters import thread_count
from hardwood.report.answers import Codes
from hardwood.report.plain import plain_float
from hardwood.table import Column, Table
from hardwood.table.sampled import SampledTable, present, spaced_rows
from hardwood.tree import Tree
from hardwood.tree.arrays import INTERVAL
from hardwood.tree.paths import node_cuts
from hardwood.tree.ranked import as_categories, category_column, in_sets
from hardwood.tree.route import leaves_of

ROWS = 3_000
BARS = 16
CATEGORIES = 12
FEWEST = 5
"""Rows at a node; fewer have no shape, and would tell single values."""
NODES = 150
CELLS = 30_000
"""Most numbers; nodes with few rows are left out first."""


def distribution_part(model: Any, table: Table, codes: Codes | None) -> dict[str, Any] | None:
    tree: Tree = model.tree_
    if tree.n_nodes == 1 or tree.share is not None:
        return None
    rows = spaced_rows(table.n_rows, ROWS)
    sample = SampledTable(table, rows)
    classes = 1 if codes is None else len(model.classes_)
    labels = np.zeros(len(rows), dtype=np.intp) if codes is None else codes[rows]
    above = _ways(tree, leaves_of(tree, sample, thread_count(model.n_jobs)))
    cells = max(CELLS // (BARS * classes), 1)
    nodes = {}
    shown, schemas = in_sets(tree, model._schemas), as_categories(model._schemas)
    for node in _busiest(tree, above, min(NODES, cells)):
        here = above[tree.depth[node]] == node
        column = category_column(sample.column(int(tree.feature[node])))
        cuts: list[float] = []
        if shown.kind[node] == INTERVAL:
            cuts = [float(cut) for cut in node_cuts(shown, schemas[tree.feature[node]], node)]
        nodes[str(node)] = _bars(column, here, labels, classes, cuts)
    return {"rows": len(rows), "classes": codes is not None, "nodes": nodes}


def _ways(tree: Tree, leaves: NDArray[np.int32]) -> list[NDArray[np.int32]]:
    """[depth][rows] the node of that depth on each row's way, or its leaf if that is higher."""
    ways = [leaves]
    for depth in range(int(tree.max_depth) - 1, -1, -1):
        at = ways[-1]
        ways.append(np.where(tree.depth[at] > depth, tree.parent[at], at))
    return ways[::-1]


def _busiest(tree: Tree, above: list[NDArray[np.int32]], most: int) -> list[int]:
    """The splits with the most rows of the sample, at least FEWEST."""
    counts = np.zeros(tree.n_nodes, dtype=np.intp)
    for depth, nodes in enumerate(above):
        at = nodes[tree.depth[nodes] == depth]
        counts += np.bincount(at, minlength=tree.n_nodes)
    counts[tree.is_leaf] = 0
    order = np.argsort(-counts, kind="stable")[:most]
    return [int(node) for node in order if counts[node] >= FEWEST]


def _bars(
    column: Column, here: NDArray[np.bool_], labels: Codes, classes: int, cuts: list[float]
) -> dict[str, Any]:
    """`bars[c][i]` rows of class c in bar i; `codes`, or `low` and `high`, say what a bar is."""
    known = here & present(column)
    values, label = column.values[known], labels[known]
    part: dict[str, Any] = {"missing": int(here.sum() - known.sum())}
    if column.schema.kind == "category":
        counts = np.bincount(values[values >= 0], minlength=1)
        common = np.argsort(-counts, kind="stable")[:CATEGORIES]
        common = common[counts[common] > 0]
        place = np.full(len(counts) + 2, -1)  # the two last are the codes -2 and -1
        place[common] = np.arange(len(common))
        bar, bars = place[values], max(len(common), 1)
        part["codes"] = common.tolist()
    else:
        halves = values.astype(np.float64) / 2  # so that a range cannot overflow
        ends = [cut / 2 for cut in cuts]
        if len(halves):
            ends += np.quantile(halves, [0.01, 0.99], method="nearest").tolist()
        low, high = min(ends, default=0.0), max(ends, default=0.0)
        width = (high - low) / BARS or 1.0
        bar, bars = np.clip((halves - low) / width, 0, BARS - 1).astype(np.intp), BARS
        part["low"], part["high"] = plain_float(2 * low, 6), plain_float(2 * high, 6)
    inside = bar >= 0
    cells = np.bincount(label[inside] * bars + bar[inside], minlength=classes * bars)
    part["bars"] = cells.reshape(classes, bars).tolist()
    return part
