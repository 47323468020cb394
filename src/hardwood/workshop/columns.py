"""What the columns look like at a node: each in a few bars, by class.

In: a tree, its rows and their class numbers. Out: plain data for the page, some columns at a time.
Counted are at most ROWS rows of the node at even distances. A column is read when it is asked for,
so that a table of thousands of columns costs no more than a narrow one.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.estimators import TreeClassifier
from hardwood.estimators.drafting import leaves_below
from hardwood.estimators.parameters import thread_count
from hardwood.judging.split_bars import SplitBars, column_bars
from hardwood.report.distribution_part import ROWS, bars_part
from hardwood.table import Table
from hardwood.table.sampled import SampledTable, spaced_rows
from hardwood.tree.numbers import value_text
from hardwood.tree.ranked import category_column
from hardwood.tree.route import leaves_of

AT_ONCE = 12
"""Columns of one answer."""


class NodeColumns:
    """For one tree; the rows of a node are looked up once."""

    def __init__(self, model: TreeClassifier, X: Any, codes: NDArray[np.int32]) -> None:
        self._model, self._X, self._codes = model, X, codes
        self._node, self._sample = -1, np.zeros(0, dtype=np.intp)

    @cached_property
    def _table(self) -> Table:
        return self._model._table(self._X)

    @cached_property
    def leaves(self) -> NDArray[np.int32]:
        """The leaf of each row."""
        return leaves_of(self._model.tree_, self._table, thread_count(self._model.n_jobs))

    def shown(self, node: int, first: int, names: Any) -> dict[str, Any]:
        """The columns from place `first` on, those that are named before all others."""
        order, rows = self._order(names), self._rows_of(node)
        sample = SampledTable(self._table, rows)
        here, labels = np.ones(len(rows), dtype=np.bool_), self._codes[rows].astype(np.intp)
        classes = len(self._model.classes_)
        found = []
        for place in order[first : first + AT_ONCE]:
            column = category_column(sample.column(place))
            found.append(_shown(column_bars(column, here, labels, classes, [])))
        return {"rows": len(rows), "count": len(order), "first": first, "columns": found}

    def _order(self, names: Any) -> list[int]:
        places = {schema.name: place for place, schema in enumerate(self._model._schemas)}
        listed = names if isinstance(names, list) else []
        chosen = dict.fromkeys(
            places[name] for name in listed if isinstance(name, str) and name in places
        )
        return [*chosen, *(place for place in range(len(places)) if place not in chosen)]

    def _rows_of(self, node: int) -> NDArray[np.intp]:
        if node != self._node:
            mine = np.flatnonzero(np.isin(self.leaves, leaves_below(self._model.tree_, node)))
            self._node, self._sample = node, mine[spaced_rows(len(mine), ROWS)]
        return self._sample


def _shown(found: SplitBars) -> dict[str, Any]:
    """The bars, and of categories the names of those that have one."""
    part = bars_part(found) | {"name": found.schema.name}
    if found.codes is not None:
        names = found.schema.categories
        part["names"] = [value_text(names[code]) for code in found.codes]
    return part
