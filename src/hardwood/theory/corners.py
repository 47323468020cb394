"""What a split can still cost when some rows are not seen yet: ours, and as AAA18 print it.

In: `seen[j][c]`, the weight of class c seen in branch j, and `unseen[c]`, which may go to any
branch. Out: a lower and an upper bound on sum_j phi(a_j) over all ways to complete the branches.
The proofs are in docs/theory/corner-bounds.md. phi is concave and homogeneous.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hardwood.criteria import CRITERIA, cost
from hardwood.theory.arguments import floats

Floats = NDArray[np.float64]
MOST_CORNERS = 4096


def corner_bounds(seen: ArrayLike, unseen: ArrayLike, criterion: str = "km") -> tuple[float, float]:
    """The least and, at most, the largest cost of the split.

    The lower bound is reached: it is the least over the corners, where the unseen weight of each
    class goes to one branch as a whole. There are k^C; beyond 4,096 it is sum_j phi(seen_j). The
    upper bound is min(phi(all), sum_j phi(seen_j) + sum_c unseen_c max_j g_jc) with supergradients
    g_j. With nothing unseen both are the cost.
    """
    branches, rest = _checked(seen, unseen)
    if criterion not in CRITERIA:
        choices = ", ".join(f'"{each}"' for each in CRITERIA)
        raise ValueError(f"criterion must be one of {choices}; given was {criterion!r}.")
    return _least(branches, rest, criterion), _most(branches, rest, criterion)


def published_entropy_bounds(seen: ArrayLike, unseen: ArrayLike) -> tuple[float, float]:
    """Aziz, Anderton & Aslam 2018, appendix B, eq. 2 and eq. 3, as printed: bounds on Z_n eps_n,
    the cost of the split by entropy, with w = sum of `unseen` and |Y| classes:

        sum_rho Z_u eps_u
        sum_rho [Z_u eps_u + w lg |Y| + sum_y (Z_u^y + w^y) lg((Z_u + w)/Z_u^y)]

    Infinite where a branch has not seen some class that has weight left, or has seen no row. Both
    hold; with nothing unseen the second is twice the cost.
    """
    branches, rest = _checked(seen, unseen)
    low = float(cost(branches, "entropy").sum())
    w, high = float(rest.sum()), low
    for branch in branches:
        total = float(branch.sum()) + w
        high += w * math.log2(len(rest))
        for of_class, left in zip(branch.tolist(), rest.tolist(), strict=True):
            if of_class > 0.0:
                high += (of_class + left) * math.log2(total / of_class)
            elif left > 0.0:
                return low, math.inf
    return low, high


def _least(branches: Floats, rest: Floats, criterion: Any) -> float:
    k, classes = branches.shape
    if k**classes > MOST_CORNERS:
        return float(cost(branches, criterion).sum())
    found = math.inf
    for homes in itertools.product(range(k), repeat=classes):
        full = branches.copy()
        full[list(homes), range(classes)] += rest
        found = min(found, float(cost(full, criterion).sum()))
    return found


def _most(branches: Floats, rest: Floats, criterion: Any) -> float:
    together = float(cost(branches.sum(axis=0) + rest, criterion))
    if not rest.any():
        return min(together, float(cost(branches, criterion).sum()))
    slopes = np.max([supergradient(branch, criterion) for branch in branches], axis=0)
    added = math.fsum(float(u * g) for u, g in zip(rest, slopes, strict=True) if u > 0.0)
    return min(together, float(cost(branches, criterion).sum()) + added)


def supergradient(weights: ArrayLike, criterion: Any) -> Floats:
    """g with phi(b) <= g . b for all b and phi(a) = g . a at these weights a: a tangent of phi.
    Infinite where km or entropy have a vertical one."""
    a = np.asarray(floats("weights", weights))
    total, classes = float(a.sum()), len(a)
    if total == 0.0:
        return np.full(classes, float(cost(np.ones(classes), criterion)) / classes)
    if criterion == "error":
        g = np.full(classes, 2.0)
        g[int(a.argmax())] = 0.0
        return g
    if criterion == "gini":
        return np.asarray(2.0 - 4.0 * a / total + 2.0 * float(a @ a) / total**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        if criterion == "entropy":
            return np.where(a > 0.0, np.log2(total / a), math.inf)
        others = total - a
        own = np.where(a > 0.0, np.sqrt(others / a), math.inf)
        ratio = np.where(others > 0.0, np.sqrt(a / others), np.where(a > 0.0, math.inf, 0.0))
        return np.asarray([0.5 * (own[c] + np.delete(ratio, c).sum()) for c in range(classes)])


def _checked(seen: ArrayLike, unseen: ArrayLike) -> tuple[Floats, Floats]:
    branches, rest = floats("seen", seen), floats("unseen", unseen)
    if branches.ndim != 2 or rest.ndim != 1 or branches.shape[1] != len(rest) or len(rest) < 2:
        raise ValueError(
            "seen must have a row per branch and a column per class, unseen a number per class; "
            f"given were shapes {branches.shape} and {rest.shape}."
        )
    if not all((np.isfinite(part) & (part >= 0.0)).all() for part in (branches, rest)):
        raise ValueError("seen and unseen must hold weights: finite numbers that are 0 or more.")
    return branches, rest
