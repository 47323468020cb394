"""Boosting over (example, class) pairs against the table of pairs built in full."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine

import hardwood
import hardwood.search
from hardwood import BoostedTreesClassifier
from hardwood.certify import check
from tests.laws.boosters import some_table
from tests.oracles.boosting_records import Setting
from tests.oracles.pairs import boost_pairs, scores_of_classes

pytestmark = [pytest.mark.grid, pytest.mark.filterwarnings("ignore:.*weight_fraction")]

SEARCHES = ("exhaustive", "quick", "adaptive", "auto")


def model_of(**more: Any) -> BoostedTreesClassifier:
    shape = {"n_estimators": 6, "max_depth": 3, "learning_rate": 1.0, "min_category_size": 1}
    return BoostedTreesClassifier(variant="discrete", **{"multiclass": "pairs", **shape, **more})


@pytest.mark.parametrize("criterion", ["error", "km", "gini"])
@given(data=st.data())
def test_the_scores_are_those_of_the_plain_booster_over_all_pairs(criterion, data):
    table = data.draw(some_table("samme", max_rows=9))
    shape: dict[str, Any] = {"n_estimators": 4, "max_depth": 2, "criterion": criterion}
    shape["min_samples_leaf"] = data.draw(st.sampled_from([1, 1, 3]))
    shape["weight_fraction"] = data.draw(st.sampled_from([1.0, 1.0, 0.83]))
    shape["min_weight_fraction_leaf"] = data.draw(st.sampled_from([0.0, 0.11]))
    shape["chance_rounds"] = data.draw(st.sampled_from(["stop", "skip"]))
    weights = table.weights or (1.0,) * table.n_rows
    classes = table.n_classes
    plain = boost_pairs(table.columns, table.labels, weights, Setting("discrete", **shape), classes)
    model = model_of(**shape).fit(table.X, table.y, sample_weight=table.sample_weight)
    staged = list(model.staged_decision_function(table.X))
    for t, this in enumerate(plain.rounds):
        expected = scores_of_classes(plain, t + 1, classes)
        np.testing.assert_allclose(staged[t], expected, rtol=1e-9, atol=1e-9)
        assert model.history_["error"][t] == pytest.approx(this.error, abs=1e-11)
        if this.bound == this.bound:
            bound = this.bound * classes / 2
            assert model.history_["bound"][t] == pytest.approx(bound, rel=1e-9)
    if plain.undecided is None:
        assert len(staged) == len(plain.rounds)
        assert model.history_["stopped"][-1] == plain.stopped


def mixed(rows: int = 300) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(4)
    smooth = rng.normal(size=rows)
    holes = np.where(rng.random(rows) < 0.2, np.nan, rng.integers(0, 9, rows))
    letters = pd.Categorical(rng.choice(list("abcde"), rows))
    rare = np.where(rng.random(rows) < 0.9, 0.0, rng.normal(size=rows))
    frame = pd.DataFrame({"smooth": smooth, "holes": holes, "letters": letters, "rare": rare})
    score = smooth + (letters.codes == 2) + np.nan_to_num(holes) / 5 + rng.normal(size=rows) / 2
    return frame, np.array(["low", "middle", "odd", "high"])[np.digitize(score, [-0.5, 0.7, 2.0])]


def in_full(X: Any, y: Any, classes: int) -> tuple[Any, Any]:
    numbers = np.unique(y, return_inverse=True)[1]
    pairs = X.loc[np.repeat(X.index, classes)].reset_index(drop=True)
    pairs["its class"] = np.tile(np.arange(classes), len(X))
    return pairs, (np.repeat(numbers, classes) == pairs["its class"]).astype(int)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"criterion": "gini", "max_depth": 5},
        {"weight_fraction": 0.9, "learning_rate": 0.5},
        {"feature_fraction": 0.5, "random_state": 3, "chance_rounds": "skip"},
        {"min_samples_leaf": 12, "min_category_size": 40},
    ],
)
def test_pairs_are_two_classes_on_the_table_in_full(more, search):
    X, y = mixed()
    pairs, own = in_full(X, y, 4)
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    ours = model_of(search=search, **more).fit(X, y, weight)
    full = model_of(search=search, multiclass=None, **more).fit(pairs, own, np.repeat(weight, 4))
    assert np.array_equal(ours.decision_function(X).ravel(), full.decision_function(pairs))
    for name in ("error", "assessments", "exhaustive_assessments", "stopped"):
        assert ours.history_[name].tolist() == full.history_[name].tolist()
    np.testing.assert_allclose(ours.history_["bound"], 2 * full.history_["bound"], rtol=1e-12)
    assert np.array_equal(ours.tree_weights_, np.repeat(full.tree_weights_[:, None], 4, axis=1))


@pytest.mark.parametrize(
    ("groups", "with_class"),
    [
        ([[0, 1], [2, 3]], [[0, 1, 4], [2, 3, 4]]),
        ([[0], [1], [2], [3]], [[0, 4], [1, 4], [2, 4], [3, 4]]),
        ({3: [0]}, {3: [0]}),
    ],
)
def test_the_class_may_meet_all_columns_of_interaction_constraints(groups, with_class):
    X, y = mixed()
    pairs, own = in_full(X, y, 4)
    shape = {"max_depth": 5, "criterion": "gini", "n_estimators": 8}
    ours = model_of(interaction_cst=groups, **shape).fit(X, y)
    full = model_of(interaction_cst=with_class, multiclass=None, **shape).fit(pairs, own)
    assert ours.digest() != model_of(**shape).fit(X, y).digest()
    assert np.array_equal(ours.decision_function(X).ravel(), full.decision_function(pairs))
    assert check(ours, X, y)
    if groups == [[0], [1], [2], [3]]:
        alone = model_of(interaction_cst="no_interactions", **shape).fit(X, y)
        assert alone.digest() == ours.digest()
        columns = [[set(tree.feature[tree.feature >= 0].tolist()) for tree in trees]
                   for trees in alone.trees_]  # fmt: skip
        assert all(len(own) <= 1 for trees in columns for own in trees)
        assert any(len(set.union(*trees)) > 1 for trees in columns)  # classes may differ


@pytest.mark.parametrize("search", [hardwood.search.Quick(0.3, 7), "adaptive"])
@pytest.mark.parametrize("more", [{}, {"weight_fraction": 0.97}, {"feature_fraction": 0.6}])
def test_counts_from_sums_by_example_are_those_of_pairs_one_by_one(more, search):
    rng = np.random.default_rng(9)
    classes, rows = 10, 1_200
    y = np.concatenate([np.arange(classes), rng.integers(0, classes, rows - classes)])
    noisy = np.clip(y[:, None] * 9 + rng.normal(size=(rows, 6)) * [9, 20, 40, 60, 90, 30], 0, 200)
    rare = (rng.random((rows, 5)) < 0.05) * rng.integers(1, 3, (rows, 5))
    X = pd.DataFrame(np.hstack([np.rint(noisy), rare, np.zeros((rows, 1))])).add_prefix("x")
    pairs, own = in_full(X, y, classes)
    shape = {"criterion": "error", "n_estimators": 10, "random_state": 2, **more}
    ours = model_of(search=search, **shape).fit(X, y)
    full = model_of(search=search, multiclass=None, **shape).fit(pairs, own)
    assert np.array_equal(ours.decision_function(X).ravel(), full.decision_function(pairs))
    assert ours.history_["assessments"].tolist() == full.history_["assessments"].tolist()
    assert ours.history_["assessments"].sum() < ours.history_["exhaustive_assessments"].sum()


def test_the_digest_depends_on_the_rows_alone():
    X, y = mixed(900)
    digest = model_of().fit(X, y).digest()
    order = np.random.default_rng(1).permutation(len(y))
    assert {model_of(search=search).fit(X, y).digest() for search in SEARCHES} == {digest}
    assert model_of(n_jobs=2).fit(X, y).digest() == digest
    assert model_of().fit(X.iloc[order], y[order]).digest() == digest


def test_threads_that_share_a_large_node_make_the_same_histogram():
    rng = np.random.default_rng(8)
    X = np.column_stack([rng.integers(0, 50, (30_000, 3)), rng.normal(size=30_000)])
    y = np.digitize(X[:, 0] + 10 * X[:, 3] + rng.normal(size=30_000), [15, 30])
    weight = rng.integers(1, 3, 30_000)
    shape = {"n_estimators": 3, "min_samples_leaf": 5}
    one, two = (model_of(n_jobs=n, **shape).fit(X, y, weight) for n in (1, 2))
    assert one.digest() == two.digest()
    pairs, own = in_full(pd.DataFrame(X), y, 3)
    full = model_of(multiclass=None, **shape).fit(pairs.to_numpy(), own, np.repeat(weight, 3))
    scores = full.decision_function(pairs.to_numpy())
    assert np.array_equal(one.decision_function(X).ravel(), scores)


def test_sparse_and_dense_tables_give_the_same_model():
    rng = np.random.default_rng(2)
    X = np.where(rng.random((200, 40)) < 0.9, 0.0, rng.integers(1, 5, (200, 40)))
    y = rng.integers(0, 3, 200) + (X[:, 0] > 0)
    one, two = model_of().fit(X, y), model_of().fit(sp.csr_matrix(X), y)
    assert one.digest() == two.digest()


def test_entries_of_wide_tables_are_those_of_the_pairs_example():
    rng = np.random.default_rng(6)
    dense = np.where(rng.random((60, 4300)) < 0.98, 0.0, rng.random((60, 4300)))
    y = np.arange(60) % 4
    dense[y == 1, 7] = 0.5
    X, pairs = sp.csr_matrix(dense), sp.csr_matrix(np.repeat(dense, 4, axis=0))
    classes = sp.csr_matrix(np.tile(np.arange(4.0), 60)[:, None])
    full = sp.hstack([pairs, classes], format="csr")
    own = np.repeat(y, 4) == np.tile(np.arange(4), 60)
    for search in SEARCHES:
        ours = model_of(search=search).fit(X, y)
        two = model_of(search=search, multiclass=None).fit(full, own)
        assert np.array_equal(ours.decision_function(X).ravel(), two.decision_function(full))
        assert ours.history_["assessments"].tolist() == two.history_["assessments"].tolist()


def test_weight_two_is_the_row_twice_and_weight_zero_none():
    X, y = load_wine(return_X_y=True)
    weight = np.random.default_rng(3).integers(0, 3, len(y))
    twice = np.repeat(np.arange(len(y)), weight)
    weighted, repeated = model_of().fit(X, y, weight), model_of().fit(X[twice], y[twice])
    assert weighted.digest() == repeated.digest()
    doubled = model_of(class_weight={0: 2, 1: 1, 2: 1}).fit(X, y)
    assert doubled.digest() == model_of().fit(X, y, np.where(y == 0, 2, 1)).digest()


@pytest.mark.parametrize("rate", [1.0, 0.3])
def test_the_training_error_is_never_above_the_bound(rate):
    X, y = mixed()
    weight = np.random.default_rng(5).random(len(y))
    model = model_of(n_estimators=40, learning_rate=rate).fit(X, y, weight)
    errors = [np.average(said != y, weights=weight) for said in model.staged_predict(X)]
    assert (np.array(errors) <= model.history_["bound"]).all()
    assert np.isnan(model.history_["advantage"]).all()
    assert errors[-1] < errors[0]
    best = model.classes_[model.decision_function(X).argmax(axis=1)]
    assert np.array_equal(model.predict(X), best)


@pytest.mark.parametrize("more", [{}, {"weight_fraction": 0.9, "learning_rate": 0.4}])
def test_rounds_go_on_where_they_were_left(more):
    X, y = mixed()
    whole = model_of(n_estimators=12, **more).fit(X, y)
    started = model_of(n_estimators=5, warm_start=True, **more).fit(X, y)
    started.set_params(n_estimators=12).fit(X, y)
    assert started.digest() == whole.digest()
    assert started.history_["bound"].tolist() == whole.history_["bound"].tolist()


def test_early_stopping_keeps_the_rounds_that_were_best():
    X, y = mixed(600)
    model = model_of(n_estimators=60, early_stopping=True, n_iter_no_change=4, random_state=0)
    model.fit(X, y)
    assert model.n_estimators_ == len(model.trees_) <= 60
    assert all(len(trees) == 4 for trees in model.trees_)
    assert model.digest() == model_of(n_estimators=model.n_estimators_).fit(X, y).digest()


@pytest.mark.parametrize(
    "more",
    [{}, {"criterion": "entropy"}, {"weight_fraction": 0.85}, {"feature_fraction": 0.3}],
)
def test_the_checker_and_the_model_file_know_pairs(more, tmp_path):
    X, y = mixed()
    model = model_of(**more).fit(X, y)
    report = check(model, X, y)
    assert report, report.differences
    hardwood.save(model, tmp_path / "model.hardwood")
    loaded = hardwood.load(tmp_path / "model.hardwood")
    assert loaded.digest() == model.digest()
    assert check(loaded, X, y)
    other = y.copy()
    other[:20] = y[20:40]
    assert not check(model, X, other)
    loaded.history_["bound"][2] *= 1.01
    assert not check(loaded, X, y)


def test_explanations_add_up_to_the_scores():
    X, y = mixed()
    model = model_of().fit(X, y)
    values = model.shap_values(X)
    assert values.shape == (len(y), X.shape[1], 4)
    sums = values.sum(axis=1) + model.shap_expected_value()
    np.testing.assert_allclose(sums, model.decision_function(X), atol=1e-9)
    assert "round 1" in model.to_text()
    assert model.feature_importances_.sum() == pytest.approx(1.0)


def test_costs_counterfactuals_and_reports_know_pairs():
    X, y = mixed()
    labels = np.unique(y).tolist()
    costs = {(a, b): 3.0 if a == "low" else 1.0 for a in labels for b in labels if a != b}
    plain, careful = (model_of(n_estimators=20, costs=own).fit(X, y) for own in (None, costs))
    assert (careful.predict(X) == "low").sum() > (plain.predict(X) == "low").sum()
    assert check(careful, X, y)
    for model in (plain, careful):
        found = model.counterfactual(X.iloc[0], to="high")
        assert model.predict(pd.DataFrame([found.row]).astype(X.dtypes)).tolist() == ["high"]
        assert model.explain(X.iloc[0]).prediction == model.predict(X.iloc[:1])[0]
        assert "<html" in str(model.report(X, y))
    with pytest.raises(
        ValueError, match="scorecard counts the odds of one class against the other"
    ):
        hardwood.export.scorecard(plain)


def test_two_classes_need_no_pairs():
    X, y = load_iris(return_X_y=True)
    pairs, plain = model_of().fit(X, y > 0), model_of(multiclass=None).fit(X, y > 0)
    assert pairs.digest() == plain.digest()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"variant": "real"}, "multiclass='pairs' needs variant='discrete'"),
        ({"monotonic_cst": {0: {2: 1}}}, 'cannot be combined with multiclass="pairs"'),
        ({"monotonic_cst": [1, 0, 0, 0]}, "say for which class"),
        ({"max_leaf_nodes": 4}, "max_leaf_nodes=4 cannot be combined"),
    ],
)
def test_what_pairs_cannot_do_is_refused_with_a_sentence(more, words):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=words):
        BoostedTreesClassifier(**{"variant": "discrete", "multiclass": "pairs", **more}).fit(X, y)


def test_more_classes_than_a_lane_holds_are_refused():
    y = np.arange(257)
    with pytest.raises(ValueError, match="at most 256 classes; y has 257"):
        model_of().fit(y[:, None], y)
