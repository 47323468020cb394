"""One table of plain values in every form that can hold it without rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

from tests.laws.fuzzing.cases import Case, Field, ordered

EXACT = 2**53


def _large(field: Field) -> bool:
    return any(v is not None and not -EXACT <= v <= EXACT for v in field.values)


def _whole(field: Field, signed: str, unsigned: str) -> str:
    return unsigned if any(v is not None and v >= 2**63 for v in field.values) else signed


def pandas(case: Case) -> pd.DataFrame:
    return pd.DataFrame({f"x{j}": _series(field) for j, field in enumerate(case.fields)})


def _array(field: Field, kind: Any) -> Any:
    return pd.array(list(field.values), dtype=kind)


def _series(field: Field) -> Any:
    if field.kind == "float":
        return np.array([np.nan if v is None else v for v in field.values], dtype=np.float64)
    if field.kind == "int":
        return _array(field, _whole(field, "Int64", "UInt64"))
    if field.kind == "bool":
        return _array(field, "boolean")
    if field.kind == "category":
        return pd.Categorical(field.values, categories=list(field.listed), ordered=ordered(field))
    return _array(field, "string")


def arrow_backed(case: Case) -> pd.DataFrame | None:
    types = {"float": "float64[pyarrow]", "bool": "bool[pyarrow]", "text": "string[pyarrow]"}
    columns = {}
    for j, field in enumerate(case.fields):
        if field.kind == "category":
            columns[f"x{j}"] = _series(field)
            continue
        kind: Any = types.get(field.kind) or _whole(field, "int64[pyarrow]", "uint64[pyarrow]")
        columns[f"x{j}"] = pd.Series(list(field.values), dtype=kind)
    return pd.DataFrame(columns)


def objects(case: Case) -> pd.DataFrame | None:
    if any(field.kind == "category" for field in case.fields):
        return None
    return pd.DataFrame(
        {f"x{j}": pd.Series(list(f.values), dtype=object) for j, f in enumerate(case.fields)}
    )


def polars(case: Case) -> pl.DataFrame | None:
    if any(field.kind == "category" and not ordered(field) for field in case.fields):
        return None  # an Enum is ordered, and a Categorical lists only what occurs

    def column(field: Field) -> Any:
        kinds: dict[str, Any] = {"float": pl.Float64, "bool": pl.Boolean, "text": pl.String}
        if field.kind == "category":
            return pl.Series(field.values, dtype=pl.Enum(list(field.listed)))
        if field.kind == "int":
            return pl.Series(field.values, dtype=getattr(pl, _whole(field, "Int64", "UInt64")))
        return pl.Series(field.values, dtype=kinds[field.kind])

    return pl.DataFrame({f"x{j}": column(field) for j, field in enumerate(case.fields)})


def arrow(case: Case) -> pa.Table:
    def column(field: Field) -> Any:
        kinds: dict[str, Any] = {"float": pa.float64(), "bool": pa.bool_(), "text": pa.string()}
        if field.kind == "category":
            place = {value: i for i, value in enumerate(field.listed)}
            codes = [None if v is None else place[v] for v in field.values]
            return pa.DictionaryArray.from_arrays(
                pa.array(codes, pa.int32()), list(field.listed), ordered=ordered(field)
            )
        if field.kind == "int":
            return pa.array(field.values, getattr(pa, _whole(field, "int64", "uint64"))())
        return pa.array(field.values, kinds[field.kind])

    return pa.table({f"x{j}": column(field) for j, field in enumerate(case.fields)})


def numbers(case: Case) -> np.ndarray | None:
    """Where all is exact in float64."""
    if any(f.kind in ("text", "category") for f in case.fields):
        return None
    if any(f.kind == "int" and _large(f) for f in case.fields):
        return None
    rows = zip(*(f.values for f in case.fields), strict=True)
    return np.array([[np.nan if v is None else float(v) for v in row] for row in rows])


TYPES = ("float64", "float32", "int64", "uint64", "int32", "uint8", "int8", "bool")
FORMATS: tuple[Any, ...] = ("csr", "csc", "coo")


def sparse_of_one_type(case: Case) -> Any:
    """In a type that holds all values, by the case's number; with zeros or unsorted at times."""
    types = [kind for kind in TYPES if _holds(kind, case)]
    if not types:
        return None
    turn = case.number // 2
    dense = _dense(case, np.dtype(types[turn % len(types)]))
    form = FORMATS[turn // 3 % len(FORMATS)]
    if turn % 4 == 3:
        return sparse.coo_array(_with_zeros(dense, case.number)).asformat(form)
    kind = (sparse.coo_array, sparse.coo_matrix)[turn % 2]
    return kind(dense).asformat(form)


def sparse_floats(case: Case) -> Any:
    X = numbers(case)
    return None if X is None else sparse.csc_array(X).asformat(FORMATS[case.number % 3])


def _holds(kind: str, case: Case) -> bool:
    type_ = np.dtype(kind)
    for field in case.fields:
        if field.kind in ("text", "category"):
            return False
        for value in field.values:
            if value is None:
                if type_.kind != "f":
                    return False
            elif (field.kind == "float" and type_.kind != "f") or not _is_held(value, type_):
                return False
    return True


def _is_held(value: Any, kind: np.dtype[Any]) -> bool:
    if kind.kind == "f":
        return bool(-EXACT <= value <= EXACT and float(kind.type(value)) == value)
    limits = (0, 1) if kind.kind == "b" else (np.iinfo(kind).min, np.iinfo(kind).max)
    return bool(limits[0] <= value <= limits[1])


def _dense(case: Case, kind: np.dtype[Any]) -> np.ndarray:
    columns = [[np.nan if v is None else v for v in field.values] for field in case.fields]
    return np.column_stack([np.array(column, dtype=kind) for column in columns])


def _with_zeros(dense: np.ndarray, number: int) -> Any:
    """All entries stored, zeros too, in any order."""
    rows, columns = np.indices(dense.shape)
    order = np.random.default_rng(number).permutation(dense.size)
    places = (rows.ravel()[order], columns.ravel()[order])
    return sparse.coo_array((dense.ravel()[order], places), shape=dense.shape)


def lists(case: Case) -> list[list[Any]] | None:
    if any(f.kind == "category" or (f.kind == "int" and _large(f)) for f in case.fields):
        return None
    return [list(row) for row in zip(*(f.values for f in case.fields), strict=True)]


FORMS = (
    arrow_backed, objects, polars, arrow, numbers, sparse_of_one_type, sparse_floats, lists,
)  # fmt: skip
NAMED = (arrow_backed, objects, polars, arrow)
