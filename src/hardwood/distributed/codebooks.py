"""Codes that all parts share, from what each part tells about its columns.

In: a `ColumnSummary` per column and part. Out: a `CodePlan`: the schemas a model remembers and how
each column is coded. A column of at most 255 distinct values has a code each; any other column of
numbers gets up to 255 buckets of about equally many sampled values. The tree does not depend on
where the bounds lie: buckets that could hold the best cut are opened, so a sample is as good as all
rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import PartCoding, TablePlan
from hardwood.encoding.columns import KIND_NUMBERS
from hardwood.table import ColumnSchema, Kind

CONSTANT = PartCoding.constant.value
CODED = PartCoding.coded.value
BUCKETED = PartCoding.bucketed.value
CATEGORY = PartCoding.category.value
UNCODED = PartCoding.uncoded.value
MOST_CODES = 255
SAMPLED = 4096

Keys = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """One part's column. keys: as the core tells them; `categories` of a category column.

    whole: the values are of an integer type. absent: the part has no value at all. whole_values:
    those of a numeric column are whole numbers, whatever their type. boolean: True and False.
    """

    kind: Kind
    keys: Keys
    complete: bool
    has_missing: bool
    whole: bool
    absent: bool
    whole_values: bool = False
    categories: tuple[object, ...] = ()
    boolean: bool = False


@dataclass(frozen=True)
class ColumnCode:
    coding: int
    missing_code: bool
    keys: Keys
    whole_values: bool = False


@dataclass(frozen=True)
class CodePlan:
    schemas: tuple[ColumnSchema, ...]
    codes: tuple[ColumnCode, ...]

    @cached_property
    def core(self) -> TablePlan:
        return TablePlan(
            [
                (
                    KIND_NUMBERS[schema.kind],
                    code.coding,
                    code.missing_code,
                    code.whole_values,
                    len(schema.categories) if schema.kind == "category" else 0,
                    code.keys,
                )
                for schema, code in zip(self.schemas, self.codes, strict=True)
            ]
        )

    def __getstate__(self) -> dict[str, Any]:
        return {"schemas": self.schemas, "codes": self.codes}


def merge_column(name: str, parts: Sequence[ColumnSummary], places: Sequence[str]) -> Any:
    """(schema, code) of a column; `places` names each part in messages."""
    described = [
        (part, place) for part, place in zip(parts, places, strict=True) if not part.absent
    ]
    if not described:
        categories = _merged_categories(parts)
        schema = ColumnSchema(name, "category" if categories else parts[0].kind, categories)
        return schema, ColumnCode(CONSTANT, True, _no_keys())
    kind = _merged_kind(name, described)
    some = [part for part, _ in described]
    missing = any(part.has_missing or part.absent for part in parts)
    if kind == "category":
        categories = _merged_categories([part for part in parts if part.categories])
        schema = ColumnSchema(name, kind, categories)
        coding = CATEGORY if len(categories) <= MOST_CODES else UNCODED
        if len(categories) + missing < 2:
            coding = CONSTANT
        return schema, ColumnCode(coding, missing, _no_keys())
    ranks = _one_order(name, described)
    boolean = all(part.boolean for part in some)
    return ColumnSchema(name, kind, ranks, boolean), _number_codes(some, kind, missing)


def _one_order(name: str, described: Sequence[tuple[ColumnSummary, str]]) -> tuple[object, ...]:
    """The categories of an ordered column, which all parts must declare alike; else ()."""
    (first, first_place), *rest = described
    for part, place in rest:
        if part.categories != first.categories:
            raise TypeError(
                f"Column {name!r} has other ordered categories in {place} than in {first_place}; "
                "declare the same categories, in the same order, everywhere."
            )
    return first.categories


def _number_codes(parts: Sequence[ColumnSummary], kind: Kind, missing: bool) -> ColumnCode:
    keys = np.concatenate([_keys_in_kind(part, kind) for part in parts])
    whole = all(part.whole_values for part in parts)
    if all(part.complete for part in parts):
        distinct = np.unique(keys)
        if len(distinct) <= MOST_CODES:
            coding = CODED if len(distinct) + missing > 1 else CONSTANT
            return ColumnCode(coding, missing, distinct, whole)
    return ColumnCode(BUCKETED, True, _bounds(np.sort(keys)), whole)


def _bounds(ordered: Keys) -> Keys:
    """Bounds at equal distances among the sampled keys. A key that takes several of them gets a
    bucket of its own: there is nothing to open in it, however many rows have it."""
    places = (np.arange(1, MOST_CODES) * len(ordered)) // MOST_CODES
    bounds, times = np.unique(ordered[places], return_counts=True)
    often = bounds[(times > 1) & (bounds > 0)]
    return np.union1d(bounds, often - np.uint64(1))


def _keys_in_kind(part: ColumnSummary, kind: Kind) -> Keys:
    """Whole numbers that are all small are described as floats; coding makes them `kind`."""
    if part.kind == kind:
        return part.keys
    values = [int(value_of(key, part.kind)) for key in part.keys.tolist()]
    least = 0 if kind == "unsigned" else -(2**63)
    return np.array([key_of(max(value, least), kind) for value in values], dtype=np.uint64)


def _merged_kind(name: str, described: Sequence[tuple[ColumnSummary, str]]) -> Kind:
    first, first_place = described[0]
    kinds = {part.kind for part, _ in described}
    if len(kinds) == 1:
        return first.kind
    if "category" not in kinds and all(part.whole for part, _ in described):
        return "unsigned" if "unsigned" in kinds else "integer"
    other, place = next((part, at) for part, at in described if part.kind != first.kind)
    raise TypeError(
        f"Column {name!r} is {_said(first)} in {first_place} and {_said(other)} in {place}; a "
        "column must be of one kind everywhere. Convert it to one type."
    )


def _said(part: ColumnSummary) -> str:
    if part.kind == "category":
        return "a category"
    if part.kind == "numeric" and part.categories:
        return "an ordered category"
    if part.kind == "numeric":
        return "of whole numbers" if part.whole else "of float numbers"
    return f"of {part.kind} numbers beyond 2^53"


def _merged_categories(parts: Sequence[ColumnSummary]) -> tuple[object, ...]:
    """The declared order where all parts declare the same; else by code point or size."""
    lists = {part.categories for part in parts if part.categories}
    if len(lists) <= 1:
        return lists.pop() if lists else ()
    return tuple(sorted({value for each in lists for value in each}))  # type: ignore[type-var]


def _no_keys() -> Keys:
    return np.empty(0, dtype=np.uint64)


def keys_of(values: NDArray[np.float64]) -> Keys:
    """Float64 numbers as the core's keys: unsigned, in the order of the numbers."""
    bits = (values + 0.0).view(np.uint64)
    sign = np.uint64(1 << 63)
    return np.where(bits & sign, ~bits, bits | sign)


def value_of(key: int, kind: Kind) -> float | int:
    """The number that a key stands for."""
    if kind == "unsigned":
        return key
    if kind == "integer":
        return key - 2**63
    bits = key ^ (1 << 63) if key >> 63 else key ^ (2**64 - 1)
    return float(np.array(bits, dtype=np.uint64).view(np.float64))


def key_of(value: float | int, kind: Kind) -> int:
    if kind == "unsigned":
        return int(value)
    if kind == "integer":
        return int(value) + 2**63
    return int(keys_of(np.array([value], dtype=np.float64))[0])
