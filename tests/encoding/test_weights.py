"""Weights on the power-of-two grid: exact totals, the right exponent, nothing that shows."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils.class_weight import compute_sample_weight

from hardwood import TreeClassifier
from hardwood._core import exact_total
from hardwood.encoding import Labels, read_labels, read_weights
from hardwood.encoding.weights import grid_exponent
from tests.effort import trials
from tests.tables.matrices import shapes_of_columns

ADVERSARIAL = {
    "one huge and many tiny": [1e300, *[1e-300] * 50, 1.0],
    "halfway between two floats": [2.0**53, 1.0, 2.0**-60],
    "halfway, no more": [2.0**53, 1.0],
    "halfway above an odd one": [2.0**53 + 2, 1.0],
    "subnormal": [5e-324, 5e-324, 1e-310, 2.2250738585072014e-308],
    "all magnitudes": [2.0**k for k in range(-1074, 1000, 7)],
    "carries through every bit": [1.0, *[2.0**-k for k in range(1, 200)], 2.0**-199],
    "tenths": [0.1] * 10 + [0.3],
    "equal bits at many exponents": [1.9999999999999998 * 2.0**k for k in range(-50, 50)],
}


def labels_of(n: int, n_classes: int = 2) -> Labels:
    return read_labels(np.arange(n) % n_classes, n)


def grid_exponent_of(sample_weight) -> int:
    """e, from the weight of one unit."""
    weights = read_weights(sample_weight, None, labels_of(len(sample_weight)))
    mantissa, exponent = math.frexp(weights.unit)
    assert mantissa == 0.5
    return 1 - exponent


@pytest.mark.parametrize("case", ADVERSARIAL)
def test_the_total_is_exactly_rounded_in_any_order(case):
    values = np.array(ADVERSARIAL[case])
    expected = float(sum(map(Fraction, values.tolist())))
    rng = np.random.default_rng(0)
    orders = [np.arange(len(values)), np.argsort(values), np.argsort(-values)]
    for order in [*orders, *(rng.permutation(len(values)) for _ in range(5))]:
        assert exact_total(values[order]) == expected


@given(st.lists(st.floats(0.0, 1e200), min_size=1, max_size=40))
def test_the_total_of_any_weights_is_that_of_fractions(values):
    assert exact_total(np.array(values)) == math.fsum(values)


@given(st.fractions(min_value=Fraction(1, 10**40), max_value=10**40))
def test_the_exponent_is_the_largest_that_keeps_the_total_within_two_to_the_52(total):
    exponent = grid_exponent(total)
    assert Fraction(2) ** exponent * total <= 2**52 < Fraction(2) ** (exponent + 1) * total


@pytest.mark.parametrize("total", [Fraction(2) ** k for k in (-300, -1, 0, 1, 51, 52, 53, 300)])
def test_a_total_that_is_a_power_of_two_reaches_the_limit(total):
    assert Fraction(2) ** grid_exponent(total) * total == 2**52
    beyond = total + total / 2**60
    assert grid_exponent(beyond) == grid_exponent(total) - 1


@given(
    st.lists(st.floats(1e-200, 1e200), min_size=2, max_size=30).filter(lambda w: len(set(w)) > 1)
)
@settings(max_examples=trials(60))
def test_integer_weights_are_the_nearest_on_the_grid(values):
    exponent = grid_exponent_of(values)
    total = Fraction(math.fsum(values))
    assert Fraction(2) ** exponent * total <= 2**52 < Fraction(2) ** (exponent + 1) * total
    units = read_weights(values, None, labels_of(len(values)))
    scaled = [Fraction(2) ** exponent * Fraction(value) for value in values]
    assert units.weights.tolist() == [round(value) for value in scaled]
    assert units.total == sum(units.weights.tolist())


def table(seed: int) -> tuple[Any, Any, Any]:
    return shapes_of_columns(seed, classes=3, rows=2500)


def digest_of(X, y, weights=None, **parameters) -> str:
    return (
        TreeClassifier(pruning=None, min_samples_leaf=1, max_leaf_nodes=40, **parameters)
        .fit(X, y, weights)
        .digest()
    )


@pytest.mark.parametrize("power", [-900, -60, -1, 1, 37, 900])
@pytest.mark.parametrize("criterion", ["km", "gini", "entropy", "error"])
def test_a_power_of_two_in_all_weights_does_not_change_the_digest(criterion, power):
    X, y, weights = table(1)
    scaled = np.ldexp(weights, power)
    # Beyond 2^52 every weight is whole, a number of examples: the prior would weigh less.
    prior = 0.0 if power == 900 else 8.0
    assert digest_of(X, y, scaled, criterion=criterion, leaf_prior=prior) == digest_of(
        X, y, weights, criterion=criterion, leaf_prior=prior
    )


@pytest.mark.parametrize("weight", [0.1, 1 / 3, 1.0, 7.0, 1e-260, 2.0**-30])
@pytest.mark.parametrize("criterion", ["km", "gini", "entropy", "error"])
def test_equal_weights_give_the_digest_of_none(criterion, weight):
    X, y, _ = table(2)
    prior = 0.0 if weight == 7.0 else 8.0  # a row of weight 7 is seven examples
    equal = digest_of(X, y, np.full(len(y), weight), criterion=criterion, leaf_prior=prior)
    assert equal == digest_of(X, y, criterion=criterion, leaf_prior=prior)


@pytest.mark.parametrize("criterion", ["km", "gini", "entropy", "error"])
def test_balanced_classes_have_the_digest_of_the_weights_that_balance_them(criterion):
    X, y, _ = table(3)
    explicit = digest_of(X, y, compute_sample_weight("balanced", y), criterion=criterion)
    assert digest_of(X, y, class_weight="balanced", criterion=criterion) == explicit


def test_balanced_classes_count_the_sample_weights():
    X, y, weights = table(3)
    whole = np.ceil(weights * 3)
    repeated = np.repeat(np.arange(len(y)), whole.astype(int))
    model = TreeClassifier(
        pruning=None, min_samples_leaf=1, max_leaf_nodes=40, class_weight="balanced"
    ).fit(X, y, whole)
    leaves, shares = model.apply(X), model.predict_proba(X)
    model.fit(X[repeated], y[repeated])
    np.testing.assert_array_equal(model.apply(X), leaves)
    np.testing.assert_allclose(model.predict_proba(X), shares, rtol=1e-9)


def test_class_weights_multiply_sample_weights():
    X, y, weights = table(4)
    factors = {0: 2.5, 2: 0.3}
    explicit = weights * np.array([2.5, 1.0, 0.3])[y]
    assert digest_of(X, y, weights, class_weight=factors) == digest_of(X, y, explicit)


def test_a_class_of_weight_zero_is_absent_but_keeps_its_name():
    X, y, _ = table(5)
    model = TreeClassifier(
        pruning=None, min_samples_leaf=1, class_weight={1: 0.0}, max_leaf_nodes=30
    ).fit(X, y)
    assert model.classes_.tolist() == [0, 1, 2]
    assert not (model.predict(X) == 1).any()
    kept = y != 1
    without = TreeClassifier(pruning=None, min_samples_leaf=1, max_leaf_nodes=30).fit(
        X[kept], y[kept]
    )
    np.testing.assert_array_equal(model.apply(X), without.apply(X))


def test_rows_below_half_a_unit_are_absent():
    X, y, weights = table(6)
    tiny = np.arange(len(y)) % 3 == 0
    drawn = np.where(tiny, 1e-30, weights)
    assert digest_of(X, y, drawn) == digest_of(X[~tiny], y[~tiny], weights[~tiny])


@pytest.mark.parametrize("seed", range(3))
def test_float_weights_give_the_digest_of_any_row_order(seed):
    X, y, weights = table(seed)
    weights = weights * 10.0 ** np.random.default_rng(seed).integers(-8, 8, len(y))
    orders = [np.random.default_rng(k).permutation(len(y)) for k in range(4)]
    digests = {digest_of(X[order], y[order], weights[order]) for order in orders}
    assert digests == {digest_of(X, y, weights)}


def test_balanced_float_weights_give_the_digest_of_any_row_order():
    X, y, weights = table(7)
    orders = [np.random.default_rng(k).permutation(len(y)) for k in range(6)]
    digests = {
        digest_of(X[order], y[order], weights[order], class_weight="balanced") for order in orders
    }
    assert len(digests) == 1


ENDS = {
    "subnormal": np.linspace(1, 2, 12) * 1e-318,
    "a total beyond the largest float": np.linspace(1, 1.7, 12) * 1e308,
    "equal with a total beyond the largest float": np.full(12, 1.7e308),
}


@pytest.mark.parametrize("case", ENDS)
def test_weights_at_the_ends_of_the_float_range_are_refused_in_words(case):
    X, y = np.arange(12.0).reshape(-1, 1), np.arange(12) // 6
    with np.errstate(over="ignore"), pytest.raises(ValueError, match="limits of float64"):
        TreeClassifier(pruning=None, min_samples_leaf=1).fit(X, y, ENDS[case])
