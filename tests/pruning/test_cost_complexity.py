"""Cost-complexity pruning against plain weakest-link cutting and against scikit-learn."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from hardwood import TreeClassifier
from hardwood.pruning.cost_complexity import SCALE, pruning_path
from hardwood.pruning.cross_validation import mistakes_along
from hardwood.pruning.held_out import weights_of
from tests.oracles import drawing
from tests.oracles import pruning as oracle
from tests.pruning.cases import (
    assert_same,
    assert_well_formed,
    held_out,
    mistakes_on,
    random_case,
    random_tree,
)
from tests.pruning.cases import read as read_nodes
from tests.tables.small import CRITERIA

pytestmark = pytest.mark.grid


def distinct_tables(seed: int, n: int = 300, classes: int = 3):
    """Normal columns and gamma weights: no two links are equally strong. The weights add up
    exactly, or scikit-learn would split pure nodes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5)).astype(np.float32).astype(np.float64)
    y = np.digitize(
        X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n), np.linspace(-1, 1, classes - 1)
    )
    return X, y, np.ceil(rng.gamma(2.0, size=n) * 1024) / 1024


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(5))
def test_the_path_cuts_the_weakest_link_again_and_again(criterion, seed):
    case = random_case(seed, 60 + 20 * seed, 2 + seed % 3, (None, "whole", "dyadic")[seed % 3])
    tree = random_tree(case, seed, criterion)
    path = pruning_path(tree, criterion)
    cost = dict(enumerate((tree.cost * SCALE[criterion]).tolist()))
    expected = oracle.cut_path(read_nodes(tree, case.data), cost)
    alphas = np.array([alpha for alpha, _, _ in expected])
    if len(path.alphas) != len(alphas):
        # Links of one strength can be cut one by one or with the node above them.
        assert len(np.unique(alphas.round(12))) < len(alphas)
    found, wanted = np.unique(path.alphas.round(9)), np.unique(alphas.clip(0).round(9))
    assert found == pytest.approx(wanted, abs=2e-9)
    assert path.impurities[-1] == pytest.approx(cost[0])
    for low, high in pairwise(wanted.tolist()):
        if high - low > 1e-7:
            alpha = (low + high) / 2
            last = max(i for i, a in enumerate(alphas) if a <= alpha)
            if alpha > 0.0:
                pruned = path.tree_at(alpha)
                assert_same(pruned, expected[last][2], case.data)
                assert_well_formed(pruned)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("classes", [2, 4])
def test_the_path_is_scikit_learns(criterion, classes):
    for seed in range(4):
        X, y, w = distinct_tables(seed, classes=classes)
        theirs = DecisionTreeClassifier(criterion=criterion, min_samples_leaf=20, random_state=0)
        ours = TreeClassifier(
            criterion=criterion, min_samples_leaf=1, min_weight_fraction_leaf=0.04
        )
        theirs.set_params(min_samples_leaf=1, min_weight_fraction_leaf=0.04)
        expected = theirs.cost_complexity_pruning_path(X, y, sample_weight=w)
        found = ours.cost_complexity_pruning_path(X, y, sample_weight=w)
        assert len(found.ccp_alphas) > 3
        assert found.ccp_alphas == pytest.approx(expected.ccp_alphas, rel=1e-6, abs=1e-12)
        assert found.impurities == pytest.approx(expected.impurities, rel=1e-6, abs=1e-12)
        for alpha in (expected.ccp_alphas[:-1] + expected.ccp_alphas[1:])[1:] / 2:
            ours.set_params(pruning="cost-complexity", ccp_alpha=float(alpha)).fit(X, y, w)
            theirs.set_params(ccp_alpha=float(alpha)).fit(X, y, w)
            assert np.array_equal(ours.predict(X), theirs.predict(X))
            assert ours.get_n_leaves() == theirs.get_n_leaves()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_trees_of_larger_alphas_are_parts_of_those_of_smaller_ones(criterion):
    case = random_case(4, 250, 3)
    path = case.fit(criterion=criterion).cost_complexity_pruning_path(case.frame, case.y)
    assert (np.diff(path.ccp_alphas) >= 0).all()
    assert path.ccp_alphas[0] == 0.0
    parts = []
    for alpha in np.unique(path.ccp_alphas):
        model = case.fit(criterion=criterion, pruning="cost-complexity", ccp_alpha=float(alpha))
        leaves = model.apply(case.frame)
        if parts:
            # Rows together in the larger tree stay together.
            pairs = set(zip(parts[-1].tolist(), leaves.tolist(), strict=True))
            assert len(pairs) == len(set(parts[-1].tolist()))
            assert model.get_n_leaves() < len(set(parts[-1].tolist()))
        parts.append(leaves)
    assert model.get_n_leaves() == 1


def test_alpha_zero_prunes_nothing_and_a_huge_alpha_leaves_the_root():
    case = random_case(6, 100, 2)
    whole = case.fit(pruning="cost-complexity", ccp_alpha=0.0)
    assert whole.tree_ is whole.grown_tree_
    assert case.fit(pruning="cost-complexity", ccp_alpha=1e9).get_n_leaves() == 1


def test_the_mistakes_along_a_path_are_those_of_its_trees():
    case = random_case(9, 200, 3, "whole")
    held = held_out(case, 0.3, 5)
    weights = weights_of(case.integer_weights, held)
    tree = case.take(np.flatnonzero(~held)).fit(leaf_prior=0.0).tree_
    mistakes = mistakes_on(case, tree, weights)
    path = pruning_path(tree, "km")
    alphas = np.sort(np.concatenate([path.alphas, path.alphas * 1.001, [0.5, 1e300]]))
    found = mistakes_along(path, mistakes, alphas)
    for alpha, number in zip(alphas.tolist(), found.tolist(), strict=True):
        pruned = path.tree_at(alpha)
        expected = mistakes_on(case, pruned, weights)
        assert number == expected[pruned.is_leaf].sum()


def test_the_chosen_alpha_has_the_least_cross_validated_error():
    case = random_case(11, 120, 2)
    model = case.fit(pruning="cost-complexity", ccp_alpha="cv", random_state=3)
    alphas = np.unique(model.cost_complexity_pruning_path(case.frame, case.y).ccp_alphas)
    between = [*np.sqrt(alphas[:-1] * alphas[1:]), 1e9]
    fold_of = np.array(drawing.folds(case.labels.codes.tolist(), 5, 3))
    mistakes = np.zeros(len(alphas))
    for k, alpha in enumerate(between):
        for fold in range(5):
            rest, held = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
            part = case.take(rest).fit(pruning="cost-complexity", ccp_alpha=float(alpha))
            mistakes[k] += (part.predict(case.frame.iloc[held]) != case.y[held]).sum()
    best = np.flatnonzero(mistakes == mistakes.min())[-1]
    assert model.ccp_alpha_ == alphas[best]
    again = case.fit(pruning="cost-complexity", ccp_alpha=model.ccp_alpha_)
    assert again.digest() == model.digest()
    assert not hasattr(again, "ccp_alpha_")
    assert 1 < model.get_n_leaves() < model.grown_tree_.n_leaves


@pytest.mark.parametrize("ccp_alpha", [0.004, "cv"])
def test_the_digest_does_not_depend_on_threads(ccp_alpha):
    case = random_case(12, 300, 3, "dyadic")
    parameters = {"pruning": "cost-complexity", "ccp_alpha": ccp_alpha, "random_state": 1}
    models = [case.fit(n_jobs=n, **parameters) for n in (1, 2)]
    assert models[0].digest() == models[1].digest()


def test_a_number_as_alpha_does_not_depend_on_the_order_of_the_rows():
    case = random_case(13, 300, 3, "dyadic")
    order = np.random.default_rng(0).permutation(300)
    first = case.fit(pruning="cost-complexity", ccp_alpha=0.004)
    assert (
        case.take(order).fit(pruning="cost-complexity", ccp_alpha=0.004).digest() == first.digest()
    )
    assert first.get_n_leaves() < first.grown_tree_.n_leaves
