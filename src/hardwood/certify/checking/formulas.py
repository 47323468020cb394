"""The formulas of docs/theory/rules.md, written out for whole-number class weights.

In: class weights as whole numbers below 2^53 (so that a difference of two is exact in float64), or
plain numbers. Out: costs (#criteria), advantages (#advantage), prices (#multiway) and what a claim
leaves of the potential (#claims). Invariant: `hardwood.criteria` and `hardwood.theory`, whose
numbers are checked, are not used.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def cost(units: Any, criterion: str) -> Floats:
    """phi(a) = |a| G(a/|a|) of the class weights along the last axis, in units."""
    a = np.asarray(units, dtype=np.float64)
    total = a.sum(axis=-1, keepdims=True)
    rest = total - a  # exact
    if criterion == "km":
        return np.asarray(np.sqrt(a * rest).sum(axis=-1))
    if criterion == "gini":
        return np.asarray((2.0 * a * rest / np.maximum(total, 1.0)).sum(axis=-1))
    if criterion == "entropy":
        # a lg(total/a) as a log1p(rest/a), which keeps its digits in a nearly pure node.
        nats = np.where(a > 0.0, a * np.log1p(rest / np.maximum(a, 1.0)), 0.0)
        return np.asarray(nats.sum(axis=-1) / math.log(2.0))
    if criterion == "error":
        return np.asarray(2.0 * (total[..., 0] - a.max(axis=-1)))
    raise ValueError(f"the criterion {criterion!r} has no formula.")


def advantage(branches: Floats) -> float:
    """1/4 sum_j |P(j|1) - P(j|0)| of two classes, `branches[j]` being a branch's class weights; NaN
    where a class has no weight."""
    pairs = [(int(zero), int(one)) for zero, one in branches.tolist()]
    zeros, ones = sum(zero for zero, _ in pairs), sum(one for _, one in pairs)
    if not zeros or not ones:
        return math.nan
    return float(sum(abs(Fraction(one, ones) - Fraction(zero, zeros)) for zero, one in pairs) / 4)


def price(k: int, gamma: float | None) -> float:
    """ceil(lg k), or g_gamma(k) = (1 - e_gamma(k)) / gamma."""
    if gamma is None:
        return next(p for p in range(k) if 2**p >= k)
    return -math.expm1(_log_e(k, gamma)) / gamma


def e_gamma(k: int, gamma: float) -> float:
    """prod_{i=1..k-1} (1 - gamma/i)."""
    return float(k == 1) if gamma == 1.0 else math.exp(_log_e(k, gamma))


def _log_e(k: int, gamma: float) -> float:
    return math.fsum(math.log1p(-gamma / i) for i in range(1, k))


def size_bound(leaves: int, gamma: float) -> float:
    """phi_gamma(s) = (1-gamma)^i (1 - gamma(s/2^i - 1)), i = floor(lg s)."""
    i = 0
    while 2 ** (i + 1) <= leaves:
        i += 1
    return float((1.0 - gamma) ** i * (1.0 - gamma * (leaves - 2**i) / 2**i))
