"""A tree as parallel arrays, one entry per node.

Nodes are numbered in order of creation, so a parent always comes before its children, and the
children of a node are consecutive:

    node            0    1    2    3    4
    parent         -1    0    0    2    2
    first_child     1   -1    3   -1   -1
    branches        2    0    2    0    0

Cuts and groups of all nodes lie one after the other in flat arrays; `cut_begin`/`cut_count` and
`group_begin`/`group_count` say which part is a node's own. An interval node sends x to branch
#(cuts < x), so x <= cut goes left. A last branch beyond the cuts (or without any category) is for
missing values alone. Invariant: the arrays are never written after construction.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hardwood.tree.costs import cheapest
from hardwood.tree.leaf_prior import means_of_pools, probabilities

LEAF, INTERVAL, GROUPS = 0, 1, 2

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tree:
    """N nodes, C classes, K cuts and M grouped categories in all."""

    parent: Int32s
    """[N] -1 for the root."""
    first_child: Int32s
    """[N] -1 for a leaf."""
    branches: Int32s
    """[N] number of children, 0 for a leaf."""
    feature: Int32s
    """[N] column index, -1 for a leaf."""
    kind: NDArray[np.uint8]
    """[N] LEAF, INTERVAL or GROUPS."""
    cut_begin: Int64s
    cut_count: Int32s
    thresholds: Floats = field(repr=False)
    """[K] ascending within a node; NaN where the column's kind is integer or unsigned."""
    integer_thresholds: Int64s = field(repr=False)
    """[K] the cut of an integer column, the bit pattern of an unsigned one's; 0 elsewhere."""
    group_begin: Int64s
    group_count: Int32s
    group_codes: Int32s = field(repr=False)
    """[M] category codes seen at the node, ascending within a node."""
    group_branches: Int32s = field(repr=False)
    """[M] the branch each of them takes."""
    missing_branch: Int32s
    """[N] -1 for a leaf."""
    missing_seen: NDArray[np.uint8]
    """[N] 1 when missing values were seen here in training."""
    default_branch: Int32s
    """[N] the heaviest branch, the first on a tie; -1 for a leaf."""
    depth: Int32s
    rows: Int64s
    """[N] training rows of positive weight."""
    class_weights: Floats
    """[N, C] in the user's units."""
    cost: Floats
    """[N] w(l)G(l); the potential is its sum over the leaves."""
    value: Floats | None = None
    """[N] a boosted tree's leaf scores (SAMME: class numbers), 0 for inner nodes."""
    share: Floats | None = None
    """[N] the part of its parent's present (not missing) weight that a node got, 1 for the root: a
    missing value goes down every branch with this share. None: it takes `missing_branch`."""
    prior: float = 0.0
    """The weight of the pseudo-examples behind `shares`, in the user's units; 0: there are none."""
    class_rows: Int64s | None = None
    """[N, C] `rows` by class where rows have weights. None: `class_weights` are these numbers, or
    they are unknown (fractional examples, boosted trees, files from before they were kept)."""

    pool: Int32s | None = None
    """[N] of a leaf that answers together with others the first of these; else the node itself.
    None: every leaf answers for itself."""
    costs: Floats | None = None
    """[C, C] of mistakes, row the true class, column the label; None: all cost the same."""

    def __repr__(self) -> str:
        return f"<Tree: {self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.max_depth}>"

    @property
    def n_nodes(self) -> int:
        return len(self.parent)

    @property
    def n_classes(self) -> int:
        return int(self.class_weights.shape[1])

    @cached_property
    def used_features(self) -> list[int]:
        """Columns that some node asks about, ascending."""
        return [int(feature) for feature in np.unique(self.feature[self.feature >= 0])]

    @cached_property
    def n_leaves(self) -> int:
        return int(np.count_nonzero(self.is_leaf))

    @cached_property
    def max_depth(self) -> int:
        return int(self.depth.max())

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        return self.first_child < 0

    @property
    def leaf_ids(self) -> NDArray[np.intp]:
        return np.flatnonzero(self.is_leaf)

    @cached_property
    def weight(self) -> Floats:
        """[N] summed over the classes one after the other, so that every machine rounds alike."""
        return np.asarray(np.cumsum(self.class_weights, axis=1)[:, -1])

    @cached_property
    def shares(self) -> Floats:
        """[N, C] what `predict_proba` gives: the raw shares, moved by the prior, and their mean
        over the pool of a leaf."""
        own = probabilities(self.class_weights, self.parent, self.prior)
        if self.pool is None:
            return own
        leaves, part = self.leaf_ids, self.weight / self.weight[0]
        pool = np.unique(self.pool[leaves], return_inverse=True)[1].reshape(-1)
        own[leaves] = means_of_pools(own[leaves], part[leaves], pool)[pool]
        return own

    @property
    def is_raw(self) -> bool:
        """Whether `shares` are raw: labels and probabilities follow from class weights alone."""
        return self.prior == 0.0 and self.pool is None

    @cached_property
    def raw_shares(self) -> Floats:
        """[N, C] class weights over their sum."""
        return self.class_weights / self.weight[:, None]

    @cached_property
    def row_shares(self) -> Floats | None:
        """[N, C] classes among the rows, each counted once; None where that is not known."""
        if self.class_rows is not None:
            return np.asarray(self.class_rows / np.maximum(self.rows, 1)[:, None])
        return self.raw_shares if np.array_equal(self.weight, self.rows) else None

    @cached_property
    def label(self) -> NDArray[np.intp]:
        """[N] what `predict` says: the class of least expected cost, or the most probable one."""
        return self.heaviest if self.costs is None else cheapest(self.shares, self.costs)

    def labels_of(self, shares: Floats) -> NDArray[np.intp]:
        """Of rows with such shares, the first on a tie."""
        if self.costs is None:
            return np.asarray(shares.argmax(axis=1))
        return cheapest(shares, self.costs)

    @cached_property
    def heaviest(self) -> NDArray[np.intp]:
        """[N] the most probable class, the first on a tie. Without pools it is a heaviest class of
        the node (`hardwood.tree.leaf_prior`): a prior decides among equally heavy ones alone."""
        if self.is_raw:
            return np.asarray(self.class_weights.argmax(axis=1))
        return np.asarray(self.shares.argmax(axis=1))

    def children(self, node: int) -> range:
        first = int(self.first_child[node])
        return range(first, first + int(self.branches[node])) if first >= 0 else range(0)

    def cuts(self, node: int) -> slice:
        """The node's part of `thresholds` and `integer_thresholds`."""
        begin = int(self.cut_begin[node])
        return slice(begin, begin + int(self.cut_count[node]))

    def groups(self, node: int) -> slice:
        """The node's part of `group_codes` and `group_branches`."""
        begin = int(self.group_begin[node])
        return slice(begin, begin + int(self.group_count[node]))


def training_error(tree: Tree) -> float:
    """The share of the training weight that the leaves mislabel."""
    right = tree.class_weights[np.arange(tree.n_nodes), tree.heaviest]
    return float(np.cumsum((tree.weight - right)[tree.is_leaf])[-1] / tree.weight[0])
