"""The threshold between two neighbouring values, by trying every decimal of every length.

The middle half of [low, high] is [low + (high - low)/4, high - (high - low)/4]. The threshold is
the float64 in it that is written with the fewest significant digits (none for 0), the nearest to
the midpoint among these, the smaller one on a tie. Neighbours in float64 have none there: it is the
midpoint, or `low` where that rounds to `high`. Of a column of whole numbers it is a whole number,
`low` where the middle half has none. Everything is a fraction, and a decimal becomes a float64
as Python reads it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

LONGEST = 20
"""Digits of the largest 64-bit integer; a float64 needs 17."""


@lru_cache(maxsize=None, typed=True)
def threshold_between(low: Any, high: Any, whole: bool) -> Any:
    """low < high, of the same type; `whole`: the column has whole numbers only."""
    integers = isinstance(low, int) and isinstance(high, int)
    first = Fraction(low) + (Fraction(high) - Fraction(low)) / 4
    last = Fraction(high) - (Fraction(high) - Fraction(low)) / 4
    middle = (Fraction(low) + Fraction(high)) / 2
    if not integers and math.nextafter(low, math.inf) == high:
        return low if float(middle) >= high else float(middle)
    for digits in range(LONGEST + 1):
        inside: set[Any] = set()
        for decimal in decimals(digits, first, last, Fraction(int(whole))):
            if integers:
                inside.add(decimal)
            else:
                inside.update(_as_float(decimal))
        inside = {value for value in inside if first <= Fraction(value) <= last}
        if whole:
            inside = {value for value in inside if Fraction(value).denominator == 1}
        if inside:
            nearest = min(inside, key=lambda value: (abs(Fraction(value) - middle), value))
            return int(nearest) if integers else nearest
    return low


def all_whole(values: Iterable[float | None]) -> bool:
    return all(value is None or Fraction(value).denominator == 1 for value in values)


def decimals(
    digits: int, first: Fraction, last: Fraction, least_unit: Fraction
) -> Iterator[Fraction]:
    """The decimals of at most so many digits in [first, last], and one or two beside it; none that
    has a digit for less than `least_unit`, if that is not 0."""
    if first <= 0 <= last:
        yield Fraction(0)
    elif first < 0:
        yield from (-decimal for decimal in decimals(digits, -last, -first, least_unit))
    elif digits:
        for exponent in range(_magnitude(first), _magnitude(last) + 1):
            unit = Fraction(10) ** (exponent - digits + 1)
            if unit < least_unit:
                continue
            least = max(-(-first // unit) - 1, 10 ** (digits - 1))
            most = min(last // unit + 1, 10**digits)
            yield from (number * unit for number in range(least, most + 1))


def _magnitude(value: Fraction) -> int:
    """The largest e with 10^e <= value."""
    exponent = len(str(value.numerator)) - len(str(value.denominator)) + 1
    while Fraction(10) ** exponent > value:
        exponent -= 1
    return exponent


def _as_float(decimal: Fraction) -> Iterator[float]:
    try:
        yield float(decimal)
    except OverflowError:  # beyond the largest float64
        return
