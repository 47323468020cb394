"""Each column's values in cells: two values of one cell go the same way at every node.

In: the cuts of all nodes about a column, and those of a claim's region. Out: `Cells`, numbered

    numbers        (-inf, cut 0], (cut 0, cut 1], ..., (last cut, inf)     then  missing
    categories     category 0, category 1, ..., any other category          then  missing
    ordered ones   rank 0, rank 1, ...                                       then  missing

A set of cells is a Python integer, bit i for cell i. Invariant: every cell holds a value that a
table can have, and `value` gives one.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import INTERVAL, Tree

LIMITS = {"integer": (-(2**63), 2**63 - 1), "unsigned": (0, 2**64 - 1)}


@dataclass(frozen=True)
class Cells:
    """`cuts` are ascending Python numbers, empty for categories."""

    schema: ColumnSchema
    cuts: tuple[Any, ...] = ()

    @cached_property
    def present(self) -> int:
        """Cells of values that the model knows, in ascending order where there is one."""
        if self.schema.categories or self.schema.kind == "category":
            return len(self.schema.categories)
        return len(self.cuts) + (_above(self.schema, self.cuts) is not None)

    @property
    def has_unseen(self) -> bool:
        return self.schema.kind == "category"

    @property
    def unseen(self) -> int:
        """The cell of any other category, as a set."""
        return 1 << self.present if self.has_unseen else 0

    @property
    def missing(self) -> int:
        """The cell of a missing value, as a set."""
        return 1 << (self.present + self.has_unseen)

    @property
    def known(self) -> int:
        """All present cells, as a set."""
        return (1 << self.present) - 1

    @property
    def every(self) -> int:
        return self.known | self.unseen | self.missing

    @property
    def ordered(self) -> bool:
        return self.schema.kind != "category"

    def value(self, cell: int) -> Any:
        """A value of the cell, None for a missing one."""
        if cell == self.present + self.has_unseen:
            return None
        if self.schema.categories or self.has_unseen:
            names = self.schema.categories
            return names[cell] if cell < len(names) else _another(names)
        return self.cuts[cell] if cell < len(self.cuts) else _above(self.schema, self.cuts)

    def middle(self, mask: int) -> int:
        """A cell of the set that is not at its ends, and has a value if one of them has."""
        cells = bits(mask & self.known) or bits(mask)
        return cells[len(cells) // 2]

    def up_to(self, cut: Any) -> int:
        """The present cells of values <= cut, which is one of `cuts` (a rank, if ordered)."""
        if self.schema.categories:
            count: int = max(0, min(math.floor(cut) + 1, self.present))
            return (1 << count) - 1
        place: int = bisect_left(self.cuts, cut)
        return ((1 << (place + 1)) - 1) & self.known

    def branches(self, tree: Tree, node: int) -> list[int]:
        """The cells that take each branch of a node about this column, without the missing one."""
        count = int(tree.branches[node])
        if tree.kind[node] != INTERVAL:
            return self._groups(tree, node, count)
        masks, below = [], 0
        for cut in node_cuts(tree, self.schema, node):
            upper = self.up_to(cut)
            masks.append(upper & ~below)
            below = upper
        masks.append(self.known & ~below)
        return masks + [0] * (count - len(masks))

    def _groups(self, tree: Tree, node: int, count: int) -> list[int]:
        masks = [0] * count
        own = tree.groups(node)
        named = 0
        codes, branches = tree.group_codes[own].tolist(), tree.group_branches[own].tolist()
        for code, branch in zip(codes, branches, strict=True):
            masks[branch] |= 1 << code
            named |= 1 << code
        masks[int(tree.default_branch[node])] |= (self.known | self.unseen) & ~named
        return masks


def node_cuts(tree: Tree, schema: ColumnSchema, node: int) -> list[Any]:
    """Ascending Python numbers."""
    if schema.kind == "numeric":
        numbers: list[Any] = (tree.thresholds[tree.cuts(node)] + 0.0).tolist()
        return numbers
    cuts = tree.integer_thresholds[tree.cuts(node)]
    integers: list[Any] = (cuts.view(np.uint64) if schema.kind == "unsigned" else cuts).tolist()
    return integers


def cells_of(
    trees: Iterable[Tree], schemas: Sequence[ColumnSchema], more: dict[int, set[Any]]
) -> list[Cells]:
    """Of every column; `more` are cuts of the claim, by column."""
    cuts: list[set[Any]] = [set(more.get(j, ())) for j in range(len(schemas))]
    for tree in trees:
        for node in np.flatnonzero(tree.kind == INTERVAL).tolist():
            column = int(tree.feature[node])
            cuts[column].update(node_cuts(tree, schemas[column], node))
    return [
        Cells(schema, () if schema.categories else tuple(sorted(own)))
        for schema, own in zip(schemas, cuts, strict=True)
    ]


def bits(mask: int) -> list[int]:
    """The cells of a set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _above(schema: ColumnSchema, cuts: tuple[Any, ...]) -> Any:
    """A value above all cuts, None where there is none."""
    if not cuts:
        return 0
    last = cuts[-1]
    if schema.kind != "numeric":
        return last + 1 if last < LIMITS[schema.kind][1] else None
    whole = math.floor(last) + 1.0
    value = whole if whole > last else math.nextafter(last, math.inf)
    return value if math.isfinite(value) else None


def _another(names: tuple[Any, ...]) -> Any:
    """A category that is none of these."""
    if not names or isinstance(names[0], str):
        word = "another value"
        while word in names:
            word += "'"
        return word
    return float(max(map(float, names))) + 1.0
