"""What both classifiers share: how a fit is asked for, what it leaves, tables to predict on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from hardwood.estimators.back_ends import check_request, lazily
from hardwood.estimators.parameters import thread_count
from hardwood.estimators.reporting import Reports
from hardwood.estimators.shap_explanation import ShapExplains
from hardwood.estimators.state import KeepsState, keep_target_name
from hardwood.estimators.what_if import WhatIf
from hardwood.explain import read_row
from hardwood.progress import Progress
from hardwood.table import ColumnSchema, Table, read_prediction_table
from hardwood.training import FitRequest, Training


class FittedClassifier(WhatIf, Reports, ShapExplains, KeepsState, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A scikit-learn classifier whose model is made by a `Training`."""

    classes_: NDArray[Any]
    n_features_in_: int
    history_: dict[str, NDArray[Any]]
    _schemas: tuple[ColumnSchema, ...]
    costs_: NDArray[np.float64] | None = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags

    def _request(self, X: Any, y: Any, sample_weight: Any, **options: Any) -> FitRequest:
        """What fit was asked; refused where it does not go with X."""
        request = FitRequest(
            X,
            y,
            sample_weight,
            self.categorical_features,
            self.class_weight,
            thread_count(self.n_jobs),
            getattr(self, "missing", "branch"),
            progress=Progress(bool(self.verbose)),
            **options,
        )
        check_request(request)
        return request

    def _keep_data(self, training: Training, y: Any) -> None:
        """The classes and columns of what was trained on."""
        self.classes_, self._schemas = training.classes, training.schemas
        self.n_features_in_ = len(training.schemas)
        names = training.names
        self._keep("feature_names_in_", None if names is None else np.asarray(names, dtype=object))
        self._keep("traffic_", training.traffic)
        keep_target_name(self, y)

    def _keep(self, name: str, value: Any) -> None:
        """An attribute that is there only where it has a value."""
        if value is not None:
            setattr(self, name, value)
        elif hasattr(self, name):
            delattr(self, name)

    def _table(self, X: Any) -> Table:
        if isinstance(X, Table):  # read already, by this model
            return X
        if "_schemas" not in self.__dict__:  # check_is_fitted alone costs more than to score a row
            check_is_fitted(self)
        names_were_given = hasattr(self, "feature_names_in_")
        return read_prediction_table(
            X, self._schemas, names_were_given, model_name=type(self).__name__
        )

    def _row(self, x: Any) -> Table:
        """One row to explain: a table of one row, a dict of names and values, or a sequence."""
        check_is_fitted(self)
        names_were_given = hasattr(self, "feature_names_in_")
        return read_row(x, self._schemas, names_were_given, type(self).__name__)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of right answers; with `costs` minus the mean cost of a row, so that greater is
        better there too."""
        check_is_fitted(self)
        if self.costs_ is None:
            return float(super().score(X, y, sample_weight))
        said, truth = self.predict(X), np.asarray(y)
        place = {label: number for number, label in enumerate(self.classes_.tolist())}
        unknown = [label for label in truth.tolist() if label not in place]
        if unknown:
            raise ValueError(
                f"y has the class {unknown[0]!r}, whose mistakes have no costs; the model's "
                f"classes are {', '.join(map(repr, list(place)[:8]))}."
            )
        rows = [[place[label] for label in labels.tolist()] for labels in (truth, said)]
        paid, most = self.costs_[rows[0], rows[1]], self.costs_.max()
        return -float(np.average(paid / most, weights=sample_weight) * most)

    @lazily
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithm of `predict_proba`; minus infinity where it is 0."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))
