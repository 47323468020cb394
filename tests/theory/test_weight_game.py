"""Hatano's game: equal halves are the adversary's best, and nothing beats phi_gamma(s)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwood.theory import play_weight_game, size_bound
from tests.effort import trials


@given(st.integers(1, 130), st.floats(1e-6, 1.0))
def test_equal_halves_against_the_heaviest_leaf_reach_the_bound(leaves, gamma):
    game = play_weight_game(leaves, gamma)
    assert game.value == pytest.approx(size_bound(leaves, gamma), rel=1e-12)
    assert game.branches == [2] * (leaves - 1)
    assert len(game.leaf_weights) == leaves


@settings(max_examples=trials(120))
@given(
    st.integers(1, 200),
    st.floats(1e-4, 1.0),
    st.just(0.0) | st.floats(1e-250, 1.0),  # products below 1e-308 are not close to anything
    st.sampled_from(["random", "widest", "lopsided", "mixed"]),
    st.integers(0, 2**31),
)
def test_no_adversary_beats_the_bound(leaves, gamma, weight, adversary, seed):
    game = play_weight_game(
        leaves,
        gamma,
        weight=weight,
        adversary=mixed if adversary == "mixed" else adversary,
        random_state=seed,
    )
    assert game.value <= game.bound * (1 + 1e-12)
    assert game.bound == weight * size_bound(leaves, gamma)
    assert 1 + sum(k - 1 for k in game.branches) == leaves == len(game.leaf_weights)
    assert np.all(np.diff([weight, *game.potential]) <= 1e-15)


def mixed(weight, most, random):
    """Mostly the best strategy, with deviations."""
    if random.rand() < 0.7:
        return [0.5, 0.5]
    k = random.randint(2, most + 1)
    shares = np.ones(k) + 0.3 * random.rand(k)
    return shares / shares.sum()


@given(st.integers(4, 100), st.floats(0.01, 0.5))
def test_other_players_never_do_better_against_equal_halves(leaves, gamma):
    for player in ("lightest", "oldest", "random"):
        game = play_weight_game(leaves, gamma, player=player, random_state=leaves)
        assert game.value >= game.bound * (1 - 1e-12)


def test_wide_splits_are_limited_by_the_budget_and_by_what_a_split_can_gain():
    assert play_weight_game(64, 0.1, adversary="widest").branches[0] == 64
    assert play_weight_game(64, 0.3, adversary="widest").branches[0] == 8
    game = play_weight_game(100, 0.05, adversary="random", random_state=3)
    present = 1
    for k in game.branches:
        assert k == 2 or k * present <= 100
        present += k - 1


def test_the_same_seed_is_the_same_game():
    one, two = (play_weight_game(50, 0.1, adversary="random", random_state=7) for _ in range(2))
    assert one.value == two.value
    assert one.branches == two.branches


def test_wrong_arguments_and_moves_get_sentences():
    with pytest.raises(ValueError, match='player must be one of "heaviest", "lightest"'):
        play_weight_game(4, 0.1, player="best")
    with pytest.raises(ValueError, match='adversary must be one of "equal", "widest"'):
        play_weight_game(4, 0.1, adversary=3)
    with pytest.raises(ValueError, match="leaves must be a whole number"):
        play_weight_game(0, 0.1)
    with pytest.raises(ValueError, match="The player picked leaf 5"):
        play_weight_game(4, 0.1, player=lambda *_: 5)
    with pytest.raises(ValueError, match="allowed are 2 to 4 branches"):
        play_weight_game(4, 0.1, adversary=lambda *_: [1.0])
    with pytest.raises(ValueError, match="must be 0 or more and sum to 1"):
        play_weight_game(4, 0.1, adversary=lambda *_: [0.5, 0.6])
