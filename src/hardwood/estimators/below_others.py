"""Columns that may only be split on below splits on others: the dicts in `interaction_cst`.

In: what the user wrote. Out: the rest of it, and per column those that it must stand below. A
column that could never be used is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardwood.estimators.named_columns import Columns, is_list

Needs = tuple[tuple[int, ...], ...]


def needs_of(given: Any, columns: Columns) -> tuple[Any, Needs]:
    """What is left are sets of columns, or None where there are only dicts."""
    if isinstance(given, Mapping):
        given = [given]
    if isinstance(given, str) or not is_list(given):
        return given, ()
    listed = list(given)
    told = [each for each in listed if isinstance(each, Mapping)]
    if not told:
        return listed, ()
    found: list[set[int]] = [set() for _ in range(columns.count)]
    for each in told:
        for column, others in each.items():
            alone = isinstance(others, str) or not is_list(others)
            for other in [others] if alone else others:
                found[columns.place(column)].add(columns.place(other))
    groups = [each for each in listed if not isinstance(each, Mapping)]
    return groups or None, tuple(tuple(sorted(each)) for each in found)


def refuse_unreachable(groups: tuple[tuple[int, ...], ...], needs: Needs, columns: Columns) -> None:
    for column in range(len(needs)):
        above = _all_above(column, needs)
        if column in above:
            raise ValueError(
                f"interaction_cst lets {columns.name(column)} stand only below itself, by way of "
                f"{', '.join(columns.name(c) for c in sorted(above))}; it could never be used. "
                "Leave out one of these."
            )
        path = above | {column}
        if groups and above and not any(path <= set(group) for group in groups):
            raise ValueError(
                f"interaction_cst lets {columns.name(column)} stand only below "
                f"{', '.join(columns.name(c) for c in sorted(above))}, but no set of columns has "
                "them all; it could never be used. Put them into one set."
            )


def _all_above(column: int, needs: Needs) -> set[int]:
    found: set[int] = set()
    open_ends = list(needs[column])
    while open_ends:
        other = open_ends.pop()
        if other not in found:
            found.add(other)
            open_ends.extend(needs[other])
    return found
