"""Threads expand leaves ahead of their turn; what comes of it must not show."""

import numpy as np
import pytest

from hardwood import BoostedTreesClassifier


@pytest.mark.threads
@pytest.mark.parametrize("leaves", [3, 5, 9])
def test_a_budget_that_cuts_off_leaves_expanded_ahead_gives_the_same_boosted_model(leaves):
    rng = np.random.default_rng(leaves)
    X = rng.normal(size=(3000, 6))
    y = (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=3000) > 0).astype(int)
    shape = {"n_estimators": 20, "max_depth": None, "max_leaf_nodes": leaves}
    expected = BoostedTreesClassifier(**shape).fit(X, y)
    for threads in (2, 3, 4):
        model = BoostedTreesClassifier(n_jobs=threads, **shape).fit(X, y)
        assert model.digest() == expected.digest()
        assert model.history_["bound"][-1] >= np.mean(model.predict(X) != y)
