"""What people read of a fitted boosted model: text, rules, plain data, a drawing of one tree, what
the rounds show and which columns matter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hardwood.boosting import Ensemble
from hardwood.boosting.readable import (
    ScoreRule,
    ensemble_dict,
    ensemble_rules,
    ensemble_text,
    tree_class_names,
)
from hardwood.boosting.run import BoostingRun
from hardwood.certify import Diagnosis, diagnose_rounds
from hardwood.estimators.diagnosing import round_sequence
from hardwood.estimators.parameters import whole_number
from hardwood.plots import plot_tree
from hardwood.table import ColumnSchema
from hardwood.tree import feature_importances


class ReadableEnsemble:
    """For an estimator with these fitted attributes."""

    classes_: NDArray[Any]
    n_features_in_: int
    _schemas: tuple[ColumnSchema, ...]
    trees_: list[Any]
    tree_weights_: NDArray[np.float64]
    n_estimators_: int
    assessments_: int
    _run: BoostingRun
    _ensemble: Ensemble

    def to_text(self, max_rounds: int | None = None, *, fold: int | None = None) -> str:
        """The trees in indented lines, round by round, with the score that each leaf adds; `fold`
        counts what is beyond so many characters of a list of categories."""
        check_is_fitted(self)
        rounds = whole_number("max_rounds", max_rounds, 1, none_allowed=True)
        width = whole_number("fold", fold, 1, none_allowed=True)
        return ensemble_text(self._ensemble, self._schemas, self.classes_.tolist(), rounds, width)

    def to_dict(self) -> dict[str, Any]:
        """All trees with their weights as plain data, ready for JSON."""
        check_is_fitted(self)
        return ensemble_dict(self._ensemble, self._schemas, self.classes_.tolist())

    def rules(self) -> list[ScoreRule]:
        """One rule per leaf of each tree, in the order in which scores are added."""
        check_is_fitted(self)
        return ensemble_rules(self._ensemble, self._schemas, self.classes_.tolist())

    def plot(self, ax: Any = None, *, tree: int = 0, label: Any = None) -> Any:
        """Draw the tree of one round (the first; -1: the last) with matplotlib on `ax`, or on a new
        figure; returns the axes. For one-versus-rest `label` says whose tree (the first class's).
        Cards show the weights of that round."""
        check_is_fitted(self)
        ensemble = self._ensemble
        count = len(ensemble.rounds)
        if isinstance(tree, bool) or not isinstance(tree, int) or not -count <= tree < count:
            raise ValueError(
                f"tree must be the number of a round, 0 to {count - 1}, or -1 for the last; given "
                f"was {tree!r}."
            )
        classes = self.classes_.tolist()
        output = 0
        if label is not None:
            if label not in classes or len(ensemble.rounds[0]) == 1:
                whose = f"a class, one of {classes}" if len(ensemble.rounds[0]) > 1 else "None"
                raise ValueError(f"label must be {whose} for this model; given was {label!r}.")
            output = classes.index(label)
        drawn, names = tree_class_names(ensemble, classes, tree, output)
        return plot_tree(drawn, self._schemas, names, ax=ax)

    def diagnose(self) -> Diagnosis:
        """What the rounds show, in plain words: where the weak hypothesis assumption fails, whether
        more rounds can help, what the bound promises. Print it."""
        check_is_fitted(self)
        return diagnose_rounds(round_sequence(self))

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's share of the drop, averaged over the trees by their weight."""
        check_is_fitted(self)
        total = np.zeros(self.n_features_in_)
        for each in self._ensemble.rounds:
            for tree, weight, _ in each:
                total += abs(weight) * feature_importances(tree, self.n_features_in_)
        return total / total.sum() if total.sum() > 0 else total
