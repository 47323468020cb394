"""Losses of single rows against NumPy's functions and scikit-learn's metrics."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import log_loss

from hardwood.boosting.row_losses import RowLoss, exponential, logarithm, softplus
from hardwood.boosting.scores import guesses, probabilities

RNG = np.random.default_rng(0)


def test_the_series_are_the_functions():
    x = np.concatenate([RNG.normal(0, s, 4000) for s in (1e-3, 1.0, 30.0, 300.0)])
    x = x[np.abs(x) < 699]
    np.testing.assert_allclose(exponential(x), np.exp(x), rtol=4e-15)
    np.testing.assert_allclose(logarithm(np.exp(x)), np.log(np.exp(x)), rtol=4e-15, atol=1e-18)
    np.testing.assert_allclose(softplus(x), np.logaddexp(0, x), rtol=4e-15)
    assert logarithm(np.array([1.0, 2.0, 0.5])).tolist() == [0.0, math.log(2), -math.log(2)]


@pytest.mark.parametrize(("classes", "votes"), [(2, False), (3, False), (5, True)])
@pytest.mark.parametrize("slope", [1, 2])
def test_the_losses_are_those_of_the_probabilities(classes, votes, slope):
    outputs = 1 if classes == 2 else classes
    scores = RNG.normal(0, 3, (500, outputs))
    labels = RNG.integers(0, classes, 500)
    given = probabilities(scores, classes, votes, slope)
    own = given[np.arange(500), labels]
    loss = {
        name: RowLoss(name, classes, votes, slope).of(scores, labels)
        for name in ("neg_log_loss", "neg_brier_score", "accuracy")
    }
    np.testing.assert_allclose(loss["neg_log_loss"], -np.log(own), rtol=1e-7, atol=1e-14)
    mean = log_loss(labels, given, labels=range(classes))
    assert loss["neg_log_loss"].mean() == pytest.approx(mean, rel=1e-8)
    brier = ((given - np.eye(classes)[labels]) ** 2).sum(axis=1)
    np.testing.assert_allclose(loss["neg_brier_score"], brier, rtol=1e-11, atol=1e-14)
    assert np.array_equal(loss["accuracy"], guesses(scores, classes) != labels)


@pytest.mark.parametrize("outputs", [1, 3])
def test_losses_are_finite_and_not_negative_for_scores_of_any_size(outputs):
    scores = np.array([[1e300] * outputs, [-1e300] * outputs, [0.0] * outputs])
    for votes in (False, True) if outputs > 1 else (False,):
        for name in ("neg_log_loss", "neg_brier_score", "accuracy"):
            each = RowLoss(name, max(2, outputs), votes, 1).of(scores, np.array([0, 1, 1]))
            assert (np.isfinite(each) & (each >= 0)).all()


def test_a_rows_loss_does_not_depend_on_the_rows_beside_it():
    scores, labels = RNG.normal(0, 4, (101, 3)), RNG.integers(0, 3, 101)
    loss = RowLoss("neg_log_loss", 3, False, 1)
    together = loss.of(scores, labels)
    alone = [loss.of(scores[i : i + 1], labels[i : i + 1])[0] for i in range(101)]
    assert together.tolist() == alone
