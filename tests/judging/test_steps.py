"""Curves, areas and costs, compared with scikit-learn and with trying every threshold."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.metrics import (
    average_precision_score,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.judging import calibration, steps_of
from hardwood.report.curves_part import curves_part
from tests.effort import trials


@st.composite
def scored(draw):
    """Scores with many ties or with none, and both classes."""
    rows = draw(st.integers(2, 60))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    score = rng.random(rows)
    levels = draw(st.sampled_from([1, 3, 10, None]))
    if levels is not None:
        score = np.floor(score * levels) / levels
    truth = rng.random(rows) < draw(st.sampled_from([0.1, 0.5, 0.9]))
    truth[:2] = [True, False]
    return score, truth


@settings(max_examples=trials(80))
@given(scored())
def test_areas_are_those_of_scikit_learn(case):
    score, truth = case
    steps = steps_of(score, truth)
    assert steps.auc() == pytest.approx(roc_auc_score(truth, score), abs=1e-12)
    assert steps.average_precision() == pytest.approx(
        average_precision_score(truth, score), abs=1e-12
    )


@pytest.mark.parametrize("model", [TreeClassifier(), BoostedTreesClassifier(n_estimators=20)])
@pytest.mark.parametrize("load", [load_breast_cancer, load_wine])
def test_a_report_s_areas_are_those_of_scikit_learn(model, load):
    X, y = load(return_X_y=True)
    proba = model.fit(X[::2], y[::2]).predict_proba(X[1::2])
    truth = y[1::2]
    part = curves_part(proba, model.predict(X[1::2]), truth)
    for each in part["classes"]:
        c = each["class"]
        area = roc_auc_score(truth == c, proba[:, c])
        assert each["auc"] == pytest.approx(area, abs=1e-12)
        precise = average_precision_score(truth == c, proba[:, c])
        assert each["average_precision"] == pytest.approx(precise, abs=1e-12)
    usual = proba[:, 1] if proba.shape[1] == 2 else proba
    assert part["auc"] == pytest.approx(roc_auc_score(truth, usual, multi_class="ovr"), abs=1e-12)


@settings(max_examples=trials(50))
@given(scored())
def test_curves_go_through_scikit_learn_s_points(case):
    score, truth = case
    steps = steps_of(score, truth)
    fallout, recall, _ = roc_curve(truth, score, drop_intermediate=False)
    np.testing.assert_allclose(steps.false_alarm_rate, fallout, atol=1e-15)
    np.testing.assert_allclose(steps.recall, recall, atol=1e-15)
    precision, recall, _ = precision_recall_curve(truth, score)
    np.testing.assert_allclose(steps.precision[::-1], precision, atol=1e-15)
    np.testing.assert_allclose(steps.recall[::-1], recall, atol=1e-15)
    np.testing.assert_allclose(steps.lift[-1], 1.0)


@settings(max_examples=trials(80))
@given(scored())
def test_a_threshold_takes_the_rows_of_its_entry_and_no_other(case):
    score, truth = case
    steps = steps_of(score, truth)
    for at in range(len(steps.scores)):
        taken = score >= steps.threshold(at)
        assert (taken & truth).sum() == steps.hits[at]
        assert (taken & ~truth).sum() == steps.alarms[at]
    if (score > 0.5).any() and (score <= 0.5).any():
        assert any(steps.threshold(at) <= 0.6 for at in range(len(steps.scores)))


@settings(max_examples=trials(80))
@given(scored(), st.integers(0, 50), st.integers(0, 50))
def test_a_cheapest_threshold_is_kept_whatever_mistakes_cost(case, miss, alarm):
    score, truth = case
    steps = steps_of(score, truth)
    everywhere = miss * (steps.positives - steps.hits) + alarm * steps.alarms
    kept = steps.kept(2)
    assert everywhere[kept].min() == everywhere.min()
    assert everywhere[steps.corners()].min() == everywhere.min()
    assert {0, len(score[np.unique(score, return_index=True)[1]])} <= set(kept.tolist())


def test_many_thresholds_are_thinned_and_the_model_s_own_is_kept():
    rng = np.random.default_rng(0)
    second = rng.random(20_000)
    truth = (rng.random(20_000) < second).astype(np.intp)
    proba = np.column_stack([1 - second, second])
    guess = (second > 0.5).astype(np.intp)
    for part in curves_part(proba, guess, truth)["classes"]:
        assert len(part["hits"]) < 1000
        at, c = part["start"], part["class"]
        assert part["threshold"][at] == 0.5
        assert part["hits"][at] == ((guess == c) & (truth == c)).sum()
        assert part["alarms"][at] == ((guess == c) & (truth != c)).sum()


def test_one_side_without_rows_has_no_area():
    steps = steps_of(np.array([0.2, 0.7]), np.array([False, False]))
    assert math.isnan(steps.auc())
    assert math.isnan(steps.average_precision())
    part = curves_part(np.array([[0.5, 0.5, 0.0]] * 3), np.zeros(3, int), np.array([0, 1, 1]))
    assert part["auc"] is None
    assert [each["auc"] for each in part["classes"]] == [0.5, 0.5, None]


def test_calibration_of_distinct_probabilities_is_that_of_scikit_learn():
    rng = np.random.default_rng(1)
    said = rng.permutation(np.linspace(0.001, 0.999, 1000))
    so = rng.random(1000) < said
    found = calibration(said, so)
    share, mean = calibration_curve(so, said, n_bins=10, strategy="quantile")
    np.testing.assert_allclose(found.said, mean)
    np.testing.assert_allclose(found.so, share)
    assert found.rows.sum() == 1000
    assert ((found.low <= found.so) & (found.so <= found.high)).all()


def test_groups_of_a_rare_class_reach_its_probable_rows():
    rng = np.random.default_rng(2)
    said = 1 / (1 + np.exp(6 - 1.5 * rng.normal(size=20_000)))
    so = rng.random(20_000) < said
    found = calibration(said, so)
    assert said.mean() < 0.05
    assert found.rows.sum() == 20_000
    assert found.rows @ found.said == pytest.approx(said.sum())
    assert found.rows @ found.so == pytest.approx(so.sum())
    even = calibration(said + 0.5, so)
    assert found.said[-1] > 2 * (even.said[-1] - 0.5)
    mirrored = calibration(1 - said, ~so)
    np.testing.assert_allclose(1 - mirrored.said[::-1], found.said)
    np.testing.assert_array_equal(mirrored.rows[::-1], found.rows)
