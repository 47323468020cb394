"""The best threshold of a root by sorting and adding up, for tables beyond the other oracles.

In: a float64 matrix (NaN is missing), class numbers, integer weights. Out: (column, last value on
the left, first on the right, where missing goes, class weights of the left branch), of the first
candidate of least cost in the order of docs/theory/rules.md#order-of-candidates: column, cut,
missing left before right. Entropy, whose logarithm is the core's own, is compared after rounding to
12 digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.oracles.exhaustive import costs
from tests.oracles.thresholds import all_whole, threshold_between

Split = tuple[int, float | None, float | None, str | None, tuple[int, ...]]


def best_root_split(
    X: NDArray[np.float64], y: NDArray[Any], weights: NDArray[np.int64], criterion: str
) -> Split:
    """Every threshold of every column, each with missing values left and right."""
    n_classes = int(y.max()) + 1
    by_class = np.where(np.arange(n_classes) == np.asarray(y)[:, None], weights[:, None], 0)
    best: tuple[float, Split] | None = None
    for j in np.flatnonzero(np.not_equal(X, X[0]).any(axis=0)):
        for cost, split in _column(X[:, j], by_class, criterion, int(j)):
            if best is None or cost < best[0]:
                best = cost, split
    assert best is not None
    return best[1]


def _column(values: Any, by_class: Any, criterion: str, j: int) -> list[tuple[float, Split]]:
    """The first candidate of least cost with missing values left, right or without any."""
    counted = by_class.sum(axis=1) > 0
    values, by_class = values[counted], by_class[counted]
    gone = np.isnan(values)
    order = np.flatnonzero(~gone)[np.argsort(values[~gone], kind="stable")]
    if order.size == 0:
        return []
    ends = np.flatnonzero(np.append(np.diff(values[order]) != 0, True))
    present = values[order][ends]
    left, missing = np.cumsum(by_class[order], axis=0)[ends], by_class[gone].sum(axis=0)
    total = by_class.sum(axis=0)
    found = []
    for way in ("left", "right") if gone.any() else (None,):
        sides = left + (missing if way == "left" else 0)
        sides = sides if way == "right" else sides[:-1]
        if len(sides) == 0:
            continue
        cost = costs(criterion, sides) + costs(criterion, total - sides)
        if criterion == "entropy":
            cost = np.array([float(f"{c:.11e}") for c in cost])
        i = int(np.argmin(cost))
        low, high = (present[i], present[i + 1]) if i + 1 < len(present) else (present[i], None)
        found.append((float(cost[i]), i, (j, low, high, way, tuple(map(int, sides[i])))))
    found.sort(key=lambda candidate: candidate[:2])
    return [(cost, split) for cost, _, split in found]


def split_of(model: Any, X: NDArray[np.float64], weights: Any, y: Any) -> Split:
    """The model's root in the same form, its threshold checked."""
    tree = model.tree_
    column = int(tree.feature[0])
    values = X[:, column]
    counted = weights > 0
    gone = np.isnan(values) & counted
    present = np.unique(values[counted & ~gone])
    way = ("left", "right")[tree.missing_branch[0]] if gone.any() else None
    low, high = float(present[-1]), None
    goes_left = gone & (way == "left")
    if tree.cut_count[0]:
        threshold = tree.thresholds[tree.cut_begin[0]]
        low, high = (
            float(present[present <= threshold].max()),
            float(present[present > threshold].min()),
        )
        assert threshold == threshold_between(low, high, all_whole(values[~np.isnan(values)]))
        goes_left |= values <= threshold
    else:
        goes_left |= ~np.isnan(values)
    left = tuple(int(weights[goes_left & (y == c)].sum()) for c in range(int(y.max()) + 1))
    return column, low, high, way, left
