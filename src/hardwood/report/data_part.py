"""The table in a few numbers per column, and how its rows lie in the tree.

In: a table, its labels, a fitted model. Out: plain data for JSON; no row of the table is in it.
Invariant: missing values are counted over all rows; what needs sorting is taken from at most
SORTED_ROWS rows at even distances, and the page says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.estimators.parameters import thread_count
from hardwood.report.answers import Codes, trees_of
from hardwood.table import Column, Table
from hardwood.table.sampled import SampledTable, present, spaced_rows
from hardwood.tree.numbers import number_text, short_between, value_text
from hardwood.tree.ranked import category_column
from hardwood.tree.route import leaves_of

COLUMNS = 200
SORTED_ROWS = 50_000
BARS = 12
DIGITS = 6
"""Of the numbers of a column, which are for reading."""
MIDDLE = (0.45, 0.55)
"""Shares of the values between which one is typical."""
COMMON = 5
"""Categories that are named, the most frequent ones."""


def data_part(model: Any, table: Table, codes: Codes | None) -> dict[str, Any]:
    order = np.argsort(-np.asarray(model.feature_importances_), kind="stable")[:COLUMNS]
    used = {j for tree in trees_of(model) for j in tree.used_features}
    wanted = sorted({*order.tolist(), *used} if len(used) <= 4 * COLUMNS else order.tolist())
    rows = spaced_rows(table.n_rows, SORTED_ROWS)
    sample = SampledTable(table, rows)
    classes = None
    if codes is not None:
        classes = np.bincount(codes, minlength=len(model.classes_)).tolist()
    return {
        "rows": table.n_rows,
        "columns": table.n_columns,
        "sampled": len(rows),
        "classes": classes,
        "summary": {str(j): _summary(sample.column(j)) for j in wanted},
    }


def here_part(model: Any, table: Table, guess: Codes, codes: Codes | None) -> dict[str, Any]:
    """Rows of the table in each node of a TreeClassifier and how many of them it mistakes; and
    whether these seem to be the training rows."""
    tree = trees_of(model)[0]
    leaves = leaves_of(tree, table, thread_count(model.n_jobs))
    rows = np.bincount(leaves, minlength=tree.n_nodes)
    part: dict[str, Any] = {"trained": codes is not None and _trained(model, leaves, codes)}
    if hasattr(model, "tree_") and tree.share is None:
        part["rows"] = _upwards(tree.parent, rows)
        if codes is not None:
            wrong = np.bincount(leaves[guess != codes], minlength=tree.n_nodes)
            part["wrong"] = _upwards(tree.parent, wrong)
    return part


def _trained(model: Any, leaves: NDArray[np.int32], codes: Codes) -> bool:
    """Whether the classes in every leaf of the (first) tree are those of training: their rows where
    these are known, else their shares. A one-versus-rest tree tells the first class from the
    others."""
    tree = trees_of(model)[0]
    seen = codes if tree.n_classes >= len(model.classes_) else (codes == 0).astype(np.intp)
    cells = np.bincount(leaves * tree.n_classes + seen, minlength=tree.n_nodes * tree.n_classes)
    counts = cells.reshape(tree.n_nodes, tree.n_classes)[tree.is_leaf]
    if tree.class_rows is not None:
        return bool(np.array_equal(counts, tree.class_rows[tree.is_leaf]))
    same_rows = bool(np.array_equal(counts.sum(axis=1), tree.rows[tree.is_leaf]))
    shares = tree.class_weights[tree.is_leaf] / tree.weight[0]
    return same_rows and bool(np.allclose(counts / len(codes), shares, rtol=1e-9, atol=1e-12))


def _upwards(parent: NDArray[np.int32], counts: NDArray[np.intp]) -> list[int]:
    """Each node's own count and those below it; a parent comes before its children."""
    sums: list[int] = counts.tolist()
    above: list[int] = parent.tolist()
    for node in range(len(sums) - 1, 0, -1):
        sums[above[node]] += sums[node]
    return sums


def _summary(column: Column) -> dict[str, Any]:
    column = category_column(column)
    here = present(column)
    values = column.values[here]
    summary: dict[str, Any] = {
        "name": column.schema.name,
        "kind": column.schema.kind,
        "missing": int(len(here) - len(values)),
    }
    if column.schema.kind == "category":
        return summary | _categories(column, values)
    if column.schema.boolean or values.dtype.kind == "b":
        return summary | _booleans(values)
    return summary | _numbers(values)


def _categories(column: Column, codes: NDArray[Any]) -> dict[str, Any]:
    known = codes[codes >= 0]
    counts = np.bincount(known, minlength=max(len(column.schema.categories), 1))
    common = np.argsort(-counts, kind="stable")[:COMMON]
    names = column.schema.categories
    return {
        "distinct": int(np.count_nonzero(counts)),
        "unseen": len(codes) - len(known),
        "common": [[value_text(names[c]), int(counts[c])] for c in common.tolist() if counts[c]],
        "typical": int(common[0]) if len(known) else None,
    }


def _booleans(values: NDArray[Any]) -> dict[str, Any]:
    yes = int(np.count_nonzero(values))
    typical = None if not len(values) else str(int(2 * yes > len(values)))
    return {"distinct": int(yes > 0) + int(yes < len(values)), "yes": yes, "typical": typical}


def _readable(number: float | int) -> str:
    return number_text(float(f"{number:.{DIGITS}g}") if isinstance(number, float) else number)


def _typical(ascending: NDArray[Any]) -> str:
    """The median, or a shorter number among the middle tenth of the values."""
    last = len(ascending) - 1
    median = ascending[last // 2].item()
    low, high = (ascending[round(share * last)].item() for share in MIDDLE)
    if not isinstance(median, float) or low == high:
        return number_text(median)
    whole = bool(np.all(ascending == np.round(ascending)))
    return min(number_text(median), number_text(short_between(low, high, whole)), key=len)


def _numbers(values: NDArray[Any]) -> dict[str, Any]:
    finite = np.sort(values[np.isfinite(values)] if values.dtype.kind == "f" else values)
    if not len(finite):
        return {"distinct": 0, "typical": None}
    low, middle, high = (finite[place].item() for place in (0, (len(finite) - 1) // 2, -1))
    part: dict[str, Any] = {
        "distinct": int(1 + np.count_nonzero(finite[1:] != finite[:-1])),
        "low": _readable(low),
        "middle": _readable(middle),
        "high": _readable(high),
        "typical": _typical(finite),
    }
    if low < high:
        scaled = finite.astype(np.float64) / 2  # halves, so that a range cannot overflow
        edges = np.linspace(scaled[0], scaled[-1], BARS + 1)
        part["bars"] = np.histogram(scaled, edges)[0].tolist() if np.all(np.diff(edges) > 0) else []
    return part
