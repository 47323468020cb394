"""What a leaf order guarantees for gini, entropy and error: polynomially many leaves suffice.

The proofs are in docs/theory/worst-adversaries.md. Every split has advantage gamma, every leaf
offers one, and c = sqrt(1 - 4 gamma^2). The nodes of depth k hold a potential of at most c^k,
whatever the criterion. A tree of s leaves has s - 1 split nodes, none of which had a smaller size
than some m, where the size is the drop (largest drop) or w(l)G(l) (heaviest leaf), so

    s - 1 <= sum over k of min(2^k, c^k / m)

which makes m small; and when the split of size m was made, no leaf had a larger one.
"""

from __future__ import annotations

import math

from hardwood.theory.arguments import share, whole

CRITERIA = ("gini", "entropy", "error", "km")
ORDERS = ("drop", "weight")
TOPSOE = 1.0 / math.log(4.0)
"""H(q) <= (4q(1-q))^TOPSOE (Topsoe 2001)."""


def order_bound(
    leaves: int, gamma: float, criterion: str = "gini", *, leaf_choice: str = "drop"
) -> float:
    """The largest potential that a tree of so many leaves can have, at most 1.

    Must hold: every split has advantage at least gamma, in (0, 1/2], every leaf offers such a
    split, and the next leaf is the one of largest drop ("drop": gini, entropy) or of largest
    w(l)G(l) ("weight": any criterion). Falls like a power of `leaves`: with e = ln 2 / (-1/2 ln(1 -
    4 gamma^2)), the exponent of km, an error of eps needs about (1/eps)^e leaves for "weight", and
    for "drop" at most (1/eps)^(e + 1) with gini and (1/eps)^(e + .39) with entropy.
    """
    leaves, gamma = whole("leaves", leaves, 1), share("gamma", gamma, 0.5)
    _check(criterion, leaf_choice)
    return _bound(float(leaves), gamma, criterion, leaf_choice)


def leaves_by_order(
    gamma: float, error: float, criterion: str = "gini", *, leaf_choice: str = "drop"
) -> float:
    """Leaves at which `order_bound` is at most twice the error, so that the training error is at
    most `error`; a whole number, infinite where a float cannot hold it."""
    gamma, potential = share("gamma", gamma, 0.5), 2.0 * share("error", error)
    _check(criterion, leaf_choice)
    low, high = 1.0, 2.0
    if potential >= 1.0:
        return 1.0
    while _bound(high, gamma, criterion, leaf_choice) > potential:
        low, high = high, high * high
        if high > 1e300:
            return math.inf
    while high - low > 0.5 and high > low * (1.0 + 1e-15):
        middle = (low + high) / 2.0 if high < 2.0 * low else math.sqrt(low * high)
        if _bound(middle, gamma, criterion, leaf_choice) > potential:
            low = middle
        else:
            high = middle
    least = float(math.floor(high))
    return least if _bound(least, gamma, criterion, leaf_choice) <= potential else least + 1.0


def _check(criterion: str, leaf_choice: str) -> None:
    _one_of("criterion", criterion, CRITERIA)
    _one_of("leaf_choice", leaf_choice, ORDERS)
    if leaf_choice == "drop" and criterion not in ("gini", "entropy"):
        raise ValueError(
            'leaf_choice="drop" is bounded for criterion "gini" and "entropy" here (km: '
            f'`size_bound` with `step_factor`); given was {criterion!r}. Use leaf_choice="weight".'
        )


def _bound(leaves: float, gamma: float, criterion: str, leaf_choice: str) -> float:
    if leaves < 2.0:
        return 1.0
    c = math.sqrt((1.0 - 2.0 * gamma) * (1.0 + 2.0 * gamma))
    if c == 0.0:
        return 0.0
    size = _largest_size(leaves - 1.0, c)
    best, shallow = 1.0, 1.0
    for depth in range(1, 1074):
        # At most 2^(depth-1) leaves are less deep than this, and the others hold c^depth at most.
        deep = c**depth
        shallow = _shallow(2.0 ** (depth - 1), size, gamma, criterion, leaf_choice)
        best = min(best, deep + shallow)
        if shallow >= 1.0:
            break
    return best


def _shallow(count: float, size: float, gamma: float, criterion: str, leaf_choice: str) -> float:
    """The most that so many leaves hold, none of which has a larger size."""
    if leaf_choice == "weight":
        return count * size
    if criterion == "gini":  # w 4 gamma^2 G^2 <= size, and Cauchy's inequality
        return math.sqrt(count * size) / (2.0 * gamma)
    # w 4q(1-q) <= size ln 2 / (2 gamma^2), and Hoelder's inequality
    return float((count * size * math.log(2.0) / (2.0 * gamma * gamma)) ** TOPSOE)


def _largest_size(splits: float, c: float) -> float:
    """The largest m with sum over k of min(2^k, c^k / m) >= splits."""
    low, high = -1000.0 * math.log(2.0), 0.0
    for _ in range(100):
        middle = (low + high) / 2.0
        if _most_splits(math.exp(middle), c) >= splits:
            low = middle
        else:
            high = middle
    return math.exp(high)


def _most_splits(size: float, c: float) -> float:
    """2^k <= c^k / m up to k = ln(1/m) / ln(2/c); from there on a geometric series."""
    levels = math.floor(-math.log(size) / math.log(2.0 / c) + 1e-9) + 1
    return 2.0**levels - 1.0 + c**levels / size / (1.0 - c)


def _one_of(name: str, given: str, allowed: tuple[str, ...]) -> None:
    if given not in allowed:
        choices = ", ".join(f'"{each}"' for each in allowed)
        raise ValueError(f"{name} must be one of {choices}; given was {given!r}.")
