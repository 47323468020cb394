"""A number just beyond a cut that people can read.

x > 2.45 has no smallest number; the next float64 would be 2.4500000000000006. `just_above` gives
the roundest decimal within a short step instead: 2.451 for a step of 0.001.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Decimal

_DIGITS = 17
"""Significant digits that tell any two float64s apart."""


def just_above(cut: float, limit: float, step: float) -> float:
    """A float64 in (cut, min(limit, cut + step)]: the smallest multiple of the largest power of ten
    that has one there; the next float64 after the cut where the step is too short for others."""
    least = math.nextafter(cut, math.inf)
    most = max(least, min(limit, cut + step))
    exact = Decimal(least)
    first = max(exact.adjusted(), Decimal(most).adjusted()) + 1
    for place in range(first, exact.adjusted() - _DIGITS - 1, -1):
        found = float(exact.quantize(Decimal((0, (1,), place)), rounding=ROUND_CEILING))
        if cut < found <= most:
            return found + 0.0
    return least
