"""Numbers that no machine holds, and things that are no numbers, as parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier, certify
from hardwood.model_file import dumps, loads

pytestmark = pytest.mark.grid

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
Y = (X[:, 0] + RNG.normal(size=40) > 0).astype(int)
LARGE = [2**31, 2**63, 2**64, 10**400]
KINDS: list[tuple[type, dict[str, Any]]] = [
    (TreeClassifier, {}),
    (BoostedTreesClassifier, {"n_estimators": 2}),
    (BoostedTreesClassifier, {"n_estimators": 2, "early_stopping": True}),
]


@pytest.mark.parametrize(("kind", "given"), KINDS)
@pytest.mark.parametrize("name", ["max_depth", "max_leaf_nodes"])
def test_a_limit_beyond_every_machine_is_no_limit(kind, given, name):
    plain = kind(**given | {name: None}).fit(X, Y).digest()
    for number in LARGE:
        model = kind(**given | {name: number}).fit(X, Y)
        assert model.digest() == plain
        assert loads(dumps(model)).get_params()[name] == number


@pytest.mark.parametrize(("kind", "given"), KINDS)
@pytest.mark.parametrize("name", ["min_samples_leaf", "min_category_size"])
def test_a_size_beyond_every_table_is_that_of_no_node(kind, given, name):
    usual = kind(**given | {name: 10**6}).fit(X, Y).digest()
    assert [kind(**given | {name: n}).fit(X, Y).digest() for n in LARGE] == [usual] * 4


@pytest.mark.parametrize(
    ("kind", "given"), [*KINDS[:2], pytest.param(*KINDS[2], marks=pytest.mark.thorough)]
)
def test_any_number_of_threads_can_be_asked_for_and_saved(kind, given):
    usual = kind(**given).fit(X, Y)
    for threads in (*LARGE, 10**9, -5, -(10**400)):
        model = kind(n_jobs=threads, **given).fit(X, Y)
        assert model.digest() == usual.digest()
        again = loads(dumps(model))
        assert np.array_equal(again.predict_proba(X), usual.predict_proba(X))
    with pytest.raises(ValueError, match="n_jobs must be None or a whole number other than 0"):
        kind(n_jobs=0, **given).fit(X, Y)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    **{
        name: ({name: 10**400}, f"{name} must be .*a whole number of 1329 bits")
        for name in ("min_drop", "leaf_prior", "ccp_alpha", "confidence")
    },
    "a weight of a class": ({"class_weight": {0: 10**400}}, "class 0 the weight 1000"),
    "no weight of a class": ({"class_weight": {0: None}}, "class 0 the weight None"),
    "weights of a class": ({"class_weight": {0: [1]}}, r"class 0 the weight \[1\]"),
    "a sign alone": ({"monotonic_cst": np.array(1)}, "monotonic_cst must be"),
    "a group alone": ({"interaction_cst": np.array(1)}, "interaction_cst must be"),
    "a column alone": ({"interaction_cst": [np.array(1)]}, "interaction_cst must be"),
}


@pytest.mark.parametrize(("given", "sentence"), WRONG.values(), ids=WRONG)
def test_a_number_beyond_every_float_is_refused_with_a_sentence(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        TreeClassifier(**given).fit(X, Y)


@pytest.mark.parametrize("number", [10**400, 2**63, 1e308, 10.5, np.inf, np.nan, 0])
def test_a_rate_that_leaves_no_row_a_weight_is_refused(number):
    """Found by hand: such rates ended in a division by zero, or in a model that cannot be."""
    with pytest.raises(ValueError, match="learning_rate must be"):
        BoostedTreesClassifier(learning_rate=number, n_estimators=2).fit(X, Y)


@pytest.mark.parametrize("variant", ["logistic", "real", "discrete", "gentle"])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_largest_rate_is_learned_with(variant, classes):
    y = (X[:, 0] > 0).astype(int) if classes == 2 else RNG.integers(0, 3, 40)
    model = BoostedTreesClassifier(variant=variant, learning_rate=10.0, n_estimators=60)
    assert np.isfinite(model.fit(X, y).predict_proba(X)).all()


@pytest.mark.parametrize("prior", [0.0, 0.1])
@pytest.mark.parametrize("variant", ["gentle", "real", "logistic"])
def test_weights_that_vanish_over_many_rounds_end_in_no_error(variant, prior):
    """Found by hand: after so many rounds without a mistake gentle boosting divided by zero."""
    y = (X[:, 0] > 0).astype(int)
    model = BoostedTreesClassifier(
        variant=variant, learning_rate=2.0, n_estimators=500, max_depth=1, leaf_prior=prior
    )
    model.fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert np.array_equal(model.predict(X), y)
    assert certify.check(model, X, y)


def test_a_prior_of_four_bytes_is_a_number():
    model = BoostedTreesClassifier(n_estimators=2, leaf_prior=np.float32(0.5)).fit(X, Y)
    plain = BoostedTreesClassifier(n_estimators=2, leaf_prior=0.5).fit(X, Y)
    assert model.digest() == plain.digest()
