"""How many assessments any search for the best stump must make (AAA18 sec. 4).

docs/theory/rules.md#lower-bounds has the statement.

An assessment is one row looked up in one column. The winner k* is the column whose best stump
mistakes least, the first of those that tie; E* is that weight. The winner must be seen on all n
rows, since its error sets the next weights; any other column only until each of its stumps has
mistaken enough that the column cannot be chosen:

    bound = n + sum over k != k* of min { |M| : L_M(k) >= E* }

with L_M(k) the least weight that a stump of column k mistakes among the rows M. M is a number of
heaviest rows in the weight-order bound, any set of rows in the exact bound.

Why no search can do with less: it may leave column k only when the rows seen rule it out against
what it knows of the winner, an upper bound U >= E*; so L_M(k) >= U >= E* when it leaves. Where the
first of tied columns must win, as in every search here, a column k < k* has to be worse, L_M(k) >=
E* + 1 on the integer grid; `ties="first"` counts that. The default, `ties="any"`, is the paper's
bound, where any of the tied columns may be chosen; it is never larger.

A column that is constant on the rows offers no stump and needs none; E* = 0 rules out without
looking. Rows of weight 0 are absent. L_m grows with m, so the weight-order bound bisects over m:
O(log n) histograms per column; a two-valued column needs one pass.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from hardwood.encoding import read_labels, read_weights
from hardwood.search.set_brackets import Bracket
from hardwood.search.smallest_sets import smallest_set
from hardwood.search.stump_columns import Integers, StumpColumn, examples_in_order, stump_columns
from hardwood.table import read_training_table

Ties = Literal["any", "first"]


def weight_order_bound(X: Any, y: Any, sample_weight: Any = None, *, ties: Ties = "any") -> int:
    """Least number of assessments of a search that looks at rows in decreasing weight.

    X is any table that the estimators take, y has two classes; rows of equal weight come by number.
    With `ties="first"` the bound is that of searches that return the first of tied columns. It is 0
    when no column offers a stump.
    """
    counts = _counts(X, y, sample_weight, ties, StumpColumn.rows_until)
    return int(sum(counts))


def exact_bound(
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    ties: Ties = "any",
    time_limit: float = 10.0,
) -> int:
    """Least number of assessments of any search, whatever rows it looks at.

    A column of more than two values counts with the lower end of its bracket (`rows_needed`); where
    its rows are of few kinds an integer program, at most `time_limit` seconds each, closes it. A
    program that does not end in time counts with what is proved, so that the result is always a
    lower bound. Parameters as in `weight_order_bound`.
    """
    if not (isinstance(time_limit, (int, float)) and time_limit > 0):
        raise ValueError(
            f"time_limit must be a number of seconds above 0; given was {time_limit!r}."
        )
    found = _counts(X, y, sample_weight, ties, lambda c, least: smallest_set(c, least, time_limit))
    return sum(each.lower for each in map(_bracket, found))


def rows_needed(
    X: Any, y: Any, sample_weight: Any = None, *, ties: Ties = "any"
) -> tuple[Integers, Integers]:
    """The rows that any search must look at, column by column: at least so many, and so many
    suffice. They are the same for columns of two values and a few rows apart for others, for which
    no program runs and no clock is read. Parameters as in `weight_order_bound`."""
    found = _counts(X, y, sample_weight, ties, lambda c, least: smallest_set(c, least, None))
    ends = [(each.lower, each.upper) for each in map(_bracket, found)]
    lower, upper = np.array(ends, np.int64).reshape(-1, 2).T
    return lower, upper


def _bracket(count: int | Bracket) -> Bracket:
    return count if isinstance(count, Bracket) else Bracket(count, count)


def _counts(
    X: Any, y: Any, sample_weight: Any, ties: Ties, needed: Callable[[StumpColumn, int], Any]
) -> list[Any]:
    """Per column: all rows of the winner, 0 for a constant column, what is needed of the others."""
    if ties not in ("any", "first"):
        raise ValueError(f'ties must be "any" or "first"; given was {ties!r}.')
    table = read_training_table(X)
    labels = read_labels(y, table.n_rows)
    if len(labels.classes) != 2:
        raise ValueError(
            f"y has {len(labels.classes)} classes; the bounds are about stumps that tell two "
            "classes apart. Give two, for example one class against the rest."
        )
    examples = examples_in_order(labels, read_weights(sample_weight, None, labels))
    n = len(examples.rows)
    columns = stump_columns(table, examples)
    errors = {k: column.mistakes(n) for k, column in enumerate(columns) if column is not None}
    counts: list[Any] = [0] * len(columns)
    if not errors:
        return counts
    winner = min(errors, key=lambda k: (errors[k], k))
    for k, column in enumerate(columns):
        if k == winner:
            counts[k] = n
        elif column is not None:
            worse = ties == "first" and k < winner
            counts[k] = needed(column, errors[winner] + worse)
    return counts
