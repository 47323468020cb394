"""A draft as the core takes it, and what became of it.

In: a draft and the schemas of a table. Out: `Instructions`, one per node of the draft, the root's
first; after growth `Followed`. A draft that names a column which the table has not is a ValueError,
and so is one with a split that contradicts a constraint;
what only the rows can tell (a branch without rows) is told afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import Instruction, InstructionKind, Outcome
from hardwood.draft import Draft, Line, node_text
from hardwood.draft.lines import Path
from hardwood.table import ColumnSchema
from hardwood.tree.numbers import json_value

KEPT, OWN_ONLY = 1, 2
"""What pruning may do with a node (cpp/pruning/error_based.hpp): its split stays; no other split
takes its place."""
_WHY = {
    Outcome.absent.value: "its node did not come into being",
    Outcome.empty.value: "a branch would have no rows",
    Outcome.pure.value: "its node has rows of one class alone",
    Outcome.offers_none.value: "the column offers no split there that the limits allow",
    Outcome.no_room.value: "max_leaf_nodes does not allow so many leaves",
}
_CONTRADICTS = {
    Outcome.kept_apart.value: "interaction_cst keeps the column off that node",
    Outcome.breaks_order.value: "monotonic_cst does not admit that split there",
}


@dataclass(frozen=True, eq=False)
class Followed:
    """`freedom` is what pruning may do with each node of the grown tree. `unmet` has the number of
    each line that was not carried out, from 0, and why. `contradicted` says which line a constraint
    does not admit."""

    freedom: NDArray[np.uint8]
    unmet: tuple[tuple[int, str], ...]
    contradicted: ValueError | None = None

    def refuse_contradiction(self) -> None:
        """Of the whole table; the rows of a fold alone may contradict what the table admits."""
        if self.contradicted is not None:
            raise self.contradicted


class Instructions:
    def __init__(self, draft: Draft, schemas: Sequence[ColumnSchema]) -> None:
        self._draft, self._schemas = draft, schemas
        self._number = {schema.name: j for j, schema in enumerate(schemas)}
        self._place: dict[Path, int] = {(): 0}
        self.core = [Instruction()]
        self._never: dict[int, tuple[list[int], list[int]]] = {}
        self._children: dict[int, dict[int, int]] = {}
        for turn, line in enumerate(draft):
            self._add(line, turn)
        for at, (here, below) in self._never.items():
            self.core[at].never_here, self.core[at].never_below = here, below
        for at, children in self._children.items():
            self.core[at].children = [children.get(b, -1) for b in range(max(children) + 1)]

    @property
    def least_leaves(self) -> int:
        """Leaves that the draft asks for."""
        return 1 + sum(
            (line.branches if line.do == "split" else 2) - 1
            for line in self._draft
            if line.do in ("split", "prefer")
        )

    def refuse_routes(self) -> None:
        """A line cannot say where missing values go if they go down every branch."""
        for line in self._draft:
            if line.do == "split" and line.missing is not None:
                raise ValueError(
                    f'The draft says "{line}", but with missing="fractional" missing values go '
                    "down every branch, in pieces. Leave `missing` out of the line, or use "
                    'missing="branch".'
                )

    def followed(self, told: NDArray[np.int32], outcome: NDArray[np.uint8]) -> Followed:
        kinds = np.zeros(len(self.core), dtype=np.uint8)
        for at in self._never:
            kinds[at] = OWN_ONLY
        for line in self._draft:
            if line.decides:
                kinds[self._place[line.node]] = KEPT
        freedom = np.where(told >= 0, kinds[told], 0).astype(np.uint8)
        unmet, contradicted = [], None
        for number, line in enumerate(self._draft):
            became = int(outcome[self._place[line.node]])
            if line.do in ("split", "prefer") and became in _CONTRADICTS:
                why = contradiction(line, node_text(line.node), _CONTRADICTS[became])
                contradicted = contradicted or why
                unmet.append((number, _CONTRADICTS[became]))
                continue
            there = became != Outcome.absent.value
            if became != Outcome.followed.value and (line.decides or not there):
                unmet.append((number, _WHY[became]))
        return Followed(freedom, tuple(unmet), contradicted)

    def _add(self, line: Line, turn: int) -> None:
        at = self._at(line.node)
        told = self.core[at]
        if line.do == "leaf":
            told.kind = InstructionKind.leaf
        elif line.do == "forbid":
            here, below = self._never.setdefault(at, ([], []))
            (below if line.below else here).append(self._column(line))
        elif line.do in ("split", "prefer"):
            told.turn, told.column = turn, self._column(line)
            told.kind = InstructionKind.column
            if line.do == "split":
                told.kind = InstructionKind.split
                describe_split(told, line, self._schemas[told.column])

    def _at(self, path: Path) -> int:
        if path not in self._place:
            above = self._place[path[:-1]]
            self._place[path] = len(self.core)
            self._children.setdefault(above, {})[path[-1]] = len(self.core)
            self.core.append(Instruction())
        return self._place[path]

    def _column(self, line: Line) -> int:
        assert line.column is not None
        if line.column not in self._number:
            names = ", ".join(repr(schema.name) for schema in self._schemas[:8])
            more = ", ..." if len(self._schemas) > 8 else ""
            raise ValueError(
                f"The draft asks about the column {line.column!r} ({line}), which X does not have; "
                f"its columns are {names}{more}. Take the line out, or rename the column."
            )
        return self._number[line.column]


def contradiction(line: Line, node: str, why: str) -> ValueError:
    """A split that people ask for and a constraint does not allow."""
    if line.branches > 2 and "monotonic_cst" in why:
        why = "under monotonic_cst splits have two branches"
    return ValueError(
        f"The draft asks node {node} to {line.words}, but {why}. Take the line out of the draft, "
        "or change the constraint."
    )


def describe_split(told: Instruction, line: Line, schema: ColumnSchema) -> None:
    """The thresholds or groups of a split, in the terms of the column."""
    if (schema.kind == "category") != (line.groups is not None):
        has, wants = ("categories", "groups") if line.groups is None else ("numbers", "thresholds")
        raise ValueError(
            f'The draft says "{line}", but {line.column!r} is a column of {has}: its splits have '
            f"{wants}."
        )
    told.branches = line.branches
    told.missing = -1 if line.missing is None else line.missing
    if line.groups is None:
        values, whole = (
            zip(*(_cut(t, schema, line) for t in line.thresholds), strict=True)
            if (line.thresholds)
            else ((), ())
        )
        told.set_thresholds(list(values), list(whole))
        return
    code = {_key(json_value(value)): c for c, value in enumerate(schema.categories)}
    pairs = sorted(
        (code[_key(value)], branch)
        for branch, group in enumerate(line.groups)
        for value in group
        if _key(value) in code  # one that the table has not is in no row
    )
    told.codes, told.branch_of = [c for c, _ in pairs], [branch for _, branch in pairs]


def _cut(threshold: Any, schema: ColumnSchema, line: Line) -> tuple[float, int]:
    """A float, or the bits of a 64-bit integer."""
    if schema.ordered:
        places = [_key(json_value(value)) for value in schema.categories]
        if _key(threshold) not in places:
            raise ValueError(
                f'The draft says "{line}", but {threshold!r} is no category of {line.column!r}.'
            )
        return float(places.index(_key(threshold))), 0
    if isinstance(threshold, str):
        raise ValueError(f'The draft says "{line}", but {line.column!r} is a column of numbers.')
    if schema.kind == "numeric":
        try:
            return float(threshold) + 0.0, 0
        except OverflowError:
            return float(np.finfo(np.float64).max) * (1 if threshold > 0 else -1), 0
    low, high = (0, 2**64 - 1) if schema.kind == "unsigned" else (-(2**63), 2**63 - 1)
    whole = min(max(math.floor(threshold), low), high)
    return math.nan, whole - 2**64 if whole >= 2**63 else whole


def _key(value: object) -> tuple[type, object]:
    return type(value), value
