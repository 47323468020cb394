"""What growing a tree leaves behind: the tree, and the path by which it came to be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardwood.growing.instructed import Followed
from hardwood.tree.arrays import Tree


@dataclass(frozen=True, slots=True)
class Growth:
    """`potential` and `error` are the whole tree's after each split, before it the root's; a split
    is `exact` when no rule of thumb took part in finding it. `example_weight` is the root's weight
    over its number of examples."""

    tree: Tree
    split_nodes: NDArray[np.int32]
    exact: NDArray[np.bool_]
    potential: NDArray[np.float64]
    error: NDArray[np.float64]
    root_potential: float
    root_error: float
    example_weight: float = 1.0
    followed: Followed | None = None
    """What became of the draft, where there was one."""
