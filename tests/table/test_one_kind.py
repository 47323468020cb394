"""A column's kind follows from its values, not from the form in which they came."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from hardwood import TreeClassifier
from hardwood.table.reading import read_prediction_table, read_training_table

NONE = [None] * 4
EMPTY: dict[str, Any] = {
    "objects": pd.DataFrame({"a": pd.Series(NONE, dtype=object)}),
    "nullable strings": pd.DataFrame({"a": pd.Series(NONE, dtype="string")}),
    "category without a list": pd.DataFrame({"a": pd.Series(NONE, dtype="category")}),
    "nullable integers": pd.DataFrame({"a": pd.array(NONE, dtype="Int64")}),
    "nullable unsigned": pd.DataFrame({"a": pd.array(NONE, dtype="UInt64")}),
    "nullable booleans": pd.DataFrame({"a": pd.array(NONE, dtype="boolean")}),
    "floats": pd.DataFrame({"a": np.full(4, np.nan)}),
    "Arrow strings in pandas": pd.DataFrame({"a": pd.Series(NONE, dtype="string[pyarrow]")}),
    "polars nulls": pl.DataFrame({"a": NONE}),
    "polars strings": pl.DataFrame({"a": pl.Series(NONE, dtype=pl.String)}),
    "polars categorical": pl.DataFrame({"a": pl.Series(NONE, dtype=pl.Categorical)}),
    "Arrow nulls": pa.table({"a": pa.array(NONE)}),
    "Arrow strings": pa.table({"a": pa.array(NONE, pa.string())}),
    "Arrow dictionary": pa.table({"a": pa.array(NONE, pa.string()).dictionary_encode()}),
}
LARGE = [2**63 - 1, None, 2**53 + 1, 0]
LARGER = [2**63 + 1, None, 2**63 - 1, 0]


def whole(values: list[int | None]) -> dict[str, Any]:
    fits = all(value is None or value < 2**63 for value in values)
    forms = {
        "objects": pd.DataFrame({"a": pd.Series(values, dtype=object)}),
        "nullable unsigned": pd.DataFrame({"a": pd.array(values, dtype="UInt64")}),
        "Arrow in pandas": pd.DataFrame({"a": pd.Series(values, dtype="uint64[pyarrow]")}),
        "polars unsigned": pl.DataFrame({"a": pl.Series(values, dtype=pl.UInt64)}),
        "Arrow unsigned": pa.table({"a": pa.array(values, pa.uint64())}),
    }
    if fits:
        forms["nullable integers"] = pd.DataFrame({"a": pd.array(values, dtype="Int64")})
        forms["polars integers"] = pl.DataFrame({"a": pl.Series(values, dtype=pl.Int64)})
        forms["Arrow integers"] = pa.table({"a": pa.array(values, pa.int64())})
    return forms


def digest(X: Any) -> str:
    return TreeClassifier(min_samples_leaf=1, pruning=None).fit(X, [0, 1, 1, 0]).digest()


@pytest.mark.parametrize("form", EMPTY)
def test_a_column_without_any_value_is_one_of_numbers_whatever_its_type(form):
    assert read_training_table(EMPTY[form]).column(0).schema.kind == "numeric"
    assert digest(EMPTY[form]) == digest(EMPTY["floats"])


def test_a_type_that_lists_categories_keeps_them_without_any_value():
    declared = pd.DataFrame({"a": pd.Categorical(NONE, categories=["u", "v"])})
    schema = read_training_table(declared).column(0).schema
    assert (schema.kind, schema.categories) == ("category", ("u", "v"))


def test_a_column_declared_as_a_category_is_one_without_any_value_in_every_form():
    kinds = {read_training_table(X, [0]).column(0).schema.kind for X in EMPTY.values()}
    assert kinds == {"category"}


@pytest.mark.parametrize(("values", "kind"), [(LARGE, "integer"), (LARGER, "unsigned")])
def test_large_integers_beside_a_missing_one_have_the_kind_of_their_values(values, kind):
    forms = whole(values)
    for X in forms.values():
        column = read_training_table(X).column(0)
        assert column.schema.kind == kind
        assert [None if gone else int(v) for v, gone in
                zip(column.values, column.missing, strict=True)] == values  # fmt: skip
    assert len({digest(X) for X in forms.values()}) == 1


def test_unsigned_values_beyond_an_integer_model_are_above_all_its_cuts():
    X = whole(LARGE)["Arrow unsigned"]
    schemas = [read_training_table(X).column(0).schema]
    later = read_prediction_table(whole(LARGER)["Arrow unsigned"], schemas, True).column(0)
    assert later.values.tolist()[0] == 2**63 - 1
