"""The binary splits that a node could have had: class weights, rows and words of each.

In: the rows of a node and a column. Out: `Candidates` (docs/theory/rules.md#categories,
#missing-values): every cut between adjacent values; all subsets of up to ten categories, prefixes
by class share beyond that; missing values on either side, or alone. Only those within the limits on
branches are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.growth import GrowthRules, places
from hardwood.certify.checking.nodes import Rows, Seen
from hardwood.certify.checking.thresholds import threshold_between
from hardwood.certify.checking.training_rows import Values
from hardwood.tree.conditions import Group, Interval

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
ENUMERATED = 10


@dataclass(frozen=True, eq=False)
class Candidates:
    """`left[i]` are the class weights, in units, of the side that `sides(i)` says the rows are on
    and `words(i)` describes."""

    left: Floats
    sides: Callable[[int], Mask]
    words: Callable[[int], str]

    def __len__(self) -> int:
        return len(self.left)


def candidates(seen: Seen, j: int, rows: Rows, rules: GrowthRules) -> Candidates | None:
    """Of one column; None: it has none."""
    column = seen.data.column(j)
    values, missing = column.values[rows], column.missing[rows]
    present = ~missing
    if not present.any():
        return None
    if column.schema.kind == "category":
        units = int(seen.units[rows].sum())
        count, place = places(seen, values[present], rows[present], units, rules)
        sums = _by_place(seen, rows[present], place, count)
        subsets = _subsets(sums[:, :-1])
        left, inside = subsets @ sums, subsets.__getitem__
    else:
        distinct, place = np.unique(values[present], return_inverse=True)
        count = len(distinct)
        sums = _by_place(seen, rows[present], place, count)
        left, inside = np.cumsum(sums, axis=0)[:-1], lambda i: np.arange(count) <= i
    lower = len(left)
    if missing.any():
        gone = _by_place(seen, rows[missing], np.zeros(int(missing.sum()), np.intp), 1)
        left = np.concatenate([left + gone, left, sums.sum(axis=0, keepdims=True)])
        sums = np.concatenate([sums, gone])
    within = _within_limits(left, sums.sum(axis=0), seen, rules)
    if rules.cuts is not None and column.schema.kind != "category":
        cuts = 2 * lower if missing.any() else lower  # the last one parts the missing values alone
        within[:cuts] &= rules.cuts.takes(j, left[:cuts, :-1], sums.sum(axis=0)[:-1])
    fine = np.flatnonzero(within)
    where = np.full(len(rows), count)
    where[present] = place

    def chosen(i: int) -> Mask:
        """Places on the left, the missing ones last."""
        at = int(fine[i])
        own = inside(at % lower) if at < 2 * lower else np.ones(count, np.bool_)
        return np.append(own, bool(missing.any()) and at < lower)

    if not len(fine):
        return None
    return Candidates(
        left[fine, :-1],
        lambda i: chosen(i)[where],
        lambda i: _words(column, values[present], place, chosen(i), bool(missing.any())),
    )


def _by_place(seen: Seen, rows: Rows, place: NDArray[np.intp], count: int) -> Floats:
    """[count, classes + 1] class weights in units, and examples."""
    cells = place * seen.classes + seen.labels[rows]
    weights = seen.units[rows].astype(np.float64)
    table = np.bincount(cells, weights, minlength=count * seen.classes)
    examples = np.bincount(place, seen.examples[rows], minlength=count)
    return np.column_stack((table.reshape(count, seen.classes), examples))


def _within_limits(left: Floats, whole: Floats, seen: Seen, rules: GrowthRules) -> Mask:
    sides = np.stack([left, whole - left], axis=1)
    weight = sides[..., :-1].sum(axis=2).min(axis=1)
    fine = sides[..., -1].min(axis=1) >= rules.min_samples_leaf
    least = rules.min_weight_fraction_leaf * seen.total
    return np.asarray(fine & (weight >= least) & (weight > 0))


def _subsets(units: Floats) -> Mask:
    """[candidates, places]"""
    count = len(units)
    if count <= ENUMERATED:
        masks = range(1, max((1 << count) - 1, 1), 2)
        return np.array([[m >> i & 1 for i in range(count)] for m in masks], bool).reshape(
            -1, count
        )
    shares = units / units.sum(axis=1, keepdims=True)
    found = []
    for label in np.flatnonzero(units.sum(axis=0))[1:].tolist():
        order = np.argsort(shares[:, label], kind="stable")
        rank = np.empty(count, dtype=np.intp)
        rank[order] = np.arange(count)
        found.append(rank < np.arange(1, count)[:, None])
    return np.concatenate(found)


def _words(
    column: Values,
    values: NDArray[np.float64],
    place: NDArray[np.intp],
    chosen: Mask,
    missing: bool,
) -> str:
    """The condition of the left side."""
    schema, gone = column.schema, bool(chosen[-1])
    if chosen[:-1].all():
        return f"{schema.name} is present"
    inside = values[chosen[place]]
    if schema.kind == "category":
        codes = tuple(np.unique(inside).tolist())
        return str(Group(schema, codes, frozenset(), False, gone, missing))
    above = values[~chosen[place]]
    cut = threshold_between(inside.max().item(), above.min().item(), column.whole)
    return str(Interval(schema, None, cut, gone, missing))
