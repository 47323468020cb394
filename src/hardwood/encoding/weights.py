"""Sample and class weights -> whole numbers on a power-of-two grid.

w_i = round(2^e w_i), e the largest integer with 2^e * total <= 2^52, the total exactly rounded so
that the order of the rows does not matter (docs/theory/rules.md#exact-arithmetic). Sums of such
weights are exact in int64 and float64. A row whose weight rounds to 0 is absent. Where all rows
weigh the same (`can_count_rows`) the core counts rows, and `unit` is what one row weighs.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import exact_total
from hardwood.encoding.labels import Labels

Floats = NDArray[np.float64]

MOST_OF_A_ROW = 2.0**31
"""Examples that are counted of one row, so that their sum fits int64."""


@dataclass(frozen=True, slots=True)
class Weights:
    """weights: integers per row, or None when every row counts 1.
    unit: the user's weight of one integer unit (times this, integers are the user's weights).
    total: in integer units.
    examples: examples per row, or None when they follow from the weights.
    units_per_example: integer weight of one example, where they follow from the weights.
    whole: all sample weights are whole numbers.
    n_examples: what whole sample weights add up to, else the number of rows of positive weight.
    """

    weights: NDArray[np.int64] | None
    unit: float
    total: float
    examples: NDArray[np.int64] | None
    units_per_example: Fraction
    whole: bool
    n_examples: int

    @property
    def examples_per_weight(self) -> float:
        """What a user's weight of 1 is in the estimates of pruning."""
        return self.n_examples / (self.total * self.unit)


@dataclass(frozen=True, slots=True)
class UserWeights:
    """The rows' weights in the user's units.

    values: sample weight times class weight, or None when every row weighs 1.
    whole: all values are whole numbers, few enough to be counted (`can_be_counted`).
    examples: examples per row, or None when they are the values.
    whole_given: all sample weights are whole numbers.
    """

    values: Floats | None
    whole: bool
    examples: NDArray[np.int64] | None
    whole_given: bool

    def n_examples(self, rows: int) -> int:
        """What whole sample weights add up to, else the number of rows of positive weight."""
        if self.examples is not None:
            held = self.examples
            return int(held.sum()) if self.whole_given else int(np.count_nonzero(held))
        return rows if self.values is None else int(min(self.values.sum(), 2.0**62))


def user_weights(sample_weight: Any, class_weight: Any, labels: Labels) -> UserWeights:
    """Sample times class weights; wrong weights get a sentence."""
    n_rows = len(labels.codes)
    given = None if sample_weight is None else _check(sample_weight, n_rows)
    factors = class_factors(
        class_weight, labels.classes.tolist(), lambda: _class_sizes(labels, given)
    )
    if factors is None:
        if given is None:
            return UserWeights(None, True, None, True)
        whole = given == np.floor(given)
        if whole.all():
            return UserWeights(given, can_be_counted(exact_total(given)), None, True)
        return UserWeights(given, False, examples_of(given), False)
    weights = factors[labels.codes] if given is None else given * factors[labels.codes]
    refuse_extremes(float(weights.max()), n_rows)
    if not weights.any():
        raise ValueError(
            "Every row has weight zero after class_weight; at least one class that occurs needs a "
            "positive weight."
        )
    examples = np.ones(n_rows, dtype=np.int64) if given is None else examples_of(given)
    whole_given = given is None or bool((given == np.floor(given)).all())
    whole = bool((weights == np.floor(weights)).all()) and can_be_counted(exact_total(weights))
    return UserWeights(weights, whole, examples, whole_given)


def can_be_counted(total: float) -> bool:
    """Whether boosting can take a row of whole weight w for w rows: 2^52/total is what the factor
    of a row becomes on the grid, and needs some digits."""
    return total <= 2.0**32


def read_weights(
    sample_weight: Any, class_weight: Any, labels: Labels, *, counted: bool = True
) -> Weights:
    """The integer weights of the rows."""
    given = user_weights(sample_weight, class_weight, labels)
    return whole_weights(given, len(labels.codes), class_weight, counted=counted)


def whole_weights(
    given: UserWeights, n_rows: int, class_weight: Any, *, counted: bool = True
) -> Weights:
    """Weights as integers; not `counted`: on the grid also where all are equal, so that a weight
    can be divided into parts."""
    values = np.ones(n_rows) if given.values is None else given.values
    if counted and (given.values is None or (class_weight is None and can_count_rows(values))):
        return equal_weights(float(values[0]), n_rows)
    exponent = grid_exponent(Fraction(exact_total(values)))
    integers = np.rint(np.ldexp(values, exponent)).astype(np.int64)
    counts = given.examples if given.examples is not None else examples_of(values)
    return Weights(
        weights=integers,
        unit=math.ldexp(1.0, -exponent),
        total=float(integers.sum()),
        examples=given.examples,
        units_per_example=Fraction(2) ** exponent,
        whole=given.whole_given,
        n_examples=n_examples(counts, integers, given.whole_given),
    )


def n_examples(counts: NDArray[np.int64], weights: NDArray[Any], whole: bool) -> int:
    """Of the rows of positive weight: their examples where sample weights are whole, else 1."""
    present = weights > 0
    return int(counts[present].sum() if whole else np.count_nonzero(present))


def examples_of(given: Floats) -> NDArray[np.int64]:
    """A row of whole weight w is w examples, any other of positive weight one."""
    whole = given == np.floor(given)
    return np.where(whole, np.minimum(given, MOST_OF_A_ROW), 1).astype(np.int64)


def equal_weights(weight: float, n_rows: int) -> Weights:
    exponent = grid_exponent(Fraction(weight) * n_rows)
    unit = math.ldexp(np.rint(np.ldexp(weight, exponent)), -exponent)
    if weight == int(weight):
        examples = n_rows * int(weight)
        return Weights(None, unit, float(n_rows), None, 1 / Fraction(weight), True, examples)
    return Weights(None, unit, float(n_rows), None, Fraction(1), False, n_rows)


def grid_exponent(total: Fraction) -> int:
    """The largest e with 2^e * total <= 2^52."""
    exponent = 52 - (total.numerator.bit_length() - total.denominator.bit_length())
    while total * Fraction(2) ** exponent > 2**52:
        exponent -= 1
    while total * Fraction(2) ** (exponent + 1) <= 2**52:
        exponent += 1
    return exponent


def _check(sample_weight: Any, n_rows: int) -> Floats:
    weights = weight_numbers(sample_weight, n_rows)
    refuse_extremes(float(weights.max()), n_rows)
    if not weights.any():
        raise ValueError("All of sample_weight is zero; at least one row needs a positive weight.")
    return weights


def weight_numbers(sample_weight: Any, n_rows: int) -> Floats:
    """sample_weight as one finite number of at least 0 per row."""
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(
            f"sample_weight must be numbers, one per row; given was {type(sample_weight).__name__}."
        ) from None
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.ndim != 1 or len(weights) != n_rows:
        raise ValueError(
            f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}: one weight per row."
        )
    if not np.isfinite(weights).all():
        raise ValueError("sample_weight contains NaN or infinity; weights must be finite numbers.")
    if (weights < 0).any():
        raise ValueError(
            f"sample_weight contains the negative value {weights.min():g}; allowed is 0 or more."
        )
    return weights


def refuse_extremes(largest: float, n_rows: int) -> None:
    """Refuse weights so large or small that their integers or sums do not fit float64."""
    total = largest * n_rows  # Python's product: infinite without a warning
    if 0 < total < 2.0**-900 or total > 2.0**1000:
        raise ValueError(
            f"The weights add up to about {total:.3g}, near the limits of float64; multiply them "
            "by a number that brings their sum closer to 1."
        )


def _class_sizes(labels: Labels, given: Floats | None) -> Floats:
    """Each class's weight, exactly rounded: the order of the rows does not matter."""
    classes = len(labels.classes)
    if given is None:
        return np.bincount(labels.codes, minlength=classes).astype(np.float64)
    return np.array([exact_total(given[labels.codes == c]) for c in range(classes)])


def can_count_rows(weights: Floats) -> bool:
    """Whether rows may be counted in the place of these weights.

    A whole weight w is the row w times. Costs of w times the weights are w times the costs to the
    last bit only where w is a power of two, and a tie may be broken by the last bit.
    """
    weight = float(weights[0])
    whole = weight == math.floor(weight)
    return bool((weights == weight).all()) and not (whole and math.frexp(weight)[0] != 0.5)


def class_factors(
    class_weight: Any, classes: list[Any], sizes: Callable[[], Floats]
) -> Floats | None:
    """A factor per class, or None; `sizes` tells the weight of each class."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        size = sizes()
        with np.errstate(divide="ignore"):
            return np.where(size > 0, exact_total(size) / (len(classes) * size), 0.0)
    if not isinstance(class_weight, Mapping):
        raise ValueError(
            f'class_weight must be a dict, "balanced" or None; given was {class_weight!r}.'
        )
    unknown = [label for label in class_weight if label not in classes]
    if unknown:
        raise ValueError(
            f"class_weight names the class {unknown[0]!r}, which y does not have; its classes are "
            f"{', '.join(map(repr, classes[:10]))}."
        )
    given = [class_weight.get(label, 1.0) for label in classes]
    for label, factor in zip(classes, given, strict=True):
        number: Any = factor if isinstance(factor, Real) else math.nan
        if not 0 <= number <= sys.float_info.max:
            raise ValueError(
                f"class_weight gives class {label!r} the weight {str(factor)[:40]}; weights must "
                "be finite numbers that are 0 or more."
            )
    return np.array([float(factor) for factor in given])
