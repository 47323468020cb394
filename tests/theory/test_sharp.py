"""The exact exponent for km: the game in both orders, its worst data, and any shape of tree."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood import TreeClassifier
from hardwood.criteria import cost
from hardwood.theory import (
    advantage,
    best_tree_error,
    complete_tree_error,
    least_error,
    leaves_forced,
    leaves_needed,
    size_bound,
    step_factor,
    worst_potential,
)

GAMMAS = st.floats(0.01, 0.49)


@given(gamma=st.floats(0.05, 0.5), error=st.floats(1e-3, 1.0), classes=st.integers(2, 6))
def test_the_leaves_needed_by_km_are_the_least_that_the_game_allows(gamma, error, classes):
    s, c = leaves_needed(gamma, error, classes=classes), step_factor(gamma)
    target = 2 * error / math.sqrt(classes - 1)
    if s < 2**50:
        assert size_bound(int(s), c) <= target
        assert s == 1 or size_bound(int(s) - 1, c) > target


def test_the_numbers_of_the_page():
    assert leaves_needed(0.4, 0.25) == 3
    assert leaves_needed(0.25, 0.05) == 66088
    assert leaves_needed(0.01, 0.001) == math.inf
    assert leaves_needed(0.5, 0.001) == 2
    assert leaves_needed(1e-9, 0.5) == 1


def test_wrong_arguments_of_leaves_needed_get_sentences():
    with pytest.raises(ValueError, match='criterion must be one of "km", "gini", "entropy"'):
        leaves_needed(0.1, 0.1, "error")
    with pytest.raises(ValueError, match='classes above 2 need criterion "km"'):
        leaves_needed(0.1, 0.1, "gini", classes=3)


@given(st.integers(0, 2**31), st.floats(0.02, 0.95), st.integers(2, 60))
def test_largest_drop_first_never_ends_above_the_value_of_the_game(seed, c, leaves):
    """Any leaf may be taken whose drop is at least c times the heaviest; branches of any sizes."""
    random = np.random.RandomState(seed)
    tree = [1.0]
    for _ in range(leaves - 1):
        least = c * max(tree)
        can = [i for i, w in enumerate(tree) if w >= least]
        taken = tree.pop(can[random.randint(len(can))])
        drop = least if random.rand() < 0.7 else random.uniform(least, taken)
        part = random.choice([0.5, random.rand()])
        tree += [part * (taken - drop), (1 - part) * (taken - drop)]
    assert sum(tree) <= size_bound(leaves, c) * (1 + 1e-12)


@given(st.integers(0, 2**31), st.floats(0.02, 0.95), st.integers(1, 12))
def test_one_move_never_raises_the_value_that_is_left(seed, c, moves):
    """The inequality of the proof: d + c top_(t-1)(new) >= c top_t(old)."""
    random = np.random.RandomState(seed)
    old = random.gamma(0.7, size=random.randint(1, 6)) + 1e-9
    at = random.choice(np.flatnonzero(old >= c * old.max()))
    drop = random.uniform(c * old.max(), old[at])
    part = random.rand()
    new = np.concatenate((np.delete(old, at), np.array([part, 1 - part]) * (old[at] - drop)))
    assert drop + c * top(new, moves - 1, c) >= c * top(old, moves, c) - 1e-12


def top(leaves, count, c):
    """The sum of the largest pieces: of a leaf w, then 2 of (1-c)w/2, 4 of (1-c)^2 w/4, ..."""
    pieces = np.concatenate([np.repeat(leaves * ((1 - c) / 2) ** j, 2**j) for j in range(5)])
    return np.sort(pieces)[::-1][:count].sum()


@given(GAMMAS, st.integers(0, 12))
def test_noisy_copies_reach_the_value_of_the_game_at_complete_trees(gamma, depth):
    leaves = [(0.5, 0.5)]
    for _ in range(depth):
        leaves = [
            (zero * (0.5 - s), one * (0.5 + s)) for zero, one in leaves for s in (gamma, -gamma)
        ]
    weights = cost(np.array(leaves), "km")
    assert weights == pytest.approx(np.full(2**depth, (0.25 - gamma**2) ** (depth / 2)), rel=1e-9)
    assert weights.sum() == pytest.approx(size_bound(2**depth, step_factor(gamma)), rel=1e-9)
    assert np.array(leaves).min(axis=1).sum() == pytest.approx(complete_tree_error(depth, gamma))
    if depth:
        assert advantage([[0.5 - gamma, 0.5 + gamma], [0.5 + gamma, 0.5 - gamma]]) == pytest.approx(
            gamma
        )


def test_the_error_of_a_complete_tree_is_that_of_a_vote():
    gamma, copies = 0.2, 5
    wrong = sum(math.comb(copies, k) * 0.7 ** (copies - k) * 0.3**k for k in range(3, copies + 1))
    assert complete_tree_error(copies, gamma) == pytest.approx(wrong)
    assert complete_tree_error(copies + 1, gamma) == pytest.approx(wrong)


@pytest.mark.parametrize("gamma", [0.05, 0.2, 0.4])
def test_no_shape_of_tree_is_below_the_least_error_or_above_half_the_game(gamma):
    for leaves in (1, 2, 3, 5, 8, 13, 21, 40):
        best = best_tree_error(leaves, gamma)
        assert least_error(leaves, gamma) <= best + 1e-15
        assert best <= complete_tree_error(leaves.bit_length() - 1, gamma) + 1e-15
        assert best <= size_bound(leaves, step_factor(gamma)) / 2 + 1e-15


@given(st.floats(0.2, 0.49), st.floats(0.01, 0.5))
def test_what_is_forced_is_never_above_what_suffices(gamma, error):
    assert leaves_forced(gamma, error) <= leaves_needed(gamma, error)


def test_both_sides_have_the_same_exponent():
    """ln(leaves) per ln(1/eps) between small errors, where the lower orders have died down."""
    for gamma in (0.4, 0.45):
        exponent = math.log(2) / (-0.5 * math.log(1 - 4 * gamma**2))
        for count, within in ((leaves_needed, 0.01), (leaves_forced, 0.08)):
            slope = math.log(count(gamma, 1e-40) / count(gamma, 1e-20)) / math.log(1e20)
            assert slope == pytest.approx(exponent, rel=within)


@pytest.mark.parametrize("seed", range(4))
def test_a_tree_on_a_table_of_noisy_copies_has_the_potential_of_the_game(seed):
    """All rows of two bits of label and copies, weighted by their probability (gamma = 1/4)."""
    copies = 4
    rows = np.array(np.meshgrid(*[[0, 1]] * (copies + 1), indexing="ij")).reshape(copies + 1, -1).T
    y, X = rows[:, 0], rows[:, 1:].astype(float)
    weight = np.prod(np.where(y[:, None] == X, 3, 1), axis=1)
    leaves = 2 + 3 * seed
    tree = TreeClassifier(max_leaf_nodes=leaves, min_samples_leaf=1, pruning=None, criterion="km")
    certificate = tree.fit(X, y, weight).certificate_
    assert certificate.potential == pytest.approx(size_bound(leaves, step_factor(0.25)))
    assert certificate.error >= least_error(leaves, 0.25)


@pytest.mark.parametrize("criterion", ["km", "gini", "entropy"])
def test_the_worst_splits_against_every_split_of_a_fine_grid(criterion):
    gamma, grid = 0.2, np.linspace(0.4, 1, 121)
    q = 0.3

    def after(q, depth):
        if depth == 0 or not 0 < q < 1:
            return float(cost([1 - q, q], criterion))
        best = 0.0
        for a in grid if depth == 1 else grid[::12]:
            tau = q * a + (1 - q) * (a - 0.4)
            right = q * a / tau
            left = q * (1 - a) / (1 - tau) if tau < 1 else 0.0
            best = max(best, tau * after(right, depth - 1) + (1 - tau) * after(left, depth - 1))
        return best

    found = worst_potential(criterion, gamma, 2, q=q, points=801)
    assert found[0] == pytest.approx(float(cost([1 - q, q], criterion)))
    assert found[1] == pytest.approx(after(q, 1), rel=2e-3)
    assert found[2] == pytest.approx(after(q, 2), rel=6e-3)


@pytest.mark.parametrize("gamma", [0.1, 0.3])
def test_complete_trees_fall_at_the_rate_of_km_whatever_the_criterion(gamma):
    km = worst_potential("km", gamma, 8, points=401)
    assert km == pytest.approx((1 - 4 * gamma**2) ** (np.arange(9) / 2), rel=1e-9)
    for criterion in ("gini", "entropy", "error"):
        assert (worst_potential(criterion, gamma, 8, points=401) <= km * (1 + 1e-9)).all()
    with pytest.raises(ValueError, match="criterion must be one of"):
        worst_potential("KM", 0.1, 2)


@given(st.floats(1e-9, 0.5))
def test_the_lemma_behind_the_entropy_recurrence(q):
    """q(1-q) >= (ln 2)/4 * H / ln(2/H), and 4q(1-q) <= H <= 2 sqrt(q(1-q))."""
    h = float(cost([1 - q, q], "entropy"))
    assert q * (1 - q) >= math.log(2) / 4 * h / math.log(2 / h) * (1 - 1e-12)
    assert 4 * q * (1 - q) <= h * (1 + 1e-12)
    assert h <= 2 * math.sqrt(q * (1 - q)) * (1 + 1e-12)


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=3, max_size=5))
def test_a_split_of_several_classes_gains_what_its_classes_promise(branches):
    """G_after <= sum_c sqrt(p_c(1-p_c)) sqrt(1 - 4 gamma_c^2) <= G sqrt(1 - 4 gamma^2)."""
    table = np.array(branches)
    total = table.sum(axis=0)
    if (total < 1e-6).any():
        return
    own = np.sqrt(total * (total.sum() - total))
    gammas = np.array([advantage([table.sum(axis=1) - table[:, c], table[:, c]]) for c in range(3)])
    after = float(cost(table, "km").sum())
    by_class = float((own * np.sqrt(np.maximum(1 - 4 * gammas**2, 0))).sum())
    mean_square = float((own * gammas**2).sum() / own.sum())
    assert after <= by_class + 1e-9
    assert by_class <= own.sum() * math.sqrt(max(1 - 4 * mean_square, 0)) + 1e-9
    assert by_class <= own.sum() * math.sqrt(max(1 - 4 * gammas.min() ** 2, 0)) + 1e-9


@given(
    st.integers(2, 4).flatmap(
        lambda classes: st.lists(
            st.lists(st.integers(0, 999), min_size=classes, max_size=classes),
            min_size=2,
            max_size=4,
        )
    )
)
def test_one_advantage_promises_less_of_gini_and_entropy_than_of_km(branches):
    """The relative gains of docs/theory/multi-class-km.md, for branches in rows."""
    table = np.array(branches, dtype=float)
    total, classes = table.sum(axis=0), table.shape[1]
    if (total == 0).any():
        return
    p = total / total.sum()
    rest = table.sum(axis=1, keepdims=True) - table
    gamma = min(advantage([rest[:, c], table[:, c]]) for c in range(classes))
    least = {
        "km": 1 - math.sqrt(max(1 - 4 * gamma**2, 0)),
        "gini": 8 * gamma**2 * 2 * (1 - float((p**2).sum())) / classes,
        "entropy": 8 * gamma**2 / math.log(2) * float((p * (1 - p)).max())
        / -float((p * np.log2(p)).sum()),
    }  # fmt: skip
    for criterion, gain in least.items():
        before = float(cost(total, criterion))
        assert before - float(cost(table, criterion).sum()) >= gain * before - 1e-9 * before


@pytest.mark.parametrize("light", [1e-2, 1e-4, 1e-6])
def test_with_four_classes_a_good_weak_hypothesis_may_gain_next_to_nothing(light):
    """Two light classes are told apart, two heavy ones not: balanced error 1/2, chance 3/4."""
    heavy = 0.5 - light
    table = np.array([[light, 0, heavy / 2, heavy / 2], [0, light, heavy / 2, heavy / 2]])
    balanced = table / table.sum(axis=0) / 4
    assert 1 - balanced.max(axis=1).sum() == pytest.approx(0.5)
    for criterion in ("km", "gini", "entropy"):
        before = float(cost(table.sum(axis=0), criterion))
        assert before - float(cost(table, criterion).sum()) <= 2 * before * math.sqrt(light)
