"""The whole-number weights of a round in AdaBoost's oracle, and the rows that trimming keeps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tests.oracles import topdown_problem
from tests.oracles.boosting_records import RESCALED
from tests.oracles.topdown_problem import CLOSE


def example_weight(weights: Sequence[float]) -> float:
    if all(float(w).is_integer() for w in weights):
        return 1.0
    return math.fsum(weights) / sum(w > 0 for w in weights)


def round_weights(
    weights: Sequence[float], factors: list[float], logistic: bool = False
) -> tuple[tuple[int, ...], float]:
    """Whole numbers from weight x factor, and how many of them a row of weight and factor 1 has.
    Far from 1 the factors are rescaled, which is exact (no test of ours gets there with a prior).
    """
    if logistic:
        factors = [f / (1 + f) for f in factors]
    total = math.fsum(w * f for w, f in zip(weights, factors, strict=True))
    while not logistic and not 1 / RESCALED <= total <= RESCALED:
        scale = 1 / RESCALED if total > 1 else RESCALED
        factors[:] = [f * scale for f in factors]
        total *= scale
    _, exponent = topdown_problem.integer_weights([total])
    unit = Fraction(2) ** exponent
    return _on_grid(weights, factors, unit), float(unit)


def _on_grid(weights: Sequence[float], factors: list[float], unit: Fraction) -> tuple[int, ...]:
    if all(float(w).is_integer() for w in weights):
        return tuple(
            int(w) * round(Fraction(f) * unit) for w, f in zip(weights, factors, strict=True)
        )
    return tuple(round(Fraction(w * f) * unit) for w, f in zip(weights, factors, strict=True))


def trimmed(
    integers: Sequence[int], fraction: float, kinds: Sequence[Any] | None = None
) -> tuple[tuple[int, ...], str | None]:
    """The heaviest rows that hold the share, with all that tie with the lightest of them.

    Where `kinds` are given, also what rounding leaves open.
    """
    rows = sorted((row for row, w in enumerate(integers) if w > 0), key=lambda row: -integers[row])
    if fraction >= 1.0:
        return tuple(sorted(rows)), None
    goal = fraction * float(sum(integers))
    held, least, near = 0, 0, None
    for row in rows:
        held, least = held + integers[row], integers[row]
        if kinds is not None and abs(held - goal) <= CLOSE * goal + len(rows):
            near = "the share of the weight is met too closely"
        if held >= goal:
            break
    if kinds is not None:
        same = {kinds[row] for row in rows if abs(integers[row] - least) <= CLOSE * least + 2}
        if len(same) > 1:
            near = "rows beside the lightest that is kept are too close"
    return tuple(sorted(row for row in rows if integers[row] >= least)), near
