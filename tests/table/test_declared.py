"""categorical_features: which columns are categories."""

import numpy as np
import pytest

from hardwood.table import read_training_table

MIXED = [[1, "a", 0.5], [2, "b", 1.5], [1, None, float("nan")]]


def kinds(X, categorical_features) -> list[str]:
    table = read_training_table(X, categorical_features)
    return [table.column(j).schema.kind for j in range(table.n_columns)]


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("from_dtype", ["numeric", "category", "numeric"]),
        ([1], ["numeric", "category", "numeric"]),
        ([0, 1], ["category", "category", "numeric"]),
        (np.array([True, True, True]), ["category", "category", "category"]),
        ([False, True, False], ["numeric", "category", "numeric"]),
        ((1,), ["numeric", "category", "numeric"]),
    ],
)
def test_masks_and_indices_choose_the_category_columns(declared, expected):
    assert kinds(MIXED, declared) == expected


@pytest.mark.parametrize("declared", [None, [], [0], [False, False, True]])
def test_a_string_column_left_out_is_refused(declared):
    with pytest.raises(TypeError, match="Column 1 holds strings, and categorical_features does"):
        kinds(MIXED, declared)


def test_none_reads_numbers_as_numbers():
    assert kinds(np.ones((2, 2)), None) == ["numeric", "numeric"]


@pytest.mark.parametrize(
    ("values", "categories", "codes"),
    [
        (np.array([[3], [1], [3]]), (1, 3), [1, 0, 1]),
        (np.array([[0.5], [np.nan], [-1.0]]), (-1.0, 0.5), [1, -1, 0]),
        (np.array([[True], [False]]), (False, True), [1, 0]),
        (np.array([[2**60 + 1], [2**60]]), (2**60, 2**60 + 1), [1, 0]),
    ],
)
def test_numbers_declared_a_category_are_their_sorted_values(values, categories, codes):
    column = read_training_table(values, [0]).column(0)
    assert column.schema.categories == categories
    assert [type(c) for c in column.schema.categories] == [type(c) for c in categories]
    assert column.values.tolist() == codes
    assert column.values.dtype == np.int32


def test_names_choose_columns_of_a_frame():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    assert kinds(X, ["a", "b"]) == ["category", "category"]
    assert kinds(X, np.array(["b"], dtype=object)) == ["numeric", "category"]
    with pytest.raises(ValueError, match=r"categorical_features lists \['c'\]"):
        kinds(X, ["c"])


def test_a_categorical_column_of_numbers_left_out_is_read_as_its_numbers():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": pd.Categorical([5, None, 3]), "b": pd.Categorical([0.5, None, 2.5])})
    table = read_training_table(X, None)
    whole, real = table.column(0), table.column(1)
    assert (whole.schema.kind, real.schema.kind) == ("numeric", "numeric")
    assert whole.values[[0, 2]].tolist() == [5, 3]
    assert whole.missing.tolist() == [False, True, False]
    np.testing.assert_array_equal(real.values, [0.5, np.nan, 2.5])


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        ("by_name", "categorical_features is 'by_name'; allowed are"),
        ([3], "column indices from 3 to 3; X has columns 0 to 2"),
        ([-1], "column indices from -1 to -1"),
        ([True], "mask of length 1, but X has 3 columns"),
        (["a"], "lists column names, but X has none"),
        ([0.5], "values of type float; allowed are"),
        ([0, "a"], "values of type int, str; allowed are"),
        ([[0]], "2 dimensions instead of one"),
        (1, "0 dimensions instead of one"),
    ],
)
def test_what_names_no_columns_is_refused(declared, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_training_table(MIXED, declared)
