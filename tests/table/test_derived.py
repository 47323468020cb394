"""Some rows of a table: the values of a table that has only these rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from hardwood import BoostedTreesClassifier
from hardwood.table import read_training_table
from hardwood.table.derived import some_rows

RNG = np.random.default_rng(0)
DENSE = np.where(RNG.random((60, 4)) < 0.7, 0.0, RNG.normal(size=(60, 4)).round(1))
FRAME = pd.DataFrame(
    {
        "a": pd.array([None if i % 7 == 0 else i for i in range(60)], dtype="Int64"),
        "b": pd.Categorical(RNG.choice(list("xyz"), 60)),
        "c": DENSE[:, 0],
    }
)


def dense(column, rows):
    values = column.values
    if column.rows is not None:
        values = np.zeros(rows, values.dtype)
        values[column.rows] = column.values
    return values


@pytest.mark.parametrize("rows", [[0], [5, 6, 59], list(range(0, 60, 3)), list(range(60))])
@pytest.mark.parametrize("X", [DENSE, sparse.csr_matrix(DENSE), sparse.csc_matrix(DENSE), FRAME])
def test_columns_have_the_values_of_these_rows(X, rows):
    table = read_training_table(X)
    taken = some_rows(table, np.array(rows))
    assert (taken.n_rows, taken.n_columns, taken.names) == (len(rows), table.n_columns, table.names)
    for j in range(table.n_columns):
        one, whole = taken.column(j), table.column(j)
        assert one.schema == whole.schema
        assert np.array_equal(dense(one, len(rows)), dense(whole, 60)[rows])
        if whole.missing is not None:
            assert np.array_equal(one.missing, whole.missing[rows])
        assert taken.column(j) is one


def test_early_stopping_on_a_sparse_table_is_that_on_the_dense_one():
    y = (DENSE[:, 0] + DENSE[:, 1] + 0.5 * RNG.normal(size=60) > 0).astype(int)
    model = BoostedTreesClassifier(
        n_estimators=30, early_stopping=True, n_iter_no_change=2, validation_fraction=0.3
    )
    digest = model.fit(DENSE, y).digest()
    assert model.fit(sparse.csr_matrix(DENSE), y).digest() == digest
