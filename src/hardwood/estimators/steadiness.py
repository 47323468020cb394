"""`stability()` of both estimators."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hardwood.certify.boosted_stability import boosted_stability
from hardwood.certify.checking.constraints import asked_of
from hardwood.certify.checking.held_out import held_out, seed_of
from hardwood.certify.checking.ledger import Ledger
from hardwood.certify.checking.nodes import Seen, follow
from hardwood.certify.checking.single_tree import admission_of, rules_of
from hardwood.certify.checking.training_rows import integer_weights, training_rows
from hardwood.certify.stability import Growth, Stability, stability_alone, stability_on_rows


class SteadyTree:
    """For a TreeClassifier."""

    def stability(
        self, X: Any = None, y: Any = None, sample_weight: Any = None, *, same_column: bool = False
    ) -> Stability:
        """How firmly each split of `tree_` stands. Print it.

        With the training rows (as `fit` was given them): the best split of another column, how far
        it is behind, and how much weight must change before any split of another column wins: a
        proved lower bound, and a change that is known to be enough. `same_column`: other cuts of
        the split's own column are rivals too. Without rows, which a model does not keep: how much
        must change before the split gains nothing. Rivals are the splits that the limits on
        branches allow now; each is found by brute force in NumPy, rows x columns x depth."""
        check_is_fitted(self)
        tree, criterion = self.tree_, self.criterion  # type: ignore[attr-defined]
        if X is None and y is None:
            return Stability(tuple(stability_alone(tree, self._schemas, criterion)), False)  # type: ignore[attr-defined]
        if X is None or y is None:
            raise ValueError("stability takes both X and y, as fit was given them, or neither.")
        growth = _growth(self, X, y, sample_weight, same_column)
        return Stability(tuple(stability_on_rows(growth)), True)


class SteadyEnsemble:
    """For a BoostedTreesClassifier."""

    def stability(
        self, X: Any = None, y: Any = None, sample_weight: Any = None, *, same_column: bool = False
    ) -> Stability:
        """How firmly each split of each tree stands, in shares of the weight of its round. Print
        it.

        With the training rows (as `fit` was given them) the rounds are replayed, so that each row
        has the weight that the rounds before gave it; then as for a tree: the best split of another
        column among those drawn for the round, how far it is behind, and how much weight of this
        round must change before any wins. What a change would do to later rounds is not counted.
        Without rows: how much must change before the split gains nothing. Rows are refused with
        monotonic_cst and with multiclass="pairs"."""
        check_is_fitted(self)
        if (X is None) != (y is None):
            raise ValueError("stability takes both X and y, as fit was given them, or neither.")
        if X is not None:
            seeded = copy(self)
            seeded.random_state = self._run.plan.seed  # type: ignore[attr-defined]
            found = boosted_stability(seeded, X, y, sample_weight, same_column)
            return Stability(tuple(found), True)
        rules = self._run.plan.rules  # type: ignore[attr-defined]
        criterion: Any = "error" if rules.criterion == "stump" else rules.criterion
        trees = [tree for each in self._ensemble.rounds for tree, _, _ in each]  # type: ignore[attr-defined]
        found = [
            split
            for number, tree in enumerate(trees)
            for split in stability_alone(tree, self._schemas, criterion, number)  # type: ignore[attr-defined]
        ]
        return Stability(tuple(found), False)


def _growth(model: Any, X: Any, y: Any, sample_weight: Any, same_column: bool) -> Growth:
    tree = model.tree_
    if tree.share is not None:
        raise ValueError(
            'With missing="fractional" the rivals of a split are not searched again; call '
            "stability() without rows."
        )
    ledger = Ledger()
    data = training_rows(model, X, y, sample_weight)
    units, unit = integer_weights(data.weights(model.class_weight))
    if model.pruning == "reduced-error":
        seed = seed_of(ledger, model, drawn=True)
        if seed is None:
            raise ValueError(
                "Which rows were held out is not known: random_state is a generator. Fit with a "
                "whole number or None, or call stability() without rows."
            )
        units = np.where(held_out(data, float(model.validation_fraction), seed), 0, units)
    classes = len(data.classes)
    seen = Seen(data, data.labels, classes, units, data.examples, data.n_examples(units))
    same = np.array_equal(model.classes_, data.classes)
    facts = follow(ledger, tree, seen, as_grown=False) if same else None
    if facts is None or not np.allclose(facts.units * unit, tree.class_weights, rtol=1e-9, atol=0):
        raise ValueError(
            "These rows do not give the tree's class weights: they are not those that it was "
            "fitted to. Give X, y and sample_weight as fit was given them."
        )
    asked = asked_of(model, data)
    admission = admission_of(asked, tree, facts.units, tree.prior / unit)
    columns = np.arange(len(model._schemas))
    rules = rules_of(model)
    return Growth(tree, model._schemas, seen, facts, rules, unit, same_column, columns, admission)
