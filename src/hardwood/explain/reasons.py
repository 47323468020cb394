"""The columns that speak most for an answer: adverse-action reasons.

In: Shapley values of one row towards a class. Out: the columns with the largest positive values.
Invariant: the order is stable: amounts that differ by less than a billionth of all amounts together
are equal, and equal ones stand in the order of the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardwood.explain.row import UNSEEN, cell, cell_text
from hardwood.table import Table
from hardwood.tree.numbers import plain_value, value_text

_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Reason:
    """A column whose value speaks for `label`."""

    column: str
    value: object
    """The row's own; None: missing."""
    label: object
    amount: float
    """By how much knowing the value raises what `measure` names."""
    measure: str
    """"probability" for trees, "score" for boosted models."""

    def __str__(self) -> str:
        is_word = self.value is None or self.value is UNSEEN
        return (
            f"{self.column} {'is' if is_word else '='} {cell_text(self.value)} raises the "
            f"{self.measure} of {value_text(self.label)} by {self.amount:.4g}"
        )


def reasons_of(
    amounts: NDArray[np.float64], table: Table, label: object, measure: str, k: int
) -> list[Reason]:
    """`amounts`: per column, towards `label`."""
    found = []
    for j in ranked(amounts.tolist())[:k]:
        column = table.column(j)
        found.append(
            Reason(column.schema.name, cell(column), plain_value(label), float(amounts[j]), measure)
        )
    return found


def ranked(amounts: Sequence[float]) -> list[int]:
    """Places of the positive amounts, the largest first; equal ones in their order."""
    unit = _SAME * sum(map(abs, amounts))
    if unit == 0:
        return []
    steps = [round(amount / unit) for amount in amounts]
    return sorted((j for j, step in enumerate(steps) if step > 0), key=lambda j: -steps[j])
