"""Values of the user's table as text and as plain Python objects.

In: thresholds, category values and class labels as they lie in a fitted model. Out: the shortest
text that reads back as the same float64 or integer, and objects that `json` accepts. Invariant:
nothing is rounded but where a short number between two others is asked for.
"""

from __future__ import annotations

import math

import numpy as np

from hardwood._core import threshold_between

_NEEDS_QUOTES = set(",{}\"'\n\r\t")


def number_text(value: float | int) -> str:
    """`42`, `42.5`, `1e+300`, `9007199254740993`."""
    if isinstance(value, int):
        return str(value)
    text = repr(value + 0.0)  # -0.0 becomes 0.0: they are the same threshold
    return text.removesuffix(".0")


def short_between(low: float, high: float, whole: bool) -> float:
    """The shortest decimal in the middle half, as thresholds are chosen (docs/theory/rules.md)."""
    return threshold_between(low, high, whole)


def value_text(value: object) -> str:
    """A category or class; a string is quoted only where it could be misread."""
    plain = plain_value(value)
    if isinstance(plain, str):
        unclear = not plain or plain != plain.strip() or not _NEEDS_QUOTES.isdisjoint(plain)
        return repr(plain) if unclear else plain
    if isinstance(plain, float):
        return number_text(plain)
    return str(plain)


def plain_value(value: object) -> object:
    """NumPy scalars as Python ones."""
    return value.item() if isinstance(value, np.generic) else value


def json_value(value: object) -> bool | int | float | str | None:
    """As `json` takes it: numbers stay numbers, what JSON does not know becomes its text."""
    plain = plain_value(value)
    if isinstance(plain, float) and not math.isfinite(plain):
        return str(plain)
    if plain is None or isinstance(plain, bool | int | float | str):
        return plain
    return str(plain)
