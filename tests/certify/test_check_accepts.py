"""The checker accepts every fitted model: random tables, all criteria, variants and rules."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import hardwood
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.certify import check
from tests.certify.labelled import labelled
from tests.effort import EXAMPLES
from tests.tables.small import CRITERIA, LEAF_CHOICES, stop_rules, tables

pytestmark = pytest.mark.grid

RELAXED = settings(
    max_examples=2 * EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def assert_accepted(model, table, **more):
    report = check(model, table.X, table.y, table.sample_weight, **more)
    assert report, str(report)
    assert report.compared > 0


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("leaf_choice", LEAF_CHOICES)
@RELAXED
@given(data=st.data())
def test_trees_on_small_tables(criterion, leaf_choice, data):
    table = data.draw(tables())
    rules = data.draw(stop_rules(criterion, leaf_choice))
    balance = data.draw(st.sampled_from([None, None, "balanced"]))
    model = TreeClassifier(**asdict(rules), class_weight=balance, pruning=None)
    model.fit(table.X, table.y, sample_weight=table.sample_weight)
    assert_accepted(model, table, thorough=True)


OTHER_TREES = [
    {"branching": "multiway"},
    {"branching": "multiway", "price": "gamma", "gamma": 0.05, "max_branches": 4},
    {"branching": "multiway", "pruning": "error-based"},
    {"missing": "fractional"},
    {"missing": "fractional", "pruning": "error-based"},
    {"missing": "fractional", "branching": "multiway"},
    {"missing": "fractional", "branching": "multiway", "pruning": "error-based"},
    {"pruning": "error-based", "confidence": 0.1},
    {"pruning": "cost-complexity", "ccp_alpha": 0.02},
    {"pruning": "reduced-error", "random_state": 3},
]


@pytest.mark.parametrize("parameters", OTHER_TREES, ids=lambda each: "-".join(map(str, each)))
@RELAXED
@given(data=st.data())
def test_multiway_fractional_and_pruned_trees_on_small_tables(parameters, data):
    table = data.draw(tables(max_classes=3))
    rules = asdict(data.draw(stop_rules(data.draw(st.sampled_from(CRITERIA)), "drop")))
    if "branching" in parameters:
        rules["max_leaf_nodes"] = data.draw(st.integers(1, 16))
    model = TreeClassifier(**{"pruning": None, **rules, **parameters})
    try:
        model.fit(table.X, table.y, sample_weight=table.sample_weight)
    except ValueError as refusal:  # too few rows to hold some out
        assume("holds out" not in str(refusal))
        raise
    assert_accepted(model, table, thorough=True)


@st.composite
def boosted_models(draw, variant):
    criterion = draw(st.sampled_from([None, *CRITERIA]))
    forms = ["ovr", "samme", "pairs"] if variant == "discrete" else ["ovr"]
    multiclass = draw(st.sampled_from(forms))
    levels = variant == "discrete" and criterion in (None, "error")
    return BoostedTreesClassifier(
        variant=variant,
        criterion=criterion,
        multiclass=multiclass,
        n_estimators=draw(st.integers(1, 8)),
        learning_rate=draw(st.sampled_from([1.0, 1.0, 0.1, 0.5, 2.0])),
        max_depth=draw(st.sampled_from([1, 2, 3, None])),
        max_leaf_nodes=None if levels else draw(st.sampled_from([None, None, 2, 5])),
        min_samples_leaf=draw(st.sampled_from([1, 1, 2, 3])),
        min_weight_fraction_leaf=draw(st.sampled_from([0.0, 0.0, 0.1, 0.25])),
        search=draw(st.sampled_from(["auto", "exhaustive", "adaptive", "quick"])),
        feature_fraction=draw(st.sampled_from([1.0, 1.0, 0.5])),
        weight_fraction=draw(st.sampled_from([1.0, 1.0, 0.9, 0.5])),
        class_weight=draw(st.sampled_from([None, None, "balanced"])),
        random_state=draw(st.integers(0, 5)),
    )


@pytest.mark.filterwarnings("ignore:weight_fraction")
@pytest.mark.parametrize("variant", ["real", "discrete", "gentle"])
@RELAXED
@given(data=st.data())
def test_boosted_models_on_small_tables(variant, data):
    table = data.draw(tables(max_classes=4))
    model = data.draw(boosted_models(variant))
    model.fit(table.X, table.y, sample_weight=table.sample_weight)
    assert_accepted(model, table, thorough=True)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("weights", ["none", "whole", "any"])
def test_models_on_a_mixed_frame(classes, weights):
    X, y = labelled(classes, classes=classes)
    rng = np.random.RandomState(1)
    w = {"none": None, "whole": rng.randint(0, 4, 400), "any": rng.rand(400)}[weights]
    models = [
        TreeClassifier(pruning=None, min_samples_leaf=3),
        BoostedTreesClassifier(n_estimators=20, learning_rate=1.0),
        BoostedTreesClassifier(n_estimators=20, variant="discrete", weight_fraction=0.8),
        BoostedTreesClassifier(n_estimators=20, variant="gentle", feature_fraction=0.5),
    ]
    for model in models:
        report = check(model.fit(X, y, sample_weight=w), X, y, w)
        assert report, str(report)


@pytest.mark.parametrize("classes", [2, 3])
def test_early_stopping_with_drawn_and_with_given_rows(classes):
    X, y = labelled(3, rows=600, classes=classes)
    model = BoostedTreesClassifier(
        n_estimators=60, early_stopping=True, n_iter_no_change=4, random_state=5, learning_rate=0.7
    )
    assert check(model.fit(X, y), X, y)
    assert model.n_estimators_ < 60
    balanced = model.set_params(class_weight="balanced").fit(X, y)
    assert check(balanced, X, y)
    model.set_params(class_weight=None).fit(X[:400], y[:400], X_val=X[400:], y_val=y[400:])
    assert check(model, X[:400], y[:400])
    assert not check(model, X, y)


def test_warm_started_models_are_those_of_one_fit():
    X, y = labelled(4)
    model = BoostedTreesClassifier(n_estimators=5, warm_start=True).fit(X, y)
    model.set_params(n_estimators=12).fit(X, y)
    assert check(model, X, y)


def test_sparse_and_string_tables_and_strange_labels():
    from scipy import sparse

    rng = np.random.RandomState(0)
    X = rng.randint(0, 3, size=(150, 6)) * (rng.rand(150, 6) < 0.4)
    y = np.where(X.sum(axis=1) > 2, "yes", "no")
    for table in (sparse.csr_matrix(X.astype(float)), X.astype(str).astype(object)):
        for model in (TreeClassifier(pruning=None), BoostedTreesClassifier(n_estimators=5)):
            report = check(model.fit(table, y), table, y)
            assert report, str(report)


def test_one_class_is_one_leaf():
    X, y = np.arange(5.0)[:, None], np.ones(5)
    assert check(TreeClassifier(pruning=None).fit(X, y), X, y)
    assert check(BoostedTreesClassifier(n_estimators=3).fit(X, y), X, y)


def test_trees_no_better_than_chance_are_dropped_and_that_is_accepted():
    X, y = np.zeros((6, 1)), np.array([0, 0, 0, 1, 1, 1])
    for variant in ("real", "discrete", "gentle"):
        assert check(BoostedTreesClassifier(variant=variant).fit(X, y), X, y)
    X = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]])
    y = np.array([0, 1, 1, 1, 0])
    model = BoostedTreesClassifier(variant="discrete", learning_rate=1.0).fit(X, y)
    assert model.history_["stopped"][-1] == "no better than chance"
    report = check(model, X, y)
    assert report
    assert any("is not kept" in each for each in report.unchecked)


def test_the_report_reads_well_and_is_found_under_its_public_name():
    X, y = labelled(0)
    model = TreeClassifier(pruning=None).fit(X, y)
    report = hardwood.certify.check(model, X, y)
    assert bool(report) is True
    assert report.differences == ()
    assert "numbers compared: agree with the data" in str(report)
    other = check(model, X, 1 - y)
    assert bool(other) is False
    assert "class_weights of node" in str(other)


def test_wrong_arguments_get_sentences():
    X, y = labelled(0)
    model = TreeClassifier(pruning=None)
    with pytest.raises(TypeError, match="check needs a fitted TreeClassifier or Boosted"):
        check(model, X, y)
    model.fit(X, y)
    with pytest.raises(ValueError, match="one label per row"):
        check(model, X, y[:-1])
    with pytest.raises(ValueError, match="sample_weight must be finite numbers"):
        check(model, X, y, -np.ones(len(y)))
    with pytest.raises(ValueError, match="feature names should match|expecting 12 features"):
        check(model, X.iloc[:, :2], y)
    assert "classes_ is" in check(model, X, y + 1).differences[0]


def test_rows_that_may_be_drawn_or_given_are_told_apart_by_the_trees():
    # Of the five rows and of those that are not held out the tree sees as many.
    X, y = [[6.0], [3.0], [3.0], [5.0], [0.0]], [1, 1, 0, 1, 0]
    weights = [1.125, 0.25, 0.5, 1.125, 0.25]
    model = BoostedTreesClassifier(
        n_estimators=3, early_stopping=True, refit=False, weight_fraction=0.6, random_state=0
    )
    for watched in ({}, {"X_val": X[::3], "y_val": y[::3]}):
        model.fit(X, y, weights, **watched)
        report = check(model, X, y, weights)
        assert report, str(report)


def test_a_category_that_comes_with_raised_rows_goes_where_the_default_is_by_then():
    # A split is raised twice; the first time makes its other branch the heavier one.
    first = "abbabcbdbaeabadebabdaefb"
    second = "abaadcadbbfababebebbeeea"
    X = pd.DataFrame({"first": list(first), "second": list(second)})
    y = [1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0]
    model = TreeClassifier().fit(X, y)
    assert model.tree_.feature[0] == 1
    report = check(model, X, y)
    assert report, str(report)
