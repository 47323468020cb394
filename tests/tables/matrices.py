"""Matrices of float64 with labels to learn; the same for the same arguments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Labels = NDArray[np.int64]


def classes_of(score: Matrix, classes: int) -> Labels:
    """Class numbers in order of the score, as many rows of each."""
    return np.digitize(score, np.quantile(score, np.linspace(0, 1, classes + 1)[1:-1]))


def noisy(classes: int = 2, rows: int = 600, seed: int = 0) -> tuple[Matrix, Labels]:
    """Five normal columns of which two act together and one alone."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 5))
    return X, classes_of(X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=rows), classes)


def numbers(classes: int, rows: int = 120, seed: int = 0) -> tuple[Matrix, Labels]:
    """Rounded values, some of them missing."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4)).round(2)
    X[rng.random(X.shape) < 0.05] = np.nan
    score = np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]) * np.nan_to_num(X[:, 2])
    noisy = score + rng.normal(size=rows) / 2
    return X, np.searchsorted(np.quantile(noisy, np.arange(1, classes) / classes), noisy)


def shapes_of_columns(
    seed: int, classes: int = 2, rows: int = 4000
) -> tuple[Matrix, Labels, Matrix]:
    """Continuous, repeated, binary and mostly-zero columns, some missing values, any weights."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 8))
    X[:, 2] = np.round(X[:, 2], 1)
    X[:, 3] = X[:, 3] > 0
    X[:, 4] = np.where(rng.random(rows) < 0.95, 0.0, X[:, 4])
    X[rng.random(rows) < 0.1, 5] = np.nan
    score = X[:, 0] + X[:, 3] * X[:, 1] + rng.normal(size=rows) / 2
    y = np.digitize(score, np.linspace(-1, 1, classes - 1))
    return X, y, rng.gamma(1.0, size=rows)


def few_values(rows: int = 400, seed: int = 0) -> tuple[Matrix, Labels]:
    """Columns of 2, 2, 3, 5, 8, 9 and 20 values; of the second and the fourth some are missing."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, [2, 2, 3, 5, 8, 9, 20], (rows, 7)).astype(np.float64)
    score = X[:, 0] + X[:, 1] * X[:, 2] / 2 + X[:, 3] / 5 - X[:, 4] / 4 + X[:, 6] / 20
    X[rng.random(rows) < 0.1, 1] = np.nan
    X[rng.random(rows) < 0.1, 3] = np.nan
    return X, classes_of(score + rng.normal(size=rows) / 2, 2)
