"""What must not change a boosted model: searches, threads, the order of rows, the form of the
table; and that its bound holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st

import hardwood
from tests.laws.boosters import (
    BOOSTERS,
    SEARCHES,
    TWO_CLASSES,
    booster,
    every_booster,
    every_two_class_booster,
    fit,
    some_table,
)
from tests.laws.kinds import kind_of
from tests.tables.frames import mixed_frame

pytestmark = pytest.mark.filterwarnings("ignore:.*weight_fraction")


# What must not change the model.


def quick_object() -> Any:
    return hardwood.search.Quick(start=0.25, batches=3)


@every_booster
@given(data=st.data())
def test_all_searches_give_the_same_digest_and_none_asks_for_more_than_everything(name, data):
    table = data.draw(some_table(name))
    shape = {
        "max_depth": data.draw(st.sampled_from([1, 2, 3])),
        "min_samples_leaf": data.draw(st.sampled_from([1, 1, 2])),
        "feature_fraction": data.draw(st.sampled_from([1.0, 1.0, 0.5])),
        "weight_fraction": data.draw(st.sampled_from([1.0, 1.0, 0.8])),
        "learning_rate": data.draw(st.sampled_from([1.0, 0.4])),
        "random_state": 3,
    }
    models = [fit(table, name, search=search, **shape) for search in SEARCHES]
    models.append(fit(table, name, search=quick_object(), **shape))
    assert len({model.digest() for model in models}) == 1
    scores = [model.decision_function(table.X) for model in models]
    assert all(np.array_equal(scores[0], other) for other in scores)
    for model in models:
        history = model.history_
        assert np.all(history["assessments"] <= history["exhaustive_assessments"])
        assert model.assessments_ == history["assessments"].sum()
    asked = models[SEARCHES.index("exhaustive")].history_
    assert np.array_equal(asked["assessments"], asked["exhaustive_assessments"])


@pytest.mark.threads
@every_booster
@given(data=st.data())
def test_threads_and_row_order_do_not_change_the_digest(name, data):
    table = data.draw(some_table(name))
    search = data.draw(st.sampled_from(SEARCHES))
    order = list(data.draw(st.permutations(range(table.n_rows))))
    digests = {fit(table, name, search=search, n_jobs=n).digest() for n in (1, 2, 3)}
    digests.add(fit(table.take(order), name, search=search).digest())
    assert len(digests) == 1


@every_booster
@given(data=st.data())
def test_dense_and_sparse_tables_give_the_same_digest(name, data):
    table = data.draw(some_table(name, kinds=("numeric",)))
    search = data.draw(st.sampled_from(SEARCHES))
    dense = fit(table, name, search=search)
    for form in (sp.csr_array, sp.csc_matrix):
        model = booster(name, search=search).fit(form(table.X), table.y, table.sample_weight)
        assert model.digest() == dense.digest()
        assert np.array_equal(
            model.decision_function(form(table.X)), dense.decision_function(table.X)
        )


@every_booster
@given(data=st.data())
def test_a_weight_of_two_equals_the_row_twice(name, data):
    table = data.draw(some_table(name, weights=("whole",), kinds=("numeric", "category")))
    rows = [i for i, w in enumerate(table.weights) for _ in range(int(w))]
    assume({table.labels[i] for i in rows} == set(table.labels))
    repeated = replace(table.take(rows), weights=None)
    assume([kind_of(c) for c in repeated.columns] == [kind_of(c) for c in table.columns])
    assert fit(repeated, name).digest() == fit(table, name).digest()


@every_booster
@given(data=st.data())
def test_five_rounds_and_then_ten_equal_ten_at_once(name, data):
    table = data.draw(some_table(name))
    more = {
        "weight_fraction": data.draw(st.sampled_from([1.0, 0.8])),
        "feature_fraction": data.draw(st.sampled_from([1.0, 0.5])),
        "learning_rate": data.draw(st.sampled_from([1.0, 0.4])),
        "random_state": 5,
    }
    at_once = fit(table, name, n_estimators=10, **more)
    model = fit(table, name, n_estimators=5, warm_start=True, **more)
    model.set_params(n_estimators=10)
    model.fit(table.X, table.y, sample_weight=table.sample_weight)
    assert model.digest() == at_once.digest()
    assert model.history_.keys() == at_once.history_.keys()
    for key, values in at_once.history_.items():
        np.testing.assert_array_equal(model.history_[key], values, err_msg=key)
    assert model.assessments_ == at_once.assessments_


@every_two_class_booster
@given(data=st.data())
def test_the_bound_holds_in_every_round(name, data):
    table = data.draw(some_table(name))
    model = fit(
        table,
        name,
        n_estimators=8,
        learning_rate=data.draw(st.sampled_from([1.0, 1.0, 0.3])),
        weight_fraction=data.draw(st.sampled_from([1.0, 0.7])),
    )
    weights = np.ones(table.n_rows) if table.weights is None else np.array(table.weights)
    assert_bounds_hold(model, table.X, table.y, weights)


def assert_bounds_hold(model: Any, X: Any, y: Any, weights: Any) -> None:
    bounds = model.history_["bound"]
    for bound, said in zip(bounds, model.staged_predict(X), strict=False):
        assert np.sum(weights * (said != y)) / np.sum(weights) <= bound


@every_booster
@given(data=st.data())
def test_the_last_stage_is_the_model(name, data):
    table = data.draw(some_table(name))
    model = fit(table, name)
    said = list(model.staged_predict(table.X))
    scores = list(model.staged_decision_function(table.X))
    assert len(said) == len(scores) == model.n_estimators_ == len(model.trees_)
    assert np.array_equal(said[-1], model.predict(table.X))
    assert np.array_equal(scores[-1], model.decision_function(table.X))
    for stage, score in zip(said, scores, strict=True):
        best = score.argmax(axis=1) if score.ndim == 2 else (score > 0).astype(int)
        assert np.array_equal(stage, model.classes_[best])


# Larger tables, where searches have something to skip.


def larger(seed: int, n_classes: int) -> tuple[pd.DataFrame, Any, Any]:
    rng = np.random.default_rng(seed)
    frame, y = mixed_frame(rng, 1200, n_classes)
    return frame, y.to_numpy(), rng.gamma(1.0, size=1200)


@pytest.mark.grid
@pytest.mark.threads
@every_booster
@pytest.mark.parametrize("drawn", [False, True], ids=["all", "weighted, drawn"])
def test_a_larger_model_is_the_same_for_every_search_thread_count_and_row_order(name, drawn):
    frame, y, w = larger(4, 2 if name in TWO_CLASSES else 4)
    w = w if drawn else np.ones(len(y))
    shape = {"n_estimators": 8, "max_depth": 3, "random_state": 0}
    whole = booster(name, search="exhaustive", **shape).fit(frame, y, w)
    shape |= {"feature_fraction": 0.6, "weight_fraction": 0.9} if drawn else {}
    digests = {
        booster(name, search=search, n_jobs=n, **shape).fit(frame, y, w).digest()
        for search, n in zip((*SEARCHES, quick_object()), (1, 2, 3, 2, 1), strict=True)
    }
    order = np.random.default_rng(1).permutation(len(y))
    model = booster(name, **shape).fit(frame.iloc[order], y[order], w[order])
    assert digests == {model.digest()}
    assert (model.digest() == whole.digest()) == (not drawn)


@pytest.mark.grid
@every_two_class_booster
@pytest.mark.parametrize("rate", [1.0, 0.2])
def test_the_bound_of_a_larger_model_holds_and_falls(name, rate):
    frame, y, w = larger(8, 2)
    model = booster(name, n_estimators=40, max_depth=2, learning_rate=rate).fit(frame, y, w)
    assert_bounds_hold(model, frame, y, w)
    errors, bounds = model.history_["error"], model.history_["bound"]
    assert np.all(np.diff(bounds) <= 1e-11)
    if rate == 1.0 and BOOSTERS[name]["variant"] == "discrete":
        expected = np.cumprod(2 * np.sqrt(errors * (1 - errors)))
        np.testing.assert_allclose(bounds, expected, rtol=1e-9)


@pytest.mark.parametrize("name", ["discrete", "real", "gentle", "samme"])
def test_pruned_searches_skip_work_once_the_weights_are_uneven(name):
    frame, y, _ = larger(2, 2 if name in TWO_CLASSES else 3)
    shape = {"n_estimators": 30, "max_depth": 1}
    model = booster(name, search="adaptive", **shape).fit(frame, y)
    assert model.assessments_ < model.history_["exhaustive_assessments"].sum()
