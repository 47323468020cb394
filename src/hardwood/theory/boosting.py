"""How fast top-down trees and AdaBoost drive the training error down, given advantages.

gamma here is the advantage of Dietterich, Kearns & Mansour 1996 (eq. 7), in [0, 1/2]: half the
total variation distance between the branch distributions of the two classes. The sharp bounds are
those of `hardwood.theory.sharp`; they are never above the paper's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hardwood.theory.arguments import floats, share
from hardwood.theory.sharp import leaves_needed

_CONSTANTS = ("paper", "sharp")


def splits_needed(
    criterion: str,
    gamma: float,
    error: float,
    constants: Literal["paper", "sharp"] = "paper",
) -> float:
    """Splits after which the training error is at most `error`.

    Must hold: two classes, each split is the one of largest drop (`leaf_choice="drop"`), and at
    every leaf some branching function has advantage at least gamma, in (0, 1/2]. `error` is in (0,
    1]. Infinite where a float cannot hold the number.

    "paper" (Kearns & Mansour 1996, Theorems 8, 9 and 10, with the constants of their recurrences):

        gini      exp(64 (1/eps^2 - 1) / gamma^2)
        entropy   exp(2 (ln^2(2/eps) - ln^2 2) / (gamma^2 ln 2))
        km        (1/eps)^(32/gamma^2)

    "sharp" (ours): `leaves_needed` less one, a whole number, 0 from an error of 1/2 on.
    """
    if constants not in _CONSTANTS:
        raise ValueError(f'constants must be "paper" or "sharp"; given was {constants!r}.')
    if criterion == "error":
        raise ValueError(
            'criterion "error" has no bound: a split with an advantage need not lower the error '
            '(Kearns & Mansour 1996, section 2). Use "km", "gini" or "entropy".'
        )
    if not isinstance(criterion, str) or criterion not in _EXPONENTS:
        raise ValueError(
            f'criterion must be one of "km", "gini", "entropy"; given was {criterion!r}.'
        )
    gamma, error = share("gamma", gamma, 0.5), share("error", error)
    if constants == "sharp":
        return leaves_needed(gamma, error, criterion) - 1.0
    try:
        return math.exp(_EXPONENTS[criterion](gamma, error))
    except OverflowError:
        return math.inf


def _gini(gamma: float, error: float) -> float:
    inverse = 1.0 / error
    return 64.0 * (inverse - 1.0) * (inverse + 1.0) / gamma / gamma


def _entropy(gamma: float, error: float) -> float:
    gap = -math.log(error) * (2.0 * math.log(2.0) - math.log(error))  # ln^2(2/eps) - ln^2 2
    return 2.0 * gap / gamma / gamma / math.log(2.0)


def _km(gamma: float, error: float) -> float:
    return -math.log(error) * 32.0 / gamma / gamma


_EXPONENTS: dict[str, Callable[[float, float], float]] = {
    "gini": _gini,
    "entropy": _entropy,
    "km": _km,
}


def adaboost_bound(errors: ArrayLike) -> float:
    """prod_t 2 sqrt(err_t (1 - err_t)): AdaBoost's training error after those rounds is at most
    this (Freund & Schapire's Theorem 2.1 as Dietterich, Kearns & Mansour 1996 cite it).

    Must hold: two classes, discrete AdaBoost (Fig. 2 there) at learning rate 1, err_t the weighted
    error of round t's hypothesis on round t's weights. Each is in [0, 1]; no round gives 1.
    """
    rounds = np.asarray(floats("errors", errors))
    if rounds.ndim != 1:
        raise ValueError(f"errors must be one number per round; given was shape {rounds.shape}.")
    if not ((rounds >= 0.0) & (rounds <= 1.0)).all():
        raise ValueError("errors must be weighted errors, each between 0 and 1; some are not.")
    with np.errstate(under="ignore"):
        return float(np.prod(2.0 * np.sqrt(rounds * (1.0 - rounds))))


def advantage(table: ArrayLike) -> float:
    """1/4 sum_j |P(j|1) - P(j|0)| of a split, in [0, 1/2] (Dietterich, Kearns & Mansour 1996, eq.
    7; Kearns & Mansour 1996, eq. 9; for two branches |tau/2 (r/q - (1-r)/(1-q))|).

    `table[c][j]` is the weight of class c in branch j: two rows, a column per branch. NaN where a
    class has no weight, and so no distribution over the branches.
    """
    weights = floats("table", table)
    if weights.ndim != 2 or weights.shape[0] != 2 or weights.shape[1] < 1:
        raise ValueError(
            "table must have two rows, one per class, and a column per branch; given was shape "
            f"{weights.shape}."
        )
    if not (np.isfinite(weights) & (weights >= 0.0)).all():
        raise ValueError("table must hold weights: finite numbers that are 0 or more.")
    of_class = weights.sum(axis=1, keepdims=True)
    if not of_class.all():
        return math.nan
    first, second = weights / of_class
    return min(float(np.abs(second - first).sum()) / 4.0, 0.5)
