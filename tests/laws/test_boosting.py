"""Boosted trees against plain AdaBoost, and what must not change them.

The oracles are first held against each other and against scikit-learn's AdaBoost. A booster is
named by its variant, criterion and way with more than two classes; every law runs over all of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.datasets import load_digits

import hardwood
from hardwood import BoostedTreesClassifier
from tests.laws.boosters import (
    assert_same_boosting,
    assert_same_tree,
    every_booster,
    every_two_class_booster,
    fit,
    oracle,
    some_table,
)
from tests.oracles import stump_search
from tests.oracles.boosting_records import Round

pytestmark = pytest.mark.filterwarnings("ignore:.*weight_fraction")


# The estimator against the oracle.


@every_booster
@given(data=st.data())
def test_the_boosted_trees_equal_the_plain_ones(name, data):
    table = data.draw(some_table(name))
    more = {"min_samples_leaf": data.draw(st.sampled_from([1, 1, 2]))}
    if name not in ("discrete", "discrete ovr"):
        more["max_leaf_nodes"] = data.draw(st.sampled_from([None, 3]))
    more["min_weight_fraction_leaf"] = data.draw(st.sampled_from([0.0, 0.0, 0.11]))
    more["weight_fraction"] = data.draw(st.sampled_from([1.0, 1.0, 0.83]))
    more["learning_rate"] = data.draw(st.sampled_from([1.0, 1.0, 0.3]))
    model = fit(table, name, **more)
    for c, boosting in enumerate(oracle(table, name, **more)):
        assert_same_boosting(model, boosting, c)


@every_two_class_booster
@given(data=st.data())
def test_the_scores_and_the_history_are_those_of_the_plain_booster(name, data):
    table = data.draw(some_table(name))
    rate = data.draw(st.sampled_from([1.0, 0.3]))
    model = fit(table, name, learning_rate=rate)
    (boosting,) = oracle(table, name, learning_rate=rate)
    history, staged = model.history_, model.staged_decision_function(table.X)
    for t, (this, scores) in enumerate(zip(boosting.rounds, staged, strict=False)):
        np.testing.assert_allclose(scores, [s[1] for s in this.scores], rtol=1e-9, atol=1e-9)
        if this.bound == this.bound:
            assert history["error"][t] == pytest.approx(this.error, abs=1e-11)
            assert history["advantage"][t] == pytest.approx(0.5 - this.error, abs=1e-11)
            assert history["bound"][t] == pytest.approx(this.bound, rel=1e-9)
    if boosting.undecided is None:
        assert history["stopped"][-1] == boosting.stopped or not boosting.stopped


@pytest.mark.parametrize("name", ["samme", "samme km", "samme gini"])
@given(data=st.data())
def test_the_votes_of_samme_are_those_of_the_plain_booster(name, data):
    table = data.draw(some_table(name))
    model, (boosting,) = fit(table, name), oracle(table, name)
    staged = list(model.staged_predict(table.X))
    for number in range(1, len(boosting.rounds) + 1):
        for said, expected in zip(staged[number - 1], boosting.predictions(number), strict=True):
            assert expected is None or said == expected


@pytest.mark.parametrize("name", ["discrete ovr", "real ovr", "gentle ovr"])
@given(data=st.data())
def test_one_versus_rest_says_the_class_of_largest_score(name, data):
    table = data.draw(some_table(name))
    model, boosters = fit(table, name), oracle(table, name)
    assume(all(b.undecided is None for b in boosters))
    scores = np.array([[s[1] for s in b.rounds[-1].scores] for b in boosters]).T
    np.testing.assert_allclose(model.decision_function(table.X), scores, rtol=1e-9, atol=1e-9)
    assert np.array_equal(model.predict(table.X), model.decision_function(table.X).argmax(axis=1))


@every_two_class_booster
@given(data=st.data())
def test_a_tree_that_may_use_one_column_is_the_plain_one_of_that_column(name, data):
    table = data.draw(some_table(name))
    k = len(table.columns)
    model = fit(table, name, feature_fraction=1 / k, random_state=data.draw(st.integers(0, 9)))
    used = [set(tree.feature[tree.feature >= 0].tolist()) for tree in model.trees_]
    assert all(len(columns) <= 1 for columns in used)
    known = next((t for t, columns in enumerate(used) if not columns), len(used))
    assume(known > 0)
    (boosting,) = oracle(table, name, columns=used[:known], n_estimators=known)
    for tree, this in zip(model.trees_, boosting.rounds, strict=False):
        assert_same_tree(tree, this.growth)


@pytest.mark.parametrize("name", ["real", "discrete", "gentle", "samme", "real ovr"])
@given(data=st.data())
def test_class_weights_multiply_the_sample_weights(name, data):
    table = data.draw(some_table(name))
    factors = [data.draw(st.sampled_from([1.0, 2.0, 0.5])) for _ in range(table.n_classes)]
    given_weights = table.weights or (1.0,) * table.n_rows
    product = [w * factors[y] for w, y in zip(given_weights, table.labels, strict=True)]
    model = fit(table, name, class_weight=dict(enumerate(factors)))
    for c, boosting in enumerate(oracle(replace(table, weights=tuple(product)), name)):
        assert_same_boosting(model, boosting, c)


# Assessments.


def counted(this: Round, max_depth: int, search: Any) -> int:
    """What a search costs over the nodes where a split was sought."""
    problem = this.growth.problem
    total = 0
    for node in this.growth.nodes:
        if node.depth < max_depth and min(node.vector) > 0:
            weights = [0] * len(problem.labels)
            for row in node.rows:
                weights[row] = problem.weights[row]
            total += search(
                stump_search.prepare(problem.columns, problem.labels, weights)
            ).assessments
    return total


@pytest.mark.parametrize("search", ["exhaustive", "adaptive", "quick"])
@given(data=st.data())
def test_every_assessment_is_counted_as_the_plain_search_counts_it(search, data):
    table = data.draw(some_table("discrete", max_rows=14, max_columns=3))
    chosen: Any = search
    if search == "quick":
        start, batches = data.draw(st.sampled_from([(0.5, 10), (0.2, 3)]))
        chosen = hardwood.search.Quick(start=start, batches=batches)
    model = fit(table, "discrete", search=chosen, n_estimators=3)
    (boosting,) = oracle(table, "discrete", n_estimators=3)
    plain = {
        "exhaustive": stump_search.exhaustive,
        "adaptive": stump_search.adaptive,
        "quick": lambda problem: stump_search.quick(problem, start, batches),
    }[search]
    kept = [this for this in boosting.rounds if this.bound == this.bound]
    for t, this in enumerate(kept):
        assert model.history_["assessments"][t] == counted(this, 2, plain)
        every = counted(this, 2, stump_search.exhaustive)
        assert model.history_["exhaustive_assessments"][t] == every


@pytest.mark.parametrize(
    ("criterion", "most"), [("km", 0.8), ("gini", 0.9), ("entropy", 0.8), ("error", 0.4)]
)
def test_corner_bounds_spare_columns_of_many_classes(criterion, most):
    X, y = load_digits(return_X_y=True)
    models = [
        BoostedTreesClassifier(
            n_estimators=20,
            max_depth=3,
            variant="discrete",
            multiclass="samme",
            criterion=criterion,
            search=search,
        ).fit(X, y)
        for search in ("exhaustive", "adaptive", "quick")
    ]
    assert len({model.digest() for model in models}) == 1
    for model in models[1:]:
        history = model.history_
        seen, every = sum(history["assessments"]), sum(history["exhaustive_assessments"])
        assert seen < most * every
