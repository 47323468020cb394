"""Error-based pruning with subtree raising, as C4.5 release 8 does it (Quinlan 1993, chapter 4).

In: a tree, the rows it was grown on, a confidence. Out: the pruned tree. A leaf of n examples that
mistakes e of them is expected to mistake U(n, e), the upper limit that is exceeded with
probability `confidence`; docs/theory/rules.md#pruning says how weights become examples. First,
subtrees that make as many training mistakes as a leaf are collapsed. Then, bottom-up, a node
becomes a leaf
if that is estimated to cost at most 0.1 errors more than its subtree and than its heaviest branch
in its place; otherwise the heaviest branch takes its place (is *raised*, all rows of the node
going down it) if that is estimated to cost at most 0.1 errors more than the subtree, and the node
is looked at again.

Rows that a raised branch had not seen follow its own routes: a category that is new to a split
goes where the heaviest branch is and is known there from then on, and so do missing values where
there had been none. Of fractional examples all pieces at a node are divided anew when a branch is
raised, since the shares change with the rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import find_leaves, prune_by_error
from hardwood.criteria import Criterion
from hardwood.encoding import Labels, Weights
from hardwood.encoding.columns import KIND_NUMBERS
from hardwood.pruning.surviving_nodes import SurvivingNodes, rebuilt
from hardwood.table import Table
from hardwood.tree import Tree
from hardwood.tree.route import used_columns

DIGITS = 12
"""Constants of the estimate are rounded, so that the logarithm of every machine gives the same."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """The confidence as the core's estimate needs it."""

    log: float
    deviation: float

    @staticmethod
    def of(confidence: float) -> Confidence:
        deviation = -NormalDist().inv_cdf(confidence) if confidence < 0.5 else 0.0
        return Confidence(round(math.log(confidence), DIGITS), round(deviation, DIGITS))


def error_based(
    tree: Tree,
    table: Table,
    labels: Labels,
    weights: Weights,
    *,
    criterion: Criterion,
    confidence: float,
    raising: bool = True,
    threads: int,
    freedom: NDArray[np.uint8] | None = None,
) -> Tree:
    """The pruned tree; the same for any order of the rows and any number of threads. Not `raising`:
    subtrees only become leaves. freedom: what a draft leaves to pruning, per node
    (`hardwood.growing.instructed`)."""
    estimate = Confidence.of(confidence)
    columns = used_columns(tree, table)
    leaf = find_leaves(tree, columns, table.n_rows, threads)
    weight = weights_of_rows(weights, table.n_rows)
    fractional = tree.share is not None and any(map(_misses_values, columns))
    rows = (columns, labels.codes, leaf, weight, weights.unit, fractional)
    flat = np.ascontiguousarray(tree.class_weights).reshape(-1)
    found = prune_by_error(
        tree,
        flat,
        tree.n_classes,
        estimate.log,
        estimate.deviation,
        weights.examples_per_weight,
        raising,
        rows,
        freedom,
    )
    pruned = pruned_tree(tree, found, criterion)
    if tree.share is not None and not fractional and pruned is not tree:
        return with_whole_shares(pruned)
    return pruned


def with_whole_shares(pruned: Tree) -> Tree:
    """Where no value is missing, shares are those of all weight."""
    share = np.append(1.0, pruned.weight[1:] / pruned.weight[pruned.parent[1:]])
    return replace(pruned, share=share)


def pruned_tree(tree: Tree, found: dict[str, NDArray[Any]], criterion: Criterion) -> Tree:
    """The core's surviving nodes as a tree."""
    weights = found.pop("class_weights").reshape(-1, tree.n_classes)
    return rebuilt(tree, SurvivingNodes(class_weights=weights, **found), criterion)


def _misses_values(column: Any) -> bool:
    """Whether a value is missing in a column of the core's form, None for one that is not used."""
    if column is None:
        return False
    kind, values, missing = column[:3]
    if kind == KIND_NUMBERS["category"]:
        return bool((values < 0).any())
    if missing is not None and missing.any():
        return True
    return values.dtype.kind == "f" and bool(np.isnan(values).any())


def weights_of_rows(weights: Weights, n_rows: int) -> NDArray[np.float64]:
    """The rows' weights in the user's units; sums of them are exact."""
    if weights.weights is None:
        return np.full(n_rows, weights.unit)
    return weights.weights.astype(np.float64) * weights.unit
