"""Prediction tables: names, kinds and categories of a model."""

import warnings

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hardwood.table import Column, ColumnSchema, read_prediction_table, read_training_table

COLOURS = ColumnSchema("colour", "category", ("red", "blue"))
NUMERIC = ColumnSchema("size", "numeric")
INTEGER = ColumnSchema("id", "integer")
UNSIGNED = ColumnSchema("hash", "unsigned")


def predicted(X, schema: ColumnSchema) -> Column:
    return read_prediction_table(X, [schema], False).column(0)


def objects(*cells) -> np.ndarray:
    column = np.empty((len(cells), 1), dtype=object)
    column[:, 0] = cells
    return column


def test_a_float64_matrix_is_viewed():
    X = np.ones((3, 1))
    column = predicted(X, NUMERIC)
    assert column.schema is NUMERIC
    assert np.shares_memory(column.values, X)


def test_categories_are_matched_by_value_and_unseen_ones_are_minus_two():
    assert predicted(objects("blue", "green", None, "red"), COLOURS).values.tolist() == [
        1,
        -2,
        -1,
        0,
    ]


def test_the_same_categories_keep_their_codes():
    schema = read_training_table(objects("a", "b")).column(0).schema
    column = predicted(objects("b", None, "a"), schema)
    assert column.values.tolist() == [1, -1, 0]
    assert column.values.dtype == np.int32
    assert column.values.flags.c_contiguous


def test_frames_of_every_library_match_by_value():
    pd, pl, pa = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    cells = ["green", None, "red", "blue"]
    for column in (
        pd.DataFrame({"colour": pd.Categorical(cells, ["blue", "green", "red"])}),
        pd.DataFrame({"colour": cells}),
        pl.DataFrame({"colour": pl.Series(cells, dtype=pl.Enum(["green", "blue", "red"]))}),
        pl.DataFrame({"colour": pl.Series(cells, dtype=pl.Categorical)}),
        pa.table({"colour": cells}),
        pa.table({"colour": pa.array(cells).dictionary_encode()}),
    ):
        read = read_prediction_table(column, [COLOURS], True).column(0)
        assert read.values.tolist() == [-2, -1, 0, 1]


def test_numbers_where_the_model_has_strings_are_refused_by_name():
    with pytest.raises(TypeError, match="Column 'colour' holds numbers, but .* strings"):
        predicted(np.ones((2, 1)), COLOURS)


def test_strings_where_the_model_has_numbers_are_refused_by_name():
    with pytest.raises(TypeError, match="Column 'size' holds strings, but .* numbers"):
        predicted(objects("a", "b"), NUMERIC)
    whole = ColumnSchema("rank", "category", (1, 2))
    with pytest.raises(TypeError, match="Column 'rank' holds strings, but .* numbers"):
        predicted(objects("a", "b"), whole)


def test_a_categorical_of_numbers_where_the_model_has_strings_is_refused():
    pd = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="Column 'colour' holds numbers"):
        predicted(pd.DataFrame([[1]]).astype("category"), COLOURS)


def test_a_column_of_missing_values_only_fits_every_kind():
    for X in (objects(None, float("nan")), np.full((2, 1), np.nan)):
        assert predicted(X, COLOURS).values.tolist() == [-1, -1]
        for schema in (NUMERIC, INTEGER, UNSIGNED):
            column = predicted(X, schema)
            gone = column.missing if column.missing is not None else np.isnan(column.values)
            assert gone.all()


def test_string_columns_without_a_present_string_fit_a_numeric_model():
    pd, pl = map(pytest.importorskip, ("pandas", "polars"))
    for X in (
        pd.DataFrame({0: pd.Series([None, None], dtype="string")}),
        pl.DataFrame({"size": pl.Series([None, None], dtype=pl.String)}),
    ):
        column = read_prediction_table(X, [NUMERIC], isinstance(X, pl.DataFrame)).column(0)
        assert column.missing.all()


@pytest.mark.parametrize("X", [np.array([[2], [5]]), np.array([[2.0], [2.5]]), objects(2, 7)])
def test_numeric_categories_are_matched_by_value(X):
    schema = ColumnSchema("rank", "category", (1, 2))
    assert predicted(X, schema).values.tolist() == [1, -2]


def test_big_integer_categories_are_matched_exactly():
    schema = ColumnSchema("id", "category", (2**60, 2**60 + 1))
    X = np.array([[2**60 + 1], [2**60 + 2]])
    assert predicted(X, schema).values.tolist() == [1, -2]
    assert predicted(X.astype(np.uint64), schema).values.tolist() == [1, -2]


def test_a_model_that_saw_only_missing_values_takes_every_category_as_unseen():
    nothing = ColumnSchema("a", "category", ())
    assert predicted(objects("x", None), nothing).values.tolist() == [-2, -1]
    assert predicted(np.array([[1.0], [np.nan]]), nothing).values.tolist() == [-2, -1]


DOMAINS = {"integer": (-(2**63), 2**63 - 1), "unsigned": (0, 2**64 - 1)}
finite = st.floats(allow_nan=False, allow_infinity=False)
near_limits = st.sampled_from([2.0**53, -(2.0**53), 2.0**63, -(2.0**63), 2.0**64, 1e300, -1e300])
signed = st.integers(-(2**63), 2**63 - 1)
unsigned = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("kind", DOMAINS)
@given(x=finite | near_limits, t=st.data())
def test_a_float_lies_on_the_same_side_of_every_integer_threshold(kind, x, t):
    low, high = DOMAINS[kind]
    threshold = t.draw(st.integers(low, high - 1))
    column = predicted(np.array([[x]]), ColumnSchema("c", kind))
    assert column.values.dtype == (np.int64 if kind == "integer" else np.uint64)
    assert (int(column.values[0]) <= threshold) == (x <= threshold)


@given(x=signed, threshold=unsigned)
@example(x=-1, threshold=0)
def test_a_signed_integer_lies_on_the_same_side_of_every_unsigned_threshold(x, threshold):
    column = predicted(np.array([[x]], dtype=np.int64), UNSIGNED)
    assert (int(column.values[0]) <= threshold) == (x <= threshold)


@given(x=unsigned, threshold=st.integers(-(2**63), 2**63 - 2))
@example(x=2**64 - 1, threshold=2**63 - 2)
def test_an_unsigned_integer_lies_on_the_same_side_of_every_signed_threshold(x, threshold):
    column = predicted(np.array([[x]], dtype=np.uint64), INTEGER)
    assert (int(column.values[0]) <= threshold) == (x <= threshold)


@given(x=signed | unsigned, threshold=finite | near_limits)
@example(x=2**53 + 1, threshold=2.0**53)
@example(x=2**64 - 1, threshold=2.0**64)
@example(x=-(2**53) - 1, threshold=-(2.0**53))
def test_a_big_integer_lies_on_the_same_side_of_every_float_threshold(x, threshold):
    dtype = np.int64 if x < 2**63 else np.uint64
    column = predicted(np.array([[x]], dtype=dtype), NUMERIC)
    assert (float(column.values[0]) <= threshold) == (x <= threshold)


def test_missing_floats_in_an_integer_column_are_masked():
    column = predicted(np.array([[1.5], [np.nan]]), INTEGER)
    assert column.missing.tolist() == [False, True]
    assert column.values[0] == 2


def test_infinite_values_in_an_integer_column_are_refused():
    with pytest.raises(ValueError, match="Input X contains infinity"):
        predicted(np.array([[np.inf]]), INTEGER)


def test_booleans_and_small_integers_fit_integer_columns():
    for X in (np.array([[True], [False]]), np.array([[1], [0]], dtype=np.int8)):
        for schema in (INTEGER, UNSIGNED):
            assert predicted(X, schema).values.tolist() == [1, 0]


def test_the_number_of_columns_must_be_the_models():
    with pytest.raises(ValueError, match=r"X has 1 features, but \w+ is expecting 2 features as"):
        read_prediction_table(np.ones((3, 1)), [NUMERIC, NUMERIC], False)
    with pytest.raises(ValueError, match="but TreeClassifier is expecting 1 features as input"):
        read_prediction_table(np.ones((3, 2)), [NUMERIC], False, model_name="TreeClassifier")


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["b", "a"], "Feature names must be in the same order as they were in fit"),
        (["a", "c"], "unseen at fit time:\n- c\n.*yet now missing:\n- b\n"),
        (["a"], "yet now missing:\n- b\n"),
        (["a", "b", *"cdefghi"], "unseen at fit time:\n- c\n- d\n- e\n- f\n- g\n- ...\n"),
    ],
)
def test_names_and_their_order_must_be_those_of_training(names, sentence):
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(np.ones((1, len(names))), columns=names)
    schemas = [ColumnSchema("a", "numeric"), ColumnSchema("b", "numeric")]
    with pytest.raises(ValueError, match="(?s)feature names should match those.*" + sentence):
        read_prediction_table(X, schemas, True)


def test_tables_with_and_without_names_are_warned_about_as_scikit_learn_does():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"size": [1.0]})
    with pytest.warns(UserWarning, match="X has feature names, but model was fitted without"):
        read_prediction_table(X, [NUMERIC], False)
    with pytest.warns(UserWarning, match="X does not have valid feature names, but model was"):
        read_prediction_table(X.to_numpy(), [NUMERIC], True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_prediction_table(X, [NUMERIC], True)
        read_prediction_table(X.to_numpy(), [NUMERIC], False)
