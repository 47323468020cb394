"""What a pruned `TreeClassifier` shows: fitted attributes, certificate, bad parameters."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.utils.estimator_checks import parametrize_with_checks

from hardwood import TreeClassifier

PRUNINGS = ("error-based", "cost-complexity", "reduced-error")
X, Y = load_breast_cancer(return_X_y=True)
NOISY = np.where(np.random.default_rng(0).random(len(Y)) < 0.15, 1 - Y, Y)
DRAWN = {
    f"check_sample_weight_equivalence_on_{form}_data": "held-out rows are drawn by position"
    for form in ("dense", "sparse")
}


@parametrize_with_checks(
    [
        TreeClassifier(pruning="error-based"),
        TreeClassifier(pruning="reduced-error"),
    ],
    expected_failed_checks=lambda estimator: DRAWN if estimator.pruning == "reduced-error" else {},
)
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)


@pytest.mark.parametrize("pruning", PRUNINGS)
def test_everything_but_history_and_certificate_is_about_the_pruned_tree(pruning):
    model = TreeClassifier(pruning=pruning, ccp_alpha="cv", min_samples_leaf=3).fit(X, NOISY)
    grown, tree = model.grown_tree_, model.tree_
    assert 1 < tree.n_leaves < grown.n_leaves
    assert model.get_n_leaves() == tree.n_leaves == len(model.rules())
    assert model.get_depth() == tree.max_depth
    assert len(model.history_["node"]) == grown.n_leaves - 1
    certificate = model.certificate_
    assert (certificate.leaves, certificate.pruned_leaves) == (grown.n_leaves, tree.n_leaves)
    wrong = (tree.class_weights.sum(axis=1) - tree.class_weights.max(axis=1))[tree.is_leaf].sum()
    assert certificate.pruned_error == wrong / tree.class_weights[0].sum()
    assert certificate.holds
    assert "as grown" in str(certificate)
    assert f"After pruning: {tree.n_leaves} leaves, training error" in str(certificate)
    assert set(model.apply(X)) <= set(tree.leaf_ids.tolist())
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert len(model.to_dict()["nodes"]) == tree.n_nodes
    assert np.array_equal(model.predict_proba(X), tree.shares[model.apply(X)])


def test_without_pruning_the_grown_tree_is_the_tree():
    model = TreeClassifier(pruning=None).fit(X, Y)
    assert model.tree_ is model.grown_tree_
    assert model.certificate_.pruned_leaves is None


def test_a_leaf_stays_a_leaf():
    for pruning in PRUNINGS:
        model = TreeClassifier(pruning=pruning, ccp_alpha="cv").fit(X, np.zeros(len(X)))
        assert model.get_n_leaves() == 1
        assert "After pruning: 1 leaf, training error 0" in str(model.certificate_)


def test_the_path_leaves_the_estimator_unfitted():
    model = TreeClassifier(criterion="gini")
    path = model.cost_complexity_pruning_path(X, Y)
    assert path.ccp_alphas.shape == path.impurities.shape
    assert not [name for name in vars(model) if name.endswith("_")]


BAD = {
    "no confidence": ({"confidence": 0.0}, r"confidence.*0\.0"),
    "too much confidence": ({"confidence": 0.6}, r"confidence.*0\.6"),
    "confidence as text": ({"confidence": "high"}, "confidence.*high"),
    "negative alpha": ({"ccp_alpha": -0.1}, r"ccp_alpha.*-0\.1"),
    "NaN alpha": ({"ccp_alpha": float("nan")}, "ccp_alpha.*nan"),
    "unknown way to choose alpha": ({"ccp_alpha": "best"}, 'ccp_alpha.*"cv".*best'),
    "nothing held out": ({"validation_fraction": 0.0}, r"validation_fraction.*0\.0"),
    "all held out": ({"validation_fraction": 1.0}, r"validation_fraction.*1\.0"),
    "unknown pruning": ({"pruning": "C4.5"}, "pruning.*error-based.*C4.5"),
    "a random state of another type": (
        {"pruning": "reduced-error", "random_state": "seven"},
        "random_state.*seven",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_parameter_is_named_and_the_fitted_tree_stays(case):
    changes, sentence = BAD[case]
    model = TreeClassifier(pruning="error-based").fit(X, Y)
    digest = model.digest()
    with pytest.raises(ValueError, match=sentence):
        model.set_params(**changes).fit(X, Y)
    assert model.digest() == digest


def test_too_few_rows_are_named():
    with pytest.raises(ValueError, match="at least 5 rows.*3"):
        TreeClassifier(pruning="cost-complexity", ccp_alpha="cv").fit(X[:3], [0, 1, 0])
    with pytest.raises(ValueError, match="holds out 0.25 of 1 sample"):
        TreeClassifier(pruning="reduced-error").fit(X[:1], [0])
