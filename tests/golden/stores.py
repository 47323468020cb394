"""A case's rows in every store, as `fit` takes them: the table itself is `golden.tables`'s.

Out: `Rows`, the positional arguments of `fit`. Parts and files are of unequal length. One part is
empty; no file is, since an empty Parquet file declares no categories, and categories that files
declare differently stand in another order.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from scipy import sparse

from hardwood.distributed.describing import PartData
from tests.distributed.pieces import Pieces
from tests.golden.cases import Case
from tests.golden.tables import Floats, sample_weight, table


@dataclass(frozen=True)
class Rows:
    """X, y and sample_weight as a store gives them."""

    X: Any
    y: Any
    weights: Any


def rows_in(store: str, case: Case, folder: Path) -> Rows:
    """The case's rows in a store; files go below the folder."""
    data = table(case.table)
    weights = sample_weight(case.weights, data.rows)
    if store == "memory":
        return Rows(data.X, data.y, weights)
    if store == "polars":
        return Rows(_polars(case.table), _values(data.y), weights)
    if store == "other-form":
        return Rows(_other_form(data.X), data.y, weights)
    if store == "parts":
        return Rows(Pieces(_parts(data.X, data.y, weights)), None, None)
    files = _files(case.table, case.weights, folder)
    named = None if weights is None else "weight"
    if store == "data-set":
        return Rows(ds.dataset(files), "label", named)
    if store == "lazy-frame":
        return Rows(pl.scan_parquet(sorted(files.glob("*.parquet"))), "label", named)
    raise ValueError(f"{store!r} is not a store.")


def held_out(case: Case) -> dict[str, Any]:
    """Every fifth row, for `fit` to watch."""
    if not case.watched:
        return {}
    data = table(case.table)
    return {"X_val": data.X[::5], "y_val": data.y[::5]}


def edges(rows: int) -> list[tuple[int, int]]:
    """Where the rows are cut."""
    places = [0, rows // 10, rows // 10, rows // 2, rows - rows // 7, rows]
    return list(itertools.pairwise(places))


def _values(y: Any) -> Any:
    return y.to_numpy() if isinstance(y, pd.Series) else y


@cache
def _polars(name: str) -> Any:
    """An ordered pandas category is an Enum. One without an order is a column of strings, where
    its list is theirs; else polars cannot say what it is, and the table is one of Arrow."""
    X = table(name).X
    categories = X.select_dtypes("category")
    ordered = [name for name in categories if X[name].cat.ordered]
    for name in set(categories) - set(ordered):
        if X[name].cat.categories.tolist() != sorted(X[name].dropna().unique()):
            return pa.Table.from_pandas(X, preserve_index=False)
    plain = X.assign(**{name: X[name].astype(object) for name in categories})
    orders = {name: pl.Enum(X[name].cat.categories.tolist()) for name in ordered}
    return pl.from_pandas(plain, schema_overrides=orders)


def _other_form(X: Any) -> Any:
    is_sparse: bool = sparse.issparse(X)
    return X.toarray() if is_sparse else sparse.csc_matrix(X)


def _parts(X: Any, y: Any, weights: Floats | None) -> list[PartData]:
    rows = X.iloc if isinstance(X, pd.DataFrame) else X
    labels = _values(y)
    return [
        PartData(rows[a:b], labels[a:b], None if weights is None else weights[a:b])
        for a, b in edges(X.shape[0])
    ]


@cache
def _files(name: str, weights: str, folder: Path) -> Path:
    data = table(name)
    frame = data.X.assign(label=data.y)
    if weights != "none":
        frame = frame.assign(weight=sample_weight(weights, data.rows))
    place = folder / f"{name}-{weights}"
    place.mkdir()
    whole = pa.Table.from_pandas(frame, preserve_index=False)
    for number, (a, b) in enumerate(each for each in edges(data.rows) if each[0] < each[1]):
        pq.write_table(whole.slice(a, b - a), place / f"{number}.parquet")
    return place


def on_dask(case: Case, partitions: int) -> Rows:
    """As Dask collections, an array's rows in chunks."""
    import dask.array as da
    import dask.dataframe as dd

    data = table(case.table)
    weights = sample_weight(case.weights, data.rows)
    if not isinstance(data.X, pd.DataFrame):
        cut = -(-data.rows // partitions)
        chunked = [
            None if each is None else da.from_array(each, chunks=cut)
            for each in (np.asarray(data.y), weights)
        ]
        return Rows(da.from_array(data.X, chunks=(cut, data.X.shape[1])), *chunked)
    frame = data.X.assign(label=data.y)
    if weights is not None:
        frame = frame.assign(weight=weights)
    whole = dd.from_pandas(frame, npartitions=partitions, sort=False)
    return Rows(whole[list(data.X)], whole["label"], None if weights is None else whole["weight"])
