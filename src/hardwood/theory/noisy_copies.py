"""Freund's hardest data for trees: questions that are independent noisy copies of the label.

Every question agrees with the label with probability 1/2 + gamma, independently (Kearns & Mansour
1996, after Theorem 1). A node that was reached by a agreeing and b disagreeing answers holds the
class masses 1/2 (1/2 + gamma)^a (1/2 - gamma)^b and the same with a and b exchanged, so

    w(l) G(l) = (1/4 - gamma^2)^(n/2)        km, at every node of depth n = a + b:

the two branches of a split weigh the same, and the weight distribution game is played as its best
adversary plays it. The mass of the lighter class is w(l) G(l)/2 times rho^(|a - b|/2), rho = (1/2 -
gamma)/(1/2 + gamma). docs/theory/exact-exponent.md has the proofs.
"""

from __future__ import annotations

import math
from functools import cache

from hardwood.theory.arguments import share, whole


def complete_tree_error(depth: int, gamma: float) -> float:
    """The error of the complete tree of this depth on noisy copies: of a majority vote of `depth`
    of them, ties being wrong half of the time."""
    depth, gamma = whole("depth", depth, 0), share("gamma", gamma, 0.5, zero=True)
    return math.fsum(count * mass for count, mass in _lighter_masses(depth, gamma))


def least_error(leaves: int, gamma: float) -> float:
    """No tree of so many leaves has a smaller error on noisy copies of advantage gamma.

    At most leaves/2 nodes of depth n are split further, so at least 2^n - leaves/2 of the 2^n paths
    end in leaves of depth at most n, and a leaf errs at least as much as the paths through it. The
    bound is the sum of so many of the least masses, at the best n.
    """
    leaves, gamma = whole("leaves", leaves, 1), share("gamma", gamma, 0.5, zero=True)
    start = max((leaves // 2).bit_length() - 1, 0)
    return max(_of_the_least(n, (1 << n) - leaves // 2, gamma) for n in range(start, start + 6))


def best_tree_error(leaves: int, gamma: float) -> float:
    """The error of the best tree of so many leaves on noisy copies, over all shapes. The time grows
    with the cube of `leaves`; at most 200."""
    leaves, gamma = whole("leaves", leaves, 1), share("gamma", gamma, 0.5, zero=True)
    if leaves > 200:
        raise ValueError(f"leaves must be at most 200; given was {leaves}. Use least_error.")
    right, wrong = 0.5 + gamma, 0.5 - gamma

    @cache
    def least(lead: int, size: int) -> float:
        """Of the subtree below a node with `lead` more answers 1 than 0, in units of sqrt(p0 p1)
        there; a split multiplies the unit by sqrt(right wrong)."""
        if size == 1:
            return float((wrong / right) ** (abs(lead) / 2))
        unit = math.sqrt(right * wrong)
        return unit * min(
            least(abs(lead + 1), part) + least(abs(lead - 1), size - part)
            for part in range(1, size)
        )

    return 0.5 * min(least(0, size) for size in range(1, leaves + 1))


def leaves_forced(gamma: float, error: float) -> float:
    """The least number of leaves at which `least_error` no longer exceeds `error`: any tree with a
    smaller error on noisy copies has at least as many. gamma in (0, 1/2], `error` in (0, 1].
    Infinite beyond 2^900."""
    gamma, error = share("gamma", gamma, 0.5), share("error", error)
    low, high = 0, 1
    while least_error(high, gamma) > error:
        low, high = high, 2 * high
        if high.bit_length() > 900:
            return math.inf
    while high - low > max(1, high >> 40):
        middle = (low + high) // 2
        low, high = (middle, high) if least_error(middle, gamma) > error else (low, middle)
    return float(high)


def _lighter_masses(depth: int, gamma: float) -> list[tuple[int, float]]:
    """(nodes, mass of the lighter class) by falling lead |a - b|, both signs together."""
    right, wrong = 0.5 + gamma, 0.5 - gamma
    found = []
    for b in range(depth // 2 + 1):
        nodes = math.comb(depth, b) * (1 if 2 * b == depth else 2)
        found.append((nodes, 0.5 * right**b * wrong ** (depth - b)))
    return found


def _of_the_least(depth: int, count: int, gamma: float) -> float:
    """The sum of the `count` least masses at this depth."""
    if count <= 0:
        return 0.0
    terms = []
    for nodes, mass in _lighter_masses(depth, gamma):
        taken = min(nodes, count)
        terms.append(taken * mass if taken < 2**1000 else math.inf)
        count -= taken
        if count == 0:
            break
    return math.fsum(terms)
