"""The four splitting criteria, as formulas over class weights.

In: an array of class weights whose last axis runs over the classes. Out: per row of it the
impurity G(a/|a|) or the cost phi(a) = |a| G(a/|a|) (Kearns & Mansour 1996, section 2, extended to
C classes; G(1/2, 1/2) = 1 for all four). Invariant: phi is concave and homogeneous, 0 exactly when
at most one class has weight, and the formulas add only numbers of one sign, so that a nearly pure
node keeps its relative precision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

Criterion = Literal["km", "gini", "entropy", "error"]
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)

Floats = NDArray[np.float64]
Formula = Callable[[Floats, Floats], Any]


def cost(class_weights: ArrayLike, criterion: Criterion) -> Floats:
    """phi(a) = |a| G(a/|a|), in the unit of the weights."""
    weights = np.asarray(class_weights, dtype=np.float64)
    # Products of two weights must fit float64; a power of two changes no digit of phi.
    _, exponent = np.frexp(weights.max(axis=-1, initial=0.0))
    scaled = np.ldexp(weights, -exponent[..., np.newaxis])
    found = _FORMULAS[criterion](scaled, weight_of_the_others(scaled))
    return np.asarray(np.ldexp(found, exponent))


def impurity(class_weights: ArrayLike, criterion: Criterion) -> Floats:
    """G(a/|a|); 0 where there is no weight at all."""
    weights = np.asarray(class_weights, dtype=np.float64)
    total = weights.sum(axis=-1, keepdims=True)
    return cost(weights / np.where(total > 0.0, total, 1.0), criterion)


def weight_of_the_others(weights: Floats) -> Floats:
    """W - a_c for every class c, added up rather than subtracted: exact to the last bits when a_c
    holds nearly all of W."""
    others = np.zeros_like(weights)
    others[..., 1:] += np.cumsum(weights[..., :-1], axis=-1)
    others[..., :-1] += np.cumsum(weights[..., :0:-1], axis=-1)[..., ::-1]
    return others


def _km(weights: Floats, others: Floats) -> Any:
    return np.sqrt(weights * others).sum(axis=-1)


def _gini(weights: Floats, others: Floats) -> Any:
    total = weights[..., 0] + others[..., 0]
    return 2.0 * (weights * others).sum(axis=-1) / np.where(total > 0.0, total, 1.0)


def _entropy(weights: Floats, others: Floats) -> Any:
    # lg(W/a) = log1p((W - a)/a) / ln 2 does not lose the digits of W/a next to 1.
    present = weights > 0.0
    ratio = np.divide(others, weights, out=np.zeros_like(weights), where=present)
    return (weights * np.log1p(ratio)).sum(axis=-1) / np.log(2.0)


def _error(_weights: Floats, others: Floats) -> Any:
    return 2.0 * others.min(axis=-1)


_FORMULAS: dict[Criterion, Formula] = {
    "km": _km,
    "gini": _gini,
    "entropy": _entropy,
    "error": _error,
}
