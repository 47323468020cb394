"""Rows of each class are counted on a cluster as in memory."""

import numpy as np
import pytest

from hardwood import TreeClassifier

dask_array = pytest.importorskip("dask.array")


@pytest.mark.parametrize("pruning", [None, "error-based"])
def test_weighted_rows_are_counted_by_class_on_a_cluster(client, pruning):
    random = np.random.default_rng(0)
    X = random.normal(size=(600, 3))
    y = (X[:, 0] + random.normal(size=600) > 1.2).astype(int)
    one = TreeClassifier(class_weight="balanced", pruning=pruning).fit(X, y)
    parts = dask_array.from_array(X, chunks=(150, 3)), dask_array.from_array(y, chunks=150)
    other = TreeClassifier(class_weight="balanced", pruning=pruning).fit(*parts, client=client)
    assert other.digest() == one.digest()
    assert np.array_equal(other.tree_.class_rows, one.tree_.class_rows)
    assert np.array_equal(other.grown_tree_.class_rows, one.grown_tree_.class_rows)
