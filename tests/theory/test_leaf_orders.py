"""Gini, entropy and error need polynomially many leaves: the bounds hold in both orders."""

import heapq
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood.criteria import cost
from hardwood.theory import leaves_by_order, leaves_needed, order_bound


def potentials(criterion, order, gamma, leaves, choose):
    """Of the trees of 1, 2, ... leaves; choose(x, y) tells a: class 1 goes right with probability
    a, class 0 with a - 2 gamma, or both exchanged where a is negative."""

    def entry(x, y):
        a = choose(x, y)
        one, zero = (a, a - 2 * gamma) if a >= 0 else (-a - 2 * gamma, -a)
        branches = [(x * one, y * zero), (x * (1 - one), y * (1 - zero))]
        here = float(cost([y, x], criterion))
        left = sum(float(cost([v, u], criterion)) for u, v in branches)
        return (-(here - left) if order == "drop" else -here, here - left, branches)

    heap, found = [entry(0.5, 0.5)], [1.0]
    while len(found) < leaves:
        _, drop, branches = heapq.heappop(heap)
        found.append(found[-1] - drop)
        for branch in branches:
            heapq.heappush(heap, entry(*branch))
    return found


CASES = [("gini", "drop"), ("entropy", "drop")] + [
    (criterion, "weight") for criterion in ("gini", "entropy", "error", "km")
]


@pytest.mark.parametrize(("criterion", "order"), CASES)
@given(seed=st.integers(0, 2**31), gamma=st.floats(0.05, 0.49), steady=st.booleans())
def test_no_game_ends_above_the_bound(criterion, order, seed, gamma, steady):
    random = np.random.RandomState(seed)
    chosen = random.uniform(2 * gamma, 1.0) * random.choice([-1, 1])

    def choose(_x, _y):
        return chosen if steady else random.uniform(2 * gamma, 1.0) * random.choice([-1, 1])

    found = potentials(criterion, order, gamma, 80, choose)
    for leaves in (1, 2, 3, 10, 40, 80):
        bound = order_bound(leaves, gamma, criterion, leaf_choice=order)
        assert found[leaves - 1] <= bound * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize(("criterion", "order"), CASES)
def test_with_a_large_advantage_the_bound_bites_and_holds(criterion, order):
    gamma = 0.45
    found = potentials(criterion, order, gamma, 400, lambda _x, _y: 0.5 + gamma)
    bounds = [order_bound(s, gamma, criterion, leaf_choice=order) for s in range(1, 401)]
    assert all(p <= b + 1e-12 for p, b in zip(found, bounds, strict=True))
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] < 0.1


@pytest.mark.parametrize(("criterion", "more"), [("gini", 1.0), ("entropy", 0.39)])
def test_the_exponents_are_those_of_the_page(criterion, more):
    gamma = 0.4
    km = math.log(2) / (-0.5 * math.log(1 - 4 * gamma**2))
    for order, most in (("drop", km + more), ("weight", km)):
        near, far = (
            leaves_by_order(gamma, e, criterion, leaf_choice=order) for e in (1e-20, 1e-40)
        )
        slope = math.log(far / near) / math.log(1e20)
        assert km - 0.02 <= slope <= most + 0.02


@given(st.floats(0.1, 0.5), st.floats(1e-6, 1.0), st.sampled_from(CASES))
def test_leaves_by_order_is_the_least_number(gamma, error, case):
    criterion, order = case
    s = leaves_by_order(gamma, error, criterion, leaf_choice=order)
    if s < 2**40:
        assert order_bound(int(s), gamma, criterion, leaf_choice=order) <= 2 * error * (1 + 1e-9)
        if s > 2:
            before = order_bound(int(s) - 1, gamma, criterion, leaf_choice=order)
            assert before > 2 * error * (1 - 1e-9)


def test_for_small_errors_it_is_far_below_what_the_steps_alone_promise():
    for criterion in ("gini", "entropy"):
        assert leaves_by_order(0.25, 0.01, criterion) < 1e-3 * leaves_needed(0.25, 0.01, criterion)


def test_wrong_arguments_get_sentences():
    with pytest.raises(ValueError, match='leaf_choice must be one of "drop", "weight"'):
        order_bound(3, 0.2, leaf_choice="best")
    with pytest.raises(ValueError, match="criterion must be one of"):
        order_bound(3, 0.2, "mse")
    with pytest.raises(ValueError, match='Use leaf_choice="weight"'):
        order_bound(3, 0.2, "error")
    with pytest.raises(ValueError, match="gamma"):
        leaves_by_order(0.6, 0.1)
