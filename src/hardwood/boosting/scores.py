"""Scores of a boosted model -> class numbers and probabilities.

In: [rows, outputs] scores: one output for two classes, positive for the second one; else one per
class.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from hardwood.tree.costs import cheapest

Floats = NDArray[np.float64]

DIGITS = 12
"""Of the logarithm of a ratio of costs, so that every machine's gives the same."""


def guesses(scores: Floats, classes: int) -> NDArray[np.intp]:
    """The class with the largest score, the first on a tie."""
    if classes == 1:
        return np.zeros(len(scores), dtype=np.intp)
    if scores.shape[1] == 1:
        return (scores[:, 0] > 0).astype(np.intp)
    return np.asarray(scores.argmax(axis=1))


def cut_of(costs: Floats | None, slope: int) -> float:
    """Of two classes, the second has the least expected cost where the score is above this: where
    the odds are above costs[0, 1] / costs[1, 0]."""
    if costs is None:
        return 0.0
    early, late = float(costs[0, 1]), float(costs[1, 0])
    if early == 0 or late == 0:
        return -np.inf if early == 0 else np.inf
    return round(math.log(early) - math.log(late), DIGITS) / slope


def cheapest_guesses(scores: Floats, costs: Floats, votes: bool, slope: int) -> NDArray[np.intp]:
    """The class of least expected cost, the first on a tie."""
    if scores.shape[1] == 1:
        return (scores[:, 0] > cut_of(costs, slope)).astype(np.intp)
    return cheapest(probabilities(scores, scores.shape[1], votes, slope), costs)


def slope_of(variant: str) -> int:
    """Log odds of a score: logistic boosting's are log odds, the others' half of them."""
    return 1 if variant == "logistic" else 2


def probabilities(scores: Floats, classes: int, votes: bool, slope: int) -> Floats:
    """Logistic of slope times F; for one-versus-rest each class's, for votes (SAMME) a softmax of
    the votes over (classes - 1), normalised to sum to 1."""
    if classes == 1:
        return np.ones((len(scores), 1))
    if scores.shape[1] == 1:
        both = np.empty((len(scores), 2))
        both[:, 1] = _logistic(slope, scores[:, 0])
        np.subtract(1, both[:, 1], out=both[:, 0])
        return both
    if votes:
        spread = scores / (classes - 1)
        powers = np.exp(spread - spread.max(axis=1, keepdims=True))
    else:
        powers = _logistic(slope, scores)
        powers[powers.sum(axis=1) == 0] = 1.0
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _logistic(slope: int, scores: Floats) -> Floats:
    """1/(1 + exp(-slope F)), in one array: for one row every array made takes its time."""
    x = -slope * scores
    np.minimum(np.maximum(x, -700, out=x), 700, out=x)
    np.exp(x, out=x)
    x += 1
    return np.divide(1, x, out=x)
