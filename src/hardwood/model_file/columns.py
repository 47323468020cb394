"""Classes and columns <-> the header.

In: `classes_` and the schemas of the columns. Out: JSON, and the kinds of the columns as an array;
or the same again, checked: classes ascending and of one type, names distinct, categories distinct
and all strings or all numbers.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from hardwood.errors import ModelFileError
from hardwood.model_file.values import from_json, to_json
from hardwood.table.schema import ColumnSchema, Kind

KINDS: tuple[Kind, ...] = get_args(Kind)
_KEYS = {"count", "names", "named", "categories"}
_CLASS_TYPES = (bool, int, float, str, bytes)


def classes_to_json(classes: NDArray[Any]) -> Any:
    listed = classes.tolist()
    if not all(isinstance(label, _CLASS_TYPES) for label in listed):
        kinds = ", ".join(sorted({type(label).__name__ for label in listed}))
        raise TypeError(
            f"The model's classes are of type {kinds}, which a model file cannot hold; train with "
            "labels that are strings, numbers or booleans."
        )
    return to_json(classes)


def classes_from_json(value: Any) -> NDArray[Any]:
    classes = from_json(value)
    if not isinstance(classes, np.ndarray) or not len(classes):
        raise ModelFileError("its classes are no list of labels.")
    labels = classes.tolist()
    kinds = {type(label) for label in labels}
    if len(kinds) > 1 or not kinds.issubset(_CLASS_TYPES):
        raise ModelFileError("its classes are not all strings, all numbers or all booleans.")
    if any(isinstance(label, float) and not math.isfinite(label) for label in labels):
        raise ModelFileError("one of its classes is not a finite number.")
    if not all(one < next_one for one, next_one in pairwise(labels)):
        raise ModelFileError("its classes are not ascending and distinct.")
    return classes


def default_names(count: int) -> list[str]:
    """What columns are called when the training table had no names."""
    return [f"x{j}" for j in range(count)]


def columns_to_json(schemas: Sequence[ColumnSchema], names_given: bool) -> Any:
    """Names are left out when they are just numbers of columns."""
    names = [schema.name for schema in schemas]
    numbered = not names_given and names == default_names(len(names))
    booleans = [j for j, schema in enumerate(schemas) if schema.boolean]
    return {
        "count": len(schemas),
        "names": None if numbered else to_json(names),
        "named": names_given,
        "categories": [
            [j, to_json(list(schema.categories))]
            for j, schema in enumerate(schemas)
            if schema.kind == "category" or schema.ordered
        ],
    } | ({"booleans": booleans} if booleans else {})


def column_kinds(schemas: Sequence[ColumnSchema]) -> NDArray[np.uint8]:
    return np.array([KINDS.index(schema.kind) for schema in schemas], dtype=np.uint8)


def columns_from_json(
    value: Any, kinds: NDArray[np.uint8]
) -> tuple[tuple[ColumnSchema, ...], bool]:
    """The schemas, and whether the training table had names."""
    if not isinstance(value, dict) or set(value) - {"booleans"} != _KEYS:
        raise ModelFileError("its columns are not described by count, names and categories.")
    count = value["count"]
    if type(count) is not int or count != len(kinds) or not count:
        raise ModelFileError("it does not have a kind for each of its columns.")
    if (kinds >= len(KINDS)).any():
        raise ModelFileError("one of its columns has an unknown kind.")
    named, names = value["named"], _names(value["names"], count)
    if type(named) is not bool or (named and value["names"] is None):
        raise ModelFileError("its columns are named without names.")
    categories = _categories(value["categories"])
    kind_of = kinds.tolist()
    unlisted = set(np.flatnonzero(kinds == KINDS.index("category")).tolist()) - set(categories)
    if unlisted or not set(categories) <= set(range(count)):
        raise ModelFileError("it does not list the categories of each category column.")
    if any(_never_listed(KINDS[kind_of[j]], listed) for j, listed in categories.items()):
        raise ModelFileError("it lists categories of a column that has none.")
    booleans = _booleans(value.get("booleans", []), kind_of, categories)
    return tuple(
        ColumnSchema(name, KINDS[kind_of[j]], categories.get(j, ()), j in booleans)
        for j, name in enumerate(names)
    ), named


def _booleans(listed: Any, kinds: list[int], categories: Collection[int]) -> set[int]:
    """Numeric columns whose values were True and False."""
    good = isinstance(listed, list) and all(type(j) is int and 0 <= j < len(kinds) for j in listed)
    if not good or not all(one < later for one, later in pairwise(listed)):
        raise ModelFileError("its boolean columns are no ascending list of columns.")
    if any(KINDS[kinds[j]] != "numeric" or j in categories for j in listed):
        raise ModelFileError("it calls a column boolean that is not one of numbers.")
    return set(listed)


def _never_listed(kind: Kind, categories: tuple[object, ...]) -> bool:
    """A numeric column with categories is one of ordered categories, at least one."""
    return kind not in ("category", "numeric") or (kind == "numeric" and not categories)


def _names(names: Any, count: int) -> list[str]:
    if names is None:
        return default_names(count)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ModelFileError("its column names are not all strings.")
    if len(names) != count or len(set(names)) < count:
        raise ModelFileError("its column names are not one for each column, all different.")
    return names


def _categories(listed: Any) -> dict[int, tuple[object, ...]]:
    out: dict[int, tuple[object, ...]] = {}
    if not isinstance(listed, list):
        raise ModelFileError("its categories are no list.")
    for item in listed:
        if not (isinstance(item, list) and len(item) == 2 and type(item[0]) is int):
            raise ModelFileError("its categories are not listed as [column, values].")
        values = from_json(item[1])
        if item[0] in out or (out and item[0] < max(out)):
            raise ModelFileError("its category columns are not ascending and distinct.")
        if not isinstance(values, list) or not _one_kind(values):
            raise ModelFileError(
                "the categories of a column are not all strings or all numbers that a column "
                "can hold."
            )
        if len(set(values)) < len(values):
            raise ModelFileError("a column has the same category twice.")
        out[item[0]] = tuple(values)
    return out


def _one_kind(values: list[Any]) -> bool:
    if all(isinstance(value, str) for value in values):
        return True
    if not all(
        isinstance(value, bool | int | float) and -(2**63) <= value < 2**64 for value in values
    ):
        return False
    # Beside floats a whole number is one as well, and a column can hold it only where it is exact.
    return not any(isinstance(value, float) for value in values) or all(
        value == int(float(value)) for value in values if isinstance(value, int)
    )
