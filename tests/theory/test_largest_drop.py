"""The largest drop on noisy copies and against the worst data: what gini pays, and what not."""

import heapq
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood.criteria import cost
from hardwood.theory import (
    copies_by_drop,
    copies_exponent,
    leaves_needed,
    order_bound,
    worst_error_by_drop,
)


def kappa(gamma):
    return -0.5 * math.log2(1 - 4 * gamma**2)


def grown(gamma, least, criterion, choose):
    """Leaves as (class 0, class 1) of the tree that splits while a drop is at least `least`;
    choose(zero, one) tells (a, b), the shares of class 1 and class 0 that go right."""

    def entry(zero, one):
        a, b = choose(zero, one)
        branches = [[zero * b, one * a], [zero * (1 - b), one * (1 - a)]]
        here = float(cost([zero, one], criterion))
        return here - float(np.sum(cost(branches, criterion))), [zero, one], branches

    done, todo = [], [(0.5, 0.5)]
    while todo:
        drop, masses, branches = entry(*todo.pop())
        if drop >= least:
            todo += [tuple(branch) for branch in branches]
        else:
            done.append(masses)
    return np.array(done)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "km"])
@pytest.mark.parametrize("gamma", [0.2, 0.4, 0.47])
def test_trees_on_copies_are_counted_as_they_grow(criterion, gamma):
    for least in (0.03, 0.0041):
        leaves = grown(gamma, least, criterion, lambda *_: (0.5 + gamma, 0.5 - gamma))
        found = copies_by_drop(gamma, least, criterion)
        assert found.leaves == len(leaves)
        assert found.error == pytest.approx(leaves.min(axis=1).sum())
        assert found.potential == pytest.approx(float(np.sum(cost(leaves, criterion))))


def test_the_tree_of_largest_drops_is_that_of_a_heap():
    gamma, least = 0.4, 1e-3

    def entry(zero, one):
        branches = [(zero * 0.1, one * 0.9), (zero * 0.9, one * 0.1)]
        drop = float(cost([zero, one], "gini")) - float(np.sum(cost(branches, "gini")))
        return -drop, (zero, one), branches

    heap, leaves = [entry(0.5, 0.5)], 1
    while -heap[0][0] >= least:
        _, _, branches = heapq.heappop(heap)
        leaves += 1
        for branch in branches:
            heapq.heappush(heap, entry(*branch))
    assert copies_by_drop(gamma, least).leaves == leaves


@given(st.floats(0.01, 0.499))
def test_gini_pays_more_than_km_exactly_beyond_a_quarter_root_two(gamma):
    km, gini = copies_exponent(gamma, "km"), copies_exponent(gamma)
    k = kappa(gamma)
    assert km == pytest.approx(1 / k)
    assert copies_exponent(gamma, "entropy") == km
    if gamma <= math.sqrt(2) / 4:
        assert gini == km
    else:
        assert km <= gini * (1 + 1e-12)
        assert gini <= (1 / k + 1 / (1 + k)) * (1 + 1e-12)  # the theorem for any data
        if gamma > 0.36:
            assert gini > km * (1 + 1e-5)


def test_near_one_half_the_bound_for_any_data_is_reached():
    """Both exponents are 2/kappa in the limit."""
    ratios = []
    for gap in (1e-4, 1e-8, 1e-12):
        k = -0.5 * math.log2(4 * gap * (1 - gap))
        ratios.append((1 / k + 1 / (1 + k)) / copies_exponent(0.5 - gap))
    assert ratios[0] > ratios[1] > ratios[2] > 1
    assert ratios[2] < 1.06


@pytest.mark.parametrize(("gamma", "most_off"), [(0.45, 0.03), (0.48, 0.05)])
def test_counted_trees_have_the_exponents(gamma, most_off):
    for criterion in ("gini", "km"):
        # Means over several thresholds: lattice steps make single slopes jump.
        near = [copies_by_drop(gamma, 10.0**-d, criterion) for d in np.linspace(20, 24, 9)]
        far = [copies_by_drop(gamma, 10.0**-d, criterion) for d in np.linspace(60, 64, 9)]
        leaves, error = (
            np.mean([math.log(getattr(tree, name)) for tree in far])
            - np.mean([math.log(getattr(tree, name)) for tree in near])
            for name in ("leaves", "error")
        )
        assert -leaves / error == pytest.approx(copies_exponent(gamma, criterion), rel=most_off)


@given(st.floats(0.05, 0.49), st.floats(1e-4, 0.1), st.sampled_from(["gini", "entropy"]))
def test_what_is_proved_of_any_data_holds_of_copies(gamma, least, criterion):
    tree = copies_by_drop(gamma, least, criterion)
    assert tree.error <= tree.potential / 2 * (1 + 1e-9)
    assert tree.potential <= order_bound(int(tree.leaves), gamma, criterion) * (1 + 1e-9)
    if tree.error < 0.5:
        assert tree.leaves <= max(leaves_needed(gamma, tree.error, criterion), 2.0)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "km"])
@pytest.mark.parametrize("gamma", [0.15, 0.3, 0.45])
def test_no_adversary_is_worse_than_the_worst(criterion, gamma):
    least = 2e-3
    worst = worst_error_by_drop(gamma, least, criterion, step=0.1)
    random = np.random.RandomState(5)
    for _ in range(6):
        steady = random.uniform(2 * gamma, 1)
        wild = random.rand() < 0.5

        def choose(_zero, _one, steady=steady, wild=wild):
            a = random.uniform(2 * gamma, 1) if wild else steady
            return (a, a - 2 * gamma) if random.rand() < 0.5 else (a - 2 * gamma, a)

        error = grown(gamma, least, criterion, choose).min(axis=1).sum()
        assert error <= worst * 1.03
    assert copies_by_drop(gamma, least, criterion).error <= worst * 1.03


def brute_force(zero, one, gamma, least, criterion, choices):
    """V by recursion over a few splits."""
    best = 0.0
    for a in choices:
        for p, q in ((a, a - 2 * gamma), (a - 2 * gamma, a)):
            branches = [[zero * q, one * p], [zero * (1 - q), one * (1 - p)]]
            drop = float(cost([zero, one], criterion)) - float(np.sum(cost(branches, criterion)))
            if drop < least:
                best = max(best, min(zero, one))
            else:
                below = (brute_force(*b, gamma, least, criterion, choices) for b in branches)
                best = max(best, sum(below))
    return best


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_worst_is_that_of_a_search_through_all_trees(criterion):
    gamma, least, splits = 0.42, 0.02, 3
    choices = np.linspace(2 * gamma, 1, splits)
    slow = brute_force(0.5, 0.5, gamma, least, criterion, choices)
    fast = worst_error_by_drop(gamma, least, criterion, step=0.02, splits=splits)
    assert fast == pytest.approx(slow, rel=0.12)  # V jumps where a drop meets the least one


def test_wrong_arguments_get_sentences():
    with pytest.raises(ValueError, match='criterion must be one of "gini", "entropy", "km"'):
        copies_by_drop(0.2, 0.1, "error")
    with pytest.raises(ValueError, match="gamma"):
        copies_exponent(0.5)
    with pytest.raises(ValueError, match="least_drop"):
        worst_error_by_drop(0.2, 0.0)
    with pytest.raises(ValueError, match="step must be positive"):
        worst_error_by_drop(0.2, 0.1, step=0.0)
