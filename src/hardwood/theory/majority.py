"""The first data on which no tree is small: the majority of n bits (Kearns & Mansour 1996, sec. 3).

Every distribution has a bit that is right with probability 1/2 + 1/(2n) at least, and yet trees
that ask for bits need exponentially many leaves. On uniform bits, after k answers of which j were
1, the other n - k bits can fall in 2^(n-k) ways; the lighter class is the smaller number of them.
All bits that were not asked are alike, so the best tree of any shape can be computed, and all sums
are of whole numbers. docs/theory/majority.md has the proofs. `majority_table` and `copies_table`
are the two adversaries of the paper as tables, for any learner to try.
"""

from __future__ import annotations

import itertools
import math
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.theory.arguments import share, whole

MOST_BITS = 20
"""A table of 2^20 rows has 20 MB."""


def majority_error(leaves: int, bits: int) -> float:
    """The error of the best tree of so many leaves on the majority of `bits` uniform bits, over all
    shapes; `bits` is odd. The time grows with the square of `leaves`; at most 200."""
    leaves, bits = whole("leaves", leaves, 1), _odd(bits)
    if leaves > 200:
        raise ValueError(f"leaves must be at most 200; given was {leaves}. Use majority_least.")
    lighter = [_lighter(bits, k) for k in range(bits + 1)]

    @cache
    def least(asked: int, ones: int, size: int) -> int:
        """Rows that the best subtree gets wrong, of the 2^bits."""
        wrong = lighter[asked][ones]
        if size == 1 or wrong == 0:
            return wrong
        return min(
            least(asked + 1, ones, part) + least(asked + 1, ones + 1, size - part)
            for part in range(1, size)
        )

    return least(0, 0, leaves) / (1 << bits)


def majority_least(leaves: int, bits: int) -> float:
    """No tree of so many leaves has a smaller error on the majority of `bits` uniform bits.

    At most leaves/2 nodes of depth k are split further, so at least 2^k - leaves/2 of the 2^k paths
    end in leaves of depth at most k, and a leaf errs at least as much as the paths through it. The
    bound is the sum of so many of the least masses, at the best k.
    """
    leaves, bits = whole("leaves", leaves, 1), _odd(bits)
    start = max((leaves // 2).bit_length() - 1, 0)
    # e_k falls by the order of 1/bits a level, so lg(bits) levels below the leaves' are enough
    depths = range(min(start, bits), min(start + bits.bit_length() + 3, bits) + 1)
    wrong = max(_of_the_least(bits, k, (1 << k) - leaves // 2) for k in depths)
    return wrong / (1 << bits)


def majority_leaves(bits: int, error: float) -> float:
    """The least number of leaves at which `majority_least` no longer exceeds `error`: any tree with
    a smaller error on the majority of `bits` uniform bits has at least as many. `error` is in (0,
    1], `bits` at most 501; about 2^(bits cos(pi error)^2) for errors up to 1/2."""
    bits, error = _odd(bits), share("error", error)
    if bits > 501:
        raise ValueError(f"bits must be at most 501; given was {bits}.")
    low, high = 0, 1
    while majority_least(high, bits) > error:
        low, high = high, 2 * high
    while high - low > max(1, high >> 40):
        middle = (low + high) // 2
        low, high = (middle, high) if majority_least(middle, bits) > error else (low, middle)
    return float(high)


def majority_table(bits: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """All 2^bits rows of `bits` answers 0 or 1, and which of them have more ones than zeros; `bits`
    is odd and at most 19."""
    X = _rows(_odd(bits))
    return X, (2 * X.sum(axis=1) > bits).astype(np.int64)


def copies_table(copies: int, gamma: float) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Freund's noisy copies of the label: all 2^copies rows for each label, the labels, and weights
    that are the rows' probabilities if each copy is right with probability 1/2 + gamma,
    independently. At most 19 copies."""
    copies, gamma = whole("copies", copies, 1), share("gamma", gamma, 0.5, zero=True)
    rows = _rows(copies + 1)
    y, X = rows[:, 0], rows[:, 1:]
    right = (y[:, None] == X).sum(axis=1)
    weights = 0.5 * (0.5 + gamma) ** right * (0.5 - gamma) ** (copies - right)
    return X, y, weights


def _rows(bits: int) -> NDArray[Any]:
    if bits > MOST_BITS:
        raise ValueError(f"A table of 2^{bits} rows is too large; at most 2^{MOST_BITS} are made.")
    numbers = np.arange(1 << bits, dtype=np.int64)
    return (numbers[:, None] >> np.arange(bits - 1, -1, -1)) & 1


def _odd(bits: int) -> int:
    bits = whole("bits", bits, 1)
    if bits % 2 == 0:
        raise ValueError(f"bits must be odd, so that there is a majority; given was {bits}.")
    return bits


@lru_cache(maxsize=64)
def _lighter(bits: int, asked: int) -> tuple[int, ...]:
    """By the number of ones among the bits that were asked: in how many ways the others make the
    label that is made less often."""
    left = bits - asked
    sums = list(itertools.accumulate(math.comb(left, j) for j in range(left + 1)))

    def zeros(ones: int) -> int:
        """Ways to at most bits/2 ones in all."""
        most = bits // 2 - ones
        return 0 if most < 0 else sums[min(most, left)]

    return tuple(min(zeros(ones), sums[-1] - zeros(ones)) for ones in range(asked + 1))


def _of_the_least(bits: int, asked: int, count: int) -> int:
    """Rows in the lighter classes of the `count` paths of this length where they are fewest."""
    total = 0
    for ones, lighter in enumerate(_lighter(bits, asked)[: asked // 2 + 1]):
        both = math.comb(asked, ones) * (1 if 2 * ones == asked else 2)
        taken = min(both, max(count, 0))
        total, count = total + taken * lighter, count - taken
    return total
