"""Labels: numbers turned into them, turned back into numbers, and matched to a model by value.

Invariant: a category is its value. Codes only say where in a list the value stands, so a pandas
categorical whose categories come in another order, or from another library, means the same rows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.table.numbers import all_missing, dense
from hardwood.table.objects import read_objects
from hardwood.table.raw import Labels, Numbers, refuse_cells, refuse_dates
from hardwood.table.schema import MISSING_CODE, UNSEEN_CODE, ColumnSchema


def declared_labels(codes: NDArray[Any], values: list[Any], column: str) -> Labels:
    """Labels in the order that a dtype declares; missing and repeated values are folded."""
    kept = [value for value in values if not _is_missing(value)]
    types = {type(value) for value in kept}
    strings = all(issubclass(kind, str) for kind in types)
    if not strings and not all(issubclass(kind, (bool, int, float)) for kind in types):
        if any(hasattr(value, "isoformat") or hasattr(value, "total_seconds") for value in kept):
            raise refuse_dates(column, "as categories")
        raise refuse_cells(column, types)
    distinct = tuple(dict.fromkeys(kept))
    if len(distinct) < len(values):
        place = {value: i for i, value in enumerate(distinct)}
        codes = _recode(codes, [place.get(value, MISSING_CODE) for value in values])
    return Labels(codes, distinct)


def labels_of_numbers(numbers: Numbers, n_rows: int) -> Labels:
    """The distinct present values, ascending, as labels of every row."""
    numbers = dense(numbers, n_rows)
    values = numbers.values
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(n_rows, dtype=np.bool_)
    if numbers.missing is not None:
        missing = missing | numbers.missing
    distinct, places = np.unique(values[~missing], return_inverse=True)
    codes = np.full(n_rows, MISSING_CODE, dtype=np.int32)
    codes[~missing] = places
    return Labels(codes, tuple(distinct.tolist()))


def numbers_of_labels(labels: Labels, column: str) -> Numbers:
    """The rows' values, for labels that are numbers."""
    read = read_objects(np.array([*labels.values, None], dtype=object), column)
    assert isinstance(read, Numbers)
    missing = labels.codes < 0
    values = read.values[labels.codes]
    if values.dtype.kind == "f":
        return Numbers(values)
    return Numbers(values, missing if missing.any() else None)


def match(raw: Numbers | Labels, schema: ColumnSchema, n_rows: int) -> NDArray[np.int32]:
    """Codes of a prediction column into a model's categories, by value."""
    if isinstance(raw, Numbers):
        if all_missing(raw, n_rows):
            return np.full(n_rows, MISSING_CODE, dtype=np.int32)
        if schema.categories and isinstance(schema.categories[0], str):
            raise _wrong_kind(schema, "numbers", "strings")
        raw = labels_of_numbers(raw, n_rows)
    if raw.values == schema.categories:
        return np.ascontiguousarray(raw.codes, dtype=np.int32)
    place = {value: code for code, value in enumerate(schema.categories)}
    text = bool(schema.categories) and isinstance(schema.categories[0], str)
    if schema.categories and raw.values and text == raw.are_numbers and (raw.codes >= 0).any():
        given, known = ("numbers", "strings") if text else ("strings", "numbers")
        raise _wrong_kind(schema, given, known)
    return _recode(raw.codes, [place.get(value, UNSEEN_CODE) for value in raw.values])


def _recode(codes: NDArray[Any], new: list[int]) -> NDArray[np.int32]:
    lookup = np.array([*new, MISSING_CODE], dtype=np.int32)  # code -1 finds the last entry
    recoded: NDArray[np.int32] = lookup[codes]
    return recoded


def _wrong_kind(schema: ColumnSchema, given: str, known: str) -> TypeError:
    return TypeError(
        f"Column {schema.name!r} holds {given}, but the model was trained with a category column "
        f"of {known} there; give the column with the values it had in training."
    )


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
