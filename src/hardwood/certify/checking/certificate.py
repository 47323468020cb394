"""The certificate of a tree as grown, derived a second time.

In: a `Certificate` and a `Replay`. gamma = min over the splits of ln(G/G') / ln(T'/T), bound =
G(root) L^-gamma (docs/theory/rules.md#certificate); the claims hatano, mansour-mcallester, product
and sharp-km exactly when their conditions were met, each with the largest gamma that meets them
(docs/theory/rules.md#claims). Bounds are rounded up and gammas down by 2^-40, which comparisons
allow for. Where rounding decides whether a leaf was the heaviest, claims may be made or not.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from hardwood.certify.checking.formulas import advantage, e_gamma, price, size_bound
from hardwood.certify.checking.growth import Replay
from hardwood.certify.checking.ledger import CLOSE, Ledger
from hardwood.tree.arrays import LEAF

Factor = Callable[[int, float], float]
ROUNDED = 4.0 * 2.0**-40


def compare_certificate(ledger: Ledger, claimed: Any, found: Replay, criterion: str) -> None:
    """Every attribute, and every claim."""
    leaves = int(np.count_nonzero(found.tree.kind == LEAF))
    root, potential, error = found.potential[0], found.potential[-1], found.error[-1]
    ledger.true(claimed.criterion == criterion, f"certificate_.criterion is {claimed.criterion!r}.")
    ledger.equal("certificate_.leaves", claimed.leaves, leaves)
    ledger.close("certificate_.root_potential", claimed.root_potential, root)
    ledger.close("certificate_.potential", claimed.potential, potential)
    ledger.close("certificate_.error", claimed.error, error, 1.0)
    gamma = _telescoped(found)
    ledger.close("certificate_.gamma", claimed.gamma, gamma, leaves * (1.0 + gamma))
    bound = root * leaves**-claimed.gamma if leaves > 1 else root
    _rounded(ledger, "certificate_.bound", claimed.bound, bound)
    ledger.true(
        claimed.bound >= potential - CLOSE and potential / 2.0 >= error - CLOSE and claimed.holds,
        "certificate_.holds is false, or its bound lies below the potential.",
    )
    _compare_claims(ledger, claimed, found, criterion)


def _telescoped(found: Replay) -> float:
    """Infinite without a split, or when the only one left no potential."""
    before, after = found.potential[:-1], found.potential[1:]
    present = found.leaves_before
    gained = found.tree.branches[found.order] - 1
    left = after > 0.0
    rates = np.log(before[left] / after[left]) / np.log1p(gained[left] / present[left])
    return max(float(rates.min(initial=math.inf)), 0.0)


def _rounded(ledger: Ledger, name: str, claimed: float, found: float) -> None:
    """Equal up to the rounding of certificates; the bounds' exponents add a little."""
    ledger.true(
        abs(claimed - found) <= ROUNDED * max(abs(found), abs(claimed)) + 1e-300,
        f"{name} is {claimed}; the data say {found}.",
    )


def _compare_claims(ledger: Ledger, claimed: Any, found: Replay, criterion: str) -> None:
    made = {claim.name: claim for claim in claimed.claims}
    ledger.true(len(made) == len(claimed.claims), "certificate_.claims names a claim twice.")
    heaviest = _heaviest_always(found)
    expected = {}
    if len(found.order) and heaviest is not False:
        expected = _claims(found, criterion, getattr(claimed, "given_gamma", None))
    if heaviest is None and not made:
        return
    sure = {name for name, (gamma, _, surely) in expected.items() if gamma > CLOSE and surely}
    for name in sorted(sure - made.keys()):
        ledger.differs(f"certificate_ does not make the claim {name}, whose conditions are met.")
    for name, claim in made.items():
        if not ledger.true(name in expected, f"the conditions of the claim {name} are not met."):
            continue
        gamma, factor, _ = expected[name]
        ledger.true(
            abs(claim.gamma - gamma) <= ROUNDED,
            f"the claim {name} has gamma {claim.gamma}; the data say {gamma}.",
        )
        bound = found.potential[0] * factor(found.tree.n_leaves, max(0.0, min(claim.gamma, 1.0)))
        _rounded(ledger, f"the bound of the claim {name}", claim.bound, bound)
        ledger.true(claim.bound >= found.potential[-1] - CLOSE, f"the claim {name} does not hold.")


def _heaviest_always(found: Replay) -> bool | None:
    """Whether every split was of a leaf of largest cost; None where rounding decides."""
    tree, costs = found.tree, found.cost
    heap, sure = [(-costs[0], 0)], True
    for node in found.order.tolist():
        limit = -heap[0][0] * (1 - CLOSE)
        if costs[node] < limit:
            return False
        rivals = []
        while heap and -heap[0][0] >= limit:
            rivals.append(heapq.heappop(heap))
        sure &= len({tuple(found.facts.units[leaf].tolist()) for _, leaf in rivals}) == 1
        for rival in rivals:
            if rival[1] != node:
                heapq.heappush(heap, rival)
        for child in tree.children(node):
            heapq.heappush(heap, (-costs[child], child))
    return True if sure else None


def _claims(
    found: Replay, criterion: str, given: float | None
) -> dict[str, tuple[float, Factor, bool]]:
    """Name -> gamma, bound over G(root), and whether rounding leaves no doubt that it is met."""
    tree, order, units = found.tree, found.order, found.facts.units
    ks, present = tree.branches[order].astype(np.int64), found.leaves_before
    leaves = tree.n_leaves
    relative = found.drop[order] / found.cost[order]
    binary = bool((ks == 2).all())
    made: dict[str, tuple[float, Factor, bool]] = {}
    if ((ks == 2) | (ks * present <= leaves)).all():
        prices = np.array([price(k, None) for k in ks.tolist()])
        gamma = float((relative / prices).min())
        made["hatano"] = (gamma, size_bound, True)
    if given is not None:
        e = np.array([e_gamma(k, given) for k in ks.tolist()])
        fits = ((ks == 2) | (ks <= leaves / present * (given * e / 2.0) * (1 + CLOSE))).all()
        if fits and (relative >= 1.0 - e - CLOSE).all():
            clear = bool((relative >= 1.0 - e + CLOSE).all()) and binary
            made["mansour-mcallester"] = (given, _power, clear)
    if binary:
        gamma = float(relative.min())
        made["product"] = (gamma, e_gamma, True)
    if binary and criterion == "km" and units.shape[1] == 2:
        gamma = min(advantage(units[tree.children(node)]) for node in order.tolist())
        made["sharp-km"] = (gamma, _sharp, True)
    return made


def _power(leaves: int, gamma: float) -> float:
    return float(leaves**-gamma)


def _sharp(leaves: int, gamma: float) -> float:
    first = math.sqrt(max((1.0 - 2.0 * gamma) * (1.0 + 2.0 * gamma), 0.0))
    return first * math.prod(1.0 - (1.0 - first) / i for i in range(2, leaves))
