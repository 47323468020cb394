"""The cross-validated error.

In: an estimator, X and y. Out: the share of rows that are misclassified when each is predicted by a
model that has not seen it. Rows are dealt to the folds class by class in a fixed random order, so
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

    fold = _dealt(y, folds)
    wrong = 0
    for each in range(folds):
        inside, outside = np.flatnonzero(fold != each), np.flatnonzero(fold == each)
        fitted = clone(estimator).fit(_rows(X, inside), y[inside])
        wrong += int((fitted.predict(_rows(X, outside)) != y[outside]).sum())
        done()
    return CrossValidation(wrong / len(y), len(y), folds)


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
