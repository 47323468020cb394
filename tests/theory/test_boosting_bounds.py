"""Splits needed, AdaBoost's bound and advantages: formulas, recurrences, fitted models."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.theory import adaboost_bound, advantage, e_gamma, size_bound, splits_needed

CRITERIA = ("km", "gini", "entropy")
GAMMAS = st.floats(1e-6, 0.5)
ERRORS = st.floats(1e-9, 1.0)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(gamma=GAMMAS, error=ERRORS)
def test_sharp_constants_are_never_above_the_paper(criterion, gamma, error):
    sharp = splits_needed(criterion, gamma, error, "sharp")
    assert 0.0 <= sharp <= splits_needed(criterion, gamma, error, "paper")


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("constants", ["paper", "sharp"])
@given(gamma=GAMMAS, error=ERRORS, factor=st.floats(0.1, 1.0))
def test_more_splits_for_a_smaller_advantage_or_error(criterion, constants, gamma, error, factor):
    needed = splits_needed(criterion, gamma, error, constants)
    assert splits_needed(criterion, gamma * factor, error, constants) >= needed * (1 - 1e-9)
    assert splits_needed(criterion, gamma, error * factor, constants) >= needed * (1 - 1e-9)


def test_the_formulas_as_printed():
    g, e = 0.4, 0.5
    log2 = math.log(2)
    square = math.log(2 / e) ** 2 - log2**2
    assert splits_needed("km", g, e) == pytest.approx((1 / e) ** (32 / g**2))
    assert splits_needed("gini", 0.5, 0.9) == pytest.approx(math.exp(64 * (1 / 0.81 - 1) / 0.25))
    assert splits_needed("entropy", g, e) == pytest.approx(math.exp(2 * square / (g * g * log2)))
    # With half the potential for the error: 3 leaves by phi_c, and the two formulas at 2 eps.
    assert [splits_needed(c, g, 0.25, "sharp") for c in CRITERIA] == [
        2.0,
        math.ceil(math.exp((1 / 0.5 - 1) / (4 * g * g))) - 1,
        math.ceil(math.exp(square / (4 * g * g))) - 1,
    ]
    assert splits_needed("gini", 0.001, 0.001) == math.inf
    assert splits_needed("km", 0.5, 1.0) == 1.0
    assert splits_needed("km", 0.5, 0.5, "sharp") == 0.0


def gain_of_the_worst_leaf(criterion, potential, leaves, gamma):
    """What the sharp steps promise of the heaviest of so many equal leaves."""
    if criterion == "km":
        return potential / leaves * (1 - math.sqrt(1 - 4 * gamma**2))
    if criterion == "gini":
        return 4 * gamma**2 * potential**2 / leaves
    return 2 * gamma**2 * potential / math.log(2 / potential) / leaves


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize(("gamma", "error"), [(0.5, 0.2), (0.45, 0.3), (0.4, 0.5), (0.3, 0.7)])
def test_the_recurrence_is_below_the_error_after_the_sharp_number(criterion, gamma, error):
    needed = math.ceil(splits_needed(criterion, gamma, error, "sharp"))
    assert needed < 10**6
    potential = 1.0
    for leaves in range(1, needed + 1):
        potential -= gain_of_the_worst_leaf(criterion, potential, leaves, gamma)
    if criterion == "km":  # the game's value is below what the heaviest leaf alone shows
        potential = size_bound(needed + 1, 1 - math.sqrt(1 - 4 * gamma**2))
    assert potential / 2 <= error


@pytest.mark.parametrize("criterion", CRITERIA)
@given(st.floats(1e-3, 1 - 1e-3), st.floats(0.01, 0.99), st.just(0.0) | st.floats(1e-300, 1.0))
def test_the_sharp_steps_hold_for_every_binary_split(criterion, q, share, rest):
    """The gain of any split of any node, against what its advantage promises."""
    from hardwood.criteria import cost

    table = np.array([[(1 - q) * share, (1 - q) * (1 - share)], [q * rest, q * (1 - rest)]])
    gamma = advantage(table)
    before = float(cost(table.sum(axis=1), criterion))
    gain = before - float(cost(table.T, criterion).sum())
    promised = {
        "km": before * (1 - math.sqrt(1 - 4 * gamma**2)),
        "gini": 4 * gamma**2 * before**2,
        "entropy": 8 / math.log(2) * gamma**2 * q * (1 - q),
    }[criterion]
    assert gain >= promised - 1e-12


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("criterion", CRITERIA)
def test_fitted_trees_need_no_more_splits_than_sharp_says(criterion, seed):
    """Every leaf that is not pure offers the least advantage seen on the way to purity."""
    rng = np.random.RandomState(seed)
    X = rng.randint(0, 6, size=(60, 3)).astype(float)
    y = (X[:, 0] > 2).astype(int) ^ (rng.rand(60) < 0.2)
    X[:, 2] = rng.permutation(60)
    model = TreeClassifier(criterion=criterion, min_samples_leaf=1, pruning=None).fit(X, y)
    assert model.certificate_.potential == 0.0
    gamma = model.history_["advantage"].min()
    for splits, potential in enumerate(model.history_["potential"], start=1):
        if potential > 0:
            assert splits_needed(criterion, gamma, potential / 2, "sharp") >= splits * 0.99


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_of_adaboost_holds_and_is_what_history_says(seed):
    rng = np.random.RandomState(seed)
    X = rng.normal(size=(200, 4))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=200) > 0).astype(int)
    model = BoostedTreesClassifier(
        variant="discrete", learning_rate=1.0, n_estimators=20, max_depth=2
    ).fit(X, y)
    for t, guess in enumerate(model.staged_predict(X), start=1):
        bound = adaboost_bound(model.history_["error"][:t])
        assert np.mean(guess != y) <= bound + 1e-12
        assert model.history_["bound"][t - 1] == pytest.approx(bound, rel=1e-9)


@given(st.lists(st.floats(0.0, 1.0), max_size=30))
def test_the_bound_of_adaboost_is_the_product(errors):
    assert adaboost_bound(errors) == pytest.approx(
        math.prod(2 * math.sqrt(e * (1 - e)) for e in errors), rel=1e-12, abs=1e-300
    )
    assert 0.0 <= adaboost_bound(errors) <= 1.0


@given(st.lists(st.tuples(st.floats(0, 9), st.floats(0, 9)), min_size=1, max_size=6))
def test_the_advantage_is_half_the_total_variation(branches):
    table = np.array(branches).T
    gamma = advantage(table)
    if not table.sum(axis=1).all():
        assert math.isnan(gamma)
        return
    p = table / table.sum(axis=1, keepdims=True)
    assert gamma == pytest.approx(0.5 * (1 - np.minimum(p[0], p[1]).sum()), abs=1e-12)
    assert 0.0 <= gamma <= 0.5
    assert advantage(table[::-1]) == pytest.approx(gamma, abs=1e-15)


def test_the_advantage_of_two_branches_is_the_formula_of_the_paper():
    tau, q, r = 0.3, 0.4, 0.7
    table = [[(1 - q) - tau * (1 - r), tau * (1 - r)], [q - tau * r, tau * r]]
    assert advantage(table) == pytest.approx(abs(tau / 2 * (r / q - (1 - r) / (1 - q))))


@pytest.mark.parametrize("seed", range(5))
def test_the_history_of_a_tree_has_these_advantages(seed):
    rng = np.random.RandomState(seed)
    X, y = rng.normal(size=(80, 3)), rng.randint(0, 2, 80)
    model = TreeClassifier(max_leaf_nodes=9, pruning=None).fit(X, y)
    tree = model.grown_tree_
    for node, told in zip(model.history_["node"], model.history_["advantage"], strict=True):
        assert told == pytest.approx(advantage(tree.class_weights[tree.children(node)].T))


@pytest.mark.parametrize("seed", range(8))
def test_a_tree_with_the_sharp_claim_is_as_good_as_splits_needed_says(seed):
    rng = np.random.RandomState(seed)
    X, y = rng.normal(size=(80, 3)), rng.randint(0, 2, 80)
    model = TreeClassifier(leaf_choice="weight", max_leaf_nodes=2 + seed, pruning=None).fit(X, y)
    certificate = model.certificate_
    claim = {each.name: each for each in certificate.claims}["sharp-km"]
    relative = certificate.potential / certificate.root_potential
    assert splits_needed("km", claim.gamma, relative / 2, "sharp") >= certificate.leaves - 1
    step = 1 - math.sqrt(1 - 4 * claim.gamma**2)
    assert relative <= e_gamma(certificate.leaves, step) * (1 + 1e-9)


def test_wrong_arguments_get_sentences():
    with pytest.raises(ValueError, match='criterion "error" has no bound'):
        splits_needed("error", 0.1, 0.1)
    with pytest.raises(ValueError, match='criterion must be one of "km", "gini", "entropy"'):
        splits_needed("KM", 0.1, 0.1)
    with pytest.raises(ValueError, match="gamma must be a number above 0 and at most 0.5"):
        splits_needed("km", 0.6, 0.1)
    with pytest.raises(ValueError, match="error must be a number above 0 and at most 1"):
        splits_needed("km", 0.1, 0.0)
    with pytest.raises(ValueError, match='constants must be "paper" or "sharp"'):
        splits_needed("km", 0.1, 0.1, "best")
    with pytest.raises(ValueError, match="errors must be weighted errors"):
        adaboost_bound([0.1, math.nan])
    with pytest.raises(ValueError, match="errors must be one number per round"):
        adaboost_bound([[0.1]])
    with pytest.raises(TypeError, match="errors must be numbers"):
        adaboost_bound("many")
    with pytest.raises(ValueError, match="table must have two rows"):
        advantage([1.0, 2.0])
    with pytest.raises(ValueError, match="table must hold weights"):
        advantage([[1.0, -2.0], [1.0, 1.0]])
