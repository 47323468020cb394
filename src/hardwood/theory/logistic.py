"""What rounds of boosting for the log loss prove, beside what AdaBoost's prove.

A row of weight w and score F has f = exp(-yF), the loss w ln(1 + f) and, in the next round, the
weight q = w f/(1 + f) (Collins, Schapire & Singer 2002). The proofs are in docs/theory/logistic.md.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hardwood.theory.arguments import floats, share

_LOSSES = ("exponential", "logistic")


def logistic_drop(table: ArrayLike, steps: ArrayLike | None = None) -> float:
    """By how much a round is bound to lower the log loss, in units of the weights.

    `table[c][j]` is the round's weight q of class c in leaf j: two rows, a column per leaf.
    `steps[j]` is what leaf j adds to the scores; None is the best step, 1/2 ln(W+/W-):

        sum_j (W+ (1 - exp(-v)) + W- (1 - exp(v)))      the best: sum_j (sqrt W+ - sqrt W-)^2

    Negative where the steps are so large that nothing is proved.
    """
    weights = floats("table", table)
    if weights.ndim != 2 or weights.shape[0] != 2:
        raise ValueError(
            "table must have two rows, one per class, and a column per leaf; given was shape "
            f"{weights.shape}."
        )
    if not (np.isfinite(weights) & (weights >= 0.0)).all():
        raise ValueError("table must hold weights: finite numbers that are 0 or more.")
    minus, plus = weights
    if steps is None:
        return math.fsum((np.sqrt(plus) - np.sqrt(minus)) ** 2)
    step = floats("steps", steps)
    if step.shape != plus.shape or not np.isfinite(step).all():
        raise ValueError("steps must be one finite number per leaf.")
    with np.errstate(over="ignore", invalid="ignore"):
        gained = np.where(plus > 0, plus * -np.expm1(-step), 0.0)
        lost = np.where(minus > 0, minus * -np.expm1(step), 0.0)
    return float(np.sum(gained + lost))


def logistic_bound(drops: ArrayLike) -> float:
    """(ln 2 - sum of the drops) / ln 2: the training error is at most this after rounds that prove
    these drops of the mean log loss (`history_["proved_drop"]`).

    Must hold: two classes, and scores that start at 0, where the mean loss is ln 2. A row that is
    predicted wrongly has a loss of at least ln 2.
    """
    rounds = floats("drops", drops)
    if rounds.ndim != 1:
        raise ValueError(f"drops must be one number per round; given was shape {rounds.shape}.")
    if not np.isfinite(rounds).all():
        raise ValueError("drops must be finite numbers; some are not.")
    return max(1.0 - math.fsum(rounds) / math.log(2.0), 0.0)


def rounds_needed(
    loss: Literal["exponential", "logistic"],
    gamma: float,
    error: float,
    constants: Literal["paper", "sharp"] = "sharp",
) -> float:
    """Rounds that confidence-rated trees with the best steps need until the training error is at
    most `error`, if each round's tree has a weighted error of at most 1/2 - gamma.

        exponential   ln(1/eps) / -ln sqrt(1 - 4 gamma^2)
        logistic      2 ln 2 / (eps (1 - sqrt(1 - 4 gamma^2)))

    rounded up; with "paper" ln(1/eps) / (2 gamma^2), which is all that AdaBoost's theorem says
    (Dietterich, Kearns & Mansour 1996, eq. 2; exponential only). The logistic loss pays for weights
    that no outlier can exceed: its promise grows with 1/eps, the other's with ln(1/eps). gamma is
    in (0, 1/2], `error` in (0, 1].
    """
    if loss not in _LOSSES:
        raise ValueError(f'loss must be "exponential" or "logistic"; given was {loss!r}.')
    if constants not in ("paper", "sharp"):
        raise ValueError(f'constants must be "paper" or "sharp"; given was {constants!r}.')
    if constants == "paper" and loss == "logistic":
        raise ValueError('constants "paper" need the exponential loss; the papers have no other.')
    gamma, error = share("gamma", gamma, 0.5), share("error", error)
    if constants == "paper":
        return _whole(-math.log(error) / 2.0 / gamma / gamma)
    if error == 1.0:
        return 0.0
    square = 4.0 * gamma * gamma
    if loss == "exponential":
        if gamma == 0.5:
            return 1.0
        return _whole(math.log(error) / (0.5 * math.log1p(-square)))
    # 1 - sqrt(1 - x) = x / (1 + sqrt(1 - x)) keeps its digits for small x.
    lost = square / (1.0 + math.sqrt((1.0 - 2.0 * gamma) * (1.0 + 2.0 * gamma)))
    return _whole(2.0 * math.log(2.0) / error / lost) if lost > 0 else math.inf


def _whole(rounds: float) -> float:
    return float(math.ceil(rounds)) if math.isfinite(rounds) else math.inf
