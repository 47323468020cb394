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

from hardwood.encoding import read_labels, read_weights
from hardwood.search.smallest_sets import smallest_set
from hardwood.search.stump_columns import StumpColumn, examples_in_order, stump_columns
from hardwood.table import read_training_table

Ties = Literal["any", "first"]


def weight_order_bound(X: Any, y: Any, sample_weight: Any = None, *, ties: Ties = "any") -> int:
    """Least number of assessments of a search that looks at rows in decreasing weight.

    X is any table that the estimators take, y has two classes; rows of equal weight come by number.
    With `ties="first"` the bound is that of searches that return the first of tied columns. It is 0
    when no column offers a stump.
    """
    return _bound(X, y, sample_weight, ties, StumpColumn.rows_until)


def exact_bound(
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    ties: Ties = "any",
    time_limit: float = 10.0,
) -> int:
    """Least number of assessments of any search, whatever rows it looks at.

    One integer program for each column of more than two values, at most `time_limit` seconds each;
    a program that does not end in time counts with what it has proved, so that the result is always
    a lower bound. Parameters as in `weight_order_bound`.
    """
    if not (isinstance(time_limit, (int, float)) and time_limit > 0):
        raise ValueError(
            f"time_limit must be a number of seconds above 0; given was {time_limit!r}."
        )
    return _bound(X, y, sample_weight, ties, lambda c, least: smallest_set(c, least, time_limit))


def _bound(
    X: Any, y: Any, sample_weight: Any, ties: Ties, needed: Callable[[StumpColumn, int], int]
) -> int:
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
    if not errors:
        return 0
    winner = min(errors, key=lambda k: (errors[k], k))
    total = n
    for k, column in enumerate(columns):
        if column is not None and k != winner:
            worse = ties == "first" and k < winner
            total += needed(column, errors[winner] + worse)
    return total
