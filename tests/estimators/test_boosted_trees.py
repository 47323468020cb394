"""What a boosted model is and does: stop rules, history, early stopping, warm start, pickling."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from hardwood import BoostedTreesClassifier
from tests.estimators.boosted_ways import EVERY_WAY, every_way, fitted
from tests.tables.matrices import noisy

HISTORY = {"error", "advantage", "assessments", "exhaustive_assessments", "bound", "stopped"}


@parametrize_with_checks(
    [
        BoostedTreesClassifier(n_estimators=5),
        BoostedTreesClassifier(n_estimators=5, variant="discrete", max_depth=2, search="adaptive"),
        BoostedTreesClassifier(n_estimators=5, variant="discrete", multiclass="ovr", n_jobs=2),
        BoostedTreesClassifier(n_estimators=5, variant="gentle", learning_rate=0.3, max_depth=2),
    ]
)
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)


# History.


@every_way
@pytest.mark.parametrize("search", ["auto", "exhaustive", "adaptive", "quick"])
def test_the_history_has_an_entry_per_round(way, search):
    model, _, _ = fitted(way, search=search)
    history = model.history_
    assert set(history) >= HISTORY
    assert {len(values) for values in history.values()} == {model.n_estimators_}
    assert model.n_estimators_ == len(model.trees_) == len(model.tree_weights_) == 10
    assert np.all(history["assessments"] > 0)
    assert np.all(history["assessments"] <= history["exhaustive_assessments"])
    assert model.assessments_ == history["assessments"].sum()
    assert np.all((history["error"] >= 0) & (history["error"] < 0.75))
    proved = EVERY_WAY[way][0] == 2
    assert np.isnan(history["bound"]).all() != proved
    assert np.isnan(history["advantage"]).all() != proved
    if proved:
        np.testing.assert_allclose(history["advantage"], 0.5 - history["error"], atol=1e-15)


def test_the_error_of_the_first_round_is_that_of_the_first_tree():
    for way in ("real", "gentle", "discrete", "samme"):
        model, X, y = fitted(way)
        first = next(iter(model.staged_predict(X)))
        assert model.history_["error"][0] == pytest.approx(np.mean(first != y), abs=1e-12)


# Probabilities and importances.


@every_way
def test_probabilities_sum_to_one_and_agree_with_the_prediction(way):
    model, X, _ = fitted(way)
    shares = model.predict_proba(X)
    assert shares.shape == (len(X), len(model.classes_))
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)
    assert np.all(shares >= 0)
    said = model.predict(X)
    largest = shares.max(axis=1)
    place = np.searchsorted(model.classes_, said)
    np.testing.assert_allclose(shares[np.arange(len(X)), place], largest, rtol=1e-12)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), shares, rtol=1e-12)


@pytest.mark.parametrize("way", ["real", "gentle", "discrete"])
def test_the_probability_of_two_classes_is_the_logistic_of_twice_the_score(way):
    model, X, _ = fitted(way)
    F = model.decision_function(X)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-2 * F)), rtol=1e-12)
    assert np.array_equal(model.predict(X), model.classes_[(F > 0).astype(int)])


@every_way
def test_importances_are_shares_of_the_columns_that_are_used(way):
    model, _, _ = fitted(way)
    shares = model.feature_importances_
    assert shares.shape == (5,)
    assert shares.sum() == pytest.approx(1.0)
    trees = [t for each in model.trees_ for t in (each if isinstance(each, list) else [each])]
    used = {int(j) for tree in trees for j in tree.used_features}
    assert set(np.flatnonzero(shares)) <= used


# Early stopping and warm start.


@every_way
def test_early_stopping_on_held_out_rows_ends_training_and_repeats_itself(way):
    n_classes, settings = EVERY_WAY[way]
    X, y = noisy(n_classes)
    model = BoostedTreesClassifier(
        n_estimators=300,
        max_depth=3,
        early_stopping=True,
        validation_fraction=0.25,
        n_iter_no_change=5,
        random_state=1,
        **settings,
    )
    first = model.fit(X, y).digest()
    assert model.n_estimators_ < 300
    assert model.history_["stopped"][-1]
    assert clone(model).set_params(n_jobs=2).fit(X, y).digest() == first


@pytest.mark.parametrize("way", ["real", "discrete", "samme"])
def test_early_stopping_on_given_rows_does_not_depend_on_row_order(way):
    n_classes, settings = EVERY_WAY[way]
    (X, y), (X_val, y_val) = noisy(n_classes), noisy(n_classes, rows=300, seed=1)
    model = BoostedTreesClassifier(
        n_estimators=300, early_stopping=True, n_iter_no_change=4, **settings
    )
    digest = model.fit(X, y, X_val=X_val, y_val=y_val).digest()
    assert model.n_estimators_ < 300
    order = np.random.default_rng(2).permutation(len(y))
    other = clone(model).fit(X[order], y[order], X_val=X_val[::-1], y_val=y_val[::-1])
    assert other.digest() == digest


def test_early_stopping_that_never_stops_gives_the_model_of_all_rounds():
    (X, y), (X_val, y_val) = noisy(), noisy(seed=1)
    model = BoostedTreesClassifier(n_estimators=6, n_iter_no_change=100)
    expected = model.fit(X, y).digest()
    watched = clone(model).set_params(early_stopping=True)
    assert watched.fit(X, y, X_val=X_val, y_val=y_val).digest() == expected


# LazyBoost and weight trimming.


@every_way
@pytest.mark.parametrize("fraction", [0.2, 0.5, 0.9])
def test_a_round_uses_no_more_than_its_share_of_the_columns(way, fraction):
    model, _, _ = fitted(way, feature_fraction=fraction, random_state=0)
    chosen = set()
    for each in model.trees_:
        trees = each if isinstance(each, list) else [each]
        columns = {int(j) for tree in trees for j in tree.used_features}
        assert len(columns) <= math.ceil(fraction * 5)
        chosen |= columns
    assert len(chosen) > 1


def test_the_columns_drawn_depend_on_the_random_state():
    digests = {fitted("real", feature_fraction=0.4, random_state=s)[0].digest() for s in range(4)}
    assert len(digests) == 4
    again = fitted("real", feature_fraction=0.4, random_state=2)[0]
    assert again.digest() in digests


def test_a_weight_fraction_that_leaves_no_split_gives_a_warning():
    X, y = noisy()
    w = np.ones(len(y))
    w[7] = 50.0
    model = BoostedTreesClassifier(n_estimators=5, weight_fraction=0.001)
    with pytest.warns(UserWarning, match="weight_fraction"):
        model.fit(X, y, w)


def test_weight_trimming_keeps_rows_that_tie_with_the_lightest_kept_one():
    # All rows weigh the same at first, so the first tree sees them all.
    X, y = noisy()
    whole = BoostedTreesClassifier(n_estimators=1).fit(X, y)
    assert BoostedTreesClassifier(n_estimators=1, weight_fraction=0.3).fit(X, y).digest() == (
        whole.digest()
    )


# The model as an object.


@every_way
def test_a_pickled_model_says_the_same(way):
    model, X, _ = fitted(way)
    again = pickle.loads(pickle.dumps(model))
    assert again.digest() == model.digest()
    assert np.array_equal(again.decision_function(X), model.decision_function(X))
    for key, values in model.history_.items():
        np.testing.assert_array_equal(again.history_[key], values)


def test_a_pickled_model_can_be_continued():
    at_once, X, y = fitted("real", n_estimators=8)
    model, _, _ = fitted("real", n_estimators=4, warm_start=True)
    again = pickle.loads(pickle.dumps(model)).set_params(n_estimators=8)
    assert again.fit(X, y).digest() == at_once.digest()


def test_the_digest_says_what_the_model_says():
    base, X, y = fitted("real")
    assert len(base.digest()) == 64
    assert fitted("real")[0].digest() == base.digest()
    others = [
        fitted("real", n_estimators=9)[0],
        fitted("real", learning_rate=0.5)[0],
        fitted("gentle")[0],
        fitted("real", max_depth=1)[0],
        clone(base).fit(X, np.where(y == 1, "yes", "no")),
        clone(base).fit(pd.DataFrame(X, columns=list("abcde")), y),
    ]
    assert len({base.digest(), *(other.digest() for other in others)}) == 7


def test_labels_of_any_type_come_back():
    X, y = noisy(3)
    names = np.array(["low", "middle", "high"])[y]
    model = BoostedTreesClassifier(n_estimators=5).fit(X, names)
    assert model.classes_.tolist() == ["high", "low", "middle"]
    assert set(model.predict(X)) <= set(names)
    assert all(set(stage) <= set(names) for stage in model.staged_predict(X))


def test_verbose_training_shows_progress_and_gives_the_same_model(capsys):
    model, X, y = fitted("real")
    loud = clone(model).set_params(verbose=1).fit(X, y)
    printed = capsys.readouterr()
    assert printed.out + printed.err
    assert loud.digest() == model.digest()
