"""A sparse matrix is the table of the dense one, whatever the type of its numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from hardwood import BoostedTreesClassifier, TreeClassifier

RNG = np.random.default_rng(2)
WHOLE = RNG.integers(0, 9, (150, 5)) * (RNG.random((150, 5)) < 0.3)
Y = (WHOLE[:, 0] + WHOLE[:, 1] > 3).astype(int)
TYPES = [
    "bool", "uint8", "int8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32",
    "float64",
]  # fmt: skip


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("dtype", TYPES)
def test_every_type_of_numbers_trains_and_predicts_as_the_dense_matrix(dtype, form):
    dense = WHOLE.astype(dtype)
    given = sparse.csr_matrix(dense).asformat(form)
    for model in (TreeClassifier(), BoostedTreesClassifier(n_estimators=3)):
        digest = model.fit(dense, Y).digest()
        expected = model.predict_proba(dense)
        assert np.array_equal(model.predict_proba(given), expected)
        assert model.fit(given, Y).digest() == digest
        assert np.array_equal(model.predict_proba(given), expected)


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_integers_that_a_float_does_not_hold_keep_their_order(dtype):
    dense = np.zeros((60, 2), dtype)
    dense[10:, 0] = np.arange(50, dtype=dtype) + np.array(2**53, dtype)
    y = (np.arange(60) % 10 >= 5).astype(int)
    model = TreeClassifier(pruning=None)
    digest = model.fit(dense, y).digest()
    assert model.fit(sparse.csc_matrix(dense), y).digest() == digest
    assert np.array_equal(model.predict(sparse.csr_matrix(dense))[10:], y[10:])
