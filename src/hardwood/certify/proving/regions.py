"""The conditions of a claim's `where` as sets of cells.

In: conditions by column, as users write them, and the schemas. Out: for each column the half-open
intervals (lower, upper] or the categories that are meant, the cuts that they need, and, once the
cells are made of all cuts, the set of cells. Invariant: a region is a union of cells, so a proof
about its cells is one about exactly its rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardwood.certify.proving.cells import LIMITS, Cells
from hardwood.certify.proving.statements import Statement
from hardwood.table.schema import ColumnSchema

BOUNDS = ("at_least", "above", "at_most", "below")
KEYS = (*BOUNDS, "is", "one_of", "missing")


@dataclass(frozen=True, slots=True)
class Condition:
    """`intervals` (None: an open end) of numbers and ranks, `codes` of categories."""

    schema: ColumnSchema
    intervals: tuple[tuple[Any, Any], ...] = ()
    codes: tuple[int, ...] = ()
    missing: bool = False

    def cuts(self) -> set[Any]:
        return {end for pair in self.intervals for end in pair if end is not None}

    def mask(self, cells: Cells) -> int:
        mask = cells.missing if self.missing else 0
        for lower, upper in self.intervals:
            inside = cells.known if upper is None else cells.up_to(upper)
            mask |= inside if lower is None else inside & ~cells.up_to(lower)
        for code in self.codes:
            mask |= 1 << code
        return mask


Conditions = dict[int, Condition]


def conditions_of(statement: Statement, schemas: Sequence[ColumnSchema]) -> Conditions:
    """By column number; a sentence for what cannot be meant."""
    found = {}
    for name, given in statement.where.items():
        column = column_number(name, schemas)
        found[column] = _condition(_plain(given), schemas[column])
    return found


def region(statement: Statement, conditions: Conditions, cells: Sequence[Cells]) -> dict[int, int]:
    """The set of cells of every column; a ValueError where some column has none left."""
    box = {}
    for column, own in enumerate(cells):
        if column in conditions:
            box[column] = conditions[column].mask(own)
        else:
            box[column] = own.known | (own.unseen if statement.unseen else 0)
            box[column] |= own.missing if statement.missing or not box[column] else 0
        if not box[column]:
            raise ValueError(
                f"No row is meant: nothing meets the conditions on {own.schema.name!r}, "
                f"{statement.where[_key(statement, own.schema.name, column)]!r}."
            )
    return box


def column_number(name: Any, schemas: Sequence[ColumnSchema]) -> int:
    """By name or, counted from 0, by number."""
    for number, schema in enumerate(schemas):
        if schema.name == name:
            return number
    if isinstance(name, int) and not isinstance(name, bool) and 0 <= name < len(schemas):
        return name
    known = ", ".join(repr(schema.name) for schema in schemas[:8])
    raise ValueError(
        f"The model has no column {name!r}; its columns are {known}"
        f"{', ...' if len(schemas) > 8 else ''}."
    )


def _key(statement: Statement, name: str, column: int) -> Any:
    return name if name in statement.where else column


def _plain(given: Any) -> Mapping[str, Any]:
    if isinstance(given, Mapping):
        return given
    if isinstance(given, list | tuple | set | frozenset):
        return {"one_of": list(given)}
    return {"is": given}


def _condition(given: Mapping[str, Any], schema: ColumnSchema) -> Condition:
    unknown = [key for key in given if key not in KEYS]
    if unknown or not given:
        what = f"has {unknown[0]!r}" if unknown else "is empty"
        raise ValueError(
            f"The condition on {schema.name!r} {what}; it takes {', '.join(map(repr, KEYS))}."
        )
    missing = given.get("missing", False)
    if not isinstance(missing, bool):
        raise TypeError(f"missing of {schema.name!r} is {missing!r}; it is true or false.")
    values = _values(given, schema)
    bounded = [key for key in BOUNDS if key in given]
    if schema.kind == "category":
        return _categories(values, bounded, missing, len(given) > ("missing" in given), schema)
    if values is not None:
        points = [
            (_largest_below(value, schema), _largest_up_to(value, schema)) for value in values
        ]
        intervals = [_cut_down((lower, upper), given, schema) for lower, upper in points]
    elif bounded or not missing:
        intervals = [_cut_down((-math.inf, math.inf), given, schema)]
    else:
        intervals = []
    least, most = LIMITS.get(schema.kind, (-math.inf, math.inf))
    kept = tuple(
        _opened(pair, schema)
        for pair in intervals
        if pair[0] < pair[1] and pair[0] < most and pair[1] >= least
    )
    return Condition(schema, kept, missing=missing)


def _values(given: Mapping[str, Any], schema: ColumnSchema) -> list[Any] | None:
    """What `is` and `one_of` list; ranks, if categories are ordered."""
    if "is" in given and "one_of" in given:
        raise ValueError(f"The condition on {schema.name!r} has both 'is' and 'one_of'; use one.")
    if "is" in given:
        listed = [given["is"]]
    elif "one_of" in given:
        listed = list(given["one_of"])
    else:
        return None
    return [_value(value, schema) for value in listed]


def _value(value: Any, schema: ColumnSchema) -> Any:
    """A number of the column's own, or the place of a category."""
    if schema.categories or schema.kind == "category":
        if value not in schema.categories:
            few = ", ".join(map(repr, schema.categories[:8]))
            more = ", ..." if len(schema.categories) > 8 else ""
            raise ValueError(
                f"Column {schema.name!r} has no category {value!r}; it has {few}{more}."
            )
        return schema.categories.index(value)
    value = value.item() if isinstance(value, np.generic) else value
    if not isinstance(value, int | float) or value != value:
        raise TypeError(
            f"The condition on {schema.name!r}, a column of numbers, names {value!r}; give one."
        )
    return value


def _categories(
    codes: list[Any] | None, bounded: list[str], missing: bool, named: bool, schema: ColumnSchema
) -> Condition:
    if bounded:
        raise ValueError(
            f"The categories of {schema.name!r} have no order, so {bounded[0]!r} means nothing "
            "there; use 'one_of'."
        )
    if codes is None:
        codes = [] if missing and not named else list(range(len(schema.categories)))
    return Condition(schema, codes=tuple(codes), missing=missing)


def _cut_down(
    pair: tuple[Any, Any], given: Mapping[str, Any], schema: ColumnSchema
) -> tuple[Any, Any]:
    """The interval (lower, upper] within the bounds."""
    lower, upper = pair
    if "at_least" in given:
        lower = max(lower, _largest_below(_value(given["at_least"], schema), schema))
    if "above" in given:
        lower = max(lower, _largest_up_to(_value(given["above"], schema), schema))
    if "at_most" in given:
        upper = min(upper, _largest_up_to(_value(given["at_most"], schema), schema))
    if "below" in given:
        upper = min(upper, _largest_below(_value(given["below"], schema), schema))
    return lower, upper


def _largest_up_to(value: Any, schema: ColumnSchema) -> Any:
    """The largest value of the column's domain that is at most this one."""
    if _is_infinite(value) or schema.categories:
        return value
    if schema.kind != "numeric":
        return math.floor(value)
    near = float(value) if abs(value) < 2**1023 else math.inf if value > 0 else -math.inf
    return near if near <= value else math.nextafter(near, -math.inf)


def _is_infinite(value: Any) -> bool:
    return value in (math.inf, -math.inf)  # math.isinf takes no integer beyond every float


def _largest_below(value: Any, schema: ColumnSchema) -> Any:
    if _is_infinite(value):
        return value
    if schema.categories:
        return value - 1
    if schema.kind != "numeric":
        return math.ceil(value) - 1
    upper = _largest_up_to(value, schema)
    return math.nextafter(upper, -math.inf) if upper == value else upper


def _opened(pair: tuple[Any, Any], schema: ColumnSchema) -> tuple[Any, Any]:
    """Ends beyond the domain are open."""
    lower, upper = pair
    if schema.kind in LIMITS:
        least, most = LIMITS[schema.kind]
        lower, upper = (
            (-math.inf if lower < least else lower),
            (math.inf if upper >= most else upper),
        )
    return (None if lower == -math.inf else lower), (None if upper == math.inf else upper)
