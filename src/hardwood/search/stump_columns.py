"""The stumps of one column, for two classes, on rows in decreasing weight.

In: a table, labels and weights. Out: `Examples`, the rows of positive integer weight, the heaviest
first, rows of equal weight by number; and a `StumpColumn` per column, whose values are groups.

A stump says one class on one side and the other class on the other side, and errs by the weight of
its mistakes (AAA18 sec. 2). With a_g0, a_g1 the class weights of group g:

    numeric    groups in order of value; a stump cuts between two of them, and missing values, a
               last group that has no place in the order, say either class; or missing stands
               against the rest
    category   any two non-empty sides, missing values being one more category

Weights sum to at most 2^52, so that every sum here is exact in float64 and in int64.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.encoding import Labels, Weights
from hardwood.errors import infinite_value
from hardwood.table import Column, Table

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Examples:
    """rows: their numbers in the table; places: the reverse, -1 for a row that does not count.
    weights: not increasing; classes: 0 or 1.
    seen: class weights of the first m examples, for m = 0..n.
    """

    rows: NDArray[np.intp]
    places: NDArray[np.intp]
    weights: Integers
    classes: NDArray[np.int32]
    seen: Integers


def examples_in_order(labels: Labels, weights: Weights) -> Examples:
    """The rows that count, the heaviest first."""
    n_rows = len(labels.codes)
    integers = np.ones(n_rows, np.int64) if weights.weights is None else weights.weights
    rows = np.argsort(-integers, kind="stable")
    rows = rows[: np.count_nonzero(integers)]
    places = np.full(n_rows, -1, dtype=np.intp)
    places[rows] = np.arange(len(rows))
    ordered, classes = integers[rows], labels.codes[rows]
    seen = np.zeros((len(rows) + 1, 2), np.int64)
    np.cumsum(ordered[:, None] * (classes[:, None] == [0, 1]), axis=0, out=seen[1:])
    return Examples(rows, places, ordered, classes, seen)


@dataclass(frozen=True, slots=True)
class StumpColumn:
    """places: which examples are listed, ascending; groups: theirs, numbered from 0.
    rest: the group of the examples that are not listed (a sparse column's zeros), or None.
    ordered: whether a stump can only separate groups at a place in the order.
    missing: whether the last group is that of the missing values.
    """

    examples: Examples
    places: NDArray[np.intp]
    groups: NDArray[np.intp]
    rest: int | None
    n_groups: int
    ordered: bool
    missing: bool

    def class_weights(self, m: int) -> Integers:
        """Class weights of each group among the first m examples: groups by classes."""
        listed = int(np.searchsorted(self.places, m))
        places = self.places[:listed]
        cells = 2 * self.groups[:listed] + self.examples.classes[places]
        counted = np.bincount(cells, self.examples.weights[places], 2 * self.n_groups)
        result = counted.astype(np.int64).reshape(-1, 2)
        if self.rest is not None:
            result[self.rest] = self.examples.seen[m] - result.sum(axis=0)
        return result

    def all_groups(self) -> NDArray[np.intp]:
        """The group of every example."""
        if self.rest is None:
            return self.groups
        groups = np.full(len(self.examples.rows), self.rest, dtype=np.intp)
        groups[self.places] = self.groups
        return groups

    def mistakes(self, m: int) -> int:
        """L_m: the least weight that a stump of this column mistakes among the first m examples."""
        return self.mistakes_of(self.class_weights(m))

    def rows_until(self, least: int) -> int:
        """The smallest m with L_m >= least, which the column must reach on all examples."""
        if self.n_groups == 2 and self.rest is None:
            wrong = np.where(self.groups != self.examples.classes, self.examples.weights, 0)
            one_way = np.append(0, wrong.cumsum())
            either_way = np.minimum(one_way, self.examples.seen.sum(axis=1) - one_way)
            return int(np.searchsorted(either_way, least))
        low, high = 0, len(self.examples.rows)
        while low < high:
            middle = (low + high) // 2
            if self.mistakes(middle) >= least:
                high = middle
            else:
                low = middle + 1
        return low

    def mistakes_of(self, table: Integers) -> int:
        """The same where the groups have these class weights."""
        if not self.ordered:
            return _of_categories(table)
        absent = table[-1] if self.missing else np.zeros(2, np.int64)
        present = table[:-1] if self.missing else table
        return _of_cuts(present, absent, alone=self.missing)


def _of_cuts(present: Integers, absent: Integers, *, alone: bool) -> int:
    total = present.sum(axis=0)
    left = present[:-1].cumsum(axis=0)
    # Class 0 left of the cut mistakes the 1s there and the 0s beyond; class 1 left all others.
    wrong = left[:, 1] + (total[0] - left[:, 0])
    of_cuts = np.minimum(wrong, total.sum() - wrong) + absent.min()
    if alone:
        against_the_rest = min(total[0] + absent[1], total[1] + absent[0])
        of_cuts = np.append(of_cuts, against_the_rest)
    return int(of_cuts.min())


def _of_categories(table: Integers) -> int:
    """Each category says its heavier class; if all say the same, the cheapest one crosses."""
    lead = table[:, 0] - table[:, 1]
    one_sided = (lead > 0).all() or (lead < 0).all()
    return int(table.min(axis=1).sum() + (abs(lead).min() if one_sided else 0))


def stump_columns(table: Table, examples: Examples) -> list[StumpColumn | None]:
    """Every column's stumps; None for a column that is constant on the examples."""
    return [_stump_column(table.column(j), examples) for j in range(table.n_columns)]


def _stump_column(column: Column, examples: Examples) -> StumpColumn | None:
    places, values, gone = _in_order(column, examples)
    present = values[~gone]
    if present.dtype.kind == "f" and np.isinf(present).any():
        raise infinite_value(column.schema.name)
    zeros = len(places) < len(examples.rows)
    if zeros:
        present = np.append(present, np.zeros(1, present.dtype))
    codes, n_values = _ranks(present)
    any_missing = bool(gone.any())
    if n_values + any_missing < 2:
        return None
    groups = np.full(len(values), n_values, dtype=np.intp)
    groups[~gone] = codes[:-1] if zeros else codes
    return StumpColumn(
        examples,
        places,
        groups,
        rest=int(codes[-1]) if zeros else None,
        n_groups=n_values + any_missing,
        ordered=column.schema.kind != "category",
        missing=any_missing,
    )


def _ranks(values: NDArray[Any]) -> tuple[NDArray[np.intp], int]:
    """The rank of each value among the distinct ones, and their number; two need no sorting."""
    if len(values):
        low, high = values.min(), values.max()
        is_high = values == high
        if low == high or bool((is_high | (values == low)).all()):
            return is_high.astype(np.intp) * bool(low != high), 1 + bool(low != high)
    distinct, codes = np.unique(values, return_inverse=True)
    return codes, len(distinct)


def _in_order(
    column: Column, examples: Examples
) -> tuple[NDArray[np.intp], NDArray[Any], NDArray[np.bool_]]:
    """Places of the listed examples, ascending, their values, and where those are missing."""
    if column.rows is None:
        places, chosen = np.arange(len(examples.rows)), examples.rows
    else:
        all_places = examples.places[column.rows]
        chosen = np.argsort(all_places)[np.count_nonzero(all_places < 0) :]
        places = all_places[chosen]
    values = column.values[chosen]
    if column.schema.kind == "category":
        return places, values, values < 0
    gone = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), np.bool_)
    return places, values, gone if column.missing is None else gone | column.missing[chosen]
