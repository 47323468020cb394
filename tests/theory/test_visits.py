"""MM02's trees of visits and weights, and H04's Propositions 6 to 8 with sum_max."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood.theory import e_gamma, grow_visit_tree, play_weight_game, size_bound, sum_max

GAMMAS = st.floats(0.01, 0.95)
HALVES = (0.5, 0.5)


def sometimes(weight, visits, random):
    """Grows at any number of visits, with any shares that leave something or nothing out."""
    if random.rand() < 0.5:
        return None
    shares = random.gamma(0.5, size=visits) + 1e-12
    return (shares / shares.sum() * random.choice([1.0, random.rand()])).tolist()


@given(st.integers(1, 60), GAMMAS, st.integers(0, 2**31))
def test_a_visit_tree_keeps_its_invariant_however_it_grows(size, gamma, seed):
    tree = grow_visit_tree(size, gamma, sometimes, seed)
    assert tree.size == size
    assert tree.potential <= e_gamma(size, gamma) * (1 + 1e-9)
    assert e_gamma(size, gamma) <= tree.bound * (1 + 1e-12)


@given(st.integers(1, 60), GAMMAS)
def test_without_growth_the_root_is_visited_and_with_halves_it_is_the_game(size, gamma):
    alone = grow_visit_tree(size, gamma, lambda *_: None)
    assert alone.potential == pytest.approx(e_gamma(size, gamma))
    assert grow_visit_tree(size, gamma).potential == pytest.approx(size_bound(size, gamma))


def test_shares_that_are_too_many_or_too_large_get_a_sentence():
    with pytest.raises(ValueError, match="grow must give 2 shares"):
        grow_visit_tree(4, 0.1, lambda *_: [0.5])
    with pytest.raises(ValueError, match="grow must give 2 shares"):
        grow_visit_tree(4, 0.1, lambda *_: [0.9, 0.9])


def division(random, k):
    shares = random.gamma(0.6, size=k) + 1e-12
    return shares / shares.sum()


@given(st.integers(0, 2**31), st.floats(0.01, 0.3), st.integers(0, 12))
def test_proposition_6_no_other_player_ends_lower_against_halves(seed, gamma, later):
    random = np.random.RandomState(seed)
    first = [division(random, random.randint(2, 5)) for _ in range(random.randint(0, 3))]
    given_first = iter(first)

    def adversary(_weight, _most, _random):
        return next(given_first, HALVES)

    steps = len(first)

    def player(tree, random):
        adversary.moves = getattr(adversary, "moves", 0) + 1
        return int(tree.argmax()) if adversary.moves <= steps else random.randint(len(tree))

    leaves = 1 + sum(len(each) - 1 for each in first) + later
    if any(
        len(each) * (1 + sum(len(e) - 1 for e in first[:i])) > leaves and len(each) > 2
        for i, each in enumerate(first)
    ):
        return  # the game itself would not allow it
    game = play_weight_game(leaves, gamma, player=player, adversary=adversary, random_state=seed)
    assert sum_max(1.0, [*first, *[HALVES] * later], gamma) <= game.value * (1 + 1e-12)


@given(st.integers(0, 2**31), st.integers(2, 9), st.floats(0.01, 0.25), st.integers(0, 30))
def test_propositions_7_and_8_equal_shares_and_binary_trees_are_heavier(seed, k, gamma, later):
    random, halves = np.random.RandomState(seed), [HALVES] * later
    any_shares = sum_max(1.0, [division(random, k), *halves], gamma)
    equal = sum_max(1.0, [np.full(k, 1 / k), *halves], gamma)
    binary = sum_max(1.0, [HALVES] * (later + k - 1), gamma)
    assert any_shares <= equal * (1 + 1e-12)
    assert equal <= binary * (1 + 1e-12)
    assert binary == pytest.approx(size_bound(later + k, gamma))


def test_wrong_divisions_get_a_sentence():
    with pytest.raises(ValueError, match="at least two shares that sum to 1"):
        sum_max(1.0, [[0.5, 0.6]], 0.1)
