"""The ABC interval of a mean, against the bootstrap that it approximates."""

import numpy as np
import pytest
from scipy.stats import bootstrap

from hardwood.studies.dkm_intervals import abc_interval


@pytest.mark.parametrize("seed", range(3))
def test_the_abc_interval_is_near_the_bootstrap_interval_that_it_approximates(seed):
    values = np.random.RandomState(seed).gamma(1.5, size=60)
    drawn = bootstrap((values,), np.mean, method="BCa", n_resamples=4000, rng=seed)
    low, high = abc_interval(values)
    width = high - low
    assert low == pytest.approx(drawn.confidence_interval.low, abs=0.06 * width)
    assert high == pytest.approx(drawn.confidence_interval.high, abs=0.06 * width)


def test_equal_values_have_an_interval_without_width_and_signs_turn_it_round():
    assert abc_interval([2.0, 2.0]) == (2.0, 2.0)
    values = np.random.RandomState(5).normal(size=40) ** 3
    low, high = abc_interval(values)
    assert abc_interval(-values) == pytest.approx((-high, -low))
