"""Arrays <-> bytes: each in the narrowest type that loses nothing, one after the other.

In: named one-dimensional arrays. Out: a list of [name, stored type, length] and the bytes; or the
arrays again, in the types asked for. Invariant: an array comes back with the same bits, except that
a NaN is just a NaN.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.errors import ModelFileError

WHOLE = ("|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8")
"""Stored types of whole numbers, in the order in which they are tried."""
REAL = (*WHOLE[:6], "<f4", "<f8")
"""Stored types of float64 numbers."""

Listing = list[list[Any]]


def to_data(arrays: Mapping[str, NDArray[Any]]) -> tuple[Listing, bytes]:
    listing: Listing = []
    parts: list[bytes] = []
    for name, array in arrays.items():
        stored = _narrow(array)
        listing.append([name, stored.dtype.str, len(stored)])
        parts.append(stored.tobytes())
    return listing, b"".join(parts)


def _narrow(array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype == bool:
        return array.astype(np.uint8)
    if array.dtype.kind in "iu":
        low, high = (int(array.min()), int(array.max())) if len(array) else (0, 0)
        for kind in map(np.dtype, WHOLE):
            if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
                return array.astype(kind)
    with np.errstate(invalid="ignore", over="ignore"):
        for kind in map(np.dtype, REAL):
            narrow = array.astype(kind)
            back = narrow.astype(np.float64)
            same = (back == array) & (np.signbit(back) == np.signbit(array))
            if (same | (np.isnan(back) & np.isnan(array))).all():
                return narrow
    return array


def from_data(
    listing: Any, data: bytes, types: Mapping[str, np.dtype[Any]]
) -> dict[str, NDArray[Any]]:
    """Every array of the listing, in the type that `types` has for its name."""
    arrays: dict[str, NDArray[Any]] = {}
    at = 0
    for name, stored, length in _checked_listing(listing):
        if name not in types or name in arrays:
            raise ModelFileError(f"its header lists an array {name[:40]!r} that does not belong.")
        wanted = types[name]
        if stored not in _allowed(wanted):
            raise ModelFileError(f"its array {name!r} has the wrong type {stored[:40]!r}.")
        kind = np.dtype(stored)
        end = at + length * kind.itemsize
        if end > len(data):
            raise ModelFileError(f"its array {name!r} goes beyond the end of the data.")
        narrow = np.frombuffer(data, dtype=kind, count=length, offset=at)
        if wanted.kind == "b" and (narrow > 1).any():
            raise ModelFileError(f"its array {name!r} holds more than true and false.")
        if wanted.kind in "iu" and length and not _fits(narrow, wanted):
            raise ModelFileError(f"its array {name!r} holds numbers that are too large.")
        with np.errstate(invalid="ignore"):  # of a NaN that signals
            arrays[name] = narrow.astype(wanted)
        at = end
    if at != len(data):
        raise ModelFileError("its data is longer than its arrays.")
    return arrays


def _checked_listing(listing: Any) -> list[tuple[str, str, int]]:
    good = isinstance(listing, list) and all(
        isinstance(item, list)
        and len(item) == 3
        and isinstance(item[0], str)
        and isinstance(item[1], str)
        and type(item[2]) is int
        and 0 <= item[2] < 2**62
        for item in listing
    )
    if not good:
        raise ModelFileError("its header does not list its arrays as [name, type, length].")
    return [(name, kind, length) for name, kind, length in listing]


def _allowed(wanted: np.dtype[Any]) -> tuple[str, ...]:
    if wanted.kind == "b":
        return ("|u1",)
    return REAL if wanted.kind == "f" else WHOLE


def _fits(narrow: NDArray[Any], wanted: np.dtype[Any]) -> bool:
    limits = np.iinfo(wanted)
    return limits.min <= int(narrow.min()) and int(narrow.max()) <= limits.max
