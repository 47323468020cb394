"""NumPy arrays, masked arrays and lists of lists as tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.table import ColumnSchema, read_prediction_table, read_training_table
from tests.table.columns import objects, only_column


def test_a_float64_matrix_is_read_as_views_of_its_columns():
    X = np.arange(12.0).reshape(4, 3)
    table = read_training_table(X)
    assert (table.n_rows, table.n_columns, table.names) == (4, 3, None)
    for j in range(3):
        column = table.column(j)
        assert column.schema == ColumnSchema(f"x{j}", "numeric")
        assert np.shares_memory(column.values, X)
        assert column.values.dtype == np.float64
        assert column.missing is None
        assert column.rows is None
        np.testing.assert_array_equal(column.values, X[:, j])


def test_float32_stays_float32_without_a_copy():
    X = np.ones((3, 2), dtype=np.float32)
    values = read_training_table(X).column(1).values
    assert values.dtype == np.float32
    assert np.shares_memory(values, X)


@pytest.mark.parametrize("dtype", [np.float16, np.longdouble, ">f8", "<f8", ">i4", ">f4"])
def test_unusual_floats_and_byte_orders_keep_their_values(dtype):
    X = np.array([[1.5], [-2.0], [1024.0]]).astype(dtype)
    values = only_column(X).values
    assert values.dtype.isnative
    assert values.dtype in (np.float64, np.float32, np.int32)
    np.testing.assert_array_equal(values, X[:, 0].astype(np.float64))


@pytest.mark.parametrize("dtype", ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"])
def test_every_number_dtype_is_numeric_and_not_copied(dtype):
    X = np.array([[0, 1], [1, 0], [1, 1]], dtype=dtype)
    column = only_column(X)
    assert column.schema.kind == "numeric"
    assert np.shares_memory(column.values, X)


def test_strided_fortran_read_only_and_reversed_arrays_are_viewed():
    base = np.arange(48.0).reshape(8, 6)
    for X in (base[::2, ::3], np.asfortranarray(base), base[::-1, ::-1]):
        X.flags.writeable = False
        column = read_training_table(X).column(1)
        assert np.shares_memory(column.values, X)
        np.testing.assert_array_equal(column.values, X[:, 1])


def test_a_memory_mapped_array_is_viewed(tmp_path):
    path = tmp_path / "table.npy"
    np.save(path, np.arange(10.0).reshape(5, 2))
    X = np.load(path, mmap_mode="r")
    column = read_training_table(X).column(1)
    assert np.shares_memory(column.values, X)
    np.testing.assert_array_equal(column.values, [1, 3, 5, 7, 9])


@pytest.mark.parametrize("order", ["C", "F"])
def test_unaligned_values_are_read_where_they_are(order):
    values = np.random.default_rng(0).normal(size=(200, 3)).round(1)
    labels = values[:, 0] + values[:, 1] > 0
    memory = np.empty(values.nbytes + 3, dtype=np.uint8)
    X = memory[3:].view(np.float64).reshape(values.shape, order=order)
    X[:] = values
    assert not X.flags.aligned
    assert np.shares_memory(read_training_table(X).column(1).values, X)
    for model in (TreeClassifier(), BoostedTreesClassifier(n_estimators=3)):
        digest = model.fit(values, labels).digest()
        assert model.fit(X, labels).digest() == digest
        assert np.array_equal(model.predict_proba(X), model.predict_proba(values))
        assert np.array_equal(model.shap_values(X), model.shap_values(values))


def test_values_at_an_odd_stride_are_copied():
    packed = np.zeros(3, dtype=[("flag", "u1"), ("value", "f8", (2,))])
    packed["value"][:] = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    X = packed["value"]
    assert not X.flags.aligned
    column = read_training_table(X).column(1)
    assert column.values.flags.aligned
    assert column.values.tolist() == [2.0, 4.0, 6.0]


def test_subclasses_of_arrays_are_read_as_plain_arrays(tmp_path):
    X = np.memmap(tmp_path / "raw", dtype="f8", mode="w+", shape=(2, 2))
    assert type(read_training_table(X).column(0).values) is np.ndarray


def test_the_mask_of_a_masked_array_is_missing():
    X = np.ma.masked_array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    table = read_training_table(X)
    assert table.column(1).missing.tolist() == [True, False]
    assert table.column(1).missing.flags.c_contiguous
    assert table.column(0).missing is None


def test_a_masked_array_of_strings_has_missing_categories():
    X = np.ma.masked_array([["b"], ["a"], ["b"]], mask=[[False], [True], [False]])
    column = only_column(X)
    assert column.schema.categories == ("b",)
    assert column.values.tolist() == [0, -1, 0]


@pytest.mark.parametrize("edge", [2**53, -(2**53)])
def test_integers_up_to_two_to_the_53_are_numeric_and_beyond_it_integers(edge):
    step = 1 if edge > 0 else -1
    assert only_column(np.array([[0], [edge]])).schema.kind == "numeric"
    beyond = only_column(np.array([[0], [edge + step]]))
    assert beyond.schema.kind == "integer"
    assert beyond.values.dtype == np.int64
    assert beyond.values.tolist() == [0, edge + step]


def test_unsigned_integers_beyond_two_to_the_53_are_unsigned():
    column = only_column(np.array([[0], [2**64 - 1]], dtype=np.uint64))
    assert column.schema.kind == "unsigned"
    assert column.values.tolist() == [0, 2**64 - 1]
    small = only_column(np.array([[0], [2**53]], dtype=np.uint64))
    assert small.schema.kind == "numeric"


def test_what_lies_under_a_mask_does_not_decide_the_kind():
    X = np.ma.masked_array([[1], [2**60 + 1]], mask=[[False], [True]])
    assert only_column(X).schema.kind == "numeric"


@pytest.mark.parametrize("dtype", ["M8[s]", "m8[ns]"])
def test_date_and_duration_arrays_are_refused_with_a_sentence(dtype):
    with pytest.raises(TypeError, match="dates, times or durations"):
        only_column(np.zeros((2, 1), dtype=dtype))


def test_complex_numbers_are_refused():
    with pytest.raises(ValueError, match="Complex data not supported"):
        only_column(np.ones((2, 1), dtype=complex))
    with pytest.raises(ValueError, match="Complex data not supported"):
        only_column(objects(1j, 2))


@pytest.mark.parametrize("dtype", ["S3", [("a", "f8")], "V4"])
def test_bytes_and_structured_arrays_are_refused(dtype):
    with pytest.raises(TypeError, match="all strings or all real numbers"):
        only_column(np.zeros((2, 1), dtype=dtype))


def test_np_matrix_is_refused():
    with pytest.warns(PendingDeprecationWarning):
        X = np.matrix([[1.0]])
    with pytest.raises(TypeError, match="np.matrix is not supported"):
        read_training_table(X)


def test_lists_of_lists_are_tables():
    table = read_training_table([[1, "a", 0.5], [2, "b", None]])
    assert [table.column(j).schema.kind for j in range(3)] == ["numeric", "category", "numeric"]
    assert read_training_table([[1.0, 2.0]]).column(1).values.tolist() == [2.0]
    assert read_training_table(((1, 2), (3, 4))).column(0).values.tolist() == [1, 3]


def test_a_list_keeps_big_integers_beside_a_float_column():
    column = read_training_table([[2**60 + 1, 0.5], [2**60, 1.5]]).column(0)
    assert column.schema.kind == "integer"
    assert column.values.tolist() == [2**60 + 1, 2**60]


def test_objects_that_convert_themselves_to_arrays_are_tables():
    class Convertible:
        def __array__(self, dtype=None, copy=None):
            return np.array([[1.0, 2.0]])

    assert read_training_table(Convertible()).column(1).values.tolist() == [2.0]


def test_rows_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match="every row must have the same number of cells"):
        read_training_table([[1, 2], [3]])


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (np.zeros(3), "Expected 2D array, got 1D array instead(.|\n)*Reshape your data"),
        ([1, 2, 3], "Expected 2D array, got 1D array instead(.|\n)*Reshape your data"),
        (np.float64(1), "Expected 2D array, got scalar array instead"),
        ("text", "Expected 2D array, got scalar array instead"),
        (None, "Expected 2D array, got scalar array instead"),
        (np.zeros((2, 2, 2)), "Found array with dim 3"),
        (np.zeros((0, 3)), r"0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required"),
        (np.zeros((5, 0)), r"0 feature\(s\) \(shape=\(5, 0\)\) while a minimum of 1 is required\."),
    ],
)
def test_shapes_that_are_not_tables_are_refused(X, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_training_table(X)
    with pytest.raises(ValueError, match=sentence):
        read_prediction_table(X, [ColumnSchema("x0", "numeric")], False)


def test_two_to_the_31_rows_are_refused_before_any_work():
    X = np.broadcast_to(np.float64(1), (2**31, 1))
    with pytest.raises(ValueError, match=r"2147483648 rows; at most 2147483647"):
        read_training_table(X)


def test_a_broadcast_array_below_the_limit_is_viewed():
    X = np.broadcast_to(np.float64(1), (2**31 - 1, 1))
    assert only_column(X).values.strides == (0,)


@given(
    hnp.arrays(
        st.sampled_from([np.dtype(t) for t in ("?", "i1", "u2", "i8", "u8", "f4", "f8")]),
        hnp.array_shapes(min_dims=2, max_dims=2, max_side=6),
    )
)
def test_reading_changes_neither_the_values_nor_the_array(X):
    before = X.copy()
    table = read_training_table(X)
    for j in range(X.shape[1]):
        column = table.column(j)
        signed = column.schema.kind == "integer"  # whatever type held the values
        assert column.values.dtype == (np.int64 if signed else X.dtype)
        np.testing.assert_array_equal(column.values, before[:, j])
        if column.schema.kind == "numeric" and X.dtype.kind in "iu":
            assert [int(float(value)) for value in X[:, j]] == X[:, j].tolist()
    np.testing.assert_array_equal(X, before)
