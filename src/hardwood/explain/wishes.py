"""Which columns a caller names, by name or number: checked, as column numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

from hardwood.table import ColumnSchema


def column_set(what: str, given: Any, schemas: Sequence[ColumnSchema]) -> frozenset[int]:
    """A name, a number, or several of them; None: no column."""
    if given is None:
        return frozenset()
    single = isinstance(given, str | Integral)
    if not single and not isinstance(given, Iterable):
        raise TypeError(
            f"{what} is of type {type(given).__name__}; give a column's name or number, or a list "
            "of them."
        )
    return frozenset(_column(what, each, schemas) for each in ([given] if single else given))


def numeric_columns(what: str, given: Any, schemas: Sequence[ColumnSchema]) -> frozenset[int]:
    """Of columns that have an order."""
    found = column_set(what, given, schemas)
    for column in sorted(found):
        if schemas[column].kind == "category":
            raise ValueError(
                f"{what} names column {schemas[column].name!r}, whose categories have no order; "
                "name columns of numbers or ordered categories, or freeze it."
            )
    return found


def column_costs(given: Any, schemas: Sequence[ColumnSchema]) -> tuple[tuple[int, float], ...]:
    """A dict of columns and positive numbers."""
    if given is None:
        return ()
    if not isinstance(given, Mapping):
        raise TypeError(
            f"costs is of type {type(given).__name__}; give a dict of columns and what a change "
            "by 1, or of a category, costs there."
        )
    found = {}
    for name, cost in given.items():
        number = isinstance(cost, Real) and not isinstance(cost, bool)
        if not number or not 0 < float(cost) < math.inf:
            raise ValueError(
                f"costs has {cost!r} for column {name!r}; a cost is a positive number. A column "
                "that may not change goes into frozen."
            )
        found[_column("costs", name, schemas)] = float(cost)
    return tuple(sorted(found.items()))


def _column(what: str, given: Any, schemas: Sequence[ColumnSchema]) -> int:
    names = [schema.name for schema in schemas]
    if isinstance(given, str) and given in names:
        return names.index(given)
    is_number = isinstance(given, Integral) and not isinstance(given, bool)
    if is_number and 0 <= int(given) < len(names):
        return int(given)
    few = ", ".join(map(repr, names[:5])) + (", ..." if len(names) > 5 else "")
    raise ValueError(
        f"{what} names {given!r}, which is no column of the model; its columns are {few}, or "
        f"0 to {len(names) - 1}."
    )
