"""Small random tables of every kind of column, for hypothesis, in the oracle's own form.

Out: `SmallTable`, whose columns are plain Python values for the oracle and whose `X` is the same
table as users have it: a float64 matrix where that holds it, otherwise a pandas frame with nullable
integers and categories. Invariant: labels are 0..C-1 with every class in some row, the total weight
is positive, and a column of integers has one beyond 2^53 exactly when its kind is "integer".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.oracles.topdown_problem import Column, Rules

LETTERS = tuple("abcdefgh")
CRITERIA = ("km", "gini", "entropy", "error")
LEAF_CHOICES = ("drop", "weight")


@dataclass(frozen=True)
class SmallTable:
    columns: tuple[Column, ...]
    labels: tuple[int, ...]
    weights: tuple[float, ...] | None = None

    @property
    def n_rows(self) -> int:
        return len(self.labels)

    @property
    def n_classes(self) -> int:
        return max(self.labels) + 1

    @property
    def y(self) -> NDArray[np.int64]:
        return np.array(self.labels)

    @property
    def sample_weight(self) -> NDArray[np.float64] | None:
        return None if self.weights is None else np.array(self.weights, float)

    @cached_property
    def X(self) -> Any:  # noqa: N802
        if all(column.kind == "numeric" for column in self.columns):
            rows = [[math.nan if v is None else float(v) for v in c.values] for c in self.columns]
            return np.array(rows, float).reshape(len(self.columns), self.n_rows).T.copy()
        return self.frame

    @cached_property
    def frame(self) -> pd.DataFrame:
        return pd.DataFrame({f"c{j}": series(column) for j, column in enumerate(self.columns)})

    def take(self, rows: list[int]) -> SmallTable:
        """The rows asked for, in that order, repeated or not."""
        columns = (replace(c, values=tuple(c.values[i] for i in rows)) for c in self.columns)
        weights = None if self.weights is None else tuple(self.weights[i] for i in rows)
        return SmallTable(tuple(columns), tuple(self.labels[i] for i in rows), weights)


def series(column: Column) -> pd.Series[Any]:
    """The column as pandas users have it."""
    values = list(column.values)
    if column.kind == "category":
        return pd.Series(pd.Categorical(values, categories=list(LETTERS)))
    if column.kind == "integer":
        unsigned = any(v is not None and v >= 2**63 for v in values)
        return pd.Series(pd.array(values, dtype="UInt64" if unsigned else "Int64"))
    return pd.Series([math.nan if v is None else float(v) for v in values], dtype="float64")


@cache
def _bytes(n: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=n, max_size=n)


def picks(options: Sequence[Any], n: int) -> st.SearchStrategy[list[Any]]:
    """n of the options, each by a byte: hypothesis takes as long for all of them as for one draw.
    Shrinking leads to the first."""
    return _bytes(n).map(lambda numbers: [options[number % len(options)] for number in numbers])


def _several(values: st.SearchStrategy[Any], n: int) -> st.SearchStrategy[list[Any]]:
    return st.lists(values, min_size=n, max_size=n)


@st.composite
def _adjacent_floats(draw: st.DrawFn, n: int) -> list[float]:
    """Neighbours in float64, where a midpoint rounds onto one of its ends."""
    start = draw(st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.1, 2.0**53, 5e-324, -1e308, 1e-310]))
    steps = draw(picks(range(5), n))
    ladder = [start]
    for _ in range(4):
        ladder.append(math.nextafter(ladder[-1], math.inf))
    return [ladder[step] for step in steps]


@st.composite
def _large_integers(draw: st.DrawFn, n: int) -> list[int]:
    """Integers that float64 cannot tell apart, signed or unsigned."""
    start = draw(st.sampled_from([2**53 + 1, 2**62, -(2**63), -(2**53) - 7, 2**63 - 7, 2**64 - 7]))
    return [start + step for step in draw(picks(range(7), n))]


def _shuffled(numbers: bytes) -> list[float]:
    """As many quarters from 0 on as there are bytes; bytes of 0 leave them in order."""
    values = [place / 4 for place in range(len(numbers))]
    for place, number in enumerate(numbers):
        other = place + number % (len(values) - place)
        values[place], values[other] = values[other], values[place]
    return values


@cache
def _numbers(n: int) -> st.SearchStrategy[list[Any]]:
    finite = st.floats(allow_nan=False, allow_infinity=False)
    return st.one_of(
        picks((0.0, 1.0, 2.0, 3.0), n),
        picks((-1.5, -0.0, 0.0, 1e-300, 5e-324, 1e300), n),
        _several(finite, n),
        picks((0.0, 1.0), n),
        st.just([7.25] * n),
        picks((-1.0, -2.0, -3.0, -4.0, -5.0), n),
        _bytes(n).map(_shuffled),
        _adjacent_floats(n),
    )


@st.composite
def column(draw: st.DrawFn, n: int, kinds: tuple[str, ...]) -> Column:
    """A column of one of the kinds, with missing values in one of three."""
    kind: Any = draw(st.sampled_from(kinds))
    if kind == "category":
        count = draw(st.integers(1, len(LETTERS)))
        values = draw(picks(LETTERS[-count:], n))
    else:
        values = draw(_large_integers(n) if kind == "integer" else _numbers(n))
    if draw(st.integers(0, 2)) == 0:
        gone = draw(picks((False, True), n))
        values = [None if hide else value for hide, value in zip(gone, values, strict=True)]
    if kind == "integer" and all(v is None for v in values):
        kind = "numeric"
    return Column(kind, tuple(values))


@cache
def _weights(n: int, kind: str) -> st.SearchStrategy[list[float] | None]:
    choices = {
        "none": st.none(),
        "whole": picks((0.0, 1.0, 2.0, 3.0), n),
        "dyadic": picks(tuple(k / 8 for k in range(17)), n),
        "any": _several(st.one_of(st.floats(1e-3, 1e3), st.just(1e-30), st.just(0.0)), n),
    }
    return choices[kind].filter(lambda ws: ws is None or max(ws) > 0.0)


@st.composite
def tables(
    draw: st.DrawFn,
    *,
    kinds: tuple[str, ...] = ("numeric", "numeric", "category", "integer"),
    weights: tuple[str, ...] = ("none", "whole", "dyadic", "any"),
    max_rows: int = 24,
    max_classes: int = 5,
    max_columns: int = 4,
) -> SmallTable:
    """Any small table; the kinds of columns and of weights can be narrowed."""
    n = draw(st.integers(1, max_rows))
    n_columns = draw(st.integers(1, max_columns))
    columns = tuple(draw(column(n, kinds)) for _ in range(n_columns))
    n_classes = draw(st.integers(1, max_classes))
    labels = draw(picks(range(n_classes), n))
    rank = {label: i for i, label in enumerate(sorted(set(labels)))}
    drawn = draw(_weights(n, draw(st.sampled_from(weights))))
    return SmallTable(
        columns, tuple(rank[label] for label in labels), None if drawn is None else tuple(drawn)
    )


@st.composite
def gappy_tables(draw: st.DrawFn, /, **narrowed: Any) -> SmallTable:
    """About a third of the values of every column are missing."""
    table = draw(tables(**narrowed))
    n = table.n_rows
    columns = []
    for column in table.columns:
        gone = draw(picks((True, False, False), n))
        values = [None if hide else v for hide, v in zip(gone, column.values, strict=True)]
        kind = column.kind if any(v is not None for v in values) else "numeric"
        columns.append(Column(kind, tuple(values)))
    return replace(table, columns=tuple(columns))


@st.composite
def stop_rules(draw: st.DrawFn, criterion: str, leaf_choice: str) -> Rules:
    """No rule, one, or several at once."""
    return Rules(
        criterion=criterion,
        leaf_choice=leaf_choice,
        max_leaf_nodes=draw(st.sampled_from([None, None, 1, 2, 3, 5, 8])),
        max_depth=draw(st.sampled_from([None, None, None, 1, 2, 3])),
        min_samples_leaf=draw(st.sampled_from([1, 1, 2, 3])),
        min_weight_fraction_leaf=draw(st.sampled_from([0.0, 0.0, 0.1, 0.25])),
        min_drop=draw(st.sampled_from([0.0, 0.0, 0.0, 0.0123, 0.0771])),
    )


any_rules = st.tuples(st.sampled_from(CRITERIA), st.sampled_from(LEAF_CHOICES)).flatmap(
    lambda both: stop_rules(*both)
)
