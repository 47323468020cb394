"""Whether what is said with probability p is so in a share p of the rows.

In: probabilities, and whether each came true. Out: `Calibration`: rows in at most ten groups of
like size by their probability (equal probabilities stay together); each group's mean probability
stands beside the share that was so and that share's 95 % interval. Where the mean probability is
below RARE, groups of like size would hold nothing but improbable rows; there a row counts the more
towards its group's size the more probable it is, and the other way round above 1 - RARE.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
GROUPS = 10
RARE = 0.1


@dataclass(frozen=True, eq=False)
class Calibration:
    """One entry per group, probabilities rising; `off` is the mean distance over all rows."""

    said: Floats
    so: Floats
    rows: NDArray[np.int64]
    low: Floats
    high: Floats
    off: float


def calibration(said: Floats, so: NDArray[np.bool_]) -> Calibration:
    levels, level = np.unique(said, return_inverse=True)
    counts = np.bincount(level)
    hits = np.bincount(level, weights=so)
    # A level goes into the group in which the middle of its rows lies.
    size = counts * _rareness(levels, float(said.mean()))
    middle = np.cumsum(size) - size / 2
    group = np.minimum((middle * GROUPS / size.sum()).astype(np.intp), GROUPS - 1)
    each = np.unique(group)
    rows = np.bincount(group, weights=counts)[each].astype(np.int64)
    hit = np.bincount(group, weights=hits)[each].astype(np.int64)
    mean = np.bincount(group, weights=levels * counts)[each] / rows
    ends = np.array([wilson(*pair) for pair in zip(hit.tolist(), rows.tolist(), strict=True)])
    off = float(np.abs(mean * rows - hit).sum() / len(said))
    return Calibration(mean, hit / rows, rows, ends[:, 0], ends[:, 1], off)


def _rareness(levels: Floats, mean: float) -> Floats:
    """What a row of each level counts towards a group's size."""
    if 0.0 < mean < RARE:
        return 1.0 + levels / mean
    if 1.0 - RARE < mean < 1.0:
        return 1.0 + (1.0 - levels) / (1.0 - mean)
    return np.ones(len(levels))


def wilson(hits: int, rows: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    z = 1.96
    share, extra = hits / rows, z * z / rows
    centre = share + extra / 2
    half = z * math.sqrt(share * (1 - share) / rows + extra / (4 * rows))
    low, high = (centre - half) / (1 + extra), (centre + half) / (1 + extra)
    return max(0.0, min(low, share)), min(1.0, max(high, share))  # despite rounding
