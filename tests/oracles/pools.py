"""Numbers nearest to given ones among those in order, by looking at all sets; for a dozen items.

The number of an item in the least-squares solution is the largest, over sets that hold with an item
all that may not be smaller and hold this one, of the smallest, over sets that hold with an item all
that may not be larger and hold this one, of the weighted mean of the two sets' common items
(Robertson, Wright, Dykstra 1988, theorem 1.4.4). Nothing of hardwood is imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

Pair = tuple[int, int]


def nearest_in_order(
    weights: Sequence[Fraction], values: Sequence[Fraction], pairs: Sequence[Pair]
) -> list[Fraction]:
    """pairs: an item, and one whose number may not be smaller."""
    count = len(values)
    sets = [{i for i in range(count) if bits[i]} for bits in product((0, 1), repeat=count)]
    upper = [each for each in sets if all(b in each for a, b in pairs if a in each)]
    lower = [each for each in sets if all(a in each for a, b in pairs if b in each)]

    def mean(items: set[int]) -> Fraction:
        weight = sum((weights[i] for i in items), Fraction(0))
        return sum((weights[i] * values[i] for i in items), Fraction(0)) / weight

    return [
        max(min(mean(u & v) for v in lower if item in v) for u in upper if item in u)
        for item in range(count)
    ]
