"""What boosting does where the caller leaves it open: docs/theory/rules.md, "Defaults by size"."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier, certify
from hardwood.estimators.boosting_plan import size_defaults
from tests.tables.matrices import noisy


@pytest.mark.parametrize(
    ("examples", "columns", "expected"),
    [
        (5000, 50, (0.15, 2.0, 0.2, 0.15)),
        (5000, 10, (0.15, 2.0, 0.5, 0.15)),
        (5000, 3, (0.15, 2.0, 1.0, 0.15)),
        (5001, 50, (0.25, 0.5, 0.5, 1.0)),
        (50_000, 50, (0.25, 0.5, 0.5, 1.0)),
        (50_000, 8, (0.25, 0.5, 0.625, 1.0)),
        (50_001, 50, (0.25, 0.5, 1.0, 1.0)),
    ],
)
def test_logistic_boosting_chooses_by_the_number_of_examples(examples, columns, expected):
    assert size_defaults("logistic", examples, columns) == expected


@pytest.mark.parametrize(("times", "share"), [(1, 0.5), (100, 0.5), (101, 0.5), (1100, 1.0)])
def test_whole_weights_count_as_examples(times, share):
    X, y = noisy(2)
    X, y = np.hstack([X, X[::-1], X[::2].repeat(2, axis=0)])[:50, :10], y[:50]
    weights = np.full(50, float(times))
    named = {"learning_rate": 0.15, "leaf_prior": 2.0, "cut_fraction": 0.15}
    if 50 * times > 5000:
        named = {"learning_rate": 0.25, "leaf_prior": 0.5, "cut_fraction": 1.0}
    few = {"n_estimators": 5}
    default = BoostedTreesClassifier(**few).fit(X, y, weights)
    given = BoostedTreesClassifier(**few, **named, feature_fraction=share).fit(X, y, weights)
    other = BoostedTreesClassifier(**few, **named, feature_fraction=1.5 - share).fit(X, y, weights)
    assert default.digest() == given.digest() != other.digest()
    assert certify.check(default, X, y, weights)


@pytest.mark.parametrize(
    ("variant", "depth"), [("logistic", 8), ("real", 4), ("discrete", 4), ("gentle", 4)]
)
def test_the_depth_goes_by_the_variant(variant, depth):
    X, y = noisy(2, rows=1500)
    few = {"variant": variant, "n_estimators": 2}
    default = BoostedTreesClassifier(**few).fit(X, y)
    assert max(tree.max_depth for tree in default.trees_) == depth
    assert BoostedTreesClassifier(**few, max_depth=depth).fit(X, y).digest() == default.digest()
    assert certify.check(default, X, y)


def test_a_word_for_the_depth_that_is_none_is_refused():
    with pytest.raises(ValueError, match=r"max_depth must be .* or 'auto'; given was 'deep'"):
        BoostedTreesClassifier(max_depth="deep").fit(*noisy(2))


@pytest.mark.parametrize("prior", [1e17, 1e100])
@pytest.mark.parametrize("variant", ["logistic", "real", "gentle"])
def test_a_prior_beyond_all_weights_leaves_even_odds(variant, prior):
    X, y = noisy(2, rows=60)
    model = BoostedTreesClassifier(variant=variant, leaf_prior=prior, n_estimators=3).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), 0.5, rtol=1e-12)
    assert certify.check(model, X, y)


@pytest.mark.parametrize("model", [TreeClassifier(), BoostedTreesClassifier(n_estimators=20)])
@pytest.mark.parametrize("what", ["a class of one row", "all categories rare"])
def test_thin_tables_have_probabilities_that_are_never_0(model, what):
    X, y = noisy(2, rows=60)
    table = pd.DataFrame(X, columns=list("abcde"))
    if what == "a class of one row":
        y = np.where(np.arange(60) == 7, 2, y)
    else:
        table["a"] = pd.Categorical([f"category {row}" for row in range(60)])
    given = model.fit(table, y).predict_proba(table)
    assert given.min() > 0
    np.testing.assert_allclose(given.sum(axis=1), 1, rtol=1e-12)
