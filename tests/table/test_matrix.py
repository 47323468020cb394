"""A table that is handed over at once has the columns that are read one by one."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from hardwood.table import read_prediction_table, read_training_table
from hardwood.table.derived import some_rows

RNG = np.random.default_rng(3)
SMALL = RNG.integers(0, 100, (6, 4))
FLOATS = np.where(RNG.random((6, 4)) < 0.2, np.nan, RNG.normal(size=(6, 4)))
BEYOND = SMALL + np.array([0, 0, 2**53, 0])

NUMBERS = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
AT_ONCE = {
    "rows": FLOATS,
    "columns": np.asfortranarray(FLOATS),
    "every second": RNG.normal(size=(12, 8))[::2, ::2],
    "backwards": FLOATS[::-1, ::-1],
    "read-only": np.broadcast_to(FLOATS[0], (6, 4)),
    "float32": FLOATS.astype(np.float32),
    **{name: SMALL.astype(name) for name in NUMBERS},
    "mask of nothing": np.ma.masked_array(FLOATS).data,
    "pandas": pd.DataFrame(FLOATS, columns=list("abcd")),
    "pandas in pieces": pd.concat([pd.Series(FLOATS[:, j], name=str(j)) for j in range(4)], axis=1),
    "pandas integers": pd.DataFrame(SMALL, columns=list("abcd")),
    "pandas without names": pd.DataFrame(FLOATS),
    "polars": pl.DataFrame(FLOATS, schema=list("abcd")),
    "polars with nulls": pl.DataFrame({"a": [1.5, None, 2.5], "b": [None, 0.5, -1.0]}),
    "polars integers": pl.DataFrame(SMALL, schema=list("abcd")),
}
ONE_BY_ONE = {
    "beyond 2^53": BEYOND,
    "unsigned beyond 2^53": BEYOND.astype(np.uint64),
    "half": FLOATS.astype(np.float16),
    "long": FLOATS.astype(np.longdouble),
    "foreign": FLOATS.astype(">f8"),
    "odd steps": np.zeros(6, dtype=[("a", "u1"), ("x", "f8", 2)])["x"],
    "masked": np.ma.masked_array(FLOATS, SMALL > 50),
    "objects": SMALL.astype(object),
    "sparse": sparse.csr_array(SMALL),
    "pandas of two types": pd.DataFrame({"a": [1.5, 2.5], "b": [2**53 + 1, 1]}),
    "pandas beyond 2^53": pd.DataFrame(BEYOND),
    "pandas with its own nulls": pd.DataFrame({"a": [1.5, None]}, dtype="Float64"),
    "pandas categories": pd.DataFrame({"a": pd.Categorical([1.5, 2.5]), "b": [1.0, 2.0]}),
    "pandas categories last": pd.DataFrame({"b": [1.0, 2.0], "a": pd.Categorical([1.5, 2.5])}),
    "many cells": pd.DataFrame(np.zeros((70_000, 1))),
    "polars of two types": pl.DataFrame({"a": [1.5, 2.5], "b": [2**53 + 1, 1]}),
    "polars integers with nulls": pl.DataFrame({"a": [2**53 + 1, None]}),
    "arrow": pa.table({"a": [1.5, 2.5]}),
}


@pytest.mark.parametrize("name", AT_ONCE)
def test_the_matrix_has_the_columns_that_are_read_one_by_one(name):
    table = read_training_table(AT_ONCE[name])
    matrix = table.matrix()
    assert matrix is not None
    assert matrix.shape == (table.n_rows, table.n_columns)
    for j in range(table.n_columns):
        column = table.column(j)
        assert column.schema.kind == "numeric"
        assert column.missing is None
        assert np.array_equal(matrix[:, j], column.values, equal_nan=matrix.dtype.kind == "f")


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_values_that_would_change_are_read_one_by_one(name):
    assert read_training_table(ONE_BY_ONE[name]).matrix() is None


def test_a_prediction_table_has_a_matrix_and_one_of_some_rows_has_none():
    training = read_training_table(FLOATS)
    schemas = [training.column(j).schema for j in range(training.n_columns)]
    table = read_prediction_table(FLOATS, schemas, False)
    assert np.shares_memory(table.matrix(), FLOATS)
    assert some_rows(table, np.array([0, 2])).matrix() is None


def test_a_pandas_column_is_read_by_its_name_where_it_has_one():
    frame = pd.DataFrame({"a": [1, 2], "b": [0.5, None], "c": ["x", "y"]}, index=[5, 5])
    by_name = read_training_table(frame)
    by_place = read_training_table(frame.set_axis([("a", 1), 2, None], axis=1))
    for j in range(3):
        named, placed = by_name.column(j), by_place.column(j)
        assert np.array_equal(named.values, placed.values, equal_nan=j == 1)
        assert named.schema.categories == placed.schema.categories
