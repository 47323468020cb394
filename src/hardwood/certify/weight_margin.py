"""How much weight must change before one split of a node of two classes beats another.

In: class weights of the branches of the split that was taken, and of its rivals. Out: a proved
lower bound, and for one rival a change that is enough. A rival r beats the split s when C_r <= C_s,
each C the sum of phi over its branches. Let the weights of rows change by d_i, D = sum |d_i|. phi
is concave, grows with every class weight, and is symmetric in two classes, so

- C_r falls most when weight is taken away from one class of one branch, or a branch is made pure
  and the rest is taken from the other (a concave function is least at a corner of what is allowed);
- C_s rises most when weight is added to the lighter class of its branches, until they are balanced.

Where the two together stay below C_r - C_s, no change of D in all lets r win. Both parts are taken
as if all of D served them, so the true weight lies between the bound and what is enough.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from hardwood.criteria import Criterion, cost

Floats = NDArray[np.float64]

_HALVINGS = 40
_STEPS = 64
_ZOOM, _ZOOMS = 32, 7
_ROUNDING = 1e-9


def least_change(taken: Floats, rivals: Floats, criterion: Criterion) -> tuple[float, int]:
    """The bound over all rivals, and the rival for which it is reached. taken: [2, 2] class weights
    by branch; rivals: [n, 2, 2]."""
    margins = cost(rivals, criterion).sum(axis=1) - float(cost(taken, criterion).sum())

    def winners(change: float, among: NDArray[np.intp]) -> NDArray[np.intp]:
        rise = _largest_rise(taken, change, criterion)
        falls = _largest_falls(rivals[among], change, criterion)
        return np.asarray(among[falls + rise >= margins[among]])

    low, high = 0.0, float(taken.sum())
    ahead = winners(low, np.arange(len(rivals)))
    if len(ahead):
        return 0.0, int(ahead[0])
    ahead = winners(high, np.arange(len(rivals)))
    if not len(ahead):
        return math.inf, int(margins.argmin())
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        sooner = winners(middle, ahead)
        if len(sooner):
            high, ahead = middle, sooner
        else:
            low = middle
    return low * (1 - _ROUNDING), int(ahead[0])


def enough_change(cells: Floats, criterion: Criterion) -> float:
    """A change with which the rival wins: weight of one class on one side of both splits, added or
    taken away; infinite where none of these does. cells: [2, 2, 2] weights by branch of the split
    taken, branch of the rival and class."""
    best = math.inf
    for place in np.ndindex(2, 2, 2):
        for limit in (-float(cells[place]), float(cells.sum())):
            low, high = 0.0, limit
            for _ in range(_ZOOMS):
                steps = np.linspace(low, high, _STEPS + 1)
                wins = np.flatnonzero(_rival_leads(cells, place, steps, criterion))
                if not len(wins):
                    high = math.inf
                    break
                low, high = float(steps[max(wins[0] - 1, 0)]), float(steps[wins[0]])
            best = min(best, abs(high))
    return best


def _rival_leads(
    cells: Floats, place: tuple[int, ...], changes: Floats, criterion: Criterion
) -> NDArray[np.bool_]:
    """Whether the rival wins after each change of one cell."""
    changed = np.repeat(cells[None], len(changes), axis=0)
    branch, side, label = place
    changed[:, branch, side, label] += changes
    changed = np.maximum(changed, 0.0)
    taken, rival = changed.sum(axis=2), changed.sum(axis=1)
    leads = cost(rival, criterion).sum(axis=1) <= cost(taken, criterion).sum(axis=1)
    return np.asarray(leads)


def _largest_falls(rivals: Floats, change: float, criterion: Criterion) -> Floats:
    """By how much taking `change` away can lower the cost of each rival."""
    costs = cost(rivals, criterion)
    left, right = rivals[:, 0], rivals[:, 1]
    reached = np.minimum(
        _taken_from(left, np.full(len(left), change), criterion) + costs[:, 1],
        _taken_from(right, np.full(len(right), change), criterion) + costs[:, 0],
    )
    for pure, other in ((left, right), (right, left)):
        rest = change - pure.min(axis=1)
        made = _taken_from(other, np.maximum(rest, 0.0), criterion)
        reached = np.where(rest >= 0, np.minimum(reached, made), reached)
    return np.asarray(costs.sum(axis=1) - reached)


def _taken_from(branch: Floats, change: Floats, criterion: Criterion) -> Floats:
    """The least cost of each branch when so much of one class is gone."""
    found = []
    for label in (0, 1):
        less = branch.copy()
        less[:, label] = np.maximum(less[:, label] - change, 0.0)
        found.append(cost(less, criterion))
    return np.minimum(*found)


def _largest_rise(taken: Floats, change: float, criterion: Criterion) -> float:
    """By how much adding `change` can raise the cost of the split taken: concave in how much of it
    one branch gets, so the steps beside the best one hold the largest."""
    low, high, most = 0.0, change, 0.0
    for _ in range(_ZOOMS):
        first = np.linspace(low, high, _ZOOM + 1)
        after = cost(_filled(taken[0], first), criterion)
        after = after + cost(_filled(taken[1], np.maximum(change - first, 0.0)), criterion)
        best = int(after.argmax())
        most = max(most, float(after[best]))
        low, high = float(first[max(best - 1, 0)]), float(first[min(best + 1, _ZOOM)])
    return most - float(cost(taken, criterion).sum())


def _filled(branch: Floats, change: Floats) -> Floats:
    """[changes, 2] the lighter class gets weight until both are equal, then both."""
    light, heavy = sorted(branch.tolist())
    to_light = np.minimum(change, heavy - light)
    rest = (change - to_light) / 2
    return np.stack([light + to_light + rest, heavy + rest], axis=1)
