"""Weights as large and as small as they may be: finite numbers everywhere, and no warning."""

from __future__ import annotations

import numpy as np
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier, certify
from hardwood.criteria import CRITERIA, cost

SCALES = [1e-260, 1e-160, 1e15, 1e20, 1e150, 1e290]


def rows(classes, missing=0.0, n=120):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(n, 3)), rng.integers(classes, size=n)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y, rng.random(n)


def is_sound(model, X, y, weights):
    shares = model.feature_importances_
    assert np.isfinite(shares).all()
    assert shares.sum() == pytest.approx(1.0)
    assert np.isfinite(model.predict_proba(X)).all()
    found = certify.check(model, X, y, weights)
    assert found, found.differences


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("classes", [2, 4])
def test_trees_of_fractional_examples(classes, criterion, scale):
    X, y, weights = rows(classes, missing=0.2, n=50)
    model = TreeClassifier(criterion=criterion, missing="fractional", min_samples_leaf=1)
    is_sound(model.fit(X, y, weights * scale), X, y, weights * scale)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("variant", ["logistic", "real", "discrete", "gentle"])
def test_boosted_trees(variant, scale):
    X, y, weights = rows(2)
    model = BoostedTreesClassifier(variant=variant, n_estimators=4)
    is_sound(model.fit(X, y, weights * scale), X, y, weights * scale)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("weight", [5e-324, 1e-300, 1e305])
@pytest.mark.parametrize("model", [TreeClassifier(), BoostedTreesClassifier(n_estimators=2)])
def test_weights_near_the_limits_of_float64_are_refused_also_where_all_are_equal(model, weight):
    X, y, _ = rows(2)
    with pytest.raises(ValueError, match="near the limits of float64"):
        model.fit(X, y, np.full(len(y), weight))


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_power_of_two_scales_the_cost_to_the_bit(criterion):
    weights = np.random.default_rng(1).random((50, 3))
    for exponent in (-900, -1, 3, 900):
        scaled = cost(np.ldexp(weights, exponent), criterion)
        assert (scaled == np.ldexp(cost(weights, criterion), exponent)).all()
