"""How badly a boosted model does on single rows: what early stopping adds up.

In: scores and the rows' class numbers. Out: a number of at least 0 per row, computed from the row's
own scores alone and with the same bits on every machine (exponential and logarithm are series of
plain arithmetic, since libm's differ), so that sums over parts decide as sums over one table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting.scores import guesses

Floats = NDArray[np.float64]
Labels = NDArray[np.integer[Any]]
_LN2_HIGH, _LN2_LOW = float.fromhex("0x1.62e42fefa0000p-1"), float.fromhex("0x1.cf79abc9e3b39p-40")


@dataclass(frozen=True, slots=True)
class RowLoss:
    """`name`: a key of LOSSES. classes, votes, slope: as `boosting.scores` has them."""

    name: str
    classes: int
    votes: bool
    slope: int

    def of(self, scores: Floats, labels: Labels) -> Floats:
        """[rows]"""
        if self.classes == 1:
            return np.zeros(len(labels))
        return LOSSES[self.name](self, scores, labels)


def _log_loss(loss: RowLoss, scores: Floats, labels: Labels) -> Floats:
    """-ln of the probability of the row's class."""
    rows = np.arange(len(labels))
    if scores.shape[1] == 1:
        return softplus(np.where(labels == 1, -loss.slope, loss.slope) * scores[:, 0])
    if loss.votes:
        spread = scores / (loss.classes - 1)
        most = spread.max(axis=1)
        powers = exponential(spread - most[:, None])
        return np.asarray(logarithm(powers.sum(axis=1)) + most - spread[rows, labels])
    own = softplus(-loss.slope * scores[rows, labels])
    total = _logistic(loss.slope * scores).sum(axis=1)
    return np.asarray(np.maximum(own + logarithm(total), 0.0))


def _brier(loss: RowLoss, scores: Floats, labels: Labels) -> Floats:
    """The squared distance of the probabilities from those of one who knows the class."""
    if scores.shape[1] == 1:
        wrong = _logistic(np.where(labels == 1, -loss.slope, loss.slope) * scores[:, 0])
        return np.asarray(2 * wrong * wrong)
    if loss.votes:
        spread = scores / (loss.classes - 1)
        powers = exponential(spread - spread.max(axis=1, keepdims=True))
    else:
        powers = _logistic(loss.slope * scores)
    distance = powers / powers.sum(axis=1, keepdims=True)
    distance[np.arange(len(labels)), labels] -= 1.0
    return np.asarray((distance * distance).sum(axis=1))


def _mistake(loss: RowLoss, scores: Floats, labels: Labels) -> Floats:
    return np.asarray(guesses(scores, loss.classes) != labels, dtype=np.float64)


LOSSES: dict[str, Callable[[RowLoss, Floats, Labels], Floats]] = {
    "neg_log_loss": _log_loss,
    "neg_brier_score": _brier,
    "accuracy": _mistake,
}
"""By scikit-learn's names of the scores that they are the opposites of."""


def softplus(x: Floats) -> Floats:
    """ln(1 + exp(x))"""
    small = exponential(-np.abs(x))
    return np.asarray(np.maximum(x, 0.0) + _twice_atanh(small / (2 + small)))


def logarithm(x: Floats) -> Floats:
    """ln(x) for x > 0."""
    part, power = np.frexp(x)
    low = part < 0.7071067811865476
    part = np.where(low, 2 * part, part)
    power = power - low
    return np.asarray(
        power * _LN2_HIGH + (power * _LN2_LOW + _twice_atanh((part - 1) / (part + 1)))
    )


def exponential(x: Floats) -> Floats:
    """exp(x), x taken as at least -700 and at most 700: x = k ln 2 + r, and 13 terms for exp(r)."""
    x = np.clip(x, -700.0, 700.0)
    k = np.floor(x * 1.4426950408889634 + 0.5)
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    series = np.ones_like(x)
    for i in range(13, 0, -1):
        series = 1 + series * r / i
    return np.ldexp(series, k.astype(np.int64))


def _logistic(x: Floats) -> Floats:
    return np.asarray(1 / (1 + exponential(-x)))


def _twice_atanh(s: Floats) -> Floats:
    """2 atanh(s) = ln((1 + s)/(1 - s)) for |s| <= 1/3."""
    square = s * s
    series = np.full_like(s, 1 / 35)
    for i in range(33, 0, -2):
        series = 1 / i + square * series
    return np.asarray(2 * s * series)
