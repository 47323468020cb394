"""scipy.sparse matrices and arrays as tables of sparse columns."""

import numpy as np
import pytest
from scipy import sparse

from hardwood.table import Column, read_prediction_table, read_training_table

FORMATS = ["csc", "csr", "coo", "lil", "dok", "bsr", "dia"]


def dense(column: Column, n_rows: int) -> np.ndarray:
    values = np.zeros(n_rows, dtype=column.values.dtype)
    values[column.rows] = column.values
    return values


@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csr_array])
@pytest.mark.parametrize("format_name", FORMATS)
def test_every_format_gives_the_entries_of_its_columns(make, format_name):
    full = np.array([[0, 1.5, 0], [2, 0, 0], [0, 3, 0], [4, 0, 0]])
    table = read_training_table(make(full).asformat(format_name))
    assert (table.n_rows, table.n_columns, table.names) == (4, 3, None)
    for j in range(3):
        column = table.column(j)
        assert column.schema.kind == "numeric"
        assert column.rows.dtype == np.int32
        assert np.all(np.diff(column.rows) > 0)
        np.testing.assert_array_equal(dense(column, 4), full[:, j])


def test_duplicate_entries_are_summed_and_the_callers_matrix_is_not_changed():
    data, rows, starts = np.array([1.0, 2.0, 5.0]), np.array([2, 2, 0]), np.array([0, 3])
    X = sparse.csc_array((data, rows, starts), shape=(3, 1))
    column = read_training_table(X).column(0)
    assert column.rows.tolist() == [0, 2]
    assert column.values.tolist() == [5.0, 3.0]
    assert X.data.tolist() == [1.0, 2.0, 5.0]
    assert X.indices.tolist() == [2, 2, 0]


def test_duplicate_entries_of_a_coordinate_matrix_are_summed():
    X = sparse.coo_array(([1.0, 2.0], ([1, 1], [0, 0])), shape=(2, 1))
    assert dense(read_training_table(X).column(0), 2).tolist() == [0.0, 3.0]
    assert X.data.tolist() == [1.0, 2.0]


def test_a_canonical_csc_matrix_is_viewed():
    X = sparse.csc_array(np.array([[0.0], [1.0], [2.0]]))
    assert np.shares_memory(read_training_table(X).column(0).values, X.data)


def test_a_read_only_matrix_is_read():
    X = sparse.csr_array(np.eye(3))
    for part in (X.data, X.indices, X.indptr):
        part.flags.writeable = False
    assert dense(read_training_table(X).column(2), 3).tolist() == [0, 0, 1]


def test_explicit_zeros_are_values_and_explicit_nan_is_kept():
    X = sparse.csc_array((np.array([0.0, np.nan]), np.array([0, 2]), np.array([0, 2])), (3, 1))
    column = read_training_table(X).column(0)
    np.testing.assert_array_equal(column.values, [0.0, np.nan])
    assert column.rows.tolist() == [0, 2]


def test_sparse_big_integers_stay_integers():
    X = sparse.csc_array(np.array([[0], [2**60 + 1]]))
    column = read_training_table(X).column(0)
    assert column.schema.kind == "integer"
    assert column.rows is None
    assert column.values.tolist() == [0, 2**60 + 1]


def test_64_bit_indices_become_32_bit_rows():
    X = sparse.csc_array(np.eye(2))
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    assert read_training_table(X).column(0).rows.dtype == np.int32


def test_a_sparse_column_declared_a_category_has_zero_among_its_categories():
    X = sparse.csr_array(np.array([[0], [7], [0], [3]]))
    column = read_training_table(X, [0]).column(0)
    assert column.schema.categories == (0, 3, 7)
    assert column.values.tolist() == [0, 2, 0, 1]
    again = read_prediction_table(sparse.csr_array([[3], [5]]), [column.schema], False).column(0)
    assert again.values.tolist() == [1, -2]


def test_sparse_prediction_in_an_integer_column_stays_sparse():
    schema = read_training_table(np.array([[2**60 + 1], [0]])).column(0).schema
    X = sparse.csc_array(np.array([[0.0], [1.5], [np.nan]]))
    column = read_prediction_table(X, [schema], False).column(0)
    assert column.rows.tolist() == [1, 2]
    assert column.values[0] == 2
    assert column.missing.tolist() == [False, True]


def test_complex_and_empty_matrices_are_refused():
    with pytest.raises(ValueError, match="Complex data not supported"):
        read_training_table(sparse.csr_array(np.eye(2, dtype=complex))).column(0)
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        read_training_table(sparse.csr_array((0, 2)))
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        read_training_table(sparse.csr_array((2, 0)))


def test_a_one_dimensional_sparse_array_is_refused():
    X = sparse.coo_array(np.array([0, 1, 2]))
    if X.ndim == 2:
        pytest.skip("this SciPy has no one-dimensional sparse arrays")
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array instead"):
        read_training_table(X)
