"""Some rows of a part as columns again: from shared codes and keys to values.

In: a part's stored columns (`stored/code_columns` writes the same arrays) and the plan of the
codes. Out: a `Column` whose values take the same branches as the caller's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.distributed.codebooks import BUCKETED, CATEGORY, CODED, UNCODED, CodePlan
from hardwood.table import Column, ColumnSchema
from hardwood.table.derived import DerivedTable

Rows = NDArray[np.intp]

_LANES = 8  # bytes in a word
_BUNDLE = 2  # the core's number for columns that share a byte
_SIGN = np.uint64(1 << 63)


def decoded_rows(stored: dict[str, Any], plan: CodePlan, rows: Rows) -> DerivedTable:
    """The rows at ascending positions; a column is decoded when a tree asks about it."""
    return DerivedTable(
        len(rows), len(plan.schemas), None, lambda j: _column(stored, plan, j, rows)
    )


def _column(stored: dict[str, Any], plan: CodePlan, j: int, rows: Rows) -> Column:
    schema, code = plan.schemas[j], plan.codes[j]
    if code.coding == UNCODED:
        return Column(schema, stored["keys"][j][rows].astype(np.int32))  # all ones: -1, missing
    if code.coding == CATEGORY:
        codes = _codes(stored, j, rows)
        return Column(schema, np.where(codes < len(schema.categories), codes, -1).astype(np.int32))
    if code.coding == BUCKETED:
        missing = _codes(stored, j, rows) > len(code.keys)
        return _numbers(schema, stored["keys"][j][rows], missing)
    if code.coding == CODED:
        codes = _codes(stored, j, rows)
        missing = codes >= len(code.keys)
        return _numbers(schema, code.keys[np.where(missing, 0, codes)], missing)
    raise ValueError(f"column {schema.name!r} has one value, so no tree asks about it")


def _codes(stored: dict[str, Any], j: int, rows: Rows) -> NDArray[np.int64]:
    """A column's codes: a byte of each row's word, or what a shared byte says of the column."""
    storage, lane, digits = stored["columns"][j]
    words = stored["tiles"][lane // _LANES][rows]
    codes = ((words >> np.uint64(8 * (lane % _LANES))) & np.uint64(255)).astype(np.int64)
    if storage == _BUNDLE:
        codes = digits[codes].astype(np.int64)
    return np.asarray(codes)


def _numbers(schema: ColumnSchema, keys: NDArray[np.uint64], missing: NDArray[np.bool_]) -> Column:
    """Keys stand in the order of the numbers; see `codebooks.value_of`."""
    if schema.kind == "unsigned":
        return Column(schema, np.ascontiguousarray(keys), missing)
    if schema.kind == "integer":
        return Column(schema, (keys ^ _SIGN).view(np.int64), missing)
    values = np.where(keys & _SIGN, keys ^ _SIGN, ~keys).view(np.float64)
    return Column(schema, np.where(missing, np.nan, values))
