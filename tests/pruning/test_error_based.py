"""Error-based pruning against a recursive reading of C4.5, and what must not change it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hardwood import TreeClassifier
from hardwood._core import pessimistic_errors
from hardwood.pruning.error_based import Confidence, error_based
from tests.oracles import pruning as oracle
from tests.pruning.cases import (
    Case,
    assert_same,
    assert_well_formed,
    fractional_tree,
    random_case,
    random_tree,
)
from tests.pruning.cases import read as read_nodes
from tests.tables.small import CRITERIA

pytestmark = pytest.mark.grid

CONFIDENCES = (1e-5, 0.05, 0.25, 0.5)
WEIGHTS = (None, "whole", "dyadic")


def prune(case: Case, tree, confidence=0.25, criterion="gini", threads=1):
    return error_based(
        tree, case.table, case.labels, case.integer_weights,
        criterion=criterion, confidence=confidence, threads=threads,
    )  # fmt: skip


@pytest.mark.parametrize("confidence", [1e-9, 0.01, 0.25, 0.4999, 0.5])
def test_the_estimate_is_the_upper_confidence_limit(confidence):
    constants = Confidence.of(confidence)
    for n in (0.001, 0.5, 1.0, 1.5, 2.0, 6.0, 16.0, 1000.0, 1e8):
        for e in (0.0, 0.25, 0.999, 1.0, 1.5, 5.0, 15.6, 499.0, 5e7):
            if e <= n:
                expected = e + oracle.added_errors(n, e, confidence)
                found = pessimistic_errors(constants.log, constants.deviation, n, e)
                assert found == pytest.approx(expected, rel=1e-7, abs=1e-9)


def test_the_estimate_is_that_of_quinlans_example():
    # Quinlan 1993, section 4.2: U(0, 6) = .206, U(0, 9) = .143, U(0, 1) = .750, U(1, 16) = .157.
    constants = Confidence.of(0.25)
    limits = {(6, 0): 0.206, (9, 0): 0.143, (1, 0): 0.750}
    for (n, e), limit in limits.items():
        found = pessimistic_errors(constants.log, constants.deviation, n, e) / n
        assert found == pytest.approx(limit, abs=6e-4)
    # C4.5's program approximates the binomial limit .157 of (1, 16) by a normal one.
    assert pessimistic_errors(constants.log, constants.deviation, 16, 1) / 16 == pytest.approx(
        0.157, abs=4e-3
    )


def test_the_estimate_never_falls_when_weight_is_added():
    # Raising is given up early on the strength of this.
    rng = np.random.default_rng(0)
    for confidence in (0.001, 0.1, 0.25, 0.5):
        constants = Confidence.of(confidence)
        for _ in range(500):
            n = float(np.exp(rng.uniform(-3, 8)))
            e = float(rng.uniform(0, n / 2))
            more = float(np.exp(rng.uniform(-3, 3)))
            before = pessimistic_errors(constants.log, constants.deviation, n, e)
            right = pessimistic_errors(constants.log, constants.deviation, n + more, e)
            wrong = pessimistic_errors(constants.log, constants.deviation, n + more, e + more)
            assert before <= right + 1e-9
            assert right <= wrong + 1e-9


@pytest.mark.parametrize("weighted", WEIGHTS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_grown_tree_is_pruned_as_the_recursion_says(criterion, weighted):
    raises: list[int] = []
    for seed in range(6):
        case = random_case(seed, 60 + 30 * seed, 2 + seed % 3, weighted)
        model = case.fit(criterion=criterion, pruning="error-based", min_samples_leaf=1 + seed % 2)
        grown = read_nodes(model.grown_tree_, case.data)
        expected = oracle.error_based(grown, case.data, 0.25, raises)
        assert_same(model.tree_, expected, case.data)
        assert_well_formed(model.tree_)
    assert raises or criterion == "error"


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("weighted", WEIGHTS)
def test_a_multiway_tree_is_pruned_as_the_recursion_says(confidence, weighted):
    raises: list[int] = []
    for seed in range(14):
        case = random_case(seed, 40 + 10 * seed, 2 + seed % 2, weighted)
        tree = random_tree(case, seed)
        expected = oracle.error_based(read_nodes(tree, case.data), case.data, confidence, raises)
        pruned = prune(case, tree, confidence)
        assert_same(pruned, expected, case.data)
        assert_well_formed(pruned)
    assert raises or confidence < 0.05


@pytest.mark.parametrize("criterion", ["km", "entropy"])
def test_a_tree_of_many_rows_is_pruned_as_the_recursion_says(criterion):
    # Enough rows for raising to be given up early.
    raises: list[int] = []
    case = random_case(1, 1500, 3)
    model = case.fit(criterion=criterion, pruning="error-based", max_leaf_nodes=150)
    grown = read_nodes(model.grown_tree_, case.data)
    assert_same(model.tree_, oracle.error_based(grown, case.data, 0.25, raises), case.data)
    assert raises


def test_categories_and_missing_values_that_raising_brings_are_known_afterwards():
    new = {"category": 0, "missing": 0}
    for seed in range(40):
        case = random_case(seed, 120, 2)
        tree = random_tree(case, seed, depth=5)
        pruned = prune(case, tree, 0.5)
        # The nodes of a pruned tree hold the training rows that its own routes bring them.
        root = read_nodes(pruned, case.data)
        seen = {_question(tree, node): tree.missing_seen[node] for node in range(tree.n_nodes)}
        codes = {tuple(tree.group_codes[tree.groups(node)]) for node in range(tree.n_nodes)}
        for node in oracle.nodes(root):
            if node.children and node.cuts is None:
                new["category"] += tuple(sorted(node.groups)) not in codes
            elif node.children:
                new["missing"] += node.missing_seen > seen[_question(pruned, node.number)]
    assert new["category"] > 3
    assert new["missing"] > 3


def _question(tree, node):
    cuts = tree.cuts(node)
    return str((tree.feature[node], *tree.thresholds[cuts], *tree.integer_thresholds[cuts]))


@pytest.mark.parametrize("seed", range(4))
def test_pruning_a_pruned_tree_changes_nothing(seed):
    case = random_case(seed, 150, 3)
    once = prune(case, random_tree(case, seed))
    assert prune(case, once) is once


@pytest.mark.parametrize("weighted", WEIGHTS)
def test_the_digest_does_not_depend_on_the_order_of_the_rows_or_threads(weighted):
    case = random_case(3, 200, 3, weighted)
    order = np.random.default_rng(1).permutation(len(case.y))
    first = case.fit(pruning="error-based")
    assert first.tree_.n_leaves < first.grown_tree_.n_leaves
    for other in (case.take(order).fit(pruning="error-based", n_jobs=1), case.fit(
        pruning="error-based", n_jobs=2)):  # fmt: skip
        assert other.digest() == first.digest()
        assert np.array_equal(other.tree_.rows, first.tree_.rows)


def test_a_weight_of_two_equals_the_row_twice_and_a_weight_of_zero_the_row_absent():
    case = random_case(5, 150, 3, "whole")
    repeated = case.take(np.repeat(np.arange(len(case.y)), case.weights.astype(int)))
    plain = Case(repeated.frame, repeated.y, None, repeated.data)
    model = case.fit(pruning="error-based", min_samples_leaf=2)
    assert model.tree_.n_leaves < model.grown_tree_.n_leaves
    assert plain.fit(pruning="error-based", min_samples_leaf=2).digest() == model.digest()


def test_weights_that_sum_to_one_prune_like_weights_of_one():
    case = random_case(6, 300, 2)
    plain = case.fit(pruning="error-based")
    assert 1 < plain.tree_.n_leaves < plain.grown_tree_.n_leaves
    for weight in (1 / len(case.y), 0.3, 12.5):
        given = np.full(len(case.y), weight)
        model = TreeClassifier(pruning="error-based").fit(case.frame, case.y, given)
        assert _structure(model) == _structure(plain)


@pytest.mark.parametrize("factor", [2.0**-20, 0.001, 7.3, 1000.0])
def test_no_factor_of_weights_that_are_not_whole_changes_the_tree(factor):
    pruned = 0
    for seed in range(6):
        case = random_case(seed, 150, 3)
        given = np.random.default_rng(seed).uniform(0.2, 3.0, len(case.y)) * 2.0**-9
        first, other = (
            TreeClassifier(pruning="error-based", min_samples_leaf=2).fit(case.frame, case.y, w)
            for w in (given, given * factor)
        )
        assert _structure(other) == _structure(first)
        pruned += 1 < first.tree_.n_leaves < first.grown_tree_.n_leaves
    assert pruned


def test_a_weight_of_zero_is_the_row_absent_among_weights_that_are_not_whole():
    case = random_case(4, 200, 2, "dyadic")
    assert case.weights is not None
    weights = np.where(np.arange(len(case.y)) % 5 == 0, 0.0, case.weights * 0.3)
    left = np.flatnonzero(weights)
    whole = TreeClassifier(pruning="error-based").fit(case.frame, case.y, weights)
    absent = TreeClassifier(pruning="error-based").fit(
        case.frame.iloc[left], case.y[left], weights[left]
    )
    assert absent.digest() == whole.digest()


@pytest.mark.parametrize("weighted", [None, "whole", "dyadic"])
def test_class_weights_change_the_classes_and_not_the_number_of_examples(weighted):
    raises: list[int] = []
    for seed in range(5):
        case = random_case(seed, 150, 2, weighted)
        given = np.asarray(case.data.weights)
        counted = given.sum() if (given == np.floor(given)).all() else np.count_nonzero(given)
        products = given * np.where(case.y == 1, 6.0, 2.0)
        model = TreeClassifier(pruning="error-based", class_weight={0: 2.0, 1: 6.0})
        model.fit(case.frame, case.y, case.weights)
        data = replace(case.data, weights=products.tolist(), counted=float(counted))
        expected = oracle.error_based(read_nodes(model.grown_tree_, data), data, 0.25, raises)
        assert_same(model.tree_, expected, data)
        half = TreeClassifier(pruning="error-based", class_weight={0: 1.0, 1: 3.0})
        assert _structure(half.fit(case.frame, case.y, case.weights)) == _structure(model)


def _structure(model):
    tree = model.tree_
    return tree.feature.tolist(), str(tree.thresholds), str(tree.group_branches), str(tree.rows)


def test_a_smaller_confidence_prunes_more_on_noise():
    case = random_case(8, 400, 3)
    sizes = [
        case.fit(pruning="error-based", confidence=c).get_n_leaves() for c in (0.5, 0.25, 0.01)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("weighted", WEIGHTS)
def test_a_tree_of_fractional_examples_is_pruned_as_the_recursion_says(confidence, weighted):
    raises: list[int] = []
    grid = 2.0**-30
    for seed in range(12):
        case = random_case(seed, 40 + 10 * seed, 2 + seed % 2, weighted)
        weights = [round(w / grid) for w in case.data.weights]
        data = replace(case.data, weights=weights, fractional=True, unit=grid)
        tree = fractional_tree(data, seed)
        integers = replace(
            case.integer_weights,
            weights=np.array(weights),
            unit=grid,
            total=float(sum(weights)),
        )
        pruned = error_based(
            tree, case.table, case.labels, integers,
            criterion="gini", confidence=confidence, threads=1,
        )  # fmt: skip
        expected = oracle.error_based(read_nodes(tree, data), data, confidence, raises)
        assert_same(pruned, expected, data)
        assert_well_formed(pruned)
    assert raises or confidence < 0.05


def test_fractional_examples_without_missing_values_are_ordinary_ones():
    raised = 0
    for seed in range(10):
        case = random_case(seed, 200, 2)
        case = case.take(np.flatnonzero(case.frame.notna().all(axis=1)))
        plain = random_tree(case, seed)
        data = replace(case.data, fractional=True, weights=[1] * len(case.y))
        tree = fractional_tree(data, seed)
        pruned, expected = prune(case, tree), prune(case, plain)
        assert_same(replace(pruned, share=None), read_nodes(expected, case.data), case.data)
        assert_well_formed(pruned)
        raised += not set(pruned.weight.tolist()) <= set(plain.weight.tolist())
    assert raised


def test_costs_after_raising_are_those_of_the_new_class_weights():
    from hardwood.criteria import cost

    for criterion in CRITERIA:
        case = random_case(2, 300, 3)
        model = case.fit(pruning="error-based", criterion=criterion)
        expected = cost(model.tree_.class_weights, criterion) / len(case.y)
        assert model.tree_.cost == pytest.approx(expected, rel=1e-12, abs=1e-15)
