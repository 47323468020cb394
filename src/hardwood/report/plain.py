"""Numbers and data as JSON takes them.

In: arrays, nested data. Out: lists without NaN (None takes the place of a number that is not
finite), and JSON text that is safe inside an HTML script element. Invariant: the text is ASCII and
holds no `<`, `>` or `&`, whatever the data's names are.
"""

from __future__ import annotations

import json
import math
import zlib
from base64 import b64encode
from collections.abc import Iterable
from typing import Any

import numpy as np

_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def plain_floats(values: Iterable[Any], digits: int | None = None) -> list[float | int | None]:
    """Python numbers, whole ones as integers (shorter), rounded to `digits` if these are given."""
    # A list of Python floats is read several times as fast as an array.
    numbers = values.tolist() if isinstance(values, np.ndarray) else values
    return [plain_float(value, digits) for value in numbers]


def plain_float(value: Any, digits: int | None = None) -> float | int | None:
    number = float(value)
    if not math.isfinite(number):
        return None
    if digits is not None:
        number = float(f"{number:.{digits}g}")
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def script_json(data: Any) -> str:
    """JSON for `<script type="application/json">`."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    for sign, escape in _ESCAPES.items():
        text = text.replace(sign, escape)
    return text


def packed(data: Any) -> str:
    """JSON, compressed (deflate) and in base64."""
    return b64encode(zlib.compress(script_json(data).encode("ascii"))).decode("ascii")
