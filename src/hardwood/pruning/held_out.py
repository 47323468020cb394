"""Rows kept from growth, and the mistakes made on them.

A row that is held out has weight 0 in growth, which is the same as a row that is not there.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hardwood._core import find_leaves
from hardwood.encoding import Labels, Weights
from hardwood.pruning.places import levels
from hardwood.table import Table
from hardwood.tree import Tree
from hardwood.tree.route import used_columns

Mask = NDArray[np.bool_]


def weights_of(weights: Weights, rows: Mask) -> Weights:
    """The weights with those of all other rows 0."""
    integers = rows.astype(np.int64)
    if weights.weights is not None:
        integers *= weights.weights
    examples = None if weights.examples is None else np.where(rows, weights.examples, 0)
    return replace(weights, weights=integers, total=float(integers.sum()), examples=examples)


def held_out_mistakes(
    tree: Tree, table: Table, labels: Labels, held: Weights, threads: int
) -> NDArray[np.float64]:
    """[N] the held-out weight, in integer units, that each node as a leaf would mislabel.

    In a tree of fractional examples a missing value follows the heaviest branch here.
    """
    if held.weights is None:
        raise ValueError("held-out rows need weights of their own")
    leaf = find_leaves(tree, used_columns(tree, table), table.n_rows, threads)
    classes = tree.n_classes
    place = leaf.astype(np.int64) * classes + labels.codes
    reached = np.bincount(place, weights=held.weights, minlength=tree.n_nodes * classes)
    reached = reached.reshape(tree.n_nodes, classes)
    for nodes in reversed(levels(tree)[1:]):
        np.add.at(reached, tree.parent[nodes], reached[nodes])
    right = reached[np.arange(tree.n_nodes), tree.label]
    return np.asarray(np.cumsum(reached, axis=1)[:, -1] - right)
