"""Discrete boosting that passes over trees no better than chance, against the plain booster."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood import BoostedTreesClassifier, certify
from hardwood.certify.checking.draws import drawn_columns
from tests.laws.boosters import assert_same_tree, fit, oracle, some_table

pytestmark = pytest.mark.filterwarnings("ignore:.*weight_fraction")
DISCRETE = ("discrete", "discrete ovr", "samme")


def lazy_columns(table, rounds):
    columns = len(table.columns)
    return [set(drawn_columns(3, r, columns, 0.5).tolist()) for r in range(rounds)]


@pytest.mark.parametrize("name", DISCRETE)
@given(data=st.data())
def test_the_trees_passed_over_are_those_of_the_plain_booster(name, data):
    table = data.draw(some_table(name))
    trimmed = data.draw(st.sampled_from([1.0, 0.83]))
    more = {"chance_rounds": "skip", "weight_fraction": trimmed, "n_estimators": 5, "max_depth": 1}
    model = fit(table, name, feature_fraction=0.5, random_state=3, **more)
    report = certify.check(model, table.X, table.y, table.sample_weight)
    assert report, str(report)
    for c, plain in enumerate(oracle(table, name, columns=lazy_columns(table, 5), **more)):
        for r, expected in enumerate(plain.rounds):
            tree, weight = model.trees_[r], model.tree_weights_[r]
            if isinstance(tree, list):
                tree, weight = tree[c], weight[c]
            assert_same_tree(tree, expected.growth)
            assert weight == pytest.approx(expected.tree_weight, rel=1e-9, abs=1e-9)
        if not plain.stopped and not plain.undecided:
            assert len(plain.rounds) == 5 == model.n_estimators_
        if plain.stopped and name != "discrete ovr":
            assert model.history_["stopped"][-1] == plain.stopped != "no better than chance"


def useless_beside_useful(rows=200):
    """One column tells the classes, the others nothing: their stumps are right half of the time."""
    rng = np.random.default_rng(0)
    useful = np.arange(rows) // 2 % 50
    y = np.arange(rows) % 2
    constant = np.zeros((rows, 5))
    noisy = np.where(rng.random(rows) < 0.85, y, 1 - y) * 100.0 + useful
    return np.column_stack([constant, noisy]), y


def test_a_round_without_a_useful_column_is_passed_over_and_training_goes_on():
    X, y = useless_beside_useful()
    shape = {"variant": "discrete", "feature_fraction": 0.3, "n_estimators": 30, "max_depth": 2}
    stops = BoostedTreesClassifier(**shape).fit(X, y)
    skips = BoostedTreesClassifier(**shape, chance_rounds="skip").fit(X, y)
    assert stops.history_["stopped"][-1] == "no better than chance"
    assert stops.n_estimators_ < skips.n_estimators_ == 30
    passed = skips.tree_weights_ == 0
    assert 0 < passed.sum() < 30
    assert (skips.history_["error"][passed] >= 0.5).all()
    assert (skips.history_["error"][~passed] < 0.5).all()
    assert (skips.history_["stopped"] == "").all()
    bound = np.concatenate([[1.0], skips.history_["bound"]])
    np.testing.assert_allclose(bound[1:][passed], bound[:-1][passed], rtol=1e-12)
    assert skips.score(X, y) > 0.75 > stops.score(X, y)
    counted = skips.tree_weights_[~passed]
    assert (counted > 0).all()
    assert certify.check(skips, X, y, thorough=True)


def test_a_weight_that_a_passed_over_tree_must_not_have_is_found():
    X, y = useless_beside_useful()
    shape = {"variant": "discrete", "feature_fraction": 0.3, "n_estimators": 12}
    model = BoostedTreesClassifier(**shape, chance_rounds="skip").fit(X, y)
    at = int(np.flatnonzero(model.tree_weights_ == 0)[0])
    model.tree_weights_[at] = 0.25
    assert "weight is 0.25; the data say 0.0" in str(certify.check(model, X, y))


def test_a_model_whose_trees_are_all_passed_over_names_the_first_class():
    X, y = np.ones((6, 2)), np.array(["a", "b"] * 3)
    model = BoostedTreesClassifier(variant="discrete", chance_rounds="skip", n_estimators=3)
    model.fit(X, y)
    assert model.n_estimators_ == 3
    assert model.predict(X).tolist() == ["a"] * 6
    np.testing.assert_allclose(model.predict_proba(X), 0.5)
    assert certify.check(model, X, y)


def test_other_words_are_refused():
    with pytest.raises(ValueError, match='chance_rounds must be one of "stop", "skip"'):
        BoostedTreesClassifier(chance_rounds="pass").fit(np.ones((4, 1)), [0, 1, 0, 1])
