"""Exact Shapley values of a model's scores, columns being the players.

In: trees with their leaves' scores per output, and a prediction table. Out: [rows, columns,
outputs], which together with `expected` add up to the scores. What a tree says when a column is
unknown is the average over a node's branches by training weight, weight(child)/weight(node), as in
path-dependent TreeSHAP (Lundberg et al. 2020; formula in cpp/explain/shap.hpp). Invariant: the
same bits for any number of threads, and a row's values do not depend on the other rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import InfiniteValueError
from hardwood._core import shap_values as shap_in_core
from hardwood.boosting import Ensemble
from hardwood.boosting.ensemble import leaf_scores
from hardwood.encoding import core_column
from hardwood.errors import infinite_value
from hardwood.table import Table
from hardwood.tree import Tree

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ScoredTree:
    """`scores[k]` holds a score per node for output `outputs[k]`; only those of leaves count."""

    tree: Tree
    scores: Floats
    outputs: NDArray[np.int32]

    def expected(self) -> Floats:
        """[k] the leaves' scores averaged by training weight."""
        tree, leaves = self.tree, self.tree.is_leaf
        return np.asarray(self.scores[:, leaves] @ tree.weight[leaves] / tree.weight[0])


def scored_tree(tree: Tree) -> ScoredTree:
    """A single tree whose outputs are the class shares."""
    return ScoredTree(
        tree, np.ascontiguousarray(tree.shares.T), np.arange(tree.n_classes, dtype=np.int32)
    )


def scored_trees(ensemble: Ensemble) -> Iterator[ScoredTree]:
    """The trees of an ensemble in their order; a SAMME tree has a row per class it votes for."""
    for tree, weight, output in (item for each in ensemble.rounds for item in each):
        addend, place = leaf_scores(tree, weight, output)
        if output >= 0:
            yield ScoredTree(tree, addend[None], np.array([output], dtype=np.int32))
            continue
        voted = np.unique(place[tree.is_leaf])
        scores = np.where(place == voted[:, None], addend, 0.0)
        yield ScoredTree(tree, scores, voted.astype(np.int32))


def expected(trees: Sequence[ScoredTree], outputs: int) -> Floats:
    """[outputs] the scores when no column is known."""
    _refuse_fractional(trees)
    total = np.zeros(outputs)
    for each in trees:
        total[each.outputs] += each.expected()
    return total


def shap_values(trees: Sequence[ScoredTree], table: Table, outputs: int, threads: int) -> Floats:
    """[rows, columns, outputs]"""
    _refuse_fractional(trees)
    columns: list[Any] = [None] * table.n_columns
    for j in sorted({j for each in trees for j in each.tree.used_features}):
        columns[j] = core_column(table.column(j))
    try:
        flat = shap_in_core(
            [each.tree for each in trees],
            [np.ascontiguousarray(each.tree.weight) for each in trees],
            [each.scores for each in trees],
            [each.outputs for each in trees],
            columns,
            table.n_rows,
            outputs,
            threads,
        )
    except InfiniteValueError as error:
        raise infinite_value(table.column(error.args[0]).schema.name) from None
    return flat.reshape(table.n_rows, table.n_columns, outputs)


def _refuse_fractional(trees: Sequence[ScoredTree]) -> None:
    if any(each.tree.share is not None for each in trees):
        raise ValueError(
            'Shapley values are not available for a tree with missing="fractional", where a row '
            'with a missing value reaches several leaves; fit with missing="branch" to explain '
            "predictions by shap_values."
        )
