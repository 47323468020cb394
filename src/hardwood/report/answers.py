"""What a fitted model answers for a table that is read already.

In: a model of either kind and a prediction `Table`, possibly with a shuffled column. Out: class
numbers, probabilities, Shapley values. Invariant: the same answers as `predict`, `predict_proba`
and `shap_values` give for the caller's own table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.estimators import TreeClassifier
from hardwood.estimators.parameters import thread_count
from hardwood.explain import scored_tree, scored_trees, shap_values
from hardwood.table import Table
from hardwood.tree import Tree
from hardwood.tree.route import labels_of, shares_of

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]


def trees_of(model: Any) -> list[Tree]:
    if isinstance(model, TreeClassifier):
        return [model.tree_]
    return [tree for each in model._ensemble.rounds for tree, _, _ in each]


def predicted(model: Any, table: Table) -> Codes:
    """The number of each row's class."""
    threads = thread_count(model.n_jobs)
    if isinstance(model, TreeClassifier):
        return labels_of(model.tree_, table, threads)
    return _codes(model, model._ensemble.scores(table, threads))


def probabilities(model: Any, table: Table) -> Floats:
    threads = thread_count(model.n_jobs)
    if isinstance(model, TreeClassifier):
        return shares_of(model.tree_, table, threads)[1]
    return np.asarray(model._probabilities(model._ensemble.scores(table, threads)))


def staged(model: Any, table: Table) -> Iterator[Codes]:
    """A boosted model's class numbers after each round."""
    for scores in model._ensemble.staged_scores(table, thread_count(model.n_jobs)):
        yield _codes(model, scores)


def mean_shapley(model: Any, table: Table) -> Floats | None:
    """[columns] the mean of |SHAP| over rows, summed over the outputs; of one class's share where
    two classes mirror each other. None where Shapley values are not defined."""
    threads = thread_count(model.n_jobs)
    if any(tree.share is not None for tree in trees_of(model)):
        return None
    if isinstance(model, TreeClassifier):
        values = shap_values([scored_tree(model.tree_)], table, model.tree_.n_classes, threads)
        if model.tree_.n_classes == 2:
            values = values[:, :, 1:]
    else:
        ensemble = model._ensemble
        values = shap_values(list(scored_trees(ensemble)), table, ensemble.outputs, threads)
    return np.asarray(np.abs(values).sum(axis=2).mean(axis=0))


def _codes(model: Any, scores: Floats) -> Codes:
    return np.asarray(model._guesses(scores))
