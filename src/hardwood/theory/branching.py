"""Prices of k-way branching, and what is left of the potential at a given number of leaves.

Hatano 2004 prices a k-way split by ceil(log2 k), Mansour & McAllester 2002 by
g_gamma(k) = (1 - e_gamma(k)) / gamma with e_gamma(k) = prod_{i=1..k-1} (1 - gamma/i) (restated in
Hatano 2004, section 1). Invariant: g_gamma(2) = 1 and g_gamma(k) <= ceil(log2 k).
"""

from __future__ import annotations

import math

import numpy as np

from hardwood.theory.arguments import share, whole


def branch_price(k: int, gamma: float | None = None) -> float:
    """What a k-way split must gain relative to a binary one, to be worth its leaves.

    Without gamma: ceil(log2 k) (Hatano 2004, Fig. 2). With gamma in (0, 1): g_gamma(k) = (1 -
    e_gamma(k)) / gamma (Mansour & McAllester 2002; Hatano 2004, section 1), computed as the sum of
    e_gamma(i) / i over i < k, in which nothing cancels. Always g_gamma(2) = 1 and g_gamma(k) <=
    ceil(log2 k) (Hatano 2004, section 1).
    """
    k = whole("k", k, 2)
    if gamma is None:
        return (k - 1).bit_length()
    gamma = share("gamma", gamma, ends=False)
    i = np.arange(1, k, dtype=np.float64)
    left = np.concatenate(([1.0], np.cumprod(1.0 - gamma / i[:-1])))
    return math.fsum((left / i).tolist())


def e_gamma(k: int, gamma: float) -> float:
    """e_gamma(k) = prod_{i=1..k-1} (1 - gamma/i), 1 for k = 1 (Mansour & McAllester 2002; Hatano
    2004, section 1).

    It is what k - 1 binary splits, each of relative gain gamma and always of the heaviest leaf,
    must leave at most: after i splits some leaf holds at least 1/(i+1) of the potential. So G(T) <=
    G(root) e_gamma(L) for a binary tree of L leaves so grown, and e_gamma(L) <= L^-gamma. gamma
    lies in [0, 1].
    """
    k, gamma = whole("k", k, 1), share("gamma", gamma, zero=True)
    if gamma == 1.0:
        return 1.0 if k == 1 else 0.0
    return math.exp(float(np.log1p(-gamma / np.arange(1, k)).sum()))


def size_bound(leaves: int, gamma: float) -> float:
    """phi_gamma(s) = (1-gamma)^i (1 - gamma(s/2^i - 1)), i = floor(lg s): the part of the root's
    potential that a tree of s leaves has left at most (Hatano 2004, Theorems 4 and 5, Prop. 8).

    It is the value of the weight distribution game, and bounds G(T)/G(root) when every split was of
    a leaf of largest w(l)G(l), none passed over; a k-way split had relative gain at least gamma
    ceil(log2 k); and every k > 2 had k T <= s at a tree of T leaves. Always s^-gamma >=
    phi_gamma(s); gamma lies in [0, 1].
    """
    leaves, gamma = whole("leaves", leaves, 1), share("gamma", gamma, zero=True)
    i = leaves.bit_length() - 1
    beyond = (leaves - (1 << i)) / (1 << i)
    return (1.0 - gamma) ** i * (1.0 - gamma * beyond)
