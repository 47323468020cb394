"""The worst data for complete trees, for any criterion of two classes, by dynamic programming.

A node holds the share q of class 1. Its split may be any that has advantage gamma: class 1 goes
right with probability a, class 0 with a - 2 gamma, a in [2 gamma, 1] (or both exchanged, which is
the same by symmetry). The adversary picks a at every node, and wants the potential of the complete
tree of depth n large:

    V_0(q) = G(q)        V_n(q) = max over a of  tau V_(n-1)(r) + (1 - tau) V_(n-1)(p)

For km the maximum is G(q) (1 - 4 gamma^2)^(n/2), whatever q (docs/theory/worst-adversaries.md).
Shares are kept as log odds, which splits move by amounts that do not depend on q.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from hardwood.criteria import CRITERIA, cost
from hardwood.theory.arguments import share, whole

Floats = NDArray[np.float64]


def worst_potential(
    criterion: str, gamma: float, depth: int, *, q: float = 0.5, points: int = 1601
) -> Floats:
    """V_0(q), ..., V_depth(q): the largest potential that complete trees of these depths can be
    left with, if every split has advantage gamma, in (0, 1/2).

    `points` is the number of log odds that are kept, between -40 and 40; values between them are
    interpolated, which changes the result by less than one part in 1000 with the default.
    """
    if criterion not in CRITERIA:
        choices = ", ".join(f'"{each}"' for each in CRITERIA)
        raise ValueError(f"criterion must be one of {choices}; given was {criterion!r}.")
    gamma, depth = share("gamma", gamma, 0.5, ends=False), whole("depth", depth, 0)
    q, points = share("q", q, ends=False), whole("points", points, 101)
    odds = np.linspace(-40.0, 40.0, points)
    one, zero = _logistic(odds), _logistic(-odds)
    weights = np.stack((zero, one), axis=-1)
    # V is near G, which ranges over many powers of ten; V/G is smooth.
    scale = cost(weights, criterion)
    value, here = np.ones(points), math.log(q) - math.log1p(-q)
    at_q = float(cost([1.0 - q, q], criterion))
    found = [at_q]
    for _ in range(depth):
        value = _before(odds, weights, value, gamma, criterion) / scale
        found.append(at_q * float(np.interp(here, odds, value)))
    return np.array(found)


def _before(odds: Floats, weights: Floats, value: Floats, gamma: float, criterion: str) -> Floats:
    """The largest potential one level above, over a fine grid of splits."""
    best = np.zeros(len(odds))
    for a in np.linspace(2.0 * gamma, 1.0, 61):
        total = np.zeros(len(odds))
        for of_one, of_zero in ((a, a - 2.0 * gamma), (1.0 - a, 1.0 - a + 2.0 * gamma)):
            if of_one <= 1e-15 or of_zero <= 1e-15:
                continue  # a branch of one class has no potential
            moved = np.interp(odds + math.log(of_one / of_zero), odds, value)
            branch = weights * np.array([of_zero, of_one])
            total += cost(branch, criterion) * moved  # type: ignore[arg-type]
        np.maximum(best, total, out=best)
    return best


def _logistic(x: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-x)))
