"""The threshold between two neighbouring values, from the rule (docs/theory/rules.md#thresholds).

In: adjacent values low < high of a column. Out: the number of the middle half of [low, high] that
is written with the fewest digits, the nearest to the midpoint among these, the smaller on a tie.
Exact: the sum of two float64 has at most 1,383 digits.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

_EXACT = Context(prec=2000, Emin=-9999, Emax=9999)


def threshold_between(low: float | int, high: float | int, whole: bool) -> float | int:
    """`whole`: all values of the column are whole numbers, and so is the threshold."""
    kind = type(low)
    neighbours = kind is float and math.nextafter(low, math.inf) == high
    if neighbours or (whole and high - low == 1):
        return low
    a, b = Decimal(low), Decimal(high)
    width = _EXACT.subtract(b, a)
    quarter = _EXACT.multiply(width, Decimal("0.25"))
    first, last = _EXACT.add(a, quarter), _EXACT.subtract(b, quarter)
    if first <= 0 <= last:
        return kind(0)
    middle = _EXACT.add(first, quarter)
    for digits in range(1, 21):
        inside = [
            value for value in map(kind, _beside(middle, digits)) if first <= Decimal(value) <= last
        ]
        if inside:
            return min(inside, key=lambda t: (_EXACT.subtract(Decimal(t), middle).copy_abs(), t))
    return low


def _beside(middle: Decimal, digits: int) -> list[Decimal]:
    """The decimals of at most so many digits that are next to the midpoint, two on each side."""
    down = Context(prec=digits, rounding=ROUND_FLOOR, Emin=-9999, Emax=9999)
    up = Context(prec=digits, rounding=ROUND_CEILING, Emin=-9999, Emax=9999)
    below, above = down.plus(middle), up.plus(middle)
    return [down.next_minus(below), below, above, up.next_plus(above)]
