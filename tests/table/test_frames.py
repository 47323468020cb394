"""pandas, polars and Arrow frames as tables."""

from decimal import Decimal

import narwhals as nw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood.table import ColumnSchema, read_training_table
from tests.table.columns import only_column
from tests.table.libraries import Capsule, every_library, pa, pd, pl, present


@every_library
def test_every_library_gives_the_same_columns(make):
    table = read_training_table(
        make(
            {
                "real": [0.5, 1.5, -2.0],
                "whole": [1, 2, 3],
                "flag": [True, False, True],
                "text": ["b", "a", "b"],
            }
        )
    )
    assert table.names == ("real", "whole", "flag", "text")
    columns = [table.column(j) for j in range(4)]
    assert [column.schema for column in columns] == [
        ColumnSchema("real", "numeric"),
        ColumnSchema("whole", "numeric"),
        ColumnSchema("flag", "numeric"),
        ColumnSchema("text", "category", ("a", "b")),
    ]
    assert columns[0].values.tolist() == [0.5, 1.5, -2.0]
    assert columns[1].values.tolist() == [1, 2, 3]
    assert columns[2].values.tolist() == [1, 0, 1]
    assert columns[3].values.tolist() == [1, 0, 1]
    assert columns[3].values.dtype == np.int32


cells = st.one_of(
    st.lists(st.none() | st.text(max_size=3), min_size=1, max_size=8),
    st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=8),
    st.lists(st.none() | st.booleans(), min_size=1, max_size=8),
    st.lists(st.none() | st.floats(allow_nan=False), min_size=1, max_size=8),
)


@given(cells.filter(lambda column: any(cell is not None for cell in column)))
def test_the_same_cells_are_the_same_column_in_every_library(column):
    plain = np.empty((len(column), 1), dtype=object)
    plain[:, 0] = column
    expected = only_column(plain)
    for X in (
        pl.DataFrame({"x0": column}),
        pa.table({"x0": column}),
        pd.DataFrame({"x0": pd.Series(column, dtype=object)}),
        pa.table({"x0": column}).to_pandas(types_mapper=pd.ArrowDtype),
        Capsule(pl.DataFrame({"x0": column})),
    ):
        read = only_column(X)
        assert read.schema == expected.schema
        assert present(read) == present(expected)


@every_library
def test_nulls_are_missing_in_every_library(make):
    table = read_training_table(
        make({"real": [0.5, None], "flag": [True, None], "text": ["a", None], "whole": [7, None]})
    )
    assert present(table.column(0)) == [0.5, None]
    assert present(table.column(1)) == [1, None]
    assert table.column(2).values.tolist() == [0, -1]
    assert present(table.column(3)) == [7, None]


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"a": pd.array([2**60 + 1, None, 3], dtype="Int64")}),
        pd.DataFrame({"a": pd.array([2**60 + 1, None, 3], dtype="int64[pyarrow]")}),
        pl.DataFrame({"a": [2**60 + 1, None, 3]}),
        pa.table({"a": [2**60 + 1, None, 3]}),
        Capsule(pa.table({"a": [2**60 + 1, None, 3]})),
    ],
    ids=["pandas", "pandas with Arrow", "polars", "Arrow", "capsule"],
)
def test_big_integers_with_nulls_stay_exact(X):
    column = only_column(X)
    assert column.schema.kind == "integer"
    assert column.values.dtype == np.int64
    assert present(column) == [2**60 + 1, None, 3]


def test_unsigned_64_bit_columns_stay_unsigned():
    for X in (
        pd.DataFrame({"a": pd.array([2**64 - 1, None], dtype="UInt64")}),
        pl.DataFrame({"a": pl.Series([2**64 - 1, None], dtype=pl.UInt64)}),
        pa.table({"a": pa.array([2**64 - 1, None], pa.uint64())}),
    ):
        column = only_column(X)
        assert column.schema.kind == "unsigned"
        assert present(column) == [2**64 - 1, None]


def test_numeric_columns_are_viewed_where_the_library_allows_it():
    data = np.arange(5.0)
    frame = pd.DataFrame({"a": data})
    assert np.shares_memory(only_column(frame).values, frame["a"].to_numpy())
    arrow = pa.table({"a": data})
    view = arrow["a"].chunk(0).to_numpy()
    assert np.shares_memory(only_column(arrow).values, view)
    polars = pl.DataFrame({"a": data})
    assert np.shares_memory(only_column(polars).values, polars["a"].to_numpy())


def test_several_arrow_chunks_are_one_column():
    table = pa.concat_tables(
        [pa.table({"a": [1.0], "s": ["b"]}), pa.table({"a": [2.0], "s": ["a"]})]
    )
    read = read_training_table(table)
    assert read.column(0).values.tolist() == [1.0, 2.0]
    assert read.column(1).values.tolist() == [1, 0]
    assert read_training_table(pl.from_arrow(table)).column(0).values.tolist() == [1.0, 2.0]


def test_pandas_categories_keep_their_declared_order_and_unused_values():
    X = pd.DataFrame({"a": pd.Categorical(["low", None, "high"], ["low", "unused", "high"])})
    column = only_column(X)
    assert column.schema.categories == ("low", "unused", "high")
    assert column.values.tolist() == [0, -1, 2]


@pytest.mark.parametrize("values", [[3, 1, 2], [2.5, 0.5], [True, False]])
def test_pandas_categories_of_numbers_keep_their_type(values):
    column = only_column(pd.DataFrame({"a": pd.Categorical(values, values)}))
    assert column.schema.categories == tuple(values)
    assert [type(value) for value in column.schema.categories] == [type(v) for v in values]


def test_a_polars_enum_keeps_its_declared_order():
    X = pl.DataFrame({"a": pl.Series(["b", None, "a"], dtype=pl.Enum(["z", "b", "a"]))})
    column = only_column(X)
    assert column.schema.categories == ("z", "b", "a")
    assert column.schema.ordered
    np.testing.assert_array_equal(column.values, [1.0, np.nan, 2.0])


def test_a_polars_categorical_is_sorted_by_code_point():
    pl.Series(["zzz", "yyy"], dtype=pl.Categorical)
    X = pl.DataFrame({"a": pl.Series(["b", None, "a"], dtype=pl.Categorical)})
    column = only_column(X)
    assert column.schema.categories == ("a", "b")
    assert column.values.tolist() == [1, -1, 0]


def test_an_arrow_dictionary_keeps_its_order_where_all_chunks_have_it():
    first = pa.array(["b", None, "a"]).dictionary_encode()
    column = only_column(pa.table({"s": pa.chunked_array([first, first])}))
    assert column.schema.categories == ("b", "a")
    second = pa.array(["c", "a"]).dictionary_encode()
    for chunks in ([first, second], [second, first]):  # no order that they agree on: by code point
        column = only_column(pa.table({"s": pa.chunked_array(chunks)}))
        assert column.schema.categories == ("a", "b", "c")
    assert column.values.tolist() == [2, 0, 1, -1, 0]


def test_an_arrow_dictionary_that_holds_null_and_repeats_is_folded():
    codes = pa.array([0, 1, 2, 3, None], pa.int32())
    values = pa.array(["a", None, "b", "a"])
    column = only_column(pa.table({"s": pa.DictionaryArray.from_arrays(codes, values)}))
    assert column.schema.categories == ("a", "b")
    assert column.values.tolist() == [0, -1, 1, 0, -1]


def test_a_pandas_column_of_an_arrow_dictionary_is_a_category():
    dtype = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    column = only_column(pd.DataFrame({"a": pd.Series(["b", "a", None], dtype=dtype)}))
    assert column.schema.categories == ("a", "b")
    assert column.values.tolist() == [1, 0, -1]


@pytest.mark.parametrize("dtype", ["object", "string", "string[pyarrow]", "str"])
def test_every_pandas_string_dtype_is_a_category(dtype):
    column = only_column(pd.DataFrame({"a": pd.Series(["b", None, "a"], dtype=dtype)}))
    assert column.schema.categories == ("a", "b")
    assert column.values.tolist() == [1, -1, 0]


def test_pandas_object_columns_of_numbers_are_numeric_and_na_is_missing():
    column = only_column(pd.DataFrame({"a": pd.Series([1, pd.NA, 2.5], dtype=object)}))
    assert column.schema.kind == "numeric"
    assert present(column) == [1, None, 2.5]
    text = only_column(pd.DataFrame({"a": pd.Series(["x", pd.NA, pd.NaT], dtype=object)}))
    assert text.values.tolist() == [0, -1, -1]


def test_pandas_sparse_columns_are_read():
    X = pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 0.0, 1.0], fill_value=0.0)})
    assert only_column(X).values.tolist() == [0, 0, 1]


def test_decimals_become_the_nearest_floats():
    arrow = pa.table({"a": pa.array([Decimal("1.50"), None])})
    for X in (arrow, pl.from_arrow(arrow), arrow.to_pandas(types_mapper=pd.ArrowDtype)):
        column = only_column(X)
        assert column.values.dtype == np.float64
        assert present(column) == [1.5, None]


def test_columns_of_nulls_only_are_missing():
    for X in (pl.DataFrame({"a": [None, None]}), pa.table({"a": pa.nulls(2)})):
        assert present(only_column(X)) == [None, None]


def test_polars_floats_may_hold_null_and_nan():
    assert present(only_column(pl.DataFrame({"a": [1.0, None, float("nan")]}))) == [1.0, None, None]


def test_record_batches_and_capsules_are_tables():
    table = pa.table({"a": [1.0, 2.0], "s": ["b", "a"]})
    for X in (table.to_batches()[0], Capsule(table), Capsule(pl.DataFrame(table))):
        read = read_training_table(X)
        assert read.names == ("a", "s")
        assert read.column(0).values.tolist() == [1.0, 2.0]
        assert read.column(1).values.tolist() == [1, 0]


def test_narwhals_frames_are_tables():
    X = nw.from_native(pl.DataFrame({"a": [1.0]}))
    assert read_training_table(X).names == ("a",)


def test_frames_without_string_names_have_no_names():
    X = pd.DataFrame(np.ones((2, 2)))
    table = read_training_table(X)
    assert table.names is None
    assert table.column(1).schema.name == "x1"


def test_the_frame_is_not_changed():
    X = pd.DataFrame({"a": [1.0, None], "s": ["x", None], "c": pd.Categorical(["q", None])})
    before = X.copy(deep=True)
    table = read_training_table(X)
    for j in range(3):
        table.column(j)
    pd.testing.assert_frame_equal(X, before)


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"a": [1.0], "b": [2.0]}),
        pd.DataFrame([[1.0, 2.0]]),
        pd.DataFrame([[1.0, 2.0]], columns=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])),
        pl.DataFrame({"a": [1.0]}),
        pa.table({"a": [1.0]}),
        np.ones((1, 2)),
        [[1.0]],
    ],
)
def test_names_are_those_of_scikit_learn(X):
    from sklearn.utils.validation import _get_feature_names

    theirs = _get_feature_names(X)
    assert read_training_table(X).names == (None if theirs is None else tuple(theirs))
