"""Each class against the others: the counts behind ROC, precision and recall, lift, thresholds and
costs, and its calibration.

In: probabilities, predicted and true class numbers. Out: plain data for JSON. Invariant: areas and
the counts at a threshold are those of all rows; of very many thresholds some are left out, but none
that is the cheapest for some costs of the two kinds of mistakes, and not the model's own.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hardwood.judging import Steps, calibration, steps_of
from hardwood.report.answers import Codes, Floats
from hardwood.report.plain import plain_float, plain_floats

CLASSES = 24
"""The most frequent ones have curves."""
POINTS = 400
"""Of the thresholds of all classes together, at least 60 of each class."""
AREA_WORK = 20_000_000
"""Most rows x classes for the mean area over more classes than have curves."""


def curves_part(proba: Floats, guess: Codes, truth: Codes) -> dict[str, Any] | None:
    """None where there is one class only."""
    classes = proba.shape[1]
    if classes < 2:
        return None
    counts = np.bincount(truth, minlength=classes)
    shown = np.sort(np.argsort(-counts, kind="stable")[:CLASSES]).tolist()
    most = max(POINTS // len(shown), 60)
    # Two classes mirror each other: the second comes first, as scikit-learn scores it.
    parts = [
        _class_part(c, proba, guess, truth, most) for c in (shown[::-1] if classes == 2 else shown)
    ]
    return {"classes": parts, "auc": _mean_area(parts, proba, truth), "all": classes}


def calibration_points(said: Floats, so: Any) -> dict[str, Any]:
    found = calibration(said, so)
    columns = (found.said, found.so, found.rows, found.low, found.high)
    points = [plain_floats(point, 6) for point in zip(*columns, strict=True)]
    return {"points": points, "off": plain_float(found.off, 4)}


def _class_part(c: int, proba: Floats, guess: Codes, truth: Codes, most: int) -> dict[str, Any]:
    steps = steps_of(proba[:, c], truth == c)
    start = _start(steps, proba[:, c], guess == c, proba.shape[1])
    kept = steps.kept(most, start)[::-1]
    return {
        "class": c,
        "auc": plain_float(steps.auc()),
        "average_precision": plain_float(steps.average_precision()),
        "threshold": plain_floats(steps.threshold(at) for at in kept.tolist()),
        "hits": steps.hits[kept].tolist(),
        "alarms": steps.alarms[kept].tolist(),
        "start": int(np.flatnonzero(kept == start)[0]),
        "calibration": calibration_points(proba[:, c], truth == c),
    }


def _start(steps: Steps, score: Floats, said: Any, classes: int) -> int:
    """The entry that takes the rows which `predict` gives the class; of more than two classes,
    where no threshold does that, the one that takes about as many, but some."""
    if classes == 2:
        lowest = float(score[said].min()) if said.any() else math.inf
        return int(np.flatnonzero(steps.scores >= lowest)[-1])
    taken = (steps.hits + steps.alarms)[1:]
    return 1 + int(np.abs(taken - np.count_nonzero(said)).argmin())


def _mean_area(parts: list[dict[str, Any]], proba: Floats, truth: Codes) -> float | None:
    """As scikit-learn's `roc_auc_score`: of more than two classes the mean over the classes."""
    rows, classes = proba.shape
    if classes == 2:
        area: float | None = parts[0]["auc"]
        return area
    areas = [part["auc"] for part in parts]
    if len(areas) < classes:
        if rows * classes > AREA_WORK:
            return None
        areas = [plain_float(steps_of(proba[:, c], truth == c).auc()) for c in range(classes)]
    return None if None in areas else float(np.mean(areas))
