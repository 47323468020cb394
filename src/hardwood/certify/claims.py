"""The papers' named claims about a grown tree, each made only when its conditions were met.

In: `Evidence`, what happened at every split. Out: `Claim`s G(T) <= bound, L leaves reached:

    hatano              G(root) phi_gamma(L)                 Hatano 2004, Theorems 4 and 5
    mansour-mcallester  G(root) L^-gamma                     Mansour & McAllester 2002
    product             G(root) prod_{i<L} (1 - gamma/i)
    sharp-km            the same with 1 - sqrt(1 - 4 gamma^2) in place of gamma

All need growth that always split the heaviest leaf, one of the largest w(l)G(l), none passed over.
Invariant: gamma is the largest that meets the conditions (or the given one), rounded down, and
the bound is rounded up, so that no claim says more than is proved.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardwood.criteria import Criterion
from hardwood.theory import e_gamma, size_bound
from hardwood.tree.arrays import Tree

SLACK = 2.0**-40
"""Relative rounding of gammas (down) and bounds (up)."""


@dataclass(frozen=True, slots=True)
class Claim:
    """G(T) <= bound, by the theorem of this name."""

    name: str
    gamma: float
    """The largest that meets the claim's conditions, or the one given."""
    bound: float

    def __str__(self) -> str:
        return f"{self.name}: gamma {self.gamma:.6g}, potential <= {self.bound:.6g}"


@dataclass(frozen=True, eq=False)
class Evidence:
    """The growth of a tree, as far as the claims ask about it; arrays have one entry per split."""

    criterion: Criterion
    tree: Tree
    root_potential: float
    leaves: int
    nodes: NDArray[np.int32]
    branches: NDArray[np.int64]
    leaves_before: NDArray[np.int64]
    relative_gain: NDArray[np.float64]
    advantage: NDArray[np.float64]

    @property
    def binary(self) -> bool:
        return bool((self.branches == 2).all())


def claims(evidence: Evidence, gamma: float | None = None) -> tuple[Claim, ...]:
    """`gamma` is Mansour & McAllester's, given before growth; without it they claim nothing."""
    if not len(evidence.nodes) or not heaviest_leaf_always(evidence.tree, evidence.nodes):
        return ()
    made = [_hatano(evidence), _product(evidence), _sharp_km(evidence)]
    if gamma is not None:
        made.insert(1, _mansour_mcallester(evidence, gamma))
    return tuple(claim for claim in made if claim is not None)


def heaviest_leaf_always(tree: Tree, split_nodes: NDArray[np.int32]) -> bool:
    """Replays the growth with every leaf on the frontier, also those nothing could split."""
    costs, first = tree.cost.tolist(), tree.first_child.tolist()
    arity = tree.branches.tolist()
    frontier = [-costs[0]]  # heapq keeps the smallest first
    for node in split_nodes.tolist():
        if costs[node] < -heapq.heappop(frontier):
            return False
        for child in range(first[node], first[node] + arity[node]):
            heapq.heappush(frontier, -costs[child])
    return True


def _hatano(evidence: Evidence) -> Claim | None:
    multiway = evidence.branches > 2
    if (evidence.branches * evidence.leaves_before > evidence.leaves)[multiway].any():
        return None
    price = np.frexp(evidence.branches - 1)[1]  # ceil(log2 k), exactly
    gamma = _largest(evidence.relative_gain / price)
    return _claim(evidence, "hatano", gamma, size_bound)


def _mansour_mcallester(evidence: Evidence, gamma: float) -> Claim | None:
    arities = evidence.branches.tolist()
    remaining = {k: e_gamma(k, gamma) for k in set(arities)}
    e = np.array([remaining[k] for k in arities])
    room = evidence.leaves / evidence.leaves_before * (gamma * e / 2.0)
    if ((evidence.branches > 2) & (evidence.branches > room)).any():
        return None
    if not (evidence.relative_gain >= 1.0 - e).all():
        return None
    return _claim(evidence, "mansour-mcallester", gamma, lambda leaves, gamma: leaves**-gamma)


def _product(evidence: Evidence) -> Claim | None:
    if not evidence.binary:
        return None
    gamma = _largest(evidence.relative_gain)
    return _claim(evidence, "product", gamma, e_gamma)


def _sharp_km(evidence: Evidence) -> Claim | None:
    two_classes = evidence.tree.n_classes == 2
    if evidence.criterion != "km" or not two_classes or not evidence.binary:
        return None
    gamma = _largest(evidence.advantage)
    return _claim(evidence, "sharp-km", gamma, sharp_km_bound)


def sharp_km_bound(leaves: int, gamma: float) -> float:
    """prod_{i<L} (1 - c/i), c = 1 - sqrt(1 - 4 gamma^2)."""
    if leaves < 2:
        return 1.0
    # 1 - c, the first factor, and c itself keep their digits for gamma near 1/2 and near 0.
    left = math.sqrt((1.0 - 2.0 * gamma) * (1.0 + 2.0 * gamma))
    taken = 4.0 * gamma * gamma / (1.0 + left)
    return left * math.exp(float(np.log1p(-taken / np.arange(2, leaves)).sum()))


def _largest(per_split: NDArray[np.float64]) -> float:
    return float(per_split.min()) * (1.0 - SLACK)


def _claim(
    evidence: Evidence, name: str, gamma: float, factor: Callable[[int, float], float]
) -> Claim | None:
    """The papers speak of gamma > 0 only; a NaN is no advantage either."""
    if not gamma > 0.0:
        return None
    bound = evidence.root_potential * factor(evidence.leaves, gamma) * (1.0 + SLACK)
    return Claim(name, gamma, bound)
