"""A fit that goes on from the last one."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from hardwood import BoostedTreesClassifier
from tests.estimators.boosted_ways import EVERY_WAY, every_way, fitted
from tests.tables.matrices import noisy


@pytest.mark.parametrize("way", ["real", "discrete", "samme"])
def test_a_warm_start_stops_early_where_one_fit_would(way):
    n_classes, settings = EVERY_WAY[way]
    (X, y), (X_val, y_val) = noisy(n_classes), noisy(n_classes, rows=300, seed=1)
    model = BoostedTreesClassifier(
        n_estimators=300, early_stopping=True, n_iter_no_change=4, warm_start=True, **settings
    )
    at_once = clone(model).fit(X, y, X_val=X_val, y_val=y_val)
    for rounds in (2, at_once.n_estimators_ + 2, 300, 300):
        model.set_params(n_estimators=rounds).fit(X, y, X_val=X_val, y_val=y_val)
    assert model.digest() == at_once.digest()


@every_way
def test_a_warm_start_continues_and_a_cold_one_starts_again(way):
    at_once, X, y = fitted(way, n_estimators=10)
    model, _, _ = fitted(way, n_estimators=5, warm_start=True)
    five = model.digest()
    assert model.set_params(n_estimators=10).fit(X, y).digest() == at_once.digest()
    assert model.n_estimators_ == 10
    assert model.fit(X, y).digest() == at_once.digest()
    model.set_params(warm_start=False, n_estimators=5)
    assert model.fit(X, y).digest() == five


@every_way
def test_a_warm_start_in_many_steps_with_weights_and_fractions_is_one_run(way):
    n_classes, settings = EVERY_WAY[way]
    X, y = noisy(n_classes)
    w = np.random.default_rng(1).gamma(1.0, size=len(y))
    model = BoostedTreesClassifier(
        n_estimators=9,
        max_depth=2,
        feature_fraction=0.6,
        weight_fraction=0.9,
        learning_rate=0.5,
        random_state=4,
        **settings,
    )
    expected = clone(model).fit(X, y, w).digest()
    model.set_params(warm_start=True)
    for rounds in (1, 2, 6, 9):
        model.set_params(n_estimators=rounds).fit(X, y, w)
    assert model.digest() == expected
