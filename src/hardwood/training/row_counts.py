"""How many rows of each class reach each node, where weights tell something else.

In: a finished tree and the `Training` it was grown on. Out: the tree with `class_rows`, from one
more pass of the rows. A tree of fractional examples has none: a row is in several leaves there, in
each with a part of its weight, so that no leaf has a share of rows.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hardwood.pruning.surviving_nodes import levels
from hardwood.training.protocol import Training
from hardwood.tree import Tree


def with_class_rows(training: Training, tree: Tree) -> Tree:
    """The same tree where every row weighs 1, and where examples are fractional."""
    counted = None if tree.share is not None else training.leaf_class_rows(tree)
    if counted is None:
        return tree
    for nodes in reversed(levels(tree)[1:]):
        np.add.at(counted, tree.parent[nodes], counted[nodes])
    counted.flags.writeable = False
    return replace(tree, class_rows=counted)
