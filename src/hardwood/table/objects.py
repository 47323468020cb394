"""Python objects, one per row, read as numbers or labels.

In: an object array. Out: Numbers when every present cell is a real number, Labels when every
present cell is a string; anything else is refused with a sentence. None, NaN, pandas' NA and NaT
are missing. Rows are visited by built-in functions (map, set, dict lookup), not by Python loops,
except where numbers and missing cells share an object column.
"""

from __future__ import annotations

import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.table.raw import Labels, Numbers, refuse_cells, refuse_complex, refuse_dates

EXACT = 2**53
_REAL = (bool, int, float, np.bool_, np.integer, np.floating, Decimal, Fraction)
_WHOLE = (bool, int, np.bool_, np.integer)
_DATES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)


def read_objects(cells: NDArray[Any], column: str) -> Numbers | Labels:
    """Numbers or labels of a 1-D object array; `column` names it in messages."""
    types = set(map(type, cells))
    absent = {kind for kind in types if _is_missing_type(kind)}
    present = types - absent
    if present and all(issubclass(kind, str) for kind in present):
        return label_strings(cells.tolist())
    if all(issubclass(kind, _REAL) for kind in present):
        return _read_numbers(cells.tolist(), absent, present, column)
    if all(issubclass(kind, (str, float, np.floating)) for kind in present):
        return _read_strings_with_nan(cells.tolist(), absent, present, column)
    if all(issubclass(kind, _DATES) for kind in present):
        raise refuse_dates(column, ", ".join(sorted(kind.__name__ for kind in present)))
    if any(issubclass(kind, (complex, np.complexfloating)) for kind in present):
        raise refuse_complex(column)
    raise refuse_cells(column, present)


def label_strings(cells: list[Any]) -> Labels:
    """Labels of strings sorted by code point; every cell that is not a string is missing."""
    distinct = set(cells)
    values = sorted({str(cell) for cell in distinct if isinstance(cell, str)})
    code = {value: i for i, value in enumerate(values)}
    # NaN equals nothing but is found by identity, so each such object has its own entry.
    code.update((cell, -1) for cell in distinct if not isinstance(cell, str))
    codes = np.fromiter(map(code.__getitem__, cells), dtype=np.int32, count=len(cells))
    return Labels(codes, tuple(values))


def _read_strings_with_nan(
    cells: list[Any], absent: set[type], present: set[type], column: str
) -> Labels:
    for cell in set(cells):
        if not isinstance(cell, str) and type(cell) not in absent and cell == cell:
            raise refuse_cells(column, present)
    return label_strings(cells)


def _read_numbers(cells: list[Any], absent: set[type], present: set[type], column: str) -> Numbers:
    missing = None
    booleans = bool(present) and present <= {bool, np.bool_}
    if absent or not all(issubclass(kind, _WHOLE) for kind in present):
        missing = np.fromiter(
            (type(cell) in absent or cell != cell for cell in cells), np.bool_, len(cells)
        )
        if missing.any():
            cells = [0 if gone else cell for cell, gone in zip(cells, missing, strict=True)]
            present = set(map(type, cells))
        else:
            missing = None
    if booleans:
        return Numbers(np.array(cells, dtype=np.bool_), missing)
    if all(issubclass(kind, _WHOLE) for kind in present):
        return Numbers(_whole_numbers(cells, column), missing)
    values = _real_numbers(cells, column)
    if missing is not None:
        values[missing] = np.nan
    return Numbers(values)


def _whole_numbers(cells: list[Any], column: str) -> NDArray[Any]:
    smallest, largest = int(min(cells)), int(max(cells))
    if smallest >= -(2**63) and largest < 2**63:
        return np.array(cells, dtype=np.int64)
    if smallest >= 0 and largest < 2**64:
        return np.array(cells, dtype=np.uint64)
    raise ValueError(
        f"{column} holds integers from {smallest} to {largest}; allowed are those that fit 64 bits "
        "(signed, or unsigned without negative values). Scale the column, or give floats."
    )


def _real_numbers(cells: list[Any], column: str) -> NDArray[np.float64]:
    try:
        values = np.array([float(cell) for cell in cells], dtype=np.float64)
    except OverflowError:
        values = np.array([np.inf])
    if np.abs(values).max(initial=0.0) < EXACT:  # 2^53 + 1 rounds to 2^53
        return values
    for cell in cells:
        if isinstance(cell, _WHOLE) and not _is_float64(int(cell)):
            raise ValueError(
                f"{column} holds both floats and the integer {cell}, which no float64 equals; "
                "give the column as integers only, or as floats only."
            )
    return values


def _is_float64(whole: int) -> bool:
    try:
        return int(float(whole)) == whole
    except OverflowError:
        return False


def _is_missing_type(kind: type) -> bool:
    return kind is type(None) or kind.__name__ in ("NAType", "NaTType")
