"""Checks of the arguments of `hardwood.theory`: what was given, what is allowed."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray


def whole(name: str, value: Any, least: int) -> int:
    """`value` as an int of at least `least`."""
    number = isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))
    if not number or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}; given was {value!r}.")
    return int(value)


def share(
    name: str, value: Any, most: float = 1.0, *, zero: bool = False, ends: bool = True
) -> float:
    """`value` as a float above 0 (or at least 0, with `zero`) and up to `most` (below it without
    `ends`)."""
    number = isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
    inside = number and math.isfinite(value) and 0.0 <= value <= most
    if not inside or (value == 0.0 and not zero) or (value == most and not ends):
        low = "at least 0" if zero else "above 0"
        high = f"at most {most:g}" if ends else f"below {most:g}"
        raise ValueError(f"{name} must be a number {low} and {high}; given was {value!r}.")
    return float(value)


def floats(name: str, values: Any) -> NDArray[np.float64]:
    """`values` as an array."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be numbers; given was {type(values).__name__}.") from None
