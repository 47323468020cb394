"""Two-valued columns that rows in memory list as flags give the trees of a store that has none.

Parts of a table keep bundles alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier
from tests.distributed.splitting import cut

pytestmark = pytest.mark.grid

ROWS = 1500


def table(classes: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Rare ones, rare zeros, equal columns, a constant, words and truths beside a usual column."""
    rng = np.random.default_rng(classes)
    share = np.concatenate([rng.uniform(0.01, 0.1, 30), rng.uniform(0.9, 0.99, 6), [0.5]])
    ones = rng.random((ROWS, len(share))) < share
    score = ones[:, :6] @ [2.0, -2, 1.5, 1, 1, 3] - 1.5 * ones[:, 31] + rng.logistic(size=ROWS)
    y = np.digitize(score, np.quantile(score, np.linspace(0, 1, classes + 1)[1:-1]))
    frame = pd.DataFrame(ones.astype(float), columns=[f"c{i}" for i in range(len(share))])
    frame["again"] = frame["c1"]
    frame["never"] = 0.0
    frame["word"] = pd.Categorical(np.where(ones[:, 2], "rare", "usual"))
    frame["truth"] = ones[:, 3]
    frame["size"] = (score + rng.normal(size=ROWS)).round(1)
    return frame, y


BOOSTED = [
    {"n_estimators": 15},
    {"n_estimators": 10, "feature_fraction": 0.4, "max_leaf_nodes": 9, "max_depth": None},
    {"n_estimators": 8, "variant": "discrete", "max_depth": 3},
    {"n_estimators": 8, "criterion": "gini", "min_samples_leaf": 5},
    {"n_estimators": 8, "monotonic_cst": {"c0": 1, "c1": -1}},
    {"n_estimators": 8, "weight_fraction": 0.8, "variant": "real"},
]
TREES = [
    {},
    {"criterion": "error", "pruning": None},
    {"branching": "multiway", "max_leaf_nodes": 12},
]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    ("estimator", "parameters"),
    [(BoostedTreesClassifier, each) for each in BOOSTED]
    + [(TreeClassifier, each) for each in TREES],
)
def test_flags_give_the_trees_of_bundles(pieces_of, estimator, parameters, classes):
    X, y = table(classes)
    if classes > 2 and parameters.get("variant") == "discrete":
        parameters = {**parameters, "multiclass": "ovr"}
    if classes > 2 and "monotonic_cst" in parameters:
        parameters = {**parameters, "monotonic_cst": {"c0": {2: 1}, "c1": {0: -1}}}
    weights = np.random.default_rng(5).integers(0, 4, ROWS).astype(float)
    for given in (None, weights):
        model = estimator(**parameters)
        here = model.fit(X, y, sample_weight=given).digest()
        assert model.set_params(n_jobs=3).fit(X, y, sample_weight=given).digest() == here
        parts = cut(X, pd.Series(y), given, [ROWS // 3])
        assert model.fit(pieces_of(parts), None).digest() == here


@pytest.mark.parametrize("search", ["exhaustive", "adaptive", "quick"])
def test_every_search_gives_the_same_trees(search):
    X, y = table(2)
    model = BoostedTreesClassifier(n_estimators=10)
    assert model.fit(X, y).digest() == model.set_params(search=search).fit(X, y).digest()
