"""How the cells of a CSV file are written: decimal sign, thousands, missing values, units.

In: columns of strings. Out: numbers where every cell is one, trimmed strings elsewhere, and remarks
for the reader. `1.234.567,5` is a number where the decimal sign is a comma; a percent or currency
sign that all cells have is dropped, the number stays as it is written. Invariant: the same cell is
the same number in training and in prediction, and cells that Arrow reads itself are not touched.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardwood.cli.refusal import InputError

NULLS = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "#N/A")
NEARLY_ALL = 0.9
SHOWN = 3
_CURRENCY = r"(?:[$€£¥₹]|EUR|USD|GBP|CHF)"
_UNITS = {
    "percent signs": (r"\s*%$", r"%"),
    "currency signs": (rf"^{_CURRENCY}\s*|\s*{_CURRENCY}$", _CURRENCY),
}


@dataclass(frozen=True, slots=True)
class Cells:
    """`thousands` None: points or commas, whichever the decimal sign is not, where the decimal sign
    was given. `missing`: spellings beside the usual ones."""

    decimal: str = "."
    thousands: str | None = None
    missing: Sequence[str] = ()
    header: bool = True

    @property
    def nulls(self) -> list[str]:
        return [*NULLS, *self.missing]

    @property
    def grouping(self) -> str:
        if self.thousands is not None:
            return self.thousands
        return "." if self.decimal == "," else ""


def checked_cells(
    decimal: str | None, thousands: str | None, missing: Sequence[str] | None, header: bool
) -> Cells:
    """What the options say."""
    point = decimal or "."
    if point not in (".", ","):
        raise InputError(f"--decimal is {decimal!r}; give . or , (a point or a comma).")
    group = {"space": " "}.get(thousands or "", thousands)
    if group is not None and (len(group) != 1 or group == point or group.isalnum()):
        raise InputError(
            f"--thousands is {thousands!r}; give one sign that is not the decimal sign {point!r}, "
            "such as a comma, a point, space or '."
        )
    return Cells(point, group, tuple(missing or ()), header)


def trimmed(column: Any, cells: Cells) -> Any:
    """Without outer blanks; what is missing then is missing."""
    import pyarrow
    from pyarrow import compute

    column = compute.utf8_trim_whitespace(column.cast(pyarrow.string()))
    gone = compute.is_in(column, pyarrow.array(cells.nulls))
    return compute.if_else(gone, pyarrow.scalar(None, pyarrow.string()), column)


def as_numbers(column: Any, cells: Cells) -> tuple[Any, str | None]:
    """Trimmed strings as plain number texts (`-1234.5`), null where a cell is no number; and which
    units were dropped. A unit that only some cells have is none."""
    import pyarrow
    from pyarrow import compute

    dropped = None
    for unit, (pattern, sign) in _UNITS.items():
        having = compute.match_substring_regex(column, sign)
        if len(column) > column.null_count and compute.all(having).as_py():
            column = compute.replace_substring_regex(column, pattern, "")
            dropped = unit
    is_number = compute.match_substring_regex(column, _arrow_pattern(cells))
    plain = compute.if_else(is_number, column, pyarrow.scalar(None, pyarrow.string()))
    if cells.grouping:
        plain = compute.replace_substring(plain, cells.grouping, "")
    if cells.decimal != ".":
        plain = compute.replace_substring(plain, cells.decimal, ".")
    return plain, dropped


def _arrow_pattern(cells: Cells) -> str:
    """Without look-ahead, which Arrow's expressions do not have."""
    point, group = re.escape(cells.decimal), re.escape(cells.grouping)
    grouped = rf"\d{{1,3}}(?:{group}\d{{3}})+|" if cells.grouping else ""
    return rf"^[+-]?(?:(?:{grouped}\d+)(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?$"


def number_array(plain: Any) -> Any:
    """Number texts as integers where all are, else as floats."""
    import pyarrow

    try:
        return plain.cast(pyarrow.int64())
    except pyarrow.ArrowInvalid:
        return plain.cast(pyarrow.float64())


def understood(name: str, column: Any, cells: Cells, remarks: list[str]) -> Any:
    """A column of strings as numbers or as trimmed strings; what was done is remarked."""
    from pyarrow import compute

    clean = trimmed(column, cells)
    present = len(clean) - clean.null_count
    plain, dropped = as_numbers(clean, cells)
    numbers = len(plain) - plain.null_count
    if present and numbers == present:
        if dropped:
            remarks.append(f"Column {name!r}: {dropped} were dropped, the numbers kept.")
        return number_array(plain)
    if numbers > NEARLY_ALL * present:
        odd = compute.filter(clean, compute.and_(plain.is_null(), clean.is_valid()))
        few = ", ".join(repr(each) for each in odd.unique().to_pylist()[:SHOWN])
        remarks.append(
            f"Column {name!r} has {numbers:,} numbers and {present - numbers:,} other cells, such "
            f"as {few}, so it is taken for a category; if they mean missing, give --na."
        )
    elif cells.decimal == "." and present:
        remarks.extend(_comma_remark(name, clean, present))
    if compute.any(compute.not_equal(clean, column.cast(clean.type))).as_py():
        remarks.append(f"Column {name!r}: blanks around its values were cut off.")
    return clean


def _comma_remark(name: str, clean: Any, present: int) -> list[str]:
    """Commas may stand between thousands or before decimals: 46,491 can be either."""
    grouped, decimal = (
        len(plain) - plain.null_count == present
        for plain, _ in (as_numbers(clean, Cells(".", ",")), as_numbers(clean, Cells(",")))
    )
    if grouped:
        either = "; if they are decimal commas, --decimal ," if decimal else ""
        said = f"Column {name!r} looks like numbers with commas between thousands; if it is, give "
        return [f"{said}--thousands ,{either}"]
    if decimal:
        return [
            f"Column {name!r} looks like numbers with a decimal comma; if it is, give --decimal ,"
        ]
    return []
