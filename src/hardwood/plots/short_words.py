"""Names and numbers made short enough for a picture, without making two of them look alike.

In: names, or a tree and the schemas of its columns. Out: names of at most `LONGEST_NAME`
characters, and how many digits the thresholds of each column need. Invariant: thresholds of one
column that differ are written differently; names that differ are too, unless they share so much
that no piece of that length tells them apart.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import INTERVAL, Tree
from hardwood.tree.conditions import Condition, Interval
from hardwood.tree.paths import node_cuts

LONGEST_NAME = 24
"""Characters of a column, category or class name."""
DIGITS = 6
"""Significant digits of a threshold, unless the column needs more."""


def shortened(name: str) -> str:
    """Cut in the middle: names that are long often differ at their ends."""
    if len(name) <= LONGEST_NAME:
        return name
    tail = (LONGEST_NAME - 1) * 2 // 5
    return f"{name[: LONGEST_NAME - 1 - tail].rstrip()}…{name[-tail:].lstrip()}"


def shortened_apart(names: Sequence[str]) -> list[str]:
    """Each name short; those that would become the same show the place where they differ."""
    short = [shortened(name) for name in names]
    alike: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(short):
        alike[text].append(place)
    for places in alike.values():
        if len({names[place] for place in places}) > 1:
            shared = _shared_start([names[place] for place in places])
            for place in places:
                short[place] = _around(names[place], shared)
    return short


def _shared_start(names: Sequence[str]) -> int:
    """Characters that all names begin with."""
    first, last = min(names), max(names)
    pairs = enumerate(zip(first, last, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(first), len(last)))


def _around(name: str, at: int) -> str:
    """A few characters of the beginning, then what stands from the word at `at` on."""
    head, start = LONGEST_NAME // 3, max(name.rfind(" ", 0, at) + 1, at - 6)
    rest = name[start : start + LONGEST_NAME - head - 2]
    more = "…" if start + len(rest) < len(name) else ""
    return f"{name[:head].rstrip()}…{rest.strip(' ,')}{more}"


def digits_needed(tree: Tree, schemas: Sequence[ColumnSchema]) -> dict[int, int]:
    """By numeric column: significant digits that keep its thresholds apart."""
    cuts: dict[int, set[float]] = defaultdict(set)
    for node in range(tree.n_nodes):
        column = int(tree.feature[node])
        has_cuts = tree.branches[node] and tree.kind[node] == INTERVAL
        if has_cuts and schemas[column].kind == "numeric":
            cuts[column].update(node_cuts(tree, schemas[column], node))
    return {column: _digits_for(values) for column, values in cuts.items()}


def _digits_for(values: Iterable[float]) -> int:
    values = set(values)
    for digits in range(DIGITS, 17):
        if len({rounded(value, digits) for value in values}) == len(values):
            return digits
    return 17


def rounded(value: float, digits: int) -> float:
    """To so many significant digits, but never above the units."""
    if value == 0.0:
        return 0.0
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    return round(value, max(decimals, 0))


def with_short_numbers(condition: Condition, digits: int) -> Condition:
    """The same branch with rounded ends, for reading only."""
    if not isinstance(condition, Interval):
        return condition
    lower, upper = (
        rounded(end, digits) if isinstance(end, float) else end
        for end in (condition.lower, condition.upper)
    )
    return replace(condition, lower=lower, upper=upper)
