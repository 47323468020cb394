"""What is drawn, for each kind of random_state (docs/promises.md, docs/theory/rules.md#draws)."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification

from hardwood import BoostedTreesClassifier, TreeClassifier

X, y = make_classification(400, 8, n_informative=4, flip_y=0.2, random_state=0)
BOOSTED = {"n_estimators": 12, "max_depth": 2}
DRAWING = {
    "held-out rows of pruning": TreeClassifier(pruning="reduced-error"),
    "folds": TreeClassifier(pruning="cost-complexity", ccp_alpha="cv"),
    "columns": BoostedTreesClassifier(feature_fraction=0.3, **BOOSTED),
    "cuts": BoostedTreesClassifier(cut_fraction=0.3, **BOOSTED),
    "held-out rows of early stopping": BoostedTreesClassifier(early_stopping=True, **BOOSTED),
}
NOT_DRAWING = {
    "tree": TreeClassifier(),
    "alpha that is given": TreeClassifier(pruning="cost-complexity", ccp_alpha=0.01),
    "boosted": BoostedTreesClassifier(feature_fraction=1.0, cut_fraction=1.0, **BOOSTED),
}
drawing = pytest.mark.parametrize("model", DRAWING.values(), ids=DRAWING.keys())


def digest(model, random_state):
    return clone(model).set_params(random_state=random_state).fit(X, y).digest()


@drawing
def test_an_integer_gives_the_same_model_each_time_and_others_differ(model):
    assert len({digest(model, 3) for _ in range(2)}) == 1
    assert len({digest(model, seed) for seed in range(8)}) > 1


@drawing
def test_none_is_the_seed_0_at_every_fit(model):
    assert digest(model, None) == digest(model, None) == digest(model, 0)
    np.random.seed(5)  # NumPy's global state does not matter
    assert digest(model, None) == digest(model, 0)


@drawing
@pytest.mark.parametrize("kind", [np.random.RandomState, np.random.default_rng])
def test_a_generator_gives_each_fit_a_new_seed(model, kind):
    state, copy = kind(1), kind(1)
    draw = copy.randint if kind is np.random.RandomState else copy.integers
    unfitted = clone(model)
    unfitted.random_state = state  # clone and set_params would be given a copy
    told = [unfitted.fit(X, y).digest() for _ in range(3)]
    seeds = [int(draw(2**31 - 1)) for _ in range(3)]
    assert told == [digest(model, seed) for seed in seeds]


@drawing
def test_equal_states_give_equal_models(model):
    assert digest(model, np.random.RandomState(2)) == digest(model, np.random.RandomState(2))


@pytest.mark.parametrize("model", NOT_DRAWING.values(), ids=NOT_DRAWING.keys())
def test_where_nothing_is_drawn_random_state_does_not_matter(model):
    states = [None, 0, 7, np.random.RandomState(3), np.random.default_rng(3)]
    assert len({digest(model, state) for state in states}) == 1


@pytest.mark.parametrize("state", [None, 4])
def test_a_warm_start_continues_with_the_columns_of_one_fit(state):
    start = {**BOOSTED, "n_estimators": 6, "feature_fraction": 0.3, "warm_start": True}
    model = BoostedTreesClassifier(random_state=state, **start)
    model.fit(X, y).set_params(n_estimators=12).fit(X, y)
    assert model.digest() == digest(DRAWING["columns"], state)


def test_a_warm_start_with_a_generator_draws_its_new_columns_from_a_new_seed():
    model = clone(DRAWING["columns"]).set_params(n_estimators=6, warm_start=True)
    model.random_state = np.random.RandomState(1)
    model.fit(X, y).set_params(n_estimators=12)
    once = digest(DRAWING["columns"], np.random.RandomState(1))
    assert model.fit(X, y).digest() != once
