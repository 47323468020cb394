"""What a certificate says about new rows: the bounds of the theory, or a reason."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hardwood import TreeClassifier
from hardwood.theory import occam_bound, tree_bits, vc_bound


def drawn(rows: int, seed: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    return X, np.where(rng.random(rows) < 0.1, 1, 0) ^ (X[:, 1] > 0.3)


def test_the_bounds_are_those_of_the_theory_for_all_numbers_of_leaves_at_once():
    X, y = drawn(3_000, 0)
    certificate = TreeClassifier(max_leaf_nodes=4, pruning=None).fit(X, y).certificate_
    found = certificate.true_error(3, delta=0.1, questions=50)
    assert (found.rows, found.leaves, found.delta) == (3_000, 4, 0.1)
    assert found.error == certificate.error
    assert found.bound == vc_bound(certificate.error, 3_000, 4, 9, 0.1 / 20)
    assert found.fixed == occam_bound(certificate.error, 3_000, tree_bits(4, 50), 0.1)
    assert certificate.true_error(3).fixed is None
    assert certificate.true_error(3).bound >= found.bound


def test_after_pruning_the_pruned_tree_is_spoken_of():
    X, y = drawn(2_000, 1)
    model = TreeClassifier().fit(X, y)
    found = model.certificate_.true_error(3)
    assert model.certificate_.leaves > found.leaves == model.get_n_leaves()
    assert found.error == pytest.approx(1 - model.score(X, y), abs=1e-12)


def test_no_draw_of_rows_has_a_true_error_above_the_bounds():
    fresh, labels = drawn(40_000, 99)
    fresh = np.round(fresh, 1)
    for seed in range(20):
        X, y = drawn(2_500, seed)
        tree = TreeClassifier(max_leaf_nodes=3, pruning=None).fit(np.round(X, 1), y)
        found = tree.certificate_.true_error(3, questions=3 * 101)
        wrong = 1 - tree.score(fresh, labels)
        assert wrong <= found.fixed < found.bound < 1


@pytest.mark.parametrize("missing", [False, True])
def test_trees_of_many_branches_are_counted_as_binary_ones(missing):
    X, _ = drawn(800, 3)
    y = np.where(X[:, 0] > 1, 2, np.abs(X[:, 2]) < 0.7)
    if missing:
        X[::7, 2] = np.nan
    tree = TreeClassifier(branching="multiway", max_leaf_nodes=9, pruning=None).fit(X, y)
    found = tree.certificate_.true_error(3)
    n = found.leaves
    part = 0.05 / (n * (n + 1))
    expected = vc_bound(tree.certificate_.error, 800, n, 9, part, classes=3)
    assert (tree.history_["branches"] > 2).any()
    assert n == tree.get_n_leaves()
    assert found.bound == expected


def test_one_leaf_and_the_words():
    X, y = drawn(5_000, 4)
    told = str(TreeClassifier(max_leaf_nodes=1).fit(X, y).certificate_.true_error(3, questions=7))
    assert "(1 leaf, training error" in told
    assert "with probability 0.95 over their draw" in told
    assert told.count("an error of at most") == 2
    few = TreeClassifier(pruning=None).fit(X[:40], y[:40]).certificate_.true_error(3)
    assert few.bound == 1
    assert "nothing is proved" in str(few)


@pytest.mark.parametrize(
    ("shape", "weight", "said"),
    [
        ({}, True, "count alike"),
        ({"class_weight": "balanced"}, False, "count alike"),
        ({"costs": [[0, 5], [1, 0]]}, False, "with costs"),
    ],
)
def test_where_nothing_is_proved_the_reason_is_given(shape, weight, said):
    X, y = drawn(300, 5)
    given = {"sample_weight": np.arange(1.0, 301.0)} if weight else {}
    certificate = TreeClassifier(**shape).fit(X, y, **given).certificate_
    with pytest.raises(ValueError, match=said):
        certificate.true_error(3)


def test_categories_and_fractions_and_too_few_columns_are_refused():
    X, y = drawn(300, 6)
    frame = pd.DataFrame({"letter": pd.Categorical(np.where(y == 1, "a", "b")), "x": X[:, 0]})
    with pytest.raises(ValueError, match="groups of categories"):
        TreeClassifier().fit(frame, y).certificate_.true_error(2)
    tree = TreeClassifier(max_leaf_nodes=2, pruning=None).fit(X, y)
    with pytest.raises(ValueError, match="asks about column number 1, given was 1"):
        tree.certificate_.true_error(1)
    with pytest.raises(ValueError, match="delta"):
        tree.certificate_.true_error(3, delta=1.0)
    X[::5, 1] = np.nan
    split = TreeClassifier(missing="fractional", criterion="entropy").fit(X, y)
    with pytest.raises(ValueError, match="fractions"):
        split.certificate_.true_error(3)
