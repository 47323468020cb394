"""Trees with weights that add up to scores.

In: boosted trees in round order. Out: a score per row and output: one output for two classes
(F, positive for the second class), one per class for SAMME (votes) and one-versus-rest (each F).
Trees add in their order, so scores have the same bits for any number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import InfiniteValueError, add_scores
from hardwood.encoding import core_column
from hardwood.errors import infinite_value
from hardwood.table import Table
from hardwood.tree import Tree
from hardwood.tree.route import leaves_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Ensemble:
    """`rounds[r]` holds round r's trees with weight and output; output -1: the leaf's class."""

    rounds: tuple[tuple[tuple[Tree, float, int], ...], ...]
    outputs: int

    def scores(self, table: Table, threads: int) -> Floats:
        """[rows, outputs]"""
        trees: list[Tree] = []
        addends: list[Floats] = []
        places: list[NDArray[np.int32]] = []
        for tree, weight, output in (item for each in self.rounds for item in each):
            addend, place = leaf_scores(tree, weight, output)
            trees.append(tree)
            addends.append(addend)
            places.append(place)
        columns: list[Any] = [None] * table.n_columns
        for j in sorted({j for tree in trees for j in tree.used_features}):
            columns[j] = core_column(table.column(j))
        try:
            flat = add_scores(trees, addends, places, columns, table.n_rows, self.outputs, threads)
        except InfiniteValueError as error:
            raise infinite_value(table.column(error.args[0]).schema.name) from None
        return flat.reshape(table.n_rows, self.outputs)

    def staged_scores(self, table: Table, threads: int) -> Iterator[Floats]:
        """The scores after each round, a new array each time."""
        scores = np.zeros((table.n_rows, self.outputs))
        rows = np.arange(table.n_rows)
        for each in self.rounds:
            for tree, weight, output in each:
                addend, place = leaf_scores(tree, weight, output)
                leaves = leaves_of(tree, table, threads)
                scores[rows, place[leaves]] += addend[leaves]
            yield scores.copy()


def leaf_scores(tree: Tree, weight: float, output: int) -> tuple[Floats, NDArray[np.int32]]:
    """What each node adds, and to which output."""
    assert tree.value is not None
    if output < 0:
        return np.full(tree.n_nodes, weight), tree.value.astype(np.int32)
    return weight * tree.value, np.full(tree.n_nodes, output, dtype=np.int32)
