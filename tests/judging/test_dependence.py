"""Partial dependence is the mean of predict_proba over rows whose column was overwritten."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.inspection import partial_dependence as reference

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.judging import partial_dependence

MODELS = [TreeClassifier(max_leaf_nodes=12), BoostedTreesClassifier(n_estimators=15)]


@pytest.mark.parametrize("model", MODELS)
def test_it_is_scikit_learn_s_where_it_takes_all_rows(model):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X, y = X[:400], y[:400]
    model.fit(X, y)
    for name in ("worst radius", "worst concave points"):
        column = list(X.columns).index(name)
        found = partial_dependence(model, model._table(X), column)
        assert found.rows == len(X)
        custom = {name: np.array(found.values)}
        expected = reference(model, X, [name], custom_values=custom, method="brute")
        np.testing.assert_allclose(found.mean[:, 1], expected["average"][0], atol=1e-12)
        assert X[name].quantile(0.01) < found.values[0] < found.values[-1] < X[name].quantile(0.99)


@pytest.mark.parametrize("model", MODELS)
def test_categories_ordered_categories_and_whole_numbers_are_overwritten(model):
    rng = np.random.default_rng(0)
    rows = 300
    X = pd.DataFrame(
        {
            "town": pd.Categorical(rng.choice(["a", "b", "c"], rows)),
            "size": pd.Categorical(
                rng.choice(["s", "m", "l"], rows), ["s", "m", "l"], ordered=True
            ),
            "big": 2**60 + rng.integers(0, 4, rows),
            "x": np.where(rng.random(rows) < 0.2, np.nan, rng.normal(size=rows)),
        }
    )
    y = (X["town"] == "b") | (X["size"] == "l") & (X["big"] % 2 == 0) | (X["x"] > 1)
    model.fit(X, y)
    table = model._table(X)
    for j, name in enumerate(X.columns):
        found = partial_dependence(model, table, j)
        for value, mean in zip(found.values, found.mean, strict=True):
            changed = X.copy()
            same = [value] * rows
            changed[name] = pd.Series(same, dtype=X[name].dtype)
            np.testing.assert_allclose(model.predict_proba(changed).mean(axis=0), mean, atol=1e-12)
    assert partial_dependence(model, table, 1).values == ["s", "m", "l"]
    assert X["x"].isna().sum() == table.column(3).values[np.isnan(table.column(3).values)].size
