"""A leaf of a tree that grows over parts: its sums, its search, its best split."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import MergedSearch
from hardwood.distributed.conditions import Condition
from hardwood.distributed.messages import KeySums

Cells = NDArray[np.int64]


@dataclass(eq=False)
class Leaf:
    """`number` is the parts' name of the node, `node` its number in the tree.

    weights: per class. examples: where they are counted. cells: the histogram, where it is kept.
    """

    number: int
    weights: list[float]
    depth: int
    search: MergedSearch
    node: int = -1
    examples: float = 0.0
    rows: int = 0
    cells: Cells | None = None
    listed: dict[int, KeySums] = field(default_factory=dict)
    searched: bool = False
    split: dict[str, Any] | None = None
    wide: dict[str, Any] | None = None
    priority: float = 0.0
    exact: bool = True
    condition: Condition | None = None
    children: list[Leaf] | None = None
    sent: bool = False  # the parts have divided its rows
    # Keys beside the cut of a bucketed column, once the parts told them.
    beside: tuple[int, int] | None = None

    @property
    def cost(self) -> float:
        return self.search.cost

    @property
    def weight(self) -> float:
        return sum(self.weights)

    @property
    def classes(self) -> list[int]:
        """Those present."""
        return [c for c, weight in enumerate(self.weights) if weight > 0]

    def branch_weights(self) -> list[list[float]]:
        """Class weights of the split's branches."""
        present = self.classes
        if self.wide is not None:
            flat, arity = self.wide["weights"], self.wide["arity"]
            parts = [flat[b * len(present) : (b + 1) * len(present)] for b in range(arity)]
        else:
            assert self.split is not None
            left = self.split["left_weights"]
            right = [self.weights[c] - own for c, own in zip(present, left, strict=True)]
            parts = [left, right]
        out = []
        for part in parts:
            weights = [0.0] * len(self.weights)
            for c, own in zip(present, part, strict=True):
                weights[c] = own
            out.append(weights)
        return out
