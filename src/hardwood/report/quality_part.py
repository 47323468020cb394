"""How well the model does on the table: error, confusion matrix, calibration.

In: probabilities, predicted and true class numbers. Out: plain data for JSON. Rows count one each.
Calibration speaks of the second of two classes, or of the predicted class when there are more; the
curves of each class are in `curves_part`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardwood.judging import wilson
from hardwood.report.answers import Codes, Floats
from hardwood.report.curves_part import calibration_points
from hardwood.report.plain import plain_float

MATRIX_CLASSES = 20
"""More than these, and the most frequent mistakes are listed in place of the matrix."""
MISTAKES = 30


def quality_part(proba: Floats, guess: Codes, truth: Codes) -> dict[str, Any]:
    rows, classes = proba.shape
    wrong = int(np.count_nonzero(guess != truth))
    counts = np.bincount(truth, minlength=classes)
    own = proba[np.arange(rows), truth]
    part: dict[str, Any] = {
        "rows": rows,
        "wrong": wrong,
        "interval": list(wilson(wrong, rows)),
        "usual": int(counts.argmax()),
        "usual_wrong": rows - int(counts.max()),
        "log_loss": plain_float(_log_loss(own), 4),
        "brier": plain_float(_brier(proba, own, truth), 4),
        "calibration": _calibration(proba, guess, truth),
    }
    part.update(_confusion(guess, truth, classes))
    return part


def cost_part(costs: Floats | None, guess: Codes, truth: Codes) -> dict[str, Any]:
    """The mean cost of a row, and that of the cheapest answer to all rows; empty without costs."""
    if costs is None:
        return {"cost": None}
    counts = np.bincount(truth, minlength=len(costs))
    cheapest = float((counts @ costs).min()) / len(truth)
    paid = float(costs[truth, guess].mean())
    return {"cost": plain_float(paid, 6), "usual_cost": plain_float(cheapest, 6)}


def _log_loss(own: Floats) -> float:
    """As scikit-learn's `log_loss`: a probability of 0 counts as the smallest step above 0 of its
    type."""
    least = float(np.finfo(own.dtype).eps)
    return float(np.mean(-np.log(np.clip(own, least, 1 - least))))


def _brier(proba: Floats, own: Floats, truth: Codes) -> float:
    """As scikit-learn's `brier_score_loss`: of two classes the squared error of the second's
    probability, of more the sum over the classes."""
    if proba.shape[1] == 2:
        return float(np.mean((proba[:, 1] - (truth == 1)) ** 2))
    return float(np.mean((proba**2).sum(axis=1) - 2 * own + 1))


def _confusion(guess: Codes, truth: Codes, classes: int) -> dict[str, Any]:
    """`matrix[t][g]` rows of class t that were taken for g; or the most frequent mistakes."""
    pairs, counts = np.unique(truth * classes + guess, return_counts=True)
    if classes <= MATRIX_CLASSES:
        matrix = np.zeros(classes * classes, dtype=np.int64)
        matrix[pairs] = counts
        return {"matrix": matrix.reshape(classes, classes).tolist()}
    mistaken = pairs // classes != pairs % classes
    pairs, counts = pairs[mistaken], counts[mistaken]
    order = np.argsort(-counts, kind="stable")[:MISTAKES]
    mistakes = [
        [int(pair) // classes, int(pair) % classes, int(count)]
        for pair, count in zip(pairs[order], counts[order], strict=True)
    ]
    return {"matrix": None, "mistakes": mistakes}


def _calibration(proba: Floats, guess: Codes, truth: Codes) -> dict[str, Any] | None:
    classes = proba.shape[1]
    if classes < 2:
        return None
    if classes == 2:
        return calibration_points(proba[:, 1], truth == 1)
    return calibration_points(proba[np.arange(len(guess)), guess], truth == guess)
