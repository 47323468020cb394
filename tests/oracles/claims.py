"""Claims decided by trying every combination of values: slow and obvious.

In: for each column a list of values that stand for all there are, and functions of rows that give
the model's answers. Out: whether a claim holds. It knows nothing of trees.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ask = Callable[[list[tuple[Any, ...]]], NDArray[Any]]


def grid(values: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    return list(itertools.product(*values))


def within(values: Sequence[Sequence[Any]], ask: Ask, low: float, high: float) -> bool:
    said = ask(grid(values))
    return bool(((said >= low) & (said <= high)).all())


def by_value(values: Sequence[Sequence[Any]], column: int, ask: Ask) -> list[NDArray[Any]]:
    """For each value of the column, the answers for all combinations of the others."""
    others = [list(each) for each in values]
    answers = []
    for value in values[column]:
        others[column] = [value]
        answers.append(ask(grid(others)))
    return answers


def rises(answers: Sequence[NDArray[Any]]) -> bool:
    """Of `by_value` with present values in ascending order: whether no answer falls."""
    return all((later >= earlier).all() for earlier, later in itertools.combinations(answers, 2))


def same(values: Sequence[Sequence[Any]], column: int, ask: Ask) -> bool:
    """Whether what is asked never depends on the column."""
    answers = by_value(values, column, ask)
    return all(np.array_equal(answers[0], each) for each in answers)
