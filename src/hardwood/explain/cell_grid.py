"""A boosted model over cells, for the core's branch and bound.

The cuts of all trees divide a column's numbers into intervals; each is a cell, and so is a missing
value. Of a category column every category is one, and so is a value that the model does not know.
In: an ensemble. Out: a `CellGrid`, which is kept with the ensemble: it depends on no row.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import CellForest
from hardwood.boosting import Ensemble
from hardwood.boosting.ensemble import leaf_scores
from hardwood.explain.branches import Codes, Ends, branches_of
from hardwood.explain.tree_change import cuts_of
from hardwood.table import ColumnSchema
from hardwood.tree import Tree

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class CellGrid:
    """Cells of the columns that the trees use, in the order of `columns`."""

    trees: tuple[tuple[Tree, float, int], ...]
    """With weight and output, as in the rounds of an ensemble."""
    outputs: int
    schemas: tuple[ColumnSchema, ...]

    @cached_property
    def columns(self) -> list[int]:
        return sorted({j for tree, _, _ in self.trees for j in tree.used_features})

    @cached_property
    def cuts(self) -> dict[int, list[Any]]:
        """All cuts of a column, ascending; none of a category column."""
        found: dict[int, set[Any]] = {j: set() for j in self.columns}
        for tree, _, _ in self.trees:
            for column, cuts in cuts_of(tree, self.schemas).items():
                found[column].update(cuts)
        return {j: sorted(cuts) for j, cuts in found.items()}

    def count(self, column: int) -> int:
        """Cells of a column: the last is missing; before it, of a category, the unknown one."""
        if self.schemas[column].kind == "category":
            return len(self.schemas[column].categories) + 2
        return len(self.cuts[column]) + 2

    def interval(self, column: int, cell: int) -> Ends:
        """Of a cell that is not the missing one."""
        cuts = self.cuts[column]
        lower = cuts[cell - 1] if cell > 0 else None
        return Ends(lower, cuts[cell] if cell < len(cuts) else None, missing=False)

    def mask(self, column: int, allowed: Ends | Codes) -> Mask:
        """The cells that a branch lets pass."""
        cells = np.zeros(self.count(column), dtype=np.bool_)
        cells[-1] = allowed.missing
        if isinstance(allowed, Codes):
            cells[list(allowed.codes)] = True
            cells[-2] = allowed.unknown
        elif allowed.present:
            cuts = self.cuts[column]
            begin = 0 if allowed.lower is None else bisect_left(cuts, allowed.lower) + 1
            end = len(cuts) if allowed.upper is None else bisect_left(cuts, allowed.upper)
            cells[begin : end + 1] = True
        return cells

    def leaves(self, tree: Tree) -> list[tuple[int, dict[int, Mask]]]:
        """Every leaf with the cells that lead to it."""
        pending: list[tuple[int, dict[int, Mask]]] = [(0, {})]
        found = []
        while pending:
            node, masks = pending.pop()
            if not tree.branches[node]:
                found.append((node, masks))
                continue
            column = int(tree.feature[node])
            earlier = masks.get(column)
            for child, branch in zip(
                tree.children(node), branches_of(tree, self.schemas, node), strict=True
            ):
                cells = self.mask(column, branch)
                if earlier is not None:
                    cells &= earlier
                if cells.any():
                    pending.append((child, {**masks, column: cells}))
        return found

    @cached_property
    def begins(self) -> NDArray[np.int32]:
        """[columns + 1] where the cells of each column begin."""
        counts = [self.count(column) for column in self.columns]
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)

    @cached_property
    def core(self) -> CellForest:
        place_of = {column: place for place, column in enumerate(self.columns)}
        tree_begin, condition_begin, cells_begin = [0], [0], [0]
        addend: list[float] = []
        place: list[int] = []
        condition_column: list[int] = []
        allowed: list[Mask] = []
        for tree, weight, output in self.trees:
            scores, outputs = leaf_scores(tree, weight, output)
            for leaf, masks in self.leaves(tree):
                addend.append(float(scores[leaf]))
                place.append(int(outputs[leaf]))
                for column, cells in masks.items():
                    condition_column.append(place_of[column])
                    allowed.append(cells)
                    cells_begin.append(cells_begin[-1] + len(cells))
                condition_begin.append(len(condition_column))
            tree_begin.append(len(addend))
        every = np.concatenate(allowed) if allowed else np.zeros(0, dtype=np.bool_)
        arrays: dict[str, NDArray[Any]] = {
            "column_begin": self.begins,
            "tree_begin": np.array(tree_begin, dtype=np.int32),
            "addend": np.array(addend, dtype=np.float64),
            "place": np.array(place, dtype=np.int32),
            "condition_begin": np.array(condition_begin, dtype=np.int32),
            "condition_column": np.array(condition_column, dtype=np.int32),
            "cells_begin": np.array(cells_begin, dtype=np.int64),
            "allowed": every.astype(np.uint8),
        }
        return CellForest(arrays, self.outputs)


def grid_of(ensemble: Ensemble, schemas: Sequence[ColumnSchema]) -> CellGrid:
    """Made once for an ensemble."""
    kept: CellGrid | None = ensemble.__dict__.get("_grid")
    if kept is None:
        trees = tuple(item for each in ensemble.rounds for item in each)
        made = CellGrid(trees, ensemble.outputs, tuple(schemas))
        kept = ensemble.__dict__.setdefault("_grid", made)
    return kept
