"""Names, numbers, labels and conditions of a model as SQL text.

Invariant: the text means the same in every engine whose doubles are float64 and whose strings are
compared by code point (tested in DuckDB and SQLite). NaN is missing, as NULL is: engines that have
NaN order it above all numbers and equal to itself, so `NULLIF(x, 'nan')` makes it NULL, and an
engine without NaN compares a number with a word there, which never agree.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from hardwood.export.forest import category_numbers
from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import Tree
from hardwood.tree.conditions import Condition, Group, Interval
from hardwood.tree.paths import walk

_STEP = 52  # 2^52 has 16 digits, which every reader of decimals takes exactly
_FLAT = 64


def identifier(name: str) -> str:
    return '"' + _plain(name).replace('"', '""') + '"'


def literal(value: object) -> str:
    """A class label."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number(value)
    return "'" + _plain(str(value)).replace("'", "''") + "'"


def number(value: float | int) -> str:
    """A float64 that is read back exactly, also by SQLite, whose older versions miss the nearest
    float64 now and then, by little: the shortest decimal only where it is clearly nearer to the
    value than to a neighbour, 18 digits otherwise, and powers of two at the ends of the range. The
    exponent makes it a double for engines that would take it for a decimal."""
    if isinstance(value, int):
        return str(value)
    shortest = repr(value + 0.0)
    away = abs(Fraction(shortest) - Fraction(value)) / Fraction(math.ulp(value))
    plain = value == 0 or 1e-15 < abs(value) < 1e17
    if plain and len(shortest) <= 17 and away <= Fraction(3, 8):
        return shortest if "e" in shortest else shortest.removesuffix(".0") + "e0"
    if 1e-270 < abs(value) < 1e270:
        return f"{value:.17e}"
    return _powers_of_two(value)


def _powers_of_two(value: float) -> str:
    """Every partial result is a float64, so nothing is rounded."""
    part, exponent = math.frexp(value)
    whole, exponent = int(part * 2.0**53), exponent - 53
    sign = "*" if exponent > 0 else "/"
    steps, rest = divmod(abs(exponent), _STEP)
    factors = [2**rest, *[2**_STEP] * steps]
    return f"({whole}e0" + "".join(f" {sign} {factor}e0" for factor in factors) + ")"


def condition(met: Condition) -> str | None:
    """SQL that is true exactly when the condition holds; "" when always, None when never."""
    if isinstance(met, Group):
        return _group(met)
    return _interval(met)


def all_of(parts: Sequence[str], word: str = "AND") -> str:
    """The parts joined by a word, many of them in a tree of brackets: engines limit depth."""
    if len(parts) <= _FLAT:
        return f" {word} ".join(parts)
    middle = len(parts) // 2
    return f"({all_of(parts[:middle], word)}) {word} ({all_of(parts[middle:], word)})"


def reached(tree: Tree, schemas: Sequence[ColumnSchema]) -> list[tuple[str, int]]:
    """Every leaf that some row can reach, with the condition under which it does."""
    cases = []
    for step in walk(tree, schemas):
        if tree.branches[step.node]:
            continue
        parts = [condition(each) for each in step.path.values()]
        if all(part is not None for part in parts):
            cases.append((all_of([part for part in parts if part]), step.node))
    return cases


def case(cases: Sequence[tuple[str, str]]) -> str:
    """Exactly one case holds for a row, so the last needs no condition."""
    if len(cases) == 1:
        return cases[0][1]
    whens = "".join(f"\n  WHEN {when or '1 = 1'} THEN {value}" for when, value in cases[:-1])
    return f"CASE{whens}\n  ELSE {cases[-1][1]} END"


def _listed(value: str, texts: Sequence[str], among: bool) -> str:
    """`value` is one of the texts, or none of them. Not by IN: DuckDB makes a join of a list of
    more than a few values, which costs seconds in a tree that has many."""
    sign, word = ("=", "OR") if among else ("<>", "AND")
    compared = all_of([f"{value} {sign} {text}" for text in texts], word)
    return compared if len(texts) == 1 else f"({compared})"


def _interval(met: Interval) -> str | None:
    value, present = _number_of(met.schema)
    if not met.present:
        return f"{present} IS NULL" if met.missing else None
    if met.lower is None and met.upper is None:
        return "" if met.missing else f"{present} IS NOT NULL"
    parts = []
    if met.lower is not None:
        # NaN would be above the cut; with an upper end it is not below that.
        safe = value if met.upper is not None or met.missing else present
        parts.append(f"{safe} > {number(met.lower)}")
    if met.upper is not None:
        parts.append(f"{value} <= {number(met.upper)}")
    compared = " AND ".join(parts)
    return f"({compared} OR {present} IS NULL)" if met.missing else compared


def _number_of(schema: ColumnSchema) -> tuple[str, str]:
    """The column as a number, and the same with NaN as NULL."""
    name = identifier(schema.name)
    if schema.kind in ("integer", "unsigned"):
        return name, name
    value = f"CAST({name} AS DOUBLE PRECISION)"
    return value, f"NULLIF({value}, 'nan')"


def _group(met: Group) -> str | None:
    numbers = category_numbers(met.schema, "SQL")
    if numbers is None:
        value = present = identifier(met.schema.name)
        texts = [literal(category) for category in met.schema.categories]
    else:
        value, present = _number_of(met.schema)
        texts = [number(float(each)) for each in numbers]
    if met.others and not met.excluded:
        return "" if met.missing else f"{present} IS NOT NULL"
    named = [texts[code] for code in (sorted(met.excluded) if met.others else met.codes)]
    if not named:
        return f"{present} IS NULL" if met.missing else None
    compared = _listed(present if met.others else value, named, not met.others)
    return f"({compared} OR {present} IS NULL)" if met.missing else compared


def _plain(text: str) -> str:
    if "\0" in text or any("\ud800" <= each <= "\udfff" for each in text):
        raise ValueError(
            f"The name {text!r} holds a NUL character or half of a surrogate pair, which SQL text "
            "cannot hold; rename it before training."
        )
    return text
