"""Laws of `cut_fraction`: a tree looks at a drawn share of the cuts of numeric columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from hardwood import BoostedTreesClassifier, certify
from tests.laws.boosters import (
    SEARCHES,
    assert_same_boosting,
    every_booster,
    fit,
    oracle,
    some_table,
)
from tests.tables.frames import mixed_frame
from tests.tables.matrices import few_values, noisy

FEW = {"n_estimators": 6, "cut_fraction": 0.3, "feature_fraction": 1.0}


@every_booster
@given(data=st.data())
def test_the_trees_are_the_plain_ones_of_the_drawn_cuts(name, data):
    """Variants that need no exponential are held to it in every round, the others in the first."""
    table = data.draw(some_table(name))
    share, seed = data.draw(st.sampled_from([0.2, 0.5, 0.9])), data.draw(st.integers(0, 99))
    model = fit(table, name, cut_fraction=share, random_state=seed, feature_fraction=1.0)
    for c, boosting in enumerate(oracle(table, name, cut_fraction=share, seed=seed)):
        assert_same_boosting(model, boosting, c)


@pytest.mark.threads
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("rows", [200, 3000])
def test_search_threads_and_row_order_do_not_change_the_draw(classes, rows):
    frame, y = mixed_frame(np.random.default_rng(3), rows, classes)
    model = BoostedTreesClassifier(**FEW, n_jobs=1).fit(frame, y)
    order = np.random.default_rng(1).permutation(rows)
    for search in SEARCHES:
        for threads in (1, 2):
            other = BoostedTreesClassifier(**FEW, search=search, n_jobs=threads)
            assert other.fit(frame.iloc[order], y[order]).digest() == model.digest()
    others = [{"cut_fraction": 1.0}, {"cut_fraction": 0.31}, {"random_state": 1}]
    for more in others:
        other = BoostedTreesClassifier(**{**FEW, **more}).fit(frame, y)
        assert other.digest() != model.digest()


def test_weight_2_is_the_row_twice_and_an_increasing_transform_changes_no_branch():
    X, y = noisy(2, rows=300)
    model = BoostedTreesClassifier(**FEW).fit(X, y)
    twice = np.random.default_rng(0).integers(1, 3, len(y))
    weighed = BoostedTreesClassifier(**FEW).fit(X, y, twice.astype(float))
    repeated = BoostedTreesClassifier(**FEW).fit(X.repeat(twice, axis=0), y.repeat(twice))
    assert weighed.digest() == repeated.digest()
    bent = BoostedTreesClassifier(**FEW).fit(np.sinh(X), y)
    assert np.array_equal(bent.decision_function(np.sinh(X)), model.decision_function(X))


@pytest.mark.grid
@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("variant", ["logistic", "gentle", "discrete"])
def test_the_checker_knows_which_cuts_were_drawn(variant, weighed):
    frame, y = mixed_frame(np.random.default_rng(2), 150, 2)
    weights = np.random.default_rng(0).random(150) if weighed else None
    rate = 1.0 if variant == "discrete" else 0.3
    model = BoostedTreesClassifier(**FEW, variant=variant, learning_rate=rate)
    assert certify.check(model.fit(frame, y, weights), frame, y, weights, thorough=True)
    found = certify.check(model.set_params(random_state=5), frame, y, weights)
    assert any("not drawn" in each for each in found.differences)
    better = model.set_params(random_state=0, cut_fraction=1.0)
    assert any("offers" in each for each in certify.check(
        better, frame, y, weights, thorough=True
    ).differences)  # fmt: skip


def test_without_a_known_seed_the_checker_says_so():
    X, y = noisy(2, rows=100)
    model = BoostedTreesClassifier(**FEW, max_depth=2, random_state=np.random.RandomState(0))
    model.fit(X, y)
    found = certify.check(model, X, y, thorough=True)
    assert found
    assert any("random_state" in each for each in found.unchecked)
    assert model.stability(X, y).with_rows  # by the seed that the fit drew


def test_discrete_rounds_of_another_rate_are_checked_but_for_the_draw():
    X, y = noisy(2, rows=100)
    weights = np.random.default_rng(0).random(100)
    model = BoostedTreesClassifier(**FEW, variant="discrete", learning_rate=0.2)
    found = certify.check(model.fit(X, y, weights), X, y, weights, thorough=True)
    assert found
    assert any("what was drawn is not known" in each for each in found.unchecked)


def test_a_category_column_is_not_drawn_from():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    table = pd.DataFrame({"a": pd.Categorical(np.where(rng.random(200) < 0.2, 1 - y, y))})
    some = BoostedTreesClassifier(n_estimators=3, cut_fraction=1e-9).fit(table, y)
    every = BoostedTreesClassifier(n_estimators=3, cut_fraction=1.0).fit(table, y)
    assert some.digest() == every.digest()
    assert some.trees_[0].n_leaves == 2


@pytest.mark.parametrize("search", SEARCHES)
def test_the_only_cut_of_a_two_valued_column_is_always_looked_at(search):
    """Also where some of its values are missing, and where most rows have the same value."""
    X, y = few_values(600)
    X[:, 2] = np.random.default_rng(1).random(600) < 0.02
    X = X[:, :3]
    shape = {"n_estimators": 8, "search": search, "feature_fraction": 1.0}
    every = BoostedTreesClassifier(**shape, cut_fraction=1.0).fit(X, y)
    for table in (X, scipy.sparse.csc_array(np.nan_to_num(X))):
        some = BoostedTreesClassifier(**shape, cut_fraction=1e-9).fit(table, y)
        all_cuts = every if table is X else every.fit(table, y)
        assert some.digest() == all_cuts.digest()
        assert some.trees_[0].n_leaves > 3
    assert certify.check(some, table, y, thorough=True)


@pytest.mark.parametrize("variant", ["logistic", "real"])
def test_of_few_cuts_one_is_drawn_on_average(variant):
    X, y = few_values(300)
    shape = {"n_estimators": 6, "variant": variant, "cut_fraction": 1e-9}
    model = BoostedTreesClassifier(**shape, feature_fraction=1.0).fit(X, y)
    used = {j for tree in model.trees_ for j in tree.used_features}
    assert {2, 3, 4} <= used
    assert not used & {5, 6}
    assert certify.check(model, X, y, thorough=True)
    order = np.random.default_rng(1).permutation(300)
    for search in SEARCHES:
        other = BoostedTreesClassifier(**shape, feature_fraction=1.0, search=search)
        assert other.fit(X[order], y[order]).digest() == model.digest()


def test_values_of_rows_without_weight_count():
    """A column has few cuts or many by all rows that fit was given, as its thresholds do."""
    y = np.arange(40) % 2
    X = np.concatenate([y, np.arange(10)]).reshape(-1, 1).astype(float)
    labels, weights = np.append(y, y[:10]), np.repeat([1.0, 0.0], [40, 10])
    shape = {"n_estimators": 3, "cut_fraction": 1e-9}
    few = BoostedTreesClassifier(**shape).fit(X[:40], y)
    many = BoostedTreesClassifier(**shape).fit(X, labels, weights)
    assert few.trees_[0].n_leaves == 2
    assert many.trees_[0].n_leaves == 1
    assert certify.check(many, X, labels, weights, thorough=True)


def test_where_no_cut_is_drawn_the_model_says_the_shares():
    X, y = noisy(2, rows=100)
    model = BoostedTreesClassifier(n_estimators=3, cut_fraction=1e-15).fit(X, y)
    assert model.trees_[0].n_nodes == 1
    assert certify.check(model, X, y, thorough=True)


@pytest.mark.parametrize("variant", ["logistic", "real", "gentle"])
def test_a_round_without_a_drawn_cut_does_not_end_training(variant):
    """Nine cuts, and classes of the same size: a tree without a cut is a leaf of value 0."""
    y = np.arange(100) % 2
    X = (5 * y + np.arange(100) // 2 % 5).reshape(-1, 1).astype(float)
    model = BoostedTreesClassifier(variant=variant, cut_fraction=0.05).fit(X, y)
    splits = sum(tree.n_leaves > 1 for tree in model.trees_)
    assert 30 < splits < len(model.trees_) == 200
    assert model.predict_proba(X)[np.arange(100), y].min() > 0.75
    assert certify.check(model, X, y, thorough=True)


@pytest.mark.parametrize("share", [0.0, -0.1, 1.1, float("nan"), "all"])
def test_a_share_of_the_cuts_that_is_none_is_refused(share):
    with pytest.raises((TypeError, ValueError), match="cut_fraction"):
        BoostedTreesClassifier(cut_fraction=share).fit(*noisy(2))
