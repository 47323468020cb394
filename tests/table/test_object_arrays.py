"""Arrays of Python objects and of strings: numbers, categories, or refused."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from hardwood.table import ColumnSchema
from tests.table.columns import objects, only_column

NAN = float("nan")


@pytest.mark.parametrize("absent", [None, NAN, np.float64("nan")])
def test_an_object_column_of_numbers_is_numeric_with_missing_values(absent):
    column = only_column(objects(1, 2.5, absent, True, np.int8(3), Decimal("0.5"), Fraction(1, 4)))
    assert column.schema.kind == "numeric"
    assert column.values.dtype == np.float64
    np.testing.assert_array_equal(column.values, [1, 2.5, NAN, 1, 3, 0.5, 0.25])


@pytest.mark.parametrize("absent", [None, NAN])
def test_an_object_column_of_big_integers_with_missing_values_stays_exact(absent):
    column = only_column(objects(2**60 + 1, absent, 3))
    assert column.schema.kind == "integer"
    assert column.missing.tolist() == [False, True, False]
    assert column.values[[0, 2]].tolist() == [2**60 + 1, 3]


def test_an_object_column_of_integers_needing_64_unsigned_bits_is_unsigned():
    column = only_column(objects(2**64 - 1, 0))
    assert column.schema.kind == "unsigned"
    assert column.values.tolist() == [2**64 - 1, 0]


@pytest.mark.parametrize("cells", [(2**70, 1), (2**63, -1), (10**400, 1)])
def test_integers_beyond_64_bits_are_refused(cells):
    with pytest.raises(ValueError, match="Column 0 holds integers from .* fit 64 bits"):
        only_column(objects(*cells))


@pytest.mark.parametrize("whole", [2**53 + 1, 10**400])
def test_floats_beside_an_integer_that_no_float_equals_are_refused(whole):
    with pytest.raises(ValueError, match="both floats and the integer"):
        only_column(objects(whole, 0.5))


def test_floats_beside_a_big_integer_that_is_a_float_are_numeric():
    assert only_column(objects(2**60, 0.5)).values.tolist() == [2.0**60, 0.5]


@pytest.mark.parametrize("absent", [None, NAN, np.float32("nan")])
def test_an_object_column_of_strings_is_a_category_sorted_by_code_point(absent):
    column = only_column(objects("b", "Z", absent, "é", "b", ""))
    assert column.schema == ColumnSchema("x0", "category", ("", "Z", "b", "é"))
    assert column.values.dtype == np.int32
    assert column.values.flags.c_contiguous
    assert column.values.tolist() == [2, 1, -1, 3, 2, 0]


def test_a_column_of_fixed_width_strings_is_a_category():
    column = only_column(np.array([["b"], ["a"], ["b"]]))
    assert column.schema.categories == ("a", "b")
    assert all(type(value) is str for value in column.schema.categories)


def test_numpy_strings_inside_objects_become_plain_strings():
    assert type(only_column(objects(np.str_("a"), "b")).schema.categories[0]) is str


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="this NumPy has none")
def test_variable_width_strings_are_a_category():
    X = np.array([["b"], ["a"]], dtype=np.dtypes.StringDType())
    assert only_column(X).schema.categories == ("a", "b")


def test_an_object_column_of_missing_values_only_is_numeric():
    column = only_column(objects(None, NAN, None))
    assert column.schema.kind == "numeric"
    assert column.missing.all()


@pytest.mark.parametrize("cells", [(1, "a"), ("a", 0.5), (True, "a"), ("a", None, 2), (b"a", "b")])
def test_an_object_column_of_mixed_types_is_refused(cells):
    with pytest.raises(TypeError, match="Column 0 holds cells of type .*all strings or all real"):
        only_column(objects(*cells))


@pytest.mark.parametrize("cell", [{"foo": "bar"}, [1, 2], object(), b"x", {1}])
def test_cells_that_are_neither_string_nor_number_are_refused(cell):
    X = np.ones((3, 1)).astype(object)
    X[0, 0] = cell
    with pytest.raises(TypeError, match=r"argument must be .* string.* number"):
        only_column(X)


@pytest.mark.parametrize(
    "cell",
    [
        dt.date(2020, 1, 1),
        dt.datetime(2020, 1, 1),
        dt.timedelta(1),
        dt.time(1),
        np.datetime64("NaT"),
    ],
)
def test_dates_in_an_object_column_are_refused_with_a_sentence(cell):
    with pytest.raises(TypeError, match=r"Column 0 holds dates, times or durations.*days since"):
        only_column(objects(cell, None))
