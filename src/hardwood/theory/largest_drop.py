"""Trees that always make the split of largest drop: on noisy copies, and on the worst data.

The proofs are in docs/theory/worst-adversaries.md. Such a tree, stopped at the least drop theta,
has split exactly the nodes whose drop is at least theta and whose ancestors were split.

On noisy copies (see noisy_copies.py) all nodes with as many agreeing and as many disagreeing
answers are alike, so they are counted, not grown. For gini the leaves needed for an error of eps
grow like (1/eps)^e with

    e = 1 / ((1 + kappa) rho)        c = sqrt(1 - 4 gamma^2) = 2^-kappa
    rho = min over x in [0, 1] of (A + x l/2 - h(x)) / (A + 3 x l/2)

A = ln(2/c), l = ln((1/2 + gamma)/(1/2 - gamma)), h(x) the entropy of (1 + x)/2 in nats.

Against the worst data: a node holds class masses m1, m0. Its split may be any of advantage gamma:
class 1 goes right with probability a, class 0 with a - 2 gamma (or both exchanged). The adversary
wants a large error where no leaf offers a drop of theta:

    V(m1, m0) = max of  min(m1, m0), where some a drops less than theta,
                        V(right) + V(left) over the a that drop at least theta
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardwood.criteria import cost
from hardwood.theory.arguments import share, whole
from hardwood.theory.sharp import step_factor

Floats = NDArray[np.float64]
CRITERIA = ("gini", "entropy", "km")
IMPOSSIBLE = -1e4
"""ln V of what cannot be; finite, so that it can be interpolated."""


class CopiesTree(NamedTuple):
    """A tree on noisy copies."""

    leaves: float
    error: float
    potential: float


def copies_by_drop(gamma: float, least_drop: float, criterion: str = "gini") -> CopiesTree:
    """The tree that the largest drop grows on noisy copies of advantage gamma, in (0, 1/2), when
    every split of a drop of at least `least_drop`, in (0, 1], has been made."""
    gamma, least = share("gamma", gamma, 0.5, ends=False), share("least_drop", least_drop)
    _check(criterion)
    right, wrong = 0.5 + gamma, 0.5 - gamma
    depth, level = 0, {0: 1.0}  # how many nodes have which lead of answers 1
    leaves, error, potential = 0.0, 0.0, 0.0
    while level:
        below: dict[int, float] = {}
        for lead, nodes in level.items():
            ones = (depth + lead) // 2
            one = 0.5 * right**ones * wrong ** (depth - ones)
            zero = 0.5 * wrong**ones * right ** (depth - ones)
            if _drop(one, zero, gamma, criterion) >= least:
                for child in (lead - 1, lead + 1):
                    below[child] = below.get(child, 0.0) + nodes
            else:
                leaves += nodes
                error += nodes * min(one, zero)
                potential += nodes * float(cost([zero, one], criterion))  # type: ignore[arg-type]
        depth, level = depth + 1, below
    return CopiesTree(leaves, error, potential)


def _drop(one: float, zero: float, gamma: float, criterion: str) -> float:
    """Of a question that agrees with the label with probability 1/2 + gamma; without the
    difference of nearly equal costs that the definition has at nearly pure nodes."""
    shares = ((0.5 + gamma, 0.5 - gamma), (0.5 - gamma, 0.5 + gamma))
    whole_node = one + zero
    if criterion == "km":
        return 2.0 * math.sqrt(one * zero) * step_factor(gamma)
    if criterion == "gini":
        after = math.prod(one * a + zero * b for a, b in shares)
        return 16.0 * gamma * gamma * (one * zero) ** 2 / whole_node / after
    nats = 0.0
    for a, b in shares:  # of class 1 and of class 0 that come here
        nats -= one * a * math.log1p(zero * (b - a) / (a * whole_node))
        nats -= zero * b * math.log1p(one * (a - b) / (b * whole_node))
    return nats / math.log(2.0)


def copies_exponent(gamma: float, criterion: str = "gini") -> float:
    """e such that the largest drop needs about (1/eps)^e leaves for an error of eps on noisy copies
    of advantage gamma, in (0, 1/2). For km and entropy ln 2 / (-1/2 ln(1 - 4 gamma^2)), which no
    tree can be below; for gini that up to gamma = sqrt(2)/4, and more beyond."""
    gamma = share("gamma", gamma, 0.5, ends=False)
    _check(criterion)
    wide = math.log(2.0) - 0.5 * math.log((1.0 - 2.0 * gamma) * (1.0 + 2.0 * gamma))
    log_odds = math.log((0.5 + gamma) / (0.5 - gamma))
    kappa = wide / math.log(2.0) - 1.0
    if criterion != "gini" or kappa <= 0.5:
        return 1.0 / kappa

    def cost_per_drop(x: float) -> float:
        shares = ((1.0 + x) / 2.0, (1.0 - x) / 2.0)
        entropy = -sum(p * math.log(p) for p in shares if p > 0.0)
        return (wide + 0.5 * x * log_odds - entropy) / (wide + 1.5 * x * log_odds)

    low, high = 0.0, 1.0  # the quotient falls and then rises
    for _ in range(200):
        first, second = low + (high - low) / 3.0, high - (high - low) / 3.0
        if cost_per_drop(first) < cost_per_drop(second):
            high = second
        else:
            low = first
    return 1.0 / ((1.0 + kappa) * cost_per_drop((low + high) / 2.0))


def worst_error_by_drop(
    gamma: float, least_drop: float, criterion: str = "gini", *, step: float = 0.2, splits: int = 21
) -> float:
    """V(1/2, 1/2): the largest error of a tree in which no split of a drop of at least `least_drop`
    is left to make, if every split has advantage gamma, in (0, 1/2).

    Solved on a grid of the logarithms of both masses, `step` apart, over `splits` values of a;
    between grid points ln V is interpolated, which errs by up to a tenth: V jumps where a drop
    meets `least_drop`.
    """
    gamma, least = share("gamma", gamma, 0.5, ends=False), share("least_drop", least_drop)
    splits = whole("splits", splits, 3)
    _check(criterion)
    if not step > 0.0:
        raise ValueError(f"step must be positive; given was {step!r}.")
    grid = _Grid(math.log(1.0 / least) + 6.0, step)
    moves = [
        grid.move(a, a - 2.0 * gamma, criterion) for a in np.linspace(2.0 * gamma, 1.0, splits)
    ]
    may_stop = np.any([drop < least for _, drop in moves], axis=0)
    may_stop |= may_stop.T
    stopped = np.where(may_stop, grid.lighter, IMPOSSIBLE)
    value = stopped
    while True:
        best = stopped
        for branches, drop in moves:
            after = _sum([grid.at(value, branch) for branch in branches])
            found = np.where(drop >= least, after, IMPOSSIBLE)
            best = np.maximum(best, np.maximum(found, found.T))
        if np.abs(best - value).max() < 1e-12:
            return float(np.exp(best[0, 0]))
        value = best


class _Grid:
    """ln V at masses 1/2 exp(-i step), 1/2 exp(-j step); V is symmetric in i and j."""

    def __init__(self, width: float, step: float) -> None:
        self.step, self.size = step, math.ceil(width / step) + 2
        logs = math.log(0.5) - step * np.arange(self.size)
        self.one, self.zero = np.meshgrid(logs, logs, indexing="ij")
        self.lighter = np.minimum(self.one, self.zero)

    def move(self, a: float, b: float, criterion: str) -> tuple[list[tuple[float, float]], Floats]:
        """What each branch loses of the two logarithms, and the drop at every grid point. A branch
        of one class alone has no error, whatever comes."""
        shares = [(x, y) for x, y in ((a, b), (1.0 - a, 1.0 - b)) if x > 1e-12 and y > 1e-12]
        masses = np.exp(np.stack((self.zero, self.one), axis=-1))
        drop = np.asarray(cost(masses, criterion))  # type: ignore[arg-type]
        for x, y in shares:
            drop = drop - np.asarray(cost(masses * np.array([y, x]), criterion))  # type: ignore[arg-type]
        return [(-math.log(x), -math.log(y)) for x, y in shares], drop

    def at(self, value: Floats, lost: tuple[float, float]) -> Floats:
        """`value` at masses smaller by `lost`; beyond the grid no drop is large enough."""
        ends = []
        for less in lost:
            place = np.arange(self.size) + less / self.step
            inside = np.minimum(place.astype(int), self.size - 2)
            ends.append((inside, place - inside))
        (i, s), (j, t) = ends
        s, t = s[:, None], t[None, :]
        found = (1 - s) * (1 - t) * value[np.ix_(i, j)] + s * (1 - t) * value[np.ix_(i + 1, j)]
        found += (1 - s) * t * value[np.ix_(i, j + 1)] + s * t * value[np.ix_(i + 1, j + 1)]
        outside = np.minimum(self.one - lost[0], self.zero - lost[1])
        return np.asarray(np.where((s > 1) | (t > 1), outside, found))


def _sum(logs: list[Floats]) -> Floats:
    return logs[0] if len(logs) == 1 else np.asarray(np.logaddexp(logs[0], logs[1]))


def _check(criterion: str) -> None:
    if criterion not in CRITERIA:
        choices = ", ".join(f'"{each}"' for each in CRITERIA)
        raise ValueError(f"criterion must be one of {choices}; given was {criterion!r}.")
