"""String, categorical and enum series, coded by the frame's own library.

In: one series of pandas, polars, Arrow or another library that narwhals knows. Out: Labels, in
declared order for dtypes that declare their categories (pandas categorical, polars Enum, Arrow
dictionary), otherwise by code point. A polars Categorical counts by order of appearance in the
whole process, which says nothing of the table, so it is read as strings. pandas and Arrow say
whether the order means something; that of a polars Enum does, as polars compares, and tells Arrow
and pandas. No Python loop over rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from hardwood.table.categories import declared_labels
from hardwood.table.objects import read_objects
from hardwood.table.raw import Labels, Numbers


def label_series(series: nw.Series[Any], column: str) -> Labels | Numbers:
    """Labels of a string or category series; a column of missing values only may be Numbers."""
    library = series.implementation
    if library.is_pandas_like():
        return _label_pandas(series.to_native(), column)
    if library.is_polars():
        return _label_polars(series, column)
    if library.is_pyarrow():
        return _label_arrow(series.to_native(), column)
    cells = np.array(series.to_list(), dtype=object)
    return read_objects(cells, column)


def _label_pandas(series: Any, column: str) -> Labels:
    if hasattr(series, "cat"):
        codes = series.cat.codes.to_numpy()
        labels = declared_labels(codes, series.cat.categories.tolist(), column)
        return replace(labels, ordered=bool(series.cat.ordered))
    codes, distinct = series.factorize()
    return _ascending(np.asarray(codes), distinct.tolist(), column)


def _label_polars(series: nw.Series[Any], column: str) -> Labels:
    native = series.to_native()
    declared = isinstance(series.dtype, nw.Enum)
    if declared:
        values = native.dtype.categories.to_list()
    else:
        library = series.implementation.to_native_namespace()
        native = native.cast(library.String)
        distinct = native.drop_nulls().unique().sort()
        native = native.cast(library.Enum(distinct))
        values = distinct.to_list()
    codes = native.to_physical().cast(int).fill_null(-1).to_numpy()
    return replace(declared_labels(codes, values, column), ordered=declared)


def _one_list(series: Any) -> bool:
    """All chunks declare the same list; otherwise there is no order that they agree on."""
    chunks = getattr(series, "chunks", [])
    return all(chunk.dictionary.equals(chunks[0].dictionary) for chunk in chunks[1:])


def _label_arrow(series: Any, column: str) -> Labels:
    declared = hasattr(series.type, "value_type") and _one_list(series)
    dictionaries = hasattr(series.type, "value_type")
    coded = series.unify_dictionaries() if dictionaries else series.dictionary_encode()
    coded = coded.combine_chunks()
    if hasattr(coded, "chunks"):  # older pyarrow: a chunked array of one chunk
        coded = coded.chunk(0)
    codes = coded.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
    values = coded.dictionary.to_pylist()
    if not declared:
        return _ascending(codes, values, column)
    return replace(declared_labels(codes, values, column), ordered=series.type.ordered)


def _ascending(codes: Any, values: list[Any], column: str) -> Labels:
    labels = declared_labels(codes, values, column)
    order = sorted(range(len(labels.values)), key=labels.values.__getitem__)  # type: ignore[arg-type]
    place = np.full(len(order) + 1, -1, dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return Labels(place[labels.codes], tuple(labels.values[i] for i in order))
