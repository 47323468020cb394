"""Cross-validated scores: error, log loss and AUC.

In: an estimator, X and y. Out: the share of rows that are misclassified when each is predicted by a
model that has not seen it, and scikit-learn's `log_loss` and `roc_auc_score` (of more than two
classes: each against the others, the mean) of the probabilities that these rows got. Rows count one
each, whatever the weights. Rows are dealt to the folds class by class in a fixed random order, so
the number depends on the data alone, not on the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

FOLDS = ((100_000, 10), (2_000_000, 5), (100_000_000, 3))
"""Up to so many cells (rows x columns x rounds / 10): so many folds; beyond, 2."""


@dataclass(frozen=True, slots=True)
class CrossValidation:
    error: float
    rows: int
    folds: int
    log_loss: float
    auc: float
    usual_error: float
    """Of always saying the largest class."""
    usual_log_loss: float
    """Of always giving the classes' shares."""
    cost: float | None = None
    """Of a row, on average, where mistakes have costs."""
    usual_cost: float | None = None
    """Of always saying the class that costs least."""

    @property
    def standard_error(self) -> float:
        """Of a share over independent rows."""
        return sqrt(self.error * (1 - self.error) / self.rows)


def folds_for(rows: int, columns: int, rounds: int = 1) -> int:
    """Ten for small data, fewer where ten fits would take long; never more than rows."""
    cells = rows * columns * max(1, rounds // 10)
    folds = next((folds for limit, folds in FOLDS if cells <= limit), 2)
    return min(folds, rows)


def cross_validate(
    estimator: Any, X: Any, y: Any, folds: int, done: Callable[[], None]
) -> CrossValidation:
    """`done` is called after each fold."""
    import numpy as np
    from sklearn.base import clone
    from sklearn.metrics import log_loss

    fold = _dealt(y, folds)
    classes, counts = np.unique(y, return_counts=True)
    proba = np.zeros((len(y), len(classes)))
    wrong, paid, costs = 0, 0.0, None
    for each in range(folds):
        inside, outside = np.flatnonzero(fold != each), np.flatnonzero(fold == each)
        fitted = clone(estimator).fit(_rows(X, inside), y[inside])
        table = _rows(X, outside)
        wrong += int((fitted.predict(table) != y[outside]).sum())
        costs = fitted.costs_
        paid -= 0.0 if costs is None else fitted.score(table, y[outside]) * len(outside)
        known = np.searchsorted(classes, fitted.classes_)
        proba[outside[:, None], known] = fitted.predict_proba(table)
        done()
    shares = counts / len(y)
    return CrossValidation(
        wrong / len(y),
        len(y),
        folds,
        float(log_loss(y, proba, labels=classes)),
        _auc(y, proba),
        float(1 - shares.max()),
        float(-(shares * np.log(shares)).sum()),
        None if costs is None else paid / len(y),
        None if costs is None else float((shares @ costs).min()),
    )


def _auc(y: Any, proba: Any) -> float:
    """NaN with one class."""
    from sklearn.metrics import roc_auc_score

    if proba.shape[1] < 2:
        return float("nan")
    if proba.shape[1] == 2:
        return float(roc_auc_score(y, proba[:, 1]))
    return float(roc_auc_score(y, proba, multi_class="ovr"))


def _dealt(y: Any, folds: int) -> Any:
    """The fold of each row: each class is spread over the folds as evenly as can be."""
    import numpy as np

    shuffled = np.random.default_rng(0).permutation(len(y))
    classes = np.unique(y, return_inverse=True)[1]
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    fold = np.empty(len(y), dtype=np.intp)
    fold[by_class] = np.arange(len(y)) % folds
    return fold


def _rows(X: Any, places: Any) -> Any:
    return X.take(places) if hasattr(X, "take") and not hasattr(X, "tocsr") else X[places]
