"""Prices and size bounds: the formulas as printed, and how they lie to each other."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood.theory import branch_price, e_gamma, size_bound

GAMMAS = st.floats(1e-12, 0.999)
ARITIES = st.integers(2, 400)


@given(ARITIES, GAMMAS)
def test_e_gamma_is_the_product(k, gamma):
    product = math.prod(1 - gamma / i for i in range(1, k))
    assert e_gamma(k, gamma) == pytest.approx(product, rel=1e-12)
    assert e_gamma(k, gamma) <= k**-gamma * (1 + 1e-14)


def test_e_gamma_at_its_ends():
    assert e_gamma(1, 0.3) == 1.0
    assert e_gamma(5, 0.0) == 1.0
    assert (e_gamma(1, 1.0), e_gamma(2, 1.0)) == (1.0, 0.0)


@given(st.integers(2, 10**9))
def test_the_price_without_gamma_is_the_number_of_levels(k):
    price = branch_price(k)
    assert 2 ** (price - 1) < k <= 2**price


@given(ARITIES, GAMMAS)
def test_the_price_with_gamma_is_the_paper_formula_and_never_above_the_other(k, gamma):
    price = branch_price(k, gamma)
    assert price <= branch_price(k) * (1 + 1e-14)
    if gamma > 1e-3:
        assert price == pytest.approx((1 - e_gamma(k, gamma)) / gamma, rel=1e-9)
    assert branch_price(2, gamma) == 1.0
    assert branch_price(k + 1, gamma) > price
    assert price == pytest.approx(sum(1 / i for i in range(1, k)), rel=1e-2) or gamma > 1e-4


@given(ARITIES, GAMMAS)
def test_what_mansour_and_mcallester_accept_hatano_accepts(k, gamma):
    assert gamma * e_gamma(k, gamma) / 2 < 1


@given(st.integers(1, 10**6), GAMMAS)
def test_the_size_bound_falls_with_leaves_and_gamma_and_stays_below_the_power(leaves, gamma):
    here = size_bound(leaves, gamma)
    assert here <= leaves**-gamma * (1 + 1e-12)
    assert size_bound(leaves + 1, gamma) <= here
    assert size_bound(leaves, gamma * 0.99) >= here
    assert size_bound(1, gamma) == 1.0
    # Binary splits of the heaviest leaf do at least as well as the product says.
    if leaves < 5000:
        assert here <= e_gamma(leaves, gamma) * (1 + 1e-12)


@given(st.integers(0, 40), GAMMAS)
def test_at_powers_of_two_every_level_takes_its_share(levels, gamma):
    assert size_bound(2**levels, gamma) == pytest.approx((1 - gamma) ** levels, rel=1e-12)


@pytest.mark.parametrize("k", [1, 0, -3, 2.0, "2", None, True, np.nan])
def test_a_wrong_number_of_branches_gets_a_sentence(k):
    with pytest.raises(ValueError, match="k must be a whole number of at least 2; given was"):
        branch_price(k)


@pytest.mark.parametrize("gamma", [0.0, 1.0, -0.1, 1.5, math.nan, math.inf, "0.1", True])
def test_a_wrong_gamma_gets_a_sentence(gamma):
    with pytest.raises(ValueError, match="gamma must be a number above 0 and below 1; given was"):
        branch_price(3, gamma)


def test_wrong_arguments_of_the_size_bound_get_sentences():
    with pytest.raises(ValueError, match="leaves must be a whole number of at least 1"):
        size_bound(0, 0.1)
    with pytest.raises(ValueError, match="gamma must be a number at least 0 and at most 1"):
        size_bound(4, 1.1)
    with pytest.raises(ValueError, match="k must be a whole number of at least 1"):
        e_gamma(0, 0.1)
