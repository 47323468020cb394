"""Ensembles score 256 rows at a time by bits; row by row gives the same bits of the scores."""

import numpy as np
import pytest

from hardwood import BoostedTreesClassifier
from tests.tables.matrices import shapes_of_columns


def table(n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    X, y, _ = shapes_of_columns(n_classes, n_classes, rows=1500)
    return X, y


@pytest.mark.parametrize("depth", [1, 3, 6, 7])
@pytest.mark.parametrize("way", [("real", 2), ("discrete", 2), ("real", 4), ("discrete", 4)])
def test_scores_by_bits_are_those_of_sending_each_row_down_each_tree(way, depth):
    variant, n_classes = way
    X, y = table(n_classes)
    model = BoostedTreesClassifier(variant=variant, n_estimators=8, max_depth=depth).fit(X, y)
    *_, by_rows = model.staged_decision_function(X)
    for rows in (1500, 1024, 256, 255, 257):
        assert np.array_equal(model.decision_function(X[:rows]), by_rows[:rows])


def test_an_infinite_value_that_decides_a_rows_way_is_refused_in_a_large_table():
    X, y = table(2)
    model = BoostedTreesClassifier(n_estimators=8).fit(X, y)
    X[700] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        model.predict(X)


def test_a_column_that_the_trees_do_not_ask_about_may_hold_anything():
    X, y = table(2)
    wide = np.column_stack([X, np.zeros(len(X))])
    model = BoostedTreesClassifier(n_estimators=8).fit(wide, y)
    expected = model.decision_function(wide)
    wide[:, -1] = np.inf
    assert np.array_equal(model.decision_function(wide), expected)
