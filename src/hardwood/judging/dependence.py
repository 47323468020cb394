"""How one column moves the answer: partial dependence (Friedman 2001).

In: a fitted model, a table and a column. Out: `Dependence`: for values of the column, the mean
probability of each class when every row of a sample has that value and keeps its others. Values of
numbers are quantiles of the column from 2 % to 98 %, or all where they are few; of categories the
most frequent ones. Rows are taken at even distances, so that nothing is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.table import Column, ColumnSchema, Table
from hardwood.table.sampled import SampledTable, present, spaced_rows

POINTS = 24
CATEGORIES = 12
ROWS = 500
"""At most; fewer where a model has very many trees."""
TREE_ANSWERS = 1_500_000
"""Of one column."""


@dataclass(frozen=True, eq=False)
class Dependence:
    """`mean[i, c]` is the mean probability of class c where the column is `values[i]`."""

    schema: ColumnSchema
    values: list[Any]
    """Numbers, or the column's own categories."""
    mean: NDArray[np.float64]
    rows: int


def partial_dependence(model: Any, table: Table, column: int) -> Dependence:
    trees = len(getattr(model, "trees_", ())) * max(len(model.classes_) - 1, 1) or 1
    most = int(np.clip(TREE_ANSWERS // (POINTS * trees), 50, ROWS))
    rows = spaced_rows(table.n_rows, most)
    own = SampledTable(table, rows).column(column)
    given = _grid(own)
    # All values are asked at once, one copy of the rows below the other.
    copies = SampledTable(table, np.tile(rows, len(given)))
    filled = copies.filled(column, np.repeat(given, len(rows)))
    proba = np.asarray(model.predict_proba(filled)) if len(given) else np.zeros(0)
    mean = proba.reshape(len(given), len(rows), len(model.classes_)).mean(axis=1)
    categories = own.schema.categories
    values = [categories[int(value)] if categories else value.item() for value in given]
    return Dependence(own.schema, values, mean, len(rows))


def _grid(column: Column) -> NDArray[Any]:
    values = column.values[present(column)]
    if column.schema.kind == "category":
        counts = np.bincount(values[values >= 0], minlength=1)
        common = np.argsort(-counts, kind="stable")[:CATEGORIES]
        return np.sort(common[counts[common] > 0]).astype(column.values.dtype)
    distinct = np.unique(values)
    if len(distinct) <= POINTS:
        return distinct
    places = np.linspace(0.02, 0.98, POINTS) * (len(values) - 1)
    return np.unique(np.sort(values)[places.round().astype(np.intp)])
