"""How many leaves bring the training error down: what the sharp steps prove.

The proofs are in docs/theory/sharp-steps.md (one split) and docs/theory/exact-exponent.md (the
whole tree). gamma is the advantage of Dietterich, Kearns & Mansour 1996, eq. 7, in [0, 1/2]; every
leaf must offer it, and each split is the one of largest drop (km: or of the heaviest leaf).
"""

from __future__ import annotations

import math

from hardwood.theory.arguments import share, whole
from hardwood.theory.branching import size_bound

_CRITERIA = ("km", "gini", "entropy")


def step_factor(gamma: float) -> float:
    """1 - sqrt(1 - 4 gamma^2): the share of a leaf's km that a split of advantage gamma removes at
    least, in [0, 1]; the share that one round of AdaBoost removes of its bound."""
    gamma = share("gamma", gamma, 0.5, zero=True)
    # 1 - sqrt(1 - x) = x / (1 + sqrt(1 - x)) keeps its digits for small x.
    root = math.sqrt((1.0 - 2.0 * gamma) * (1.0 + 2.0 * gamma))
    return 4.0 * gamma * gamma / (1.0 + root)


def leaves_needed(gamma: float, error: float, criterion: str = "km", *, classes: int = 2) -> float:
    """Leaves at which the training error is at most `error`, whatever the data.

    Must hold: every split has advantage at least gamma, in (0, 1/2] (with more than two classes,
    for each class against the rest), and is the one of largest drop (km: or of the heaviest leaf);
    no leaf is passed over. The error is at most half the potential, so with eps = `error`:

        km        the least s with sqrt(C - 1) phi_c(s) <= 2 eps, c = 1 - sqrt(1 - 4 gamma^2)
        gini      exp((1/(2 eps) - 1) / (4 gamma^2))                 two classes
        entropy   exp((ln^2(1/eps) - ln^2 2) / (4 gamma^2))          two classes

    phi_c is `size_bound`. A whole number, infinite where a float cannot hold it. For km no smaller
    number suffices for the potential, and the exponent of 1/eps, ln 2 / (-1/2 ln(1 - 4 gamma^2)),
    is that of the best tree for the hardest data (`least_error`).
    """
    if not isinstance(criterion, str) or criterion not in _CRITERIA:
        raise ValueError(
            f'criterion must be one of "km", "gini", "entropy"; given was {criterion!r}.'
        )
    gamma, error = share("gamma", gamma, 0.5), share("error", error)
    classes = whole("classes", classes, 2)
    if criterion == "km":
        return _phi_inverse(step_factor(gamma), 2.0 * error / math.sqrt(classes - 1))
    if classes > 2:
        raise ValueError(f'classes above 2 need criterion "km"; given was {criterion!r}.')
    if error >= 0.5:
        return 1.0
    if criterion == "gini":
        exponent = (0.5 / error - 1.0) / 4.0 / gamma / gamma
    else:
        log = -math.log(error)
        exponent = (log - math.log(2.0)) * (log + math.log(2.0)) / 4.0 / gamma / gamma
    return float(math.ceil(math.exp(exponent))) if exponent < 709.0 else math.inf


def _phi_inverse(c: float, potential: float) -> float:
    """The least s with phi_c(s) <= potential."""
    if potential >= 1.0:
        return 1.0
    if c == 1.0:
        return 2.0
    if c == 0.0:
        return math.inf
    levels = max(math.floor(math.log(potential) / math.log1p(-c)), 0)
    if levels > 1000:
        return math.inf
    while levels and (1.0 - c) ** levels <= potential:
        levels -= 1
    # (1-c)^levels > potential: the s wanted has floor(lg s) = levels, or is the next power of two.
    beyond = (1.0 - potential / (1.0 - c) ** levels) / c
    if levels > 50:
        return math.ldexp(1.0 + min(beyond, 1.0), levels)
    size = 1 << levels
    s = size + min(math.ceil(beyond * size), size)
    while s > size and size_bound(s - 1, c) <= potential:  # the quotient may have been rounded
        s -= 1
    while size_bound(s, c) > potential:
        s += 1
    return float(s)
