"""What a part tells before it is coded: its columns, labels and weights in bounded size.

In: a part's table, labels and sample weights in any form that one process takes. Out: a
`PartDescription`; and, once the codes are agreed, the part's `PartRows`. An empty part has no
columns to describe and takes no part in the fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import InfiniteValueError, encode_part, exact_addends, summarise
from hardwood.distributed.codebooks import MOST_CODES, SAMPLED, CodePlan, ColumnSummary
from hardwood.distributed.part import PartRows
from hardwood.encoding import Labels, core_column, read_labels
from hardwood.encoding.weights import weight_numbers
from hardwood.errors import infinite_value
from hardwood.table import Column, ColumnSchema, Table, read_training_table
from hardwood.table.categories import match
from hardwood.table.numbers import into_kind
from hardwood.table.raw import Labels as RawLabels
from hardwood.table.raw import Numbers

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class WeightSummary:
    """addends: exact sums per class. single: the weight that all rows have, or None.
    positive: the rows of positive weight."""

    addends: list[Floats]
    largest: float
    whole: bool
    single: float | None
    positive: int


@dataclass(frozen=True)
class PartDescription:
    rows: int
    names: tuple[str, ...] | None
    columns: list[ColumnSummary]
    classes: NDArray[Any]
    class_rows: NDArray[np.int64]
    weights: WeightSummary | None


@dataclass(frozen=True)
class PartData:
    """One part of the caller's data, in memory."""

    X: Any
    y: Any
    sample_weight: Any


@contextmanager
def named(place: str) -> Iterator[None]:
    """Wrong input is refused with the name of the part that has it."""
    try:
        yield
    except TypeError as error:
        raise TypeError(f"In {place}: {error}") from error
    except ValueError as error:  # also those of libraries, which may not take a sentence
        raise ValueError(f"In {place}: {error}") from error


def describe(
    data: PartData, categorical_features: Any, threads: int, sample: int = SAMPLED
) -> PartDescription | None:
    """None for a part without rows. sample: values described of a column that has many."""
    if (data.X.shape[0] if hasattr(data.X, "shape") else len(data.X)) == 0:
        return None
    table = read_training_table(data.X, categorical_features)
    labels = read_labels(data.y, table.n_rows)
    weights = None
    if data.sample_weight is not None:
        weights = _summarise_weights(weight_numbers(data.sample_weight, table.n_rows), labels)
    return PartDescription(
        table.n_rows,
        table.names,
        _summarise_columns(table, threads, sample),
        labels.classes,
        np.bincount(labels.codes, minlength=len(labels.classes)),
        weights,
    )


def code(
    data: PartData,
    plan: CodePlan,
    classes: NDArray[Any],
    categorical_features: Any,
    threads: int,
) -> PartRows:
    """The part in the codes that all share."""
    table = read_training_table(data.X, categorical_features)
    labels = read_labels(data.y, table.n_rows)
    place = {label: i for i, label in enumerate(classes.tolist())}
    if table.n_columns != len(plan.schemas) or not place.keys() >= set(labels.classes.tolist()):
        raise _changed("it has other columns or labels")
    number = np.array([place[label] for label in labels.classes.tolist()], dtype=np.int32)
    columns = [
        _in_kind(table.column(j), schema, table.n_rows) for j, schema in enumerate(plan.schemas)
    ]
    try:
        stored = encode_part(
            [core_column(column) for column in columns], table.n_rows, plan.core, threads
        )
    except InfiniteValueError as error:
        raise infinite_value(plan.schemas[error.args[0]].name) from None
    except ValueError as error:
        raise _changed(str(error)) from None
    weights = None
    if data.sample_weight is not None:
        weights = np.array(weight_numbers(data.sample_weight, table.n_rows))
    return PartRows(stored, number[labels.codes], weights)


def _changed(what: str) -> ValueError:
    return ValueError(
        f"The rows are not those of the first reading ({what}); they changed meanwhile, or are "
        "computed otherwise each time. Keep them as they are during a fit."
    )


def _in_kind(column: Column, schema: ColumnSchema, n_rows: int) -> Column:
    """A part's column in the kind that all parts together have."""
    if schema.kind == "category":
        if column.schema.kind == "category":
            raw: Any = RawLabels(column.values, column.schema.categories)
        else:
            raw = Numbers(column.values, column.missing, column.rows)
        return Column(schema, match(raw, schema, n_rows))
    if column.schema.kind == "category":  # without any value: all missing
        return Column(ColumnSchema(schema.name, "numeric"), np.full(n_rows, np.nan))
    if schema.kind == "unsigned" and column.values.dtype.kind == "i" and _any_negative(column):
        raise ValueError(
            f"Column {schema.name!r} has negative numbers here and numbers beyond 2^63 elsewhere, "
            "which no type of whole numbers holds together; convert it to float64."
        )
    numbers = into_kind(Numbers(column.values, column.missing, column.rows), schema.kind)
    return Column(schema, numbers.values, numbers.missing, numbers.rows)


def _any_negative(column: Column) -> bool:
    negative = column.values < 0
    return bool((negative if column.missing is None else negative & ~column.missing).any())


def _summarise_columns(table: Table, threads: int, sample: int) -> list[ColumnSummary]:
    columns = [table.column(j) for j in range(table.n_columns)]
    try:
        summaries = summarise(
            [core_column(column) for column in columns],
            table.n_rows,
            threads,
            MOST_CODES,
            sample,
        )
    except InfiniteValueError as error:
        raise infinite_value(columns[error.args[0]].schema.name) from None
    return [_summary(column, *each) for column, each in zip(columns, summaries, strict=True)]


def _summary(
    column: Column,
    keys: NDArray[np.uint64],
    complete: bool,
    has_missing: bool,
    whole_values: bool,
) -> ColumnSummary:
    schema = column.schema
    if schema.kind == "category":
        missing = bool((column.values < 0).any())
        absent = not bool((column.values >= 0).any())
        return ColumnSummary(
            "category", keys, True, missing, False, absent, categories=schema.categories
        )
    whole = column.values.dtype.kind in "iub"
    absent = complete and len(keys) == 0
    listed = schema.categories
    return ColumnSummary(
        schema.kind,
        keys,
        complete,
        has_missing,
        whole,
        absent,
        whole_values,
        listed,
        schema.boolean,
    )


def _summarise_weights(weights: Floats, labels: Labels) -> WeightSummary:
    addends = [exact_addends(weights[labels.codes == c]) for c in range(len(labels.classes))]
    return WeightSummary(
        addends,
        float(weights.max()),
        bool((weights == np.floor(weights)).all()),
        float(weights[0]) if (weights == weights[0]).all() else None,
        int(np.count_nonzero(weights)),
    )
