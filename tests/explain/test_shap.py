"""Shapley values of fitted models: they add up, have shap's shapes and depend on nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood._core import limit_instruction_set
from hardwood.explain import scored_tree, shap_values
from hardwood.table import read_prediction_table
from tests.laws.reading import fit
from tests.tables.frames import mixed_frame
from tests.tables.small import any_rules, tables


def mixed(n_classes: int) -> tuple[pd.DataFrame, np.ndarray]:
    X, y = mixed_frame(np.random.default_rng(n_classes), 600, n_classes)
    return X, y.to_numpy()


def models(n_classes: int) -> list[BoostedTreesClassifier]:
    ways = [("real", None), ("discrete", "ovr"), ("gentle", None)]
    ways += [("discrete", "samme")] if n_classes > 2 else []
    return [
        BoostedTreesClassifier(variant=variant, multiclass=way, n_estimators=12, max_depth=4)
        for variant, way in ways
    ]


@given(table=tables(), rules=any_rules)
def test_values_of_a_tree_add_up_to_its_probabilities(table, rules):
    model = fit(table, rules)
    values = model.shap_values(table.X)
    assert values.shape == (table.n_rows, len(table.columns), table.n_classes)
    total = values.sum(axis=1) + model.shap_expected_value()
    np.testing.assert_allclose(total, model.predict_proba(table.X), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_values_of_boosted_trees_add_up_to_the_decision_function(n_classes):
    X, y = mixed(n_classes)
    for model in models(n_classes):
        values = model.fit(X, y).shap_values(X)
        assert values.shape == (*X.shape, n_classes)[: 2 if n_classes == 2 else 3]
        total = values.sum(axis=1) + model.shap_expected_value()
        np.testing.assert_allclose(total, model.decision_function(X), rtol=1e-10, atol=1e-11)


def test_a_deep_tree_on_many_columns_adds_up():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(800, 40)), rng.integers(0, 3, 800)
    model = TreeClassifier(min_samples_leaf=1).fit(X, y)
    assert model.get_depth() > 10
    total = model.shap_values(X).sum(axis=1) + model.shap_expected_value()
    np.testing.assert_allclose(total, model.predict_proba(X), rtol=0, atol=1e-11)


def test_the_expected_value_of_a_tree_is_the_class_shares_of_the_training_rows():
    X, y = mixed(3)
    model = TreeClassifier(max_leaf_nodes=9, leaf_prior=0).fit(X, y)
    np.testing.assert_allclose(model.shap_expected_value(), np.bincount(y) / len(y), rtol=1e-14)


def test_a_column_that_is_never_asked_has_no_part():
    X, y = mixed(2)
    model = TreeClassifier(max_leaf_nodes=4).fit(X, y)
    unused = sorted(set(range(X.shape[1])) - set(model.tree_.used_features))
    assert unused
    assert not model.shap_values(X)[:, unused].any()


@pytest.mark.threads
@pytest.mark.parametrize("n_classes", [2, 4])
def test_values_are_the_same_bits_for_any_number_of_threads_and_any_rows(n_classes):
    X, y = mixed(n_classes)
    for model in models(n_classes):
        values = model.fit(X, y).shap_values(X)
        for threads in (2, 5):
            assert np.array_equal(model.set_params(n_jobs=threads).shap_values(X), values)
        for rows in (slice(0, 1), slice(17, 90), slice(255, 600)):
            assert np.array_equal(model.shap_values(X.iloc[rows]), values[rows])


def test_every_instruction_set_gives_the_same_bits():
    X, y = mixed(2)
    model = BoostedTreesClassifier(n_estimators=20, max_depth=5).fit(X, y)
    expected = model.shap_values(X)
    try:
        for name in ("portable", "avx2"):
            limit_instruction_set(name)
            assert np.array_equal(model.shap_values(X), expected)
    finally:
        limit_instruction_set("avx512")


def test_the_form_of_the_table_does_not_matter():
    X, y = load_breast_cancer(return_X_y=True)
    model = BoostedTreesClassifier(n_estimators=10).fit(X, y)
    values = model.shap_values(X)
    for other in (np.asfortranarray(X), X[::-1][::-1], X.tolist()):
        assert np.array_equal(model.shap_values(other), values)


def test_a_tree_of_fractional_examples_is_refused():
    X, y = mixed(2)
    model = TreeClassifier(max_leaf_nodes=4).fit(X, y)
    tree = replace(model.tree_, share=np.ones(model.tree_.n_nodes))
    table = read_prediction_table(X, model._schemas, True)
    with pytest.raises(ValueError, match='missing="fractional".*fit with missing="branch"'):
        shap_values([scored_tree(tree)], table, 2, 1)


def test_infinity_is_refused_where_a_tree_asks_and_ignored_elsewhere():
    X, y = load_breast_cancer(return_X_y=True)
    model = TreeClassifier(max_leaf_nodes=4).fit(X, y)
    expected, used = model.shap_values(X), model.tree_.used_features
    X[3, next(j for j in range(30) if j not in used)] = np.inf
    assert np.array_equal(model.shap_values(X), expected)
    X[3, used[0]] = np.inf
    with pytest.raises(ValueError, match=f"Column 'x{used[0]}' of X contains infinity"):
        model.shap_values(X)


@pytest.mark.parametrize("model", [TreeClassifier(), BoostedTreesClassifier()])
def test_a_model_that_is_not_fitted_says_so(model):
    for call in (model.shap_values, model.explain, lambda _: model.shap_expected_value()):
        with pytest.raises(NotFittedError):
            call([[1.0]])


def test_one_class_has_nothing_to_explain():
    X = np.arange(12.0).reshape(6, 2)
    for model in (TreeClassifier(), BoostedTreesClassifier()):
        assert not model.fit(X, ["only"] * 6).shap_values(X).any()
        assert model.explain(X[0]).prediction == "only"
