"""How the columns of a training table are read: as numbers, as categories or not at all.

In: an Arrow table without its target. Out: the columns to learn from and, per group, their names
for the reader. Numbers and booleans are numbers, strings are categories. Left out, and said so, are
columns without a name or a value, dates, nested values, and strings that differ in most rows
(names, identifiers, free text): a split on those would only learn the rows by heart. A column that
the user declares in `--categorical-features` is kept whatever it holds.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

MOSTLY_DISTINCT = 0.5
"""Strings with more different values than this share of the rows are no categories..."""
FEW = 20
"""... unless there are at most so many."""


@dataclass(slots=True)
class Kinds:
    """Names of columns, by the kind they are read as."""

    numbers: list[str] = field(default_factory=list)
    booleans: list[str] = field(default_factory=list)
    categories: dict[str, int] = field(default_factory=dict)
    """With the number of different values."""
    left_out: dict[str, str] = field(default_factory=dict)
    """With the reason."""


def guess_kinds(table: Any, declared: Collection[str]) -> tuple[Any, Kinds]:
    """The columns to learn from, and what each was taken for."""
    kinds = Kinds()
    kept = [name for name in table.column_names if _judge(table[name], name, declared, kinds)]
    return table.select(kept), kinds


def _judge(column: Any, name: str, declared: Collection[str], kinds: Kinds) -> bool:
    from pyarrow import types

    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    text = types.is_string(kind) or types.is_large_string(kind)
    present = len(column) - column.null_count
    if not name:  # row numbers, in files that pandas wrote
        kinds.left_out["(unnamed)"] = "no name"
        return False
    if present == 0:
        kinds.left_out[name] = "no value"
    elif name in declared or text:
        distinct = len(column.drop_null().unique())
        if name not in declared and distinct > max(FEW, MOSTLY_DISTINCT * present):
            kinds.left_out[name] = f"{distinct:,} different texts"
        else:
            kinds.categories[name] = distinct
    elif types.is_boolean(kind):
        kinds.booleans.append(name)
    elif types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        kinds.numbers.append(name)
    else:
        kinds.left_out[name] = "dates" if types.is_temporal(kind) else str(kind)
    return name not in kinds.left_out
