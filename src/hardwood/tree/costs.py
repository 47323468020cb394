"""The label of least expected cost.

In: class probabilities, and [C, C] costs, row the true class, column the one that is said. Out: the
class k with the least sum of p_t costs[t, k], the first on a tie. Sums run class by class, so every
machine rounds alike.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def expected_costs(shares: Floats, costs: Floats) -> Floats:
    """[rows, C] what saying each class costs."""
    total = np.zeros_like(shares)
    for truth in range(shares.shape[1]):
        total += shares[:, truth : truth + 1] * costs[truth]
    return total


def cheapest(shares: Floats, costs: Floats) -> NDArray[np.intp]:
    """[rows] class numbers."""
    return np.asarray(expected_costs(shares, costs).argmin(axis=1))


def decides(costs: Floats | None) -> Floats | None:
    """None where all mistakes cost the same, which is to count them."""
    if costs is None or len(costs) < 2:
        return None
    mistakes = costs[~np.eye(len(costs), dtype=bool)]
    return None if (mistakes == mistakes[0]).all() else costs
