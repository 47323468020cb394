"""Trees with weights that add up to scores.

In: boosted trees in round order. Out: a score per row and output: one output for two classes
(F, positive for the second class), one per class for SAMME (votes) and one-versus-rest (each F).
Trees add in their order, so scores have the same bits for any number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import ScoringForest, find_leaves
from hardwood.encoding import core_column
from hardwood.table import Table
from hardwood.tree import Tree
from hardwood.tree.route import named_columns

if TYPE_CHECKING:
    from hardwood._core import CoreColumn

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Ensemble:
    """`rounds[r]` holds round r's trees with weight and output; output -1: the leaf's class."""

    rounds: tuple[tuple[tuple[Tree, float, int], ...], ...]
    outputs: int

    def scores(self, table: Table, threads: int) -> Floats:
        """[rows, outputs]"""
        forest: ScoringForest | None = self.__dict__.get("_forest")
        matrix = table.matrix() if forest is not None and forest.numeric else None
        with named_columns(table):
            if forest is not None and matrix is not None:
                flat = forest.score_matrix(matrix, threads)
            else:
                columns = self._columns(table)
                forest = forest or self._made_forest(columns)
                flat = forest.score(columns, table.n_rows, threads)
        return flat.reshape(table.n_rows, self.outputs)

    def _made_forest(self, columns: list[CoreColumn | None]) -> ScoringForest:
        """The core's form of the trees, which is kept: the rounds never change, and the columns of
        every table have the same kinds. Threads that come together may each make one, all equal."""
        trees = [item for each in self.rounds for item in each]
        scored = [leaf_scores(*item) for item in trees]
        addends, places = [addend for addend, _ in scored], [place for _, place in scored]
        kinds = [0 if column is None else column[0] for column in columns]
        forest = ScoringForest([tree for tree, _, _ in trees], addends, places, self.outputs, kinds)
        kept: ScoringForest = self.__dict__.setdefault("_forest", forest)
        return kept

    def _columns(self, table: Table) -> list[CoreColumn | None]:
        """The columns that the trees ask about, in the core's form; None in place of the others."""
        columns: list[CoreColumn | None] = [None] * table.n_columns
        for j in self._features:
            columns[j] = core_column(table.column(j))
        return columns

    @cached_property
    def _features(self) -> list[int]:
        return sorted(
            {j for each in self.rounds for tree, _, _ in each for j in tree.used_features}
        )

    def __getstate__(self) -> dict[str, Any]:
        return {"rounds": self.rounds, "outputs": self.outputs}

    def staged_scores(self, table: Table, threads: int) -> Iterator[Floats]:
        """The scores after each round, a new array each time; the table is read once."""
        scores = np.zeros((table.n_rows, self.outputs))
        rows = np.arange(table.n_rows)
        columns = self._columns(table)
        for each in self.rounds:
            for tree, weight, output in each:
                addend, place = leaf_scores(tree, weight, output)
                with named_columns(table):
                    leaves = find_leaves(tree, columns, table.n_rows, threads)
                scores[rows, place[leaves]] += addend[leaves]
            yield scores.copy()


def leaf_scores(tree: Tree, weight: float, output: int) -> tuple[Floats, NDArray[np.int32]]:
    """What each node adds, and to which output."""
    assert tree.value is not None
    if output < 0:
        return np.full(tree.n_nodes, weight), tree.value.astype(np.int32)
    return weight * tree.value, np.full(tree.n_nodes, output, dtype=np.int32)
