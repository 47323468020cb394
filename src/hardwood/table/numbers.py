"""The kind of a column of numbers, and a prediction column brought into a model's kind.

Invariant: order and equality are those of the exact values. A float64 holds every integer up to
2^53; beyond it a column of integers stays integers. At prediction a value x is replaced by the
smallest value of the model's domain that is >= x: then x <= t and its image <= t agree for every
threshold t of that domain.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.table.objects import EXACT
from hardwood.table.raw import Numbers
from hardwood.table.schema import Kind


def kind_of(numbers: Numbers) -> Kind:
    """integer where some present value is beyond 2^53, unsigned where one is beyond 2^63, else
    numeric: which type of whole numbers holds the values makes no difference."""
    dtype = numbers.values.dtype
    if dtype.kind not in "iu" or dtype.itemsize < 8 or not _any_beyond(numbers, EXACT):
        return "numeric"
    return "unsigned" if dtype.kind == "u" and _any_beyond(numbers, 2**63 - 1) else "integer"


def into_kind(numbers: Numbers, kind: Kind) -> Numbers:
    """The numbers in the domain of a model's column; the image of x is the least value >= x."""
    if kind == "numeric":
        return numbers if kind_of(numbers) == "numeric" else _ceil_to_float(numbers)
    target = np.dtype(np.int64 if kind == "integer" else np.uint64)
    values = numbers.values
    if values.dtype == target:
        return numbers
    if values.dtype.kind == "f":
        return _ceil_to_whole(numbers, target)
    if target.kind == "u" and values.dtype.kind == "i":
        values = np.maximum(values, 0)
    elif target.kind == "i" and values.dtype.kind == "u":
        values = np.minimum(values, np.uint64(2**63 - 1))
    return Numbers(values.astype(target), numbers.missing, numbers.rows)


def exact_matrix(array: NDArray[Any]) -> NDArray[Any] | None:
    """The array when all its values are numbers that float64 holds exactly and the core reads in
    place; else None."""
    dtype = array.dtype
    if dtype.kind not in "biuf" or (dtype.kind == "f" and dtype.itemsize not in (4, 8)):
        return None
    if not dtype.isnative or any(step % dtype.itemsize for step in array.strides):
        return None
    if dtype.kind in "iu" and dtype.itemsize == 8 and _beyond(array, EXACT):
        return None
    return array


def all_missing(numbers: Numbers, n_rows: int) -> bool:
    """Whether no row of the column has a value."""
    if numbers.rows is not None and len(numbers.rows) < n_rows:
        return False
    if numbers.values.dtype.kind == "f":
        gone = np.isnan(numbers.values)
        return bool((gone if numbers.missing is None else gone | numbers.missing).all())
    return numbers.missing is not None and bool(numbers.missing.all())


def dense(numbers: Numbers, n_rows: int) -> Numbers:
    """The same column with a value for every row."""
    if numbers.rows is None:
        return numbers
    values = np.zeros(n_rows, dtype=numbers.values.dtype)
    values[numbers.rows] = numbers.values
    if numbers.missing is None:
        return Numbers(values)
    missing = np.zeros(n_rows, dtype=np.bool_)
    missing[numbers.rows] = numbers.missing
    return Numbers(values, missing)


def _any_beyond(numbers: Numbers, limit: int) -> bool:
    values = numbers.values
    if not _beyond(values, limit):
        return False
    # What lies under the mask is arbitrary and must not decide.
    return numbers.missing is None or _beyond(values[~numbers.missing], limit)


def _beyond(values: NDArray[Any], limit: int) -> bool:
    if not values.size:
        return False
    return int(values.max()) > limit or int(values.min()) < -limit


def _ceil_to_float(numbers: Numbers) -> Numbers:
    exact = numbers.values
    rounded = exact.astype(np.float64)
    # 2^63 and 2^64 are float64s beyond the integer type, and above every value of it.
    top = 2.0**63 if exact.dtype.kind == "i" else 2.0**64
    inside = rounded < top
    back = np.where(inside, rounded, 0.0).astype(exact.dtype)
    below = inside & (back < exact)
    values = np.where(below, np.nextafter(rounded, np.inf), rounded)
    return Numbers(values, numbers.missing, numbers.rows)


def _ceil_to_whole(numbers: Numbers, target: np.dtype[Any]) -> Numbers:
    given = numbers.values.astype(np.float64)
    if np.isinf(given).any():
        raise ValueError(
            "Input X contains infinity; allowed are finite values and, for missing ones, NaN."
        )
    missing = np.isnan(given)
    if numbers.missing is not None:
        missing |= numbers.missing
    ceiling = np.where(missing, 0.0, np.ceil(given))
    limits = np.iinfo(target)
    above = ceiling >= float(limits.max)
    under = ceiling < float(limits.min)
    values = np.where(above | under, 0.0, ceiling).astype(target)
    values[above] = limits.max
    values[under] = limits.min
    return Numbers(values, missing if missing.any() else None, numbers.rows)
