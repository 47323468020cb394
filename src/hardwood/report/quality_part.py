"""How well the model does on the table: error, confusion matrix, calibration.

In: probabilities, predicted and true class numbers. Out: plain data for JSON. Rows count one each.
Calibration speaks of the second of two classes, or of the predicted class when there are more: rows
go by their probability into ten groups of like size (equal probabilities stay together), and each
group's mean probability stands beside the share that was right.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hardwood.report.answers import Codes, Floats
from hardwood.report.plain import plain_float

MATRIX_CLASSES = 20
"""More than these, and the most frequent mistakes are listed in place of the matrix."""
MISTAKES = 30
GROUPS = 10


def quality_part(proba: Floats, guess: Codes, truth: Codes) -> dict[str, Any]:
    rows, classes = proba.shape
    wrong = int(np.count_nonzero(guess != truth))
    counts = np.bincount(truth, minlength=classes)
    own = proba[np.arange(rows), truth]
    part: dict[str, Any] = {
        "rows": rows,
        "wrong": wrong,
        "interval": _wilson(wrong, rows),
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
        said, right = proba[:, 1], truth == 1
    else:
        said, right = proba[np.arange(len(guess)), guess], truth == guess
    levels, level = np.unique(said, return_inverse=True)
    counts = np.bincount(level)
    hits = np.bincount(level, weights=right)
    # A level goes into the group in which the middle of its rows lies.
    middle = np.cumsum(counts) - counts / 2
    group = np.minimum((middle * GROUPS / len(said)).astype(np.intp), GROUPS - 1)
    points, off = [], 0.0
    for each in np.unique(group):
        inside = group == each
        rows, hit = int(counts[inside].sum()), int(hits[inside].sum())
        mean = float((levels * counts)[inside].sum()) / rows
        off += abs(mean * rows - hit) / len(said)
        points.append([plain_float(mean, 6), plain_float(hit / rows, 6), rows, *_wilson(hit, rows)])
    return {"points": points, "off": plain_float(off, 4), "second": classes == 2}


def _wilson(hits: int, rows: int) -> list[float]:
    """The 95 % interval of a share (Wilson 1927)."""
    z = 1.96
    share, extra = hits / rows, z * z / rows
    centre = share + extra / 2
    half = z * math.sqrt(share * (1 - share) / rows + extra / (4 * rows))
    low, high = (centre - half) / (1 + extra), (centre + half) / (1 + extra)
    return [max(0.0, min(low, share)), min(1.0, max(high, share))]  # despite rounding
