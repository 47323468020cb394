"""What is drawn from a seed: columns and held-out rows (docs/theory/rules.md#draws).

In: the seed, and a class number per row. Out: columns, or which rows are held out. Invariant: from
the rule alone; the code that drew for the model is not used.
"""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
GOLDEN = 0x9E3779B97F4A7C15
WORD = 2**64


def seed_of(random_state: Any) -> int | None:
    """The seed, 0 for None; None where the model does not keep it."""
    if random_state is None:
        return 0
    return int(random_state) if isinstance(random_state, Integral) else None


def drawn_columns(seed: int, r: int, columns: int, fraction: float) -> Whole:
    """The columns that the trees of round r may use, ascending."""
    places = np.arange(columns)
    state = _mixed(_mixed(seed % WORD) ^ r)
    count = max(1, math.ceil(fraction * columns))
    for i in range(count):
        state = (state + GOLDEN) % WORD
        j = i + _mixed(state) % (columns - i)
        places[[i, j]] = places[[j, i]]
    return np.sort(places[:count])


def _mixed(x: int) -> int:
    """SplitMix64's next number after the state x."""
    x = (x + GOLDEN) % WORD
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB % WORD
    return x ^ x >> 31


def pruning_rows(seed: int, labels: Whole, share: float) -> NDArray[np.bool_]:
    """[rows] True for those that reduced-error pruning held out."""
    shuffled = np.random.RandomState(seed).permutation(len(labels)).tolist()
    held = np.zeros(len(labels), dtype=np.bool_)
    for place, row in enumerate(sorted(shuffled, key=lambda row: int(labels[row]))):
        held[row] = math.floor((place + 1) * share + 0.5) > math.floor(place * share + 0.5)
    return held


def stopping_rows(seed: int, labels: Whole, share: float) -> NDArray[np.bool_] | None:
    """[rows] True for those that early stopping held out; None where a class cannot stand on both
    sides, so that nothing can be held out."""
    count = len(labels)
    sizes = np.bincount(labels)
    held_count = math.ceil(share * count)
    kept_count = count - held_count
    if sizes.min() < 2 or min(held_count, kept_count) < len(sizes):
        return None
    random = np.random.RandomState(seed)
    kept = _in_proportion(sizes, kept_count, random)
    held = _in_proportion(sizes - kept, held_count, random)
    out = np.zeros(count, dtype=np.bool_)
    for c, size in enumerate(sizes.tolist()):
        rows = np.flatnonzero(labels == c)[random.permutation(size)]
        out[rows[kept[c] : kept[c] + held[c]]] = True
    return out


def _in_proportion(sizes: Whole, count: int, random: np.random.RandomState) -> Whole:
    """`count` shared out by `sizes`: rounded down, the rest by largest remainder, ties drawn."""
    exact = sizes / sizes.sum() * count
    given = np.floor(exact)
    over = exact - given
    lacking = int(count - given.sum())
    for remainder in sorted(set(over.tolist()), reverse=True):
        if lacking <= 0:
            break
        tied = np.flatnonzero(over == remainder)
        chosen = random.choice(tied, size=min(len(tied), lacking), replace=False)
        given[chosen] += 1
        lacking -= len(chosen)
    return np.asarray(given, dtype=np.int64)
