"""The nodes each row passes, as scikit-learn's `decision_path` gives them.

In: a tree and the leaf of every row. Out: a CSR matrix, rows by nodes, 1 where the row passes the
node. Invariant: indices ascend within a row, since a parent's number is below its children's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from hardwood.tree.arrays import Tree


def decision_path(tree: Tree, leaves: NDArray[np.integer]) -> csr_matrix:
    """O(rows x depth): the path of each leaf is laid out once and copied to its rows."""
    ends, which = np.unique(np.asarray(leaves), return_inverse=True)
    lengths = tree.depth[ends].astype(np.int64) + 1
    starts = np.cumsum(lengths) - lengths
    paths = np.empty(int(lengths.sum()), dtype=np.int64)
    for level in range(tree.max_depth + 1):
        # `ends` climbs one level at a time; paths already at the root drop out.
        alive = lengths > level
        paths[(starts + lengths - 1 - level)[alive]] = ends[alive]
        ends = tree.parent[ends]
    counts = lengths[which]
    pointers = np.concatenate([[0], np.cumsum(counts)])
    within = np.arange(pointers[-1]) - np.repeat(pointers[:-1], counts)
    indices = paths[np.repeat(starts[which], counts) + within]
    ones = np.ones(len(indices), dtype=np.int64)
    return csr_matrix((ones, indices, pointers), shape=(len(which), tree.n_nodes))
