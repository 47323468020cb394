"""Bounds on the true error: against binomials, small classes that can be drawn, and each other."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood import TreeClassifier
from hardwood.theory import occam_bound, rounds_needed, tree_bits, vc_bound


def test_the_code_for_trees_counts_shapes_questions_and_labels():
    for leaves, shapes in ((1, 1), (2, 1), (3, 2), (4, 5), (5, 14)):
        count = shapes * 3 ** (leaves - 1) * 2**leaves
        assert tree_bits(leaves, 3) == pytest.approx(math.log2(count * leaves * (leaves + 1)))
    kraft = sum(
        math.comb(2 * n, n) // (n + 1) * 3**n * 2 ** (n + 1) * 2 ** -tree_bits(n + 1, 3)
        for n in range(200)
    )
    assert kraft <= 1.0


@given(st.integers(0, 40), st.floats(0, 30), st.floats(0.01, 0.5))
def test_one_hypothesis_is_worse_than_its_bound_with_probability_delta_at_most(k, bits, delta):
    """Were the true error at the bound, so few mistakes would be this unlikely."""
    rows = 40
    bound = occam_bound(k / rows, rows, bits, delta)
    assert k / rows <= bound <= 1.0
    if bound < 1:
        tail = sum(math.comb(rows, i) * bound**i * (1 - bound) ** (rows - i) for i in range(k + 1))
        assert tail <= delta * 2**-bits * (1 + 1e-6)


def test_all_trees_of_a_class_keep_their_bounds_in_most_draws():
    """Eight questions on three bits, stumps; the label is noise that no tree can know."""
    random = np.random.RandomState(3)
    stumps = list(itertools.product(range(3), (0, 1), (0, 1)))
    bits, rows, failed = tree_bits(2, 3), 30, 0
    for _ in range(300):
        X, y = random.randint(0, 2, (rows, 3)), random.rand(rows) < 0.4
        for column, low, high in stumps:
            train = np.mean(np.where(X[:, column] == 0, low, high) != y)
            truth = np.mean([0.4 if said == 0 else 0.6 for said in (low, high)])
            if truth > occam_bound(float(train), rows, bits, 0.2):
                failed += 1
                break
    assert failed <= 0.2 * 300


@given(st.floats(0, 0.5), st.integers(100, 10**6), st.integers(1, 50), st.integers(1, 30))
def test_more_leaves_columns_or_errors_never_help_and_rows_do(error, rows, leaves, columns):
    here = vc_bound(error, rows, leaves, columns)
    assert error <= here <= 1.0
    assert vc_bound(error, rows, leaves + 1, columns) >= here
    assert vc_bound(error, rows, leaves, columns + 1) >= here
    assert vc_bound(error, 2 * rows, leaves, columns) <= here
    assert occam_bound(error, rows, 10) <= occam_bound(error, rows, 11)


def test_a_grown_tree_keeps_its_bound_on_fresh_rows():
    random = np.random.RandomState(0)
    X = random.normal(size=(40000, 2))
    y = (X[:, 0] > 0) ^ (random.rand(40000) < 0.05)
    tree = TreeClassifier(max_leaf_nodes=3, pruning=None).fit(X[:20000], y[:20000])
    bound = vc_bound(float(tree.certificate_.error), 20000, 3, 2)
    assert 1 - tree.score(X[20000:], y[20000:]) <= bound < 0.15


@given(st.floats(1e-3, 0.5), st.floats(1e-6, 1.0))
def test_adaboosts_printed_number_of_rounds_is_never_below_the_sharp_one(gamma, error):
    paper = rounds_needed("exponential", gamma, error, "paper")
    assert paper >= rounds_needed("exponential", gamma, error)
    assert paper == math.ceil(math.log(1 / error) / 2 / gamma / gamma) or paper > 1e6


def test_wrong_arguments_get_sentences():
    with pytest.raises(ValueError, match="bits must be a finite number"):
        occam_bound(0.1, 10, -1)
    with pytest.raises(ValueError, match='constants "paper" need the exponential loss'):
        rounds_needed("logistic", 0.1, 0.1, "paper")
    with pytest.raises(ValueError, match='constants must be "paper" or "sharp"'):
        rounds_needed("exponential", 0.1, 0.1, "best")
