"""Rows that growth does not see, and what trees make of them.

In: the rows of one table or of one part. Invariant: weights are whole numbers on the grid that all
rows share, so what several parts answer adds up to the answer of all rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting.early_stopping import WatchedRows
from hardwood.pruning.held_out import class_weights_by_leaf
from hardwood.table import Table
from hardwood.tree import Tree


@dataclass(frozen=True, eq=False)
class HeldOutRows:
    table: Table
    labels: NDArray[np.int32]
    weights: NDArray[np.int64]
    classes: int

    def class_weights(self, tree: Tree, threads: int) -> NDArray[np.float64]:
        """[N, classes] by leaf."""
        return class_weights_by_leaf(tree, self.table, self.labels, self.weights, threads)

    def watched(self) -> WatchedRows:
        return WatchedRows(self.table, self.labels, self.weights.astype(np.float64))
