"""What a tree's splits see: the column that a node asks about, in a few bars, by class.

In: a fitted tree, a table and its class numbers, if known. Out: plain data for JSON: counts per
class and bar of at most ROWS rows at even distances; no row of the table is in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.estimators.parameters import thread_count
from hardwood.judging.split_bars import BARS, SplitBars, SplitViews, rows_by_depth
from hardwood.report.answers import Codes
from hardwood.report.plain import plain_float
from hardwood.table import Table
from hardwood.table.sampled import SampledTable, spaced_rows
from hardwood.tree import Tree
from hardwood.tree.route import leaves_of

ROWS = 3_000
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
    above = rows_by_depth(tree, leaves_of(tree, sample, thread_count(model.n_jobs)))
    most = min(NODES, max(CELLS // (BARS * classes), 1))
    views = SplitViews(tree, model._schemas, sample)
    nodes = {
        str(node): bars_part(views.bars(node, above[tree.depth[node]] == node, labels, classes))
        for node in _busiest(tree, above, most)
    }
    return {"rows": len(rows), "classes": codes is not None, "nodes": nodes}


def _busiest(tree: Tree, above: list[NDArray[np.int32]], most: int) -> list[int]:
    """The splits with the most rows of the sample, at least FEWEST."""
    counts = np.zeros(tree.n_nodes, dtype=np.intp)
    for depth, nodes in enumerate(above):
        at = nodes[tree.depth[nodes] == depth]
        counts += np.bincount(at, minlength=tree.n_nodes)
    counts[tree.is_leaf] = 0
    order = np.argsort(-counts, kind="stable")[:most]
    return [int(node) for node in order if counts[node] >= FEWEST]


def bars_part(found: SplitBars) -> dict[str, Any]:
    part: dict[str, Any] = {"missing": found.missing, "bars": found.counts.tolist()}
    if found.codes is not None:
        return part | {"codes": found.codes}
    return part | {"low": plain_float(found.low, 6), "high": plain_float(found.high, 6)}
