"""Bounds with unseen rows: against every completion on a grid, and beside the published ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood.criteria import CRITERIA, cost
from hardwood.theory import corner_bounds, published_entropy_bounds
from hardwood.theory.corners import supergradient


def case(seed):
    random = np.random.RandomState(seed)
    classes, k = random.randint(2, 4), random.randint(2, 4)
    seen = random.gamma(0.5, size=(k, classes)) * (random.rand(k, classes) < 0.8)
    return random, seen, random.gamma(0.5, size=classes) * (random.rand(classes) < 0.8)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(seed=st.integers(0, 2**31))
def test_every_completion_costs_between_the_bounds(criterion, seed):
    random, seen, unseen = case(seed)
    low, high = corner_bounds(seen, unseen, criterion)
    assert low >= cost(seen, criterion).sum() * (1 - 1e-12)
    for _ in range(20):
        shares = random.dirichlet(np.full(len(seen), 0.3), size=len(unseen)).T
        value = float(cost(seen + shares * unseen, criterion).sum())
        assert low <= value * (1 + 1e-12) + 1e-12
        assert value <= high * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize("criterion", CRITERIA)
@given(seed=st.integers(0, 2**31))
def test_with_nothing_unseen_both_bounds_are_the_cost(criterion, seed):
    _, seen, unseen = case(seed)
    exact = float(cost(seen, criterion).sum())
    assert corner_bounds(seen, 0 * unseen, criterion) == pytest.approx((exact, exact), abs=1e-12)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(seed=st.integers(0, 2**31))
def test_a_supergradient_lies_above_the_cost_and_touches_it(criterion, seed):
    _, seen, _ = case(seed)
    a, b = seen[0], seen[1]
    g = supergradient(a, criterion)
    finite = np.isfinite(g)
    assert g[a > 0] @ a[a > 0] == pytest.approx(float(cost(a, criterion)), abs=1e-9)
    if finite[b > 0].all():
        assert float(cost(b, criterion)) <= g[b > 0] @ b[b > 0] + 1e-9


@given(seed=st.integers(0, 2**31))
def test_the_published_entropy_bounds_hold_and_ours_are_never_wider(seed):
    _, seen, unseen = case(seed)
    low, high = corner_bounds(seen, unseen, "entropy")
    their_low, their_high = published_entropy_bounds(seen, unseen)
    assert their_low <= low * (1 + 1e-12) + 1e-12
    assert high <= their_high * (1 + 1e-9) + 1e-9


def test_a_wide_case_keeps_the_bound_of_the_seen_weights():
    seen, unseen = np.ones((4, 7)), np.ones(7)
    assert corner_bounds(seen, unseen)[0] == pytest.approx(float(cost(seen, "km").sum()))


def test_wrong_arguments_get_sentences():
    with pytest.raises(ValueError, match="seen must have a row per branch"):
        corner_bounds([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="must hold weights"):
        corner_bounds([[1.0, -1.0]], [1.0, 2.0])
    with pytest.raises(ValueError, match="criterion must be one of"):
        corner_bounds([[1.0, 1.0]], [1.0, 2.0], "hinge")
