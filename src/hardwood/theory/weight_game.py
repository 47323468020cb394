"""Hatano's weight distribution game: a tree learner against the worst data (Hatano 2004, sec. 4).

The tree starts as one leaf of weight w. While it has T < s leaves, the player picks a leaf l, and
the adversary replaces it by k leaves, k = 2 or 2 < k <= s/T, that share (1 - gamma ceil(log2 k))
w_l as it likes. The player wants the final tree light, the adversary heavy. Leaf weights stand for
w(l)G(l), so the player who always picks the heaviest leaf is TOPDOWN-M.

In: s, gamma and two strategies, named or the caller's own. Out: a `WeightGame`. Invariant: both
keep to the rules, which are checked at every move.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hardwood.theory.arguments import share, whole
from hardwood.theory.branching import branch_price, size_bound

Floats = NDArray[np.float64]
Random = np.random.RandomState
Player = Callable[[Floats, Random], int]
Adversary = Callable[[float, int, Random], ArrayLike]


@dataclass(frozen=True, eq=False)
class WeightGame:
    """A finished game. `bound` is w phi_gamma(s), what the heaviest-leaf player never exceeds."""

    leaves: int
    gamma: float
    weight: float
    branches: list[int]
    """k of each move."""
    potential: list[float]
    """Weight of the tree after each move."""
    leaf_weights: Floats = field(repr=False)

    @property
    def value(self) -> float:
        """Weight of the final tree."""
        return math.fsum(self.leaf_weights.tolist())

    @property
    def bound(self) -> float:
        """weight * phi_gamma(leaves)."""
        return self.weight * size_bound(self.leaves, self.gamma)


def play_weight_game(
    leaves: int,
    gamma: float,
    *,
    player: str | Player = "heaviest",
    adversary: str | Adversary = "equal",
    weight: float = 1.0,
    random_state: Any = None,
) -> WeightGame:
    """Play to `leaves` leaves; gamma in (0, 1].

    What must hold (Hatano 2004, Theorems 3 and 5): against the player "heaviest" no adversary ends
    above weight * phi_gamma(leaves), and "equal" reaches it.

    player: "heaviest", "lightest", "oldest" or "random"; or a function (leaf weights, random) ->
    the index of a leaf. adversary: "equal" (two halves), "widest" (as many equal branches as
    allowed), "lopsided" (two branches, all to one) or "random" (any allowed k, any shares); or a
    function (weight of the leaf, largest k allowed, random) -> the k shares, which sum to 1. A k
    with gamma ceil(log2 k) > 1 is not allowed: a split cannot gain more than everything.
    """
    leaves, gamma = whole("leaves", leaves, 1), share("gamma", gamma)
    weight = share("weight", weight, zero=True)
    pick = _named("player", player, _PLAYERS)
    divide = _named("adversary", adversary, _ADVERSARIES)
    random = np.random.RandomState(random_state)
    tree, branches, potential = np.array([weight]), [], []
    while len(tree) < leaves:
        at = _checked_pick(pick(tree, random), len(tree))
        shares = np.asarray(divide(float(tree[at]), _most(leaves, len(tree), gamma), random))
        _check_shares(shares, _most(leaves, len(tree), gamma))
        left = (1.0 - gamma * branch_price(len(shares))) * tree[at]
        tree = np.concatenate((tree[:at], tree[at + 1 :], left * shares))
        branches.append(len(shares))
        potential.append(math.fsum(tree.tolist()))
    return WeightGame(leaves, gamma, weight, branches, potential, tree)


def _most(leaves: int, present: int, gamma: float) -> int:
    """The largest k the adversary may choose."""
    return max(2, min(leaves // present, 1 << min(int(1.0 / gamma), 62)))


def _named(name: str, strategy: Any, known: dict[str, Any]) -> Any:
    if callable(strategy):
        return strategy
    if not isinstance(strategy, str) or strategy not in known:
        choices = ", ".join(f'"{each}"' for each in known)
        raise ValueError(f"{name} must be one of {choices}, or a function; given was {strategy!r}.")
    return known[strategy]


def _checked_pick(index: Any, present: int) -> int:
    if not 0 <= index < present:
        raise ValueError(
            f"The player picked leaf {index!r}; the tree has leaves 0 to {present - 1}."
        )
    return int(index)


def _check_shares(shares: NDArray[Any], most: int) -> None:
    if shares.ndim != 1 or not 2 <= len(shares) <= most:
        raise ValueError(
            f"The adversary gave shares of shape {shares.shape}; allowed are 2 to {most} branches."
        )
    if not (shares >= 0.0).all() or abs(float(shares.sum()) - 1.0) > 1e-9:
        raise ValueError("The adversary's shares must be 0 or more and sum to 1; they do not.")


def _widest(_weight: float, most: int, _random: Random) -> Floats:
    return np.full(most, 1.0 / most)


def _any_shares(_weight: float, most: int, random: Random) -> Floats:
    """k from any scale up to `most`; shares from nearly equal to nearly all in one branch."""
    k = min(most, int(2.0 ** random.uniform(1.0, math.log2(most + 1))))
    shares = random.gamma(10.0 ** random.uniform(-1.5, 3.0), size=k) + 1e-300
    return np.asarray(shares / shares.sum())


_PLAYERS: dict[str, Player] = {
    "heaviest": lambda tree, _random: int(tree.argmax()),
    "lightest": lambda tree, _random: int(tree.argmin()),
    "oldest": lambda _tree, _random: 0,
    "random": lambda tree, random: int(random.randint(len(tree))),
}
_ADVERSARIES: dict[str, Adversary] = {
    "equal": lambda _weight, _most, _random: (0.5, 0.5),
    "widest": _widest,
    "lopsided": lambda _weight, _most, _random: (1.0, 0.0),
    "random": _any_shares,
}
