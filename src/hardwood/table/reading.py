"""Tables for training and for prediction: a source of raw columns and how each is understood.

In: the caller's X and, for training, which columns are categories; for prediction, the model's
schemas. Out: a `Table` that converts a column when it is asked for. Training decides a column's
kind from its values; prediction brings the values into the kind that the model knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from hardwood.table.arrays import ArraySource, array_source
from hardwood.table.categories import labels_of_numbers, match, numbers_of_labels
from hardwood.table.declared import declared_columns
from hardwood.table.frames import frame_source
from hardwood.table.names import check_names
from hardwood.table.numbers import into_kind, kind_of
from hardwood.table.raw import Labels, Numbers, Source, quoted
from hardwood.table.schema import Column, ColumnSchema
from hardwood.table.sparse import SparseSource


class Table:
    """Named columns, converted one at a time; nothing is read before `column` is called."""

    __slots__ = ("_source", "_understand", "n_columns", "n_rows", "names")

    def __init__(
        self, source: Source, understand: Callable[[int, Numbers | Labels], Column]
    ) -> None:
        self.n_rows = source.n_rows
        self.n_columns = source.n_columns
        self.names = source.names
        self._source = source
        self._understand = understand

    def column(self, j: int) -> Column:
        """Column j, read now."""
        return self._understand(j, self._source.read(j))

    def matrix(self) -> NDArray[Any] | None:
        """All columns at once, where the source has them side by side as numbers that float64 holds
        exactly: then column j of a numeric schema is matrix[:, j]. None: read the columns."""
        return self._source.matrix()


def read_training_table(X: Any, categorical_features: Any = "from_dtype") -> Table:
    """X as columns whose kinds are decided from their types and values.

    A column of strings that `categorical_features` leaves out is a TypeError, since it has no
    numeric meaning; a categorical column of numbers that it leaves out is read as its numbers.
    """
    source = _source(X)
    declared = declared_columns(categorical_features, source.n_columns, source.names)

    def understand(j: int, raw: Numbers | Labels) -> Column:
        name = f"x{j}" if source.names is None else source.names[j]
        wanted = _has_categories(raw) if declared is None else declared[j]
        if wanted:
            return _category(name, raw, source.n_rows)
        if isinstance(raw, Labels):
            raw = _as_numbers(raw, source, j)
        kind = kind_of(raw)
        raw = raw if kind == "numeric" else into_kind(raw, kind)
        schema = ColumnSchema(name, kind, boolean=raw.values.dtype.kind == "b")
        return Column(schema, raw.values, raw.missing, raw.rows)

    return Table(source, understand)


def read_prediction_table(
    X: Any,
    schemas: Sequence[ColumnSchema],
    names_were_given: bool,
    *,
    model_name: str = "model",
) -> Table:
    """X as columns of a model's kinds; names, order and number of columns must be the model's."""
    source = _source(X)
    known = tuple(schema.name for schema in schemas) if names_were_given else None
    check_names(source.names, known, model_name)
    if source.n_columns != len(schemas):
        raise ValueError(
            f"X has {source.n_columns} features, but {model_name} is expecting {len(schemas)} "
            "features as input."
        )

    def understand(j: int, raw: Numbers | Labels) -> Column:
        schema = schemas[j]
        if schema.kind == "category":
            return Column(schema, match(raw, schema, source.n_rows))
        if schema.ordered:
            return _ranks(schema, match(raw, schema, source.n_rows))
        if isinstance(raw, Labels):
            raw = _numbers_for(raw, schema)
        raw = into_kind(raw, schema.kind)
        return Column(schema, raw.values, raw.missing, raw.rows)

    return Table(source, understand)


def _source(X: Any) -> Source:
    if type(X) is np.ndarray:
        return ArraySource(X)
    if sparse.issparse(X):
        return SparseSource(X)
    return frame_source(X) or array_source(X)


def _has_categories(raw: Numbers | Labels) -> bool:
    """A column without any value is one of numbers whatever its type, unless the type lists
    categories: an empty column says as much from a list as from strings."""
    return isinstance(raw, Labels) and bool(raw.values)


def _category(name: str, raw: Numbers | Labels, n_rows: int) -> Column:
    labels = raw if isinstance(raw, Labels) else labels_of_numbers(raw, n_rows)
    if labels.ordered and labels.values:
        return _ranks(ColumnSchema(name, "numeric", labels.values), labels.codes)
    schema = ColumnSchema(name, "category", labels.values)
    return Column(schema, np.ascontiguousarray(labels.codes, dtype=np.int32))


def _ranks(schema: ColumnSchema, codes: NDArray[Any]) -> Column:
    """Ordered categories as numbers; a value that is not declared is as good as missing."""
    return Column(schema, np.where(codes < 0, np.nan, codes))


def _as_numbers(labels: Labels, source: Source, j: int) -> Numbers:
    column = quoted(source.names, j)
    if labels.are_numbers or not labels.values:
        return numbers_of_labels(labels, column)
    raise TypeError(
        f"{column} holds strings, and categorical_features does not list it; list it there, use "
        'categorical_features="from_dtype", or turn the column into numbers.'
    )


def _numbers_for(labels: Labels, schema: ColumnSchema) -> Numbers:
    if labels.are_numbers or not (labels.codes >= 0).any():
        known = labels if labels.are_numbers else Labels(labels.codes, ())
        return numbers_of_labels(known, f"Column {schema.name!r}")
    raise TypeError(
        f"Column {schema.name!r} holds strings, but the model was trained with numbers, or without "
        "any value, there; give the column as numbers."
    )
