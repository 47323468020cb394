"""What all parts together say: classes, codes and the grid of the weights.

In: the parts' descriptions. Out: an `Agreement`, the same for any way the rows are cut into parts.
Sums are exact (exactly rounded totals of exact addends), so the grid is that of one process.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.distributed.codebooks import CodePlan, merge_column
from hardwood.distributed.describing import PartDescription
from hardwood.encoding import Weights
from hardwood.encoding.weights import (
    can_be_counted,
    can_count_rows,
    class_factors,
    equal_weights,
    grid_exponent,
    refuse_extremes,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Grid:
    """How rows become whole-number weights.

    exponent: None where every row counts 1. factors: per class, or None. whole: weights times
    factors are whole numbers. examples: they do not follow from the weights. unit, total and
    units_per_example as in `Weights`. whole_given: sample weights are whole numbers. With class
    weights `weighted_grid` says the rest later.
    """

    exponent: int | None
    factors: Floats | None
    whole: bool
    examples: bool
    unit: float
    units_per_example: Fraction
    whole_given: bool

    def weights(self, total: float, counts: NDArray[np.int64]) -> Weights:
        """For the rules of growth; what belongs to rows stays with the parts, which told the
        counts."""
        examples = np.empty(0, dtype=np.int64) if self.examples else None
        number = self.n_examples(counts)
        given = self.whole_given
        return Weights(None, self.unit, total, examples, self.units_per_example, given, number)

    def n_examples(self, counts: NDArray[np.int64]) -> int:
        """counts: the examples and the number of the rows of positive weight."""
        return int(counts[0 if self.whole_given else 1])


@dataclass(frozen=True)
class Agreement:
    """class_rows: the number of rows of each class. first_rows: by a part's number, the position of
    its first row among all rows. examples: what whole sample weights add up to, else the number of
    rows of positive weight. missing: "branch" or "fractional", as the fit was asked. misses:
    by column, whether a value is missing somewhere."""

    names: tuple[str, ...] | None
    classes: NDArray[Any]
    class_rows: NDArray[np.int64]
    first_rows: dict[int, int]
    plan: CodePlan
    rows: int
    examples: int
    grid: Grid
    missing: str
    misses: tuple[bool, ...]

    @property
    def rows_of_largest_part(self) -> int:
        begins = [*sorted(self.first_rows.values()), self.rows]
        return max(end - begin for begin, end in itertools.pairwise(begins))

    @property
    def fractional(self) -> bool:
        """Rows go down several branches in pieces."""
        return self.missing == "fractional" and any(self.misses)


def agree(
    parts: Sequence[PartDescription],
    places: Sequence[str],
    class_weight: Any,
    *,
    missing: str = "branch",
    numbers: Sequence[int] | None = None,
) -> Agreement:
    """`places` names each part in messages; parts without rows are left out. numbers: of the parts,
    if they are not 0, 1, and so on."""
    if not parts:
        raise ValueError(
            "Found X with 0 sample(s): no partition has a row, while a minimum of 1 is required."
        )
    _check_columns(parts, places)
    names = parts[0].names
    classes = _merged_classes(parts, places)
    schemas, codes = [], []
    for j in range(len(parts[0].columns)):
        name = f"x{j}" if names is None else names[j]
        schema, code = merge_column(name, [part.columns[j] for part in parts], places)
        schemas.append(schema)
        codes.append(code)
    plan = CodePlan(tuple(schemas), tuple(codes))
    begins = np.cumsum([0, *(part.rows for part in parts)]).tolist()
    rows, numbers = begins[-1], range(len(parts)) if numbers is None else numbers
    class_rows = _class_rows(parts, classes)
    columns = zip(*(part.columns for part in parts), strict=True)
    misses = tuple(any(each.has_missing or each.absent for each in column) for column in columns)
    counted = missing != "fractional" or not any(misses)
    grid = _grid(parts, classes, class_rows, class_weight, counted)
    first_rows = dict(zip(numbers, begins[:-1], strict=True))
    return Agreement(
        names, classes, class_rows, first_rows, plan, rows, _examples(parts), grid,
        missing=missing, misses=misses,
    )  # fmt: skip


def _examples(parts: Sequence[PartDescription]) -> int:
    weights = [part.weights for part in parts if part.weights is not None]
    if not weights:
        return sum(part.rows for part in parts)
    if not all(each.whole for each in weights):
        return sum(each.positive for each in weights)
    total = math.fsum(value for each in weights for own in each.addends for value in own.tolist())
    return int(min(total, 2.0**62))


def _check_columns(parts: Sequence[PartDescription], places: Sequence[str]) -> None:
    first = parts[0]
    for part, place in zip(parts[1:], places[1:], strict=True):
        if part.names != first.names or len(part.columns) != len(first.columns):
            raise ValueError(
                f"{place} has the columns {_listed(part)}, but {places[0]} has {_listed(first)}; "
                "all must have the same columns in the same order."
            )
        if (part.weights is None) != (first.weights is None):
            raise ValueError(f"{place} has no sample weights, but {places[0]} has; give them all.")


def _listed(part: PartDescription) -> str:
    if part.names is None:
        return f"0 to {len(part.columns) - 1}"
    shown = ", ".join(map(repr, part.names[:8]))
    return shown + (", ..." if len(part.names) > 8 else "")


def _merged_classes(parts: Sequence[PartDescription], places: Sequence[str]) -> NDArray[Any]:
    texts = [isinstance(part.classes.tolist()[0], str) for part in parts]
    if len(set(texts)) > 1:
        other = places[texts.index(not texts[0])]
        raise TypeError(
            f"y holds {'strings' if texts[0] else 'numbers'} in {places[0]} and "
            f"{'numbers' if texts[0] else 'strings'} in {other}; labels must be all strings or all "
            "numbers. Convert them to one type."
        )
    return np.unique(np.concatenate([part.classes for part in parts]))


def _class_rows(parts: Sequence[PartDescription], classes: NDArray[Any]) -> NDArray[np.int64]:
    place = {label: i for i, label in enumerate(classes.tolist())}
    sizes = np.zeros(len(classes), dtype=np.int64)
    for part in parts:
        for label, rows in zip(part.classes.tolist(), part.class_rows.tolist(), strict=True):
            sizes[place[label]] += rows
    return sizes


def _grid(
    parts: Sequence[PartDescription],
    classes: NDArray[Any],
    class_rows: NDArray[np.int64],
    class_weight: Any,
    counted: bool,
) -> Grid:
    """counted: rows of equal weight count 1 each; else their weight can be divided into pieces."""
    given, rows = parts[0].weights is not None, int(class_rows.sum())
    place = {label: i for i, label in enumerate(classes.tolist())}
    addends: list[list[float]] = [[] for _ in classes]
    sizes = class_rows.astype(np.float64)
    for part in parts:
        for i, label in enumerate(part.classes.tolist()):
            if part.weights is not None:
                addends[place[label]].extend(part.weights.addends[i].tolist())
    if given:
        sizes = np.array([math.fsum(own) for own in addends])
        _check_given(parts, rows)
    factors = class_factors(class_weight, classes.tolist(), lambda: sizes)
    summaries = [part.weights for part in parts if part.weights is not None]
    whole_given = all(each.whole for each in summaries)
    if factors is not None:
        return Grid(None, factors, False, True, 1.0, Fraction(1), whole_given)
    singles = {each.single for each in summaries}
    weight = next(iter(singles)) or 0.0 if singles else 1.0
    if counted and len(singles) < 2 and None not in singles and can_count_rows(np.array([weight])):
        same = equal_weights(weight, rows)
        per_example = same.units_per_example
        whole = whole_given and can_be_counted(weight * rows)
        return Grid(None, None, whole, False, same.unit, per_example, whole_given)
    total = math.fsum(value for own in addends for value in own) if given else float(rows)
    exponent = grid_exponent(Fraction(total))
    unit = math.ldexp(1.0, -exponent)
    per_example = Fraction(2) ** exponent
    whole = whole_given and can_be_counted(total)
    return Grid(exponent, None, whole, not whole_given, unit, per_example, whole_given)


def _check_given(parts: Sequence[PartDescription], rows: int) -> None:
    summaries = [part.weights for part in parts if part.weights is not None]
    largest = max(each.largest for each in summaries)
    refuse_extremes(largest, rows)
    if largest == 0:
        raise ValueError("All of sample_weight is zero; at least one row needs a positive weight.")


def weighted_grid(given: Grid, addends: Floats, largest: float, whole: bool, rows: int) -> Grid:
    """With class weights: the parts told the exact sum of weight x factor, and the largest."""
    refuse_extremes(largest, rows)
    if largest == 0:
        raise ValueError(
            "Every row has weight zero after class_weight; at least one class that occurs needs a "
            "positive weight."
        )
    total = math.fsum(addends.tolist())
    whole = whole and can_be_counted(total)
    exponent = grid_exponent(Fraction(total))
    unit = math.ldexp(1.0, -exponent)
    per_example = Fraction(2) ** exponent
    return Grid(exponent, given.factors, whole, True, unit, per_example, given.whole_given)
