"""The proved drop of the log loss: against rows one by one, and against fitted models."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood import BoostedTreesClassifier
from hardwood.theory import adaboost_bound, logistic_bound, logistic_drop, rounds_needed
from tests.tables.matrices import noisy

SCORES = st.floats(-8, 8)
WEIGHTS = st.floats(0.01, 5)
ROWS = st.lists(
    st.tuples(st.booleans(), SCORES, WEIGHTS, st.integers(0, 2)), min_size=1, max_size=12
)
STEPS = st.lists(st.floats(-3, 3), min_size=3, max_size=3)
GAMMAS = st.floats(1e-4, 0.5)
ERRORS = st.floats(1e-6, 1.0)


def loss(rows, steps=(0.0, 0.0, 0.0)):
    return math.fsum(
        w * math.log1p(math.exp(-(1 if y else -1) * (score + steps[leaf])))
        for y, score, w, leaf in rows
    )


def leaf_weights(rows):
    """q = w f/(1 + f) by class and leaf."""
    table = np.zeros((2, 3))
    for y, score, w, leaf in rows:
        f = math.exp(-(1 if y else -1) * score)
        table[int(y), leaf] += w * f / (1 + f)
    return table


@given(rows=ROWS, steps=STEPS)
def test_the_loss_of_any_rows_falls_by_at_least_the_proved_drop(rows, steps):
    proved = logistic_drop(leaf_weights(rows), steps)
    assert loss(rows) - loss(rows, steps) >= proved - 1e-9


@given(rows=ROWS, steps=STEPS)
def test_no_steps_prove_more_than_the_best(rows, steps):
    table = leaf_weights(rows)
    best = logistic_drop(table)
    assert best >= 0
    assert logistic_drop(table, steps) <= best + 1e-9
    if (table > 0).all():
        assert logistic_drop(table, np.log(table[1] / table[0]) / 2) == pytest.approx(
            best, abs=1e-9
        )
    total = table.sum()
    km = 2 * np.sqrt(table[0] * table[1]).sum() / total
    assert best == pytest.approx(total * (1 - km), abs=1e-9)


@given(rows=ROWS)
def test_a_better_weighted_error_proves_a_larger_drop(rows):
    table = leaf_weights(rows)
    error = table.min(axis=0).sum() / table.sum()
    assert logistic_drop(table) >= table.sum() * (1 - math.sqrt(4 * error * (1 - error))) - 1e-9


@pytest.mark.parametrize("rate", [0.2, 0.7])
@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_the_bound_holds_in_every_round_of_a_model(rate, prior):
    X, y = noisy(2, rows=300)
    model = BoostedTreesClassifier(n_estimators=40, learning_rate=rate, leaf_prior=prior)
    history = model.fit(X, y).history_
    for r, said in enumerate(model.staged_predict(X)):
        bound = logistic_bound(history["proved_drop"][: r + 1])
        assert np.mean(said != y) <= bound
        assert history["loss"][r] <= bound * math.log(2) * (1 + 1e-12)
    first = logistic_drop(model.trees_[0].class_weights[model.trees_[0].branches == 0].T)
    assert bound < 0.9
    assert history["proved_drop"][0] <= first / 300 * (1 + 1e-9) / _unit(model)


def _unit(model):
    """Whole-number weight of a row of the first round, whose q is 1/2."""
    return 2 * model.trees_[0].class_weights[0].sum() / 300


@given(gamma=GAMMAS, error=ERRORS, factor=st.floats(0.1, 1.0))
@pytest.mark.parametrize("kind", ["exponential", "logistic"])
def test_more_rounds_for_a_smaller_advantage_or_error(kind, gamma, error, factor):
    needed = rounds_needed(kind, gamma, error)
    assert rounds_needed(kind, gamma * factor, error) >= needed
    assert rounds_needed(kind, gamma, error * factor) >= needed
    assert rounds_needed("logistic", gamma, error) >= rounds_needed("exponential", gamma, error)


@given(gamma=st.floats(0.01, 0.499), error=st.floats(1e-4, 0.99))
def test_the_rounds_are_those_of_the_bounds(gamma, error):
    rounds = int(rounds_needed("exponential", gamma, error))
    errors = np.full(rounds, 0.5 - gamma)
    assert adaboost_bound(errors) <= error * (1 + 1e-9)
    assert rounds < 2 or adaboost_bound(errors[:-2]) > error
    drop = error / 2 * (1 - math.sqrt(1 - 4 * gamma**2))
    rounds = rounds_needed("logistic", gamma, error)
    assert rounds * drop >= math.log(2) * (1 - 1e-9)
    assert (rounds - 1) * drop <= math.log(2) * (1 + 1e-9)


def test_edges():
    assert logistic_bound([]) == 1.0
    assert logistic_bound([1.0]) == 0.0
    assert logistic_drop(np.zeros((2, 0))) == 0.0
    assert logistic_drop([[0.0], [3.0]]) == pytest.approx(3.0)
    assert logistic_drop([[0.0], [3.0]], [1e4]) == pytest.approx(3.0)
    assert rounds_needed("exponential", 0.5, 0.01) == 1.0
    assert rounds_needed("logistic", 0.5, 1.0) == 0.0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: logistic_drop([1.0, 2.0]), "two rows"),
        (lambda: logistic_drop([[1.0], [-2.0]]), "0 or more"),
        (lambda: logistic_drop([[1.0], [2.0]], [1.0, 2.0]), "one finite number per leaf"),
        (lambda: logistic_bound([[1.0]]), "one number per round"),
        (lambda: logistic_bound([math.nan]), "finite"),
        (lambda: rounds_needed("hinge", 0.1, 0.1), "hinge"),
        (lambda: rounds_needed("logistic", 0.6, 0.1), "gamma"),
    ],
)
def test_wrong_arguments_are_refused_in_words(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
