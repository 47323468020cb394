"""LazyBoost: which columns a round's trees may use; and what draws their cuts.

Drawn from the seed and the round's number alone, so that neither warm starts, nor searches, nor
threads change the draw. The draw is our own (SplitMix64), since NumPy's streams may change.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_MASK = (1 << 64) - 1


def allowed_columns(
    seed: int, first_round: int, rounds: int, columns: int, fraction: float
) -> NDArray[np.uint8]:
    """[rounds, columns] 1 where a column may be used; ceil(fraction * columns) a round."""
    kept = max(1, math.ceil(fraction * columns))
    allowed = np.zeros((rounds, columns), dtype=np.uint8)
    for r in range(rounds):
        state = _mix(_mix(seed & _MASK) ^ (first_round + r))
        order = list(range(columns))
        for i in range(kept):  # the first steps of a shuffle
            state = (state + 0x9E3779B97F4A7C15) & _MASK
            j = i + _mix(state) % (columns - i)
            order[i], order[j] = order[j], order[i]
        allowed[r, order[:kept]] = 1
    return allowed


def cut_seeds(seed: int, first_round: int, rounds: int) -> NDArray[np.uint64]:
    """[rounds] what the core draws the cuts of a round's trees from."""
    start = _mix(seed & _MASK)
    numbers = [_mix(_mix(start ^ (first_round + r))) for r in range(rounds)]
    return np.array(numbers, dtype=np.uint64)


def _mix(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)
