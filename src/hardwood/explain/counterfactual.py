"""What would change the answer: the record, and the parts that both kinds of model share.

A `Counterfactual` prints itself:

    malignant -> benign, at a cost of 0.213
      worst perimeter: 120.3 -> 114.4 (-5.9)
    no cheaper change gives this answer

Invariant: the row given was asked the model again, and has the answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hardwood.explain.moves import CategoryMove, Move, NumberMove, Wishes, move_of
from hardwood.explain.row import UNSEEN, cell, cell_text
from hardwood.table import ColumnSchema, Table
from hardwood.table.schema import MISSING_CODE, UNSEEN_CODE
from hardwood.tree.numbers import number_text, value_text


@dataclass(frozen=True, slots=True)
class Change:
    """One value of the row and what it becomes."""

    column: str
    old: object
    """None: missing."""
    new: object
    cost: float

    def __str__(self) -> str:
        text = f"{self.column}: {cell_text(self.old)} -> {cell_text(self.new)}"
        if _is_number(self.old) and _is_number(self.new):
            apart = self.new - self.old  # type: ignore[operator]
            shown = number_text(apart) if isinstance(apart, int) else f"{apart:.6g}"
            text += f" ({'+' if apart > 0 else ''}{shown})"
        return text


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """The cheapest change of a row that gets another answer."""

    before: object
    """The model's answer for the row as it is."""
    answer: object
    """Its answer for `row`."""
    row: dict[str, object]
    """The changed row by column name; None is a missing value."""
    changes: tuple[Change, ...]
    """In the order of the columns."""
    cost: float
    """Of `changes`."""
    bound: float
    """No row that gets an answer that was asked for costs less. A number that must exceed a cut is
    counted as the cut itself here, so that `cost` is up to 0.001 per such column larger."""
    optimal: bool
    """Whether the search came to its end; otherwise a row between `bound` and `cost` may exist."""

    def __str__(self) -> str:
        said = f"{value_text(self.before)} -> {value_text(self.answer)}"
        if not self.changes:
            return f"{said}: the row has this answer as it is"
        lines = [f"{said}, at a cost of {self.cost:.4g}", *(f"  {each}" for each in self.changes)]
        if self.optimal:
            lines.append("no cheaper change gives this answer")
        else:
            lines.append(f"time ended; no change that costs less than {self.bound:.4g} can do it")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class RowValues:
    """One row as a model understands it, and how its values may move."""

    values: list[object]
    """None: missing; UNSEEN: a category that the model does not know."""
    moves: dict[int, Move]
    """Of the columns that the model uses."""


def row_values(
    table: Table,
    schemas: Sequence[ColumnSchema],
    cuts: Mapping[int, Sequence[Any]],
    wishes: Wishes,
) -> RowValues:
    """`cuts`: those of each column that the model uses, ascending."""
    values = [cell(table.column(j)) for j in range(len(schemas))]
    moves = {
        j: move_of(j, schemas[j], values[j], _code(schemas[j], values[j]), cuts[j], wishes)
        for j in cuts
    }
    return RowValues(values, moves)


def changes_to(
    row: RowValues, schemas: Sequence[ColumnSchema], new: Mapping[int, object]
) -> list[Change]:
    """`new`: numbers, ranks or codes of the columns that change."""
    found = []
    for j in sorted(new):
        move, value = row.moves[j], new[j]
        if isinstance(move, CategoryMove):
            found.append(_change(schemas[j], row.values[j], value, move.unit))
            continue
        assert isinstance(move, NumberMove)
        cost = move.unit * move.scale
        if move.value is not None:
            cost = move.unit * abs(float(value - move.value))  # type: ignore[operator]
        found.append(_change(schemas[j], row.values[j], value, cost))
    return found


def changed_row(
    row: RowValues, schemas: Sequence[ColumnSchema], changes: Sequence[Change]
) -> dict[str, object]:
    """By column name."""
    new = {schema.name: value for schema, value in zip(schemas, row.values, strict=True)}
    return new | {each.column: each.new for each in changes}


def readable_cells(row: Mapping[str, object], schemas: Sequence[ColumnSchema]) -> list[object]:
    """The row's values as a table takes them: a value that stands for an unknown category, where
    the row has one."""
    return [_stand_in(s) if row[s.name] is UNSEEN else row[s.name] for s in schemas]


def total(changes: Sequence[Change]) -> float:
    return math.fsum(each.cost for each in changes)


def _change(schema: ColumnSchema, old: object, new: object, cost: float) -> Change:
    if schema.categories:
        assert isinstance(new, int)
        new = schema.categories[new]
    return Change(schema.name, old, new, cost)


def _code(schema: ColumnSchema, value: object) -> int:
    """Of a category or an ordered one."""
    if not schema.categories or value is None:
        return MISSING_CODE
    return UNSEEN_CODE if value is UNSEEN else schema.categories.index(value)


def _stand_in(schema: ColumnSchema) -> object:
    known = schema.categories
    if all(isinstance(value, str) for value in known):
        return "".join(map(str, known)) + "?"
    return max(float(str(value)) for value in known) + 1.0


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
