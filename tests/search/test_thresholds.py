"""Root splits of columns with 20,000 distinct values against a scan of every threshold."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hardwood import TreeClassifier
from tests.oracles.topdown_problem import integer_weights
from tests.search.scanning import best_root_split, split_of
from tests.tables.small import CRITERIA

pytestmark = pytest.mark.grid

ROWS = 20_000


def table(seed: int, n_classes: int, missing: bool):
    """All-distinct columns: one steep, one flat, one that repeats another in reverse order."""
    rng = np.random.default_rng(seed)
    X = np.empty((ROWS, 4))
    X[:, 0] = rng.permutation(ROWS) / 7
    X[:, 1] = rng.normal(size=ROWS) ** 5
    X[:, 2] = np.exp(rng.normal(size=ROWS) * 20)
    X[:, 3] = -X[:, 0]
    score = np.sin(X[:, 0] / 300) / 3 + (X[:, 1] > 0.37) / 3 + rng.normal(size=ROWS)
    y = np.searchsorted(np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1]), score)
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    return X, y


WEIGHTS = {
    "gamma": lambda rng: rng.gamma(1.0, size=ROWS),
    "spread over many magnitudes": lambda rng: np.exp(rng.normal(size=ROWS) * 5),
    "mostly nearly equal": lambda rng: 1 + rng.random(ROWS) / 2**40,
    "too small to count for half of the rows": lambda rng: np.where(
        rng.random(ROWS) < 0.5, 1e-25, rng.random(ROWS)
    ),
}


@pytest.mark.parametrize("missing", [False, True], ids=["complete", "missing"])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_root_of_distinct_values_is_the_best_of_all_thresholds(
    weights, criterion, n_classes, missing
):
    X, y = table(len(weights) + n_classes, n_classes, missing)
    drawn = WEIGHTS[weights](np.random.default_rng(len(weights)))
    integers, exponent = integer_weights(drawn.tolist())
    units = np.array(integers)
    model = TreeClassifier(
        pruning=None, min_samples_leaf=1, criterion=criterion, max_leaf_nodes=2
    ).fit(X, y, drawn)
    expected = best_root_split(X, y, units, criterion)
    assert split_of(model, X, units, y) == expected
    left = [math.ldexp(a, -exponent) for a in expected[-1]]
    assert model.tree_.class_weights[1].tolist() == left
