"""Mansour & McAllester's trees of visits and weights (MM02, section 5), and Hatano's sum_max.

A visit-weight tree has at each node a weight and a count of visits. It starts as a root of weight
1, visited once. Each step takes the leaf of largest e_gamma(v) w/v and visits it once more; then it
may replace the leaf by as many new leaves as it was visited, each visited once, whose weights add
up to at most e_gamma(v) w. Invariant (Lemma 3 there): with |T| the sum of the visits over the
leaves, the sum of e_gamma(v) w is at most |T|^-gamma. The text of the paper at hand has lost its
formulas; these were derived from its words and are tested.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hardwood.theory.arguments import floats, share, whole
from hardwood.theory.branching import branch_price, e_gamma

Grow = Callable[[float, int, np.random.RandomState], Sequence[float] | None]


@dataclass(frozen=True)
class VisitTree:
    """The leaves of a grown visit-weight tree."""

    gamma: float
    weights: list[float]
    visits: list[int]

    @property
    def size(self) -> int:
        """|T|, the sum of the visits."""
        return sum(self.visits)

    @property
    def potential(self) -> float:
        """The sum of e_gamma(v) w."""
        return math.fsum(
            e_gamma(v, self.gamma) * w for v, w in zip(self.visits, self.weights, strict=True)
        )

    @property
    def bound(self) -> float:
        """|T|^-gamma."""
        return float(self.size**-self.gamma)


def grow_visit_tree(
    size: int, gamma: float, grow: Grow | None = None, random_state: Any = None
) -> VisitTree:
    """Visit until |T| = `size`. gamma in (0, 1).

    `grow(weight, visits, random)` says the shares, at most 1 in sum, of e_gamma(visits) weight that
    the new leaves get, one per visit, or None to leave the leaf; by default it halves a leaf that
    was visited twice, which is the binary procedure.
    """
    size, gamma = whole("size", size, 1), share("gamma", gamma, ends=False)
    decide = grow or _halves
    random = np.random.RandomState(random_state)
    weights, visits = [1.0], [1]
    while sum(visits) < size:
        at = max(
            range(len(weights)), key=lambda i: e_gamma(visits[i], gamma) * weights[i] / visits[i]
        )
        visits[at] += 1
        shares = decide(weights[at], visits[at], random)
        if shares is None:
            continue
        if len(shares) != visits[at] or min(shares) < 0 or math.fsum(shares) > 1 + 1e-12:
            raise ValueError(
                f"grow must give {visits[at]} shares of at most 1 in sum; given was {shares!r}."
            )
        left = e_gamma(visits[at], gamma) * weights[at]
        weights[at : at + 1] = [left * part for part in shares]
        visits[at : at + 1] = [1] * len(shares)
    return VisitTree(gamma, weights, visits)


def sum_max(weight: float, divisions: Sequence[ArrayLike], gamma: float) -> float:
    """Hatano's sum_max(w, d_1, ..., d_t) (H04, section 4.1): the weight of the tree after a player
    who always takes the heaviest leaf was given these divisions in turn, without the game's limits
    on k. A division is a list of k shares that sum to 1."""
    gamma = share("gamma", gamma)
    leaves = [share("weight", weight, zero=True)]
    for division in divisions:
        shares = floats("divisions", division)
        if shares.ndim != 1 or len(shares) < 2 or abs(float(shares.sum()) - 1.0) > 1e-9:
            raise ValueError("divisions must be lists of at least two shares that sum to 1.")
        heaviest = leaves.pop(max(range(len(leaves)), key=leaves.__getitem__))
        left = (1.0 - gamma * branch_price(len(shares))) * heaviest
        leaves += (left * shares).tolist()
    return math.fsum(leaves)


def _halves(_weight: float, visits: int, _random: np.random.RandomState) -> Sequence[float] | None:
    return [0.5, 0.5] if visits == 2 else None
