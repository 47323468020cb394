"""The training table, labels and weights, from their definitions.

In: X, y, sample_weight and a fitted model. Out: `TrainingRows`: per column its values and which are
missing, per row its class, weight and number of examples; and whole-number weights. Weights
(docs/theory/rules.md#exact-arithmetic): w_i = round(2^e w_i), e the largest integer with 2^e total
<= 2^52, the total exactly rounded. Invariant: the columns are read through `hardwood.table`, so a
value means what it means in prediction; nothing else of the library is used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.class_numbers import class_numbers
from hardwood.errors import infinite_value
from hardwood.table import ColumnSchema, Table, read_prediction_table

Floats = NDArray[np.float64]
MOST_OF_A_ROW = 2.0**31


@dataclass(frozen=True, eq=False)
class Values:
    """A column: numbers (float64, int64 or uint64) or category codes, and where they are missing;
    code -2 is a category that the model does not know."""

    schema: ColumnSchema
    values: NDArray[Any]
    missing: NDArray[np.bool_]
    whole: bool = False
    """All numbers of the table's column are whole, also those of rows that are not in use."""


@dataclass(frozen=True, eq=False)
class TrainingRows:
    schemas: tuple[ColumnSchema, ...]
    classes: NDArray[Any]
    labels: NDArray[np.int64]
    sample_weight: Floats
    class_sizes: Floats
    """The sample weight of each class, also of rows that `take` leaves out."""
    table: Table = field(repr=False)
    class_weighted: bool = False
    chosen: NDArray[np.intp] | None = None
    """The rows of X in use, None for all."""
    _read: dict[int, Values] = field(default_factory=dict, repr=False)

    @property
    def n_rows(self) -> int:
        return len(self.labels)

    def take(self, rows: NDArray[np.intp]) -> TrainingRows:
        """Some of the rows."""
        return replace(
            self,
            labels=self.labels[rows],
            sample_weight=self.sample_weight[rows],
            chosen=rows if self.chosen is None else self.chosen[rows],
            _read={},
        )

    def column(self, j: int) -> Values:
        if j not in self._read:
            whole = _values(self.table, j)
            if self.chosen is not None:
                at = self.chosen
                whole = replace(whole, values=whole.values[at], missing=whole.missing[at])
            self._read[j] = whole
        return self._read[j]

    def n_values(self, j: int) -> int:
        """Distinct values of the table's column, also those of rows that are not in use."""
        column = _values(self.table, j)
        return len(np.unique(column.values[~column.missing]))

    def weights(self, class_weight: Any) -> Floats:
        """Sample weight times class weight."""
        return self.sample_weight * self._factors(class_weight)[self.labels]

    def _factors(self, class_weight: Any) -> Floats:
        count = len(self.classes)
        if class_weight is None:
            return np.ones(count)
        if isinstance(class_weight, Mapping):
            return np.array([float(class_weight.get(c, 1.0)) for c in self.classes.tolist()])
        sizes = self.class_sizes.tolist()
        return np.array([math.fsum(sizes) / (count * s) if s > 0 else 0.0 for s in sizes])

    @property
    def examples(self) -> Floats:
        """A row of whole weight w is w examples, any other of positive weight one. At most 2^31 are
        counted in a row where examples are counted apart from the weights."""
        given = self.sample_weight
        whole = given == np.floor(given)
        apart = self.class_weighted or not whole.all()
        return np.where(whole, np.minimum(given, MOST_OF_A_ROW) if apart else given, 1.0)

    def n_examples(self, weights: NDArray[Any]) -> int:
        """Of the rows of positive weight: the sum of whole sample weights, else their number."""
        given = self.sample_weight
        if not (given == np.floor(given)).all():
            return int(np.count_nonzero(weights > 0))
        return int(self.examples[weights > 0].sum())


def training_rows(model: Any, X: Any, y: Any, sample_weight: Any) -> TrainingRows:
    """X, y and the sample weights as `fit` was given them."""
    table = read_prediction_table(
        X, model._schemas, hasattr(model, "feature_names_in_"), model_name=type(model).__name__
    )
    classes, labels = class_numbers(y, table.n_rows)
    given = np.ones(table.n_rows)
    if sample_weight is not None:
        given = np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), given.shape)
        if not (np.isfinite(given) & (given >= 0)).all() or not given.any():
            raise ValueError(
                "sample_weight must be finite numbers that are 0 or more, not all of them 0; give "
                "the weights that fit was given."
            )
    sizes = [math.fsum(given[labels == c]) for c in range(len(classes))]
    return TrainingRows(
        tuple(model._schemas),
        classes,
        labels,
        given,
        np.array(sizes),
        table,
        model.class_weight is not None,
    )


def integer_weights(weights: Floats) -> tuple[NDArray[np.int64], float]:
    """The whole numbers, and the weight of one unit; equal weights have their exact total."""
    if (weights == weights[0]).all():
        total = Fraction(float(weights[0])) * len(weights)
    else:
        total = Fraction(math.fsum(weights))
    exponent = grid_exponent(total)
    return np.rint(np.ldexp(weights, exponent)).astype(np.int64), math.ldexp(1.0, -exponent)


def grid_exponent(total: Fraction) -> int:
    """The largest e with 2^e total <= 2^52."""
    exponent = 54 - math.floor(math.log2(total))
    while total * Fraction(2) ** exponent > 2**52:
        exponent -= 1
    return exponent


def _values(table: Table, j: int) -> Values:
    column = table.column(j)
    values = column.values
    if column.schema.kind == "category":
        return Values(column.schema, values, values == -1)
    if column.schema.kind == "numeric":
        values = values.astype(np.float64)
        if np.isinf(values).any():
            raise infinite_value(column.schema.name)
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), np.bool_)
    if column.missing is not None:
        missing = missing | column.missing
    if column.rows is not None:
        dense, gone = np.zeros(table.n_rows, values.dtype), np.zeros(table.n_rows, np.bool_)
        dense[column.rows], gone[column.rows] = values, missing
        values, missing = dense, gone
    present = values[~missing]
    return Values(column.schema, values, missing, bool((present == np.floor(present)).all()))
