"""The criteria of fractional examples, bit by bit as the core has them, and whether a drop is
positive."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from fractions import Fraction

Vector = tuple[int, ...]


def log2_ratio(w: float, a: float) -> float:
    """log2(w / a), w >= a > 0: k + (2 / ln 2) atanh((w - a 2^k) / (w + a 2^k)), a series of 11."""
    w = max(w, 1.0)
    k = (_bits(w) >> 52) - (_bits(a) >> 52)
    scaled = math.ldexp(a, k)
    k += int(w > scaled * 1.4142135623730951) - int(w * 1.4142135623730951 < scaled)
    scaled = math.ldexp(a, k)
    s = (w - scaled) / (w + scaled)
    z, factor = s * s, 2.8853900817779268
    series = factor / 21
    for odd in (19, 17, 15, 13, 11, 9, 7, 5, 3, 1):
        series = series * z + factor / odd
    return k + s * series


def _bits(x: float) -> int:
    return int(struct.unpack("<q", struct.pack("<d", x))[0])


def phi(criterion: str, parts: Sequence[float]) -> float:
    """|a| G(a/|a|) from each class's weight and that of the others."""
    before, others = 0.0, []
    for c, own in enumerate(parts):
        after = 0.0
        for later in reversed(parts[c + 1 :]):
            after += later
        others.append(before + after)
        before += own
    if criterion == "error":
        return 2.0 * min(others)
    total = 0.0
    for own, other in zip(parts, others, strict=True):
        if criterion == "km":
            total += math.sqrt(own * other)
        elif criterion == "gini":
            total += (2.0 * own) * other / max(own + other, 1.0)
        elif own > 0.0:
            total += own * log2_ratio(own + other, own)
    return total


def branch_parts(known: Vector, all_known: Vector, missing: Vector) -> list[float]:
    """a_j + (A_j/A) m."""
    share = float(sum(known)) / float(sum(all_known))
    return [float(a) + share * float(m) for a, m in zip(known, missing, strict=True)]


def drop_is_positive(criterion: str, branches: Sequence[Vector], missing: Vector) -> bool:
    known = tuple(map(sum, zip(*branches, strict=True)))
    shares = [Fraction(sum(branch), sum(known)) for branch in branches]
    if criterion != "error":
        pairs = zip(branches, shares, strict=True)
        return any(a != s * b for v, s in pairs for a, b in zip(v, known, strict=True))
    right = sum(
        max(a + s * m for a, m in zip(v, missing, strict=True))
        for v, s in zip(branches, shares, strict=True)
    )
    return right > max(a + m for a, m in zip(known, missing, strict=True))
