"""One claim about one model, ready to be decided.

In: a reading and a statement. Out: a `Task`: cells, the box of the claim's rows, the class, the
clock, and how rows are made of boxes. Invariant: every row that a task makes is one that the claim
is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from hardwood.certify.proving.bounding import Clock
from hardwood.certify.proving.cells import Cells, cells_of
from hardwood.certify.proving.numbers import number_of
from hardwood.certify.proving.reading import Reading
from hardwood.certify.proving.regions import column_number, conditions_of, region
from hardwood.certify.proving.results import Result, Status
from hardwood.certify.proving.statements import OfClass, Statement
from hardwood.certify.proving.walking import Box, Walk
from hardwood.tree.arrays import Tree


@dataclass
class Task:
    reading: Reading
    claim: Statement
    cells: list[Cells]
    box: Box
    """The cells of every column in the rows that the claim is about."""
    clock: Clock
    columns: tuple[int, ...] = ()
    """The columns that the claim names."""
    _walks: dict[int, Walk] = field(default_factory=dict)

    def walk(self, tree: Tree) -> Walk:
        """Kept, since votes ask the same tree for every class."""
        return self._walks.setdefault(id(tree), Walk(tree, self.cells))

    def box_of(self, trees: Iterable[Tree], *more: int) -> Box:
        """The box without the columns that none of the trees asks about."""
        used = {column for tree in trees for column in tree.used_features}
        return {column: self.box[column] for column in sorted(used | set(more))}

    def row(self, box: Box, picked: dict[int, int] | None = None) -> list[Any]:
        """A row of the box, with the cells of some columns picked."""
        row = self._usual.copy()
        for column, mask in box.items():
            row[column] = self.cells[column].value(self.cells[column].middle(mask))
        for column, cell in (picked or {}).items():
            row[column] = self.cells[column].value(cell)
        return row

    @cached_property
    def _usual(self) -> list[Any]:
        """A row that the claim is about."""
        return [own.value(own.middle(self.box[column])) for column, own in enumerate(self.cells)]

    def proved(self, explanation: str) -> Result:
        return self._result("proved", explanation)

    def not_proved(self, explanation: str) -> Result:
        return self._result("not proved", explanation)

    def refuted(self, explanation: str, *rows: Sequence[Any]) -> Result:
        return self._result("refuted", explanation, rows)

    def _result(
        self, status: Status, explanation: str, rows: Sequence[Sequence[Any]] = ()
    ) -> Result:
        told = explanation[:1].upper() + explanation[1:]
        return Result(self.claim, status, told, tuple(map(self.reading.named, rows)))


def task_for(reading: Reading, claim: Statement, seconds: float | None) -> Task:
    """Refuses, with a sentence, what does not go with the model."""
    if isinstance(claim, OfClass):
        klass = number_of(reading, claim).klass
        claim = replace(claim, label=reading.classes[klass])
    columns = tuple(column_number(name, reading.schemas) for name in claim.columns_named())
    conditions = conditions_of(claim, reading.schemas)
    more = {column: condition.cuts() for column, condition in conditions.items()}
    cells = cells_of(reading.trees, reading.schemas, more)
    return Task(reading, claim, cells, region(claim, conditions, cells), Clock(seconds), columns)
