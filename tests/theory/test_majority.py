"""Trees on the majority of bits: bounds against all trees, random trees and fitted ones."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood import TreeClassifier
from hardwood.theory import (
    advantage,
    best_tree_error,
    copies_table,
    least_error,
    majority_error,
    majority_least,
    majority_leaves,
    majority_table,
)


def all_trees(rows, labels, free, leaves):
    """The least number of wrong rows over all trees of at most so many leaves, by trying every bit
    at every node."""
    ones = int(labels.sum())
    best = min(ones, len(labels) - ones)
    if leaves == 1 or best == 0:
        return best
    for bit in free:
        right = rows[:, bit] == 1
        rest = free - {bit}
        for part in range(1, leaves):
            best = min(
                best,
                all_trees(rows[right], labels[right], rest, part)
                + all_trees(rows[~right], labels[~right], rest, leaves - part),
            )
    return best


@pytest.mark.parametrize(("bits", "leaves"), [(3, 2), (3, 3), (3, 4), (3, 6), (5, 3), (5, 5)])
def test_the_best_tree_is_that_of_a_search_through_all_trees(bits, leaves):
    X, y = majority_table(bits)
    assert majority_error(leaves, bits) == all_trees(X, y, set(range(bits)), leaves) / 2**bits


@given(leaves=st.integers(1, 60), bits=st.integers(0, 7).map(lambda half: 2 * half + 1))
def test_no_tree_errs_less_than_is_said_and_more_leaves_never_hurt(leaves, bits):
    best = majority_error(leaves, bits)
    assert majority_least(leaves, bits) <= best <= 0.5
    assert majority_error(leaves + 1, bits) <= best
    assert majority_least(leaves + 1, bits) <= majority_least(leaves, bits)


@given(bits=st.integers(1, 15).map(lambda half: 2 * half + 1), error=st.floats(0.02, 0.6))
def test_the_forced_leaves_are_the_least_that_the_bound_allows(bits, error):
    forced = int(majority_leaves(bits, error))
    assert majority_least(forced, bits) <= error
    assert forced == 1 or majority_least(forced - 1, bits) > error


@pytest.mark.parametrize("error", [0.1, 0.25, 0.4])
def test_the_exponent_is_the_squared_cosine(error):
    """2^(bits cos^2(pi error)), less about lg(bits)."""
    bits = 301
    missing = bits * math.cos(math.pi * error) ** 2 - math.log2(majority_leaves(bits, error))
    assert -1 < missing - math.log2(bits) < 4


@pytest.mark.parametrize("criterion", ["km", "entropy", "gini"])
def test_grown_trees_are_never_below_the_best(criterion):
    X, y = majority_table(9)
    copies, label, weights = copies_table(8, 0.2)
    for leaves in (2, 5, 12, 40):
        tree = TreeClassifier(
            criterion=criterion, max_leaf_nodes=leaves, min_samples_leaf=1, pruning=None
        )
        error = 1 - tree.fit(X, y).score(X, y)
        assert majority_error(leaves, 9) <= error + 1e-12
        wrong = tree.fit(copies, label, weights).predict(copies) != label
        assert least_error(leaves, 0.2) <= weights[wrong].sum() + 1e-12
        assert best_tree_error(leaves, 0.2) <= weights[wrong].sum() + 1e-12


@pytest.mark.parametrize("gamma", [0.0, 0.125, 0.4])
def test_each_copy_has_the_advantage_also_among_the_rows_of_any_node(gamma):
    X, y, weights = copies_table(4, gamma)
    assert X.shape == (32, 4)
    assert weights.sum() == pytest.approx(1)
    for copy, other in itertools.permutations(range(4), 2):
        for here in (slice(None), X[:, other] == 1):
            table = np.zeros((2, 2))
            np.add.at(table, (y[here], X[here, copy]), weights[here])
            assert advantage(table) == pytest.approx(gamma)


def test_wrong_arguments_get_sentences():
    with pytest.raises(ValueError, match="bits must be odd, so that there is a majority"):
        majority_least(3, 4)
    with pytest.raises(ValueError, match=r"leaves must be at most 200.*Use majority_least"):
        majority_error(201, 5)
    with pytest.raises(ValueError, match="bits must be at most 501"):
        majority_leaves(503, 0.25)
    with pytest.raises(ValueError, match=r"2\^21 rows is too large"):
        majority_table(21)
    with pytest.raises(ValueError, match="gamma must be"):
        copies_table(3, 0.6)
