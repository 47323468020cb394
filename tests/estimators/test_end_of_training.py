"""When boosting ends, and what it leaves then."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris

from hardwood import BoostedTreesClassifier
from tests.estimators.boosted_ways import CHANCE, NO_ERROR

# When training ends.


def test_a_tree_without_error_is_kept_with_the_weight_of_a_tiny_error_and_ends_training():
    X = np.arange(10.0).reshape(-1, 1)
    y = np.repeat([0, 1], 5)
    shape = {"n_estimators": 20, "max_depth": 1, "learning_rate": 1.0}
    model = BoostedTreesClassifier(variant="discrete", **shape).fit(X, y)
    assert model.n_estimators_ == len(model.trees_) == 1
    assert model.tree_weights_[0] == pytest.approx(math.log(2.0**53 - 1) / 2)
    assert model.history_["stopped"].tolist() == [NO_ERROR]
    assert model.history_["error"].tolist() == [0.0]
    assert np.array_equal(model.predict(X), y)
    slower = clone(model).set_params(learning_rate=0.25).fit(X, y)
    assert slower.tree_weights_[0] == pytest.approx(model.tree_weights_[0] / 4)


@pytest.mark.parametrize("variant", ["logistic", "real", "gentle"])
def test_a_confident_tree_without_error_does_not_end_training(variant):
    X = np.arange(10.0).reshape(-1, 1)
    y = np.repeat([0, 1], 5)
    model = BoostedTreesClassifier(variant=variant, n_estimators=20, max_depth=1).fit(X, y)
    assert model.n_estimators_ == 20
    assert not any(model.history_["stopped"])
    assert np.array_equal(model.predict(X), y)
    sure = [model.set_params(n_estimators=n).fit(X, y).predict_proba(X)[9, 1] for n in (1, 20, 200)]
    assert 0.5 < sure[0] < sure[1] < sure[2] <= 1.0
    assert np.isfinite(model.decision_function(X)).all()


@pytest.mark.parametrize(("cuts", "least"), [(1.0, 0.98), (None, 0.9)])
@pytest.mark.parametrize("prior", [None, 0.0, 0.5])
def test_a_separable_column_gives_probabilities_near_one(prior, cuts, least):
    X = np.arange(400.0).reshape(-1, 1)
    y = np.repeat([0, 1], 200)
    shape = {"n_estimators": 300, "cut_fraction": cuts}
    model = BoostedTreesClassifier(**shape, leaf_prior=prior).fit(X, y)
    assert model.predict_proba(X)[np.arange(400), y].min() > least
    assert np.isfinite(model.decision_function(X)).all()


def test_all_classes_of_one_versus_rest_have_as_many_rounds():
    X, y = load_iris(return_X_y=True)
    model = BoostedTreesClassifier(n_estimators=40).fit(X, y)
    assert model.n_estimators_ == 40
    assert (model.tree_weights_ > 0).all()
    clear = model.predict_proba([[6.0, 2.8, 4.2, 1.3]])[0]
    assert clear[1] > 0.9
    assert clear[0] < 0.05


def test_a_class_share_is_learned_where_no_column_tells():
    model = BoostedTreesClassifier().fit(np.zeros((30, 1)), [0] * 10 + [1] * 20)
    assert model.predict_proba([[0.0]])[0, 1] == pytest.approx(2 / 3, abs=0.02)


@pytest.mark.parametrize("variant", ["logistic", "real", "gentle"])
def test_training_ends_where_no_weight_moves_any_more(variant):
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 4)
    y = (X[:, 0] != X[:, 1]).astype(int)
    model = BoostedTreesClassifier(variant=variant, n_estimators=20, max_depth=1).fit(X, y)
    assert model.n_estimators_ == len(model.trees_) == 1
    assert model.history_["stopped"][-1] == "nothing left to learn"
    assert (model.predict_proba(X) == 0.5).all()
    assert np.array_equal(model.predict(X), np.zeros(16))


@pytest.mark.parametrize("weights", [None, "whole", "thirds"])
@pytest.mark.parametrize("rate", [0.1, 1.0])
def test_every_logistic_round_proves_a_drop_of_the_log_loss(rate, weights):
    X, y = load_breast_cancer(return_X_y=True)
    random = np.random.default_rng(3)
    made = {"whole": random.integers(0, 4, len(y)), "thirds": random.integers(1, 9, len(y)) / 3}
    weight = None if weights is None else made[weights].astype(float)
    options = {"learning_rate": rate, "weight_fraction": 0.9}
    history = BoostedTreesClassifier(n_estimators=30, **options).fit(X, y, weight).history_
    losses = np.concatenate([[np.log(2)], history["loss"]])
    assert (history["proved_drop"] > 0).all()
    assert (-np.diff(losses) >= history["proved_drop"] - 1e-12).all()
    assert (history["bound"] >= losses[1:] / np.log(2)).all()


def test_a_first_tree_no_better_than_chance_leaves_one_leaf():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 4)
    y = (X[:, 0] != X[:, 1]).astype(int)
    model = BoostedTreesClassifier(variant="discrete", n_estimators=20, max_depth=1).fit(X, y)
    assert model.n_estimators_ == len(model.trees_) == 1
    assert model.trees_[0].n_nodes == 1
    assert model.tree_weights_.tolist() == [1.0]
    assert model.history_["stopped"][-1] == CHANCE
    assert np.array_equal(model.predict(X), np.zeros(16))


def test_a_first_samme_tree_no_better_than_chance_leaves_one_leaf():
    X, y = np.ones((6, 1)), np.arange(6) % 3
    model = BoostedTreesClassifier(variant="discrete", n_estimators=20).fit(X, y)
    assert model.n_estimators_ == 1
    assert model.trees_[0].n_nodes == 1
    assert model.history_["stopped"][-1] == CHANCE
    assert np.array_equal(model.predict(X), np.zeros(6))
    assert model.tree_weights_.tolist() == [1.0]


def test_a_later_tree_no_better_than_chance_is_dropped_and_ends_training():
    # One in five is wrong on either side, so that the second round is exactly a tie.
    X = np.repeat([0.0, 1.0], 5).reshape(-1, 1)
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1, 0])
    shape = {"n_estimators": 20, "max_depth": 1, "learning_rate": 1.0}
    model = BoostedTreesClassifier(variant="discrete", **shape).fit(X, y)
    assert model.n_estimators_ == len(model.trees_) == 1
    assert model.tree_weights_[0] == pytest.approx(math.log(4) / 2)
    assert model.history_["stopped"][-1] == CHANCE
    assert len({len(values) for values in model.history_.values()}) == 1


def test_one_class_only_makes_a_leaf():
    X = np.arange(6.0).reshape(-1, 1)
    model = BoostedTreesClassifier(n_estimators=5).fit(X, ["same"] * 6)
    assert model.classes_.tolist() == ["same"]
    assert model.predict(X).tolist() == ["same"] * 6
    assert model.predict_proba(X).tolist() == [[1.0]] * 6


def test_hundreds_of_rounds_on_easy_rows_keep_their_weights_alive():
    # Rows that are right in every round have factors far below the smallest float.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 6))
    y = (X[:, 0] + X[:, 1] > 0) ^ (rng.random(400) < 0.02)
    model = BoostedTreesClassifier(variant="discrete", n_estimators=800, max_depth=4).fit(X, y)
    assert np.isfinite(model.tree_weights_).all()
    assert np.isfinite(model.history_["bound"]).all()
    assert np.mean(model.predict(X) != y) == 0.0
