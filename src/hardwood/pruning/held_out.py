"""Rows kept from growth, and the mistakes made on them.

A row that is held out has weight 0 in growth, which is the same as a row that is not there.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hardwood._core import find_leaves
from hardwood.encoding import UserWeights, Weights
from hardwood.encoding.drawn_rows import Mask
from hardwood.encoding.weights import MOST_OF_A_ROW, n_examples
from hardwood.pruning.surviving_nodes import levels
from hardwood.table import Table
from hardwood.tree import Tree
from hardwood.tree.route import used_columns


def weights_of(weights: Weights, rows: Mask) -> Weights:
    """The weights with those of all other rows 0."""
    integers = rows.astype(np.int64)
    if weights.weights is not None:
        integers *= weights.weights
    examples = None if weights.examples is None else np.where(rows, weights.examples, 0)
    counts = examples
    if counts is None:
        each = np.rint(integers / float(weights.units_per_example))
        counts = np.minimum(each, MOST_OF_A_ROW).astype(np.int64)
    return replace(
        weights,
        weights=integers,
        total=float(integers.sum()),
        examples=examples,
        n_examples=n_examples(counts, integers, weights.whole),
    )


def user_weights_of(given: UserWeights, rows: Mask) -> UserWeights:
    """The same of weights in the user's units."""
    values = np.where(rows, 1.0 if given.values is None else given.values, 0.0)
    examples = None if given.examples is None else np.where(rows, given.examples, 0)
    return replace(given, values=values, examples=examples)


def class_weights_by_leaf(
    tree: Tree,
    table: Table,
    labels: NDArray[np.int32],
    weights: NDArray[np.int64],
    threads: int,
) -> NDArray[np.float64]:
    """[N, classes] the whole-number weight of the rows of each class that reach each leaf.

    In a tree of fractional examples a missing value follows the heaviest branch here.
    """
    leaf = find_leaves(tree, used_columns(tree, table), table.n_rows, threads)
    place = leaf.astype(np.int64) * tree.n_classes + labels
    reached = np.bincount(place, weights=weights, minlength=tree.n_nodes * tree.n_classes)
    return np.asarray(reached, dtype=np.float64).reshape(tree.n_nodes, tree.n_classes)


def held_out_mistakes(tree: Tree, reached: NDArray[np.float64]) -> NDArray[np.float64]:
    """[N] the weight that each node as a leaf would mislabel, from the class weights by leaf; what
    that costs, where the tree has costs."""
    reached = reached.copy()
    for nodes in reversed(levels(tree)[1:]):
        np.add.at(reached, tree.parent[nodes], reached[nodes])
    if tree.costs is not None:
        return np.asarray(np.cumsum(reached * tree.costs.T[tree.label], axis=1)[:, -1])
    right = reached[np.arange(tree.n_nodes), tree.label]
    return np.asarray(np.cumsum(reached, axis=1)[:, -1] - right)
