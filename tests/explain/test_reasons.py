"""`reasons`: the columns that speak most for an answer, by Shapley values, in a stable order."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.explain.reasons import ranked
from tests.explain.all_changes import as_row, customers

KINDS = [
    (TreeClassifier, 2),
    (TreeClassifier, 3),
    (BoostedTreesClassifier, 2),
    (BoostedTreesClassifier, 3),
]


def towards(model, frame, label):
    """[columns] Shapley values of the only row towards a class."""
    values = model.shap_values(frame)[0]
    place = model.classes_.tolist().index(label)
    if values.ndim == 2:
        return values[:, place]
    return values if place else -values


@pytest.mark.parametrize(("kind", "classes"), KINDS)
def test_reasons_are_the_largest_shapley_values(kind, classes):
    X, y = customers(100, classes, classes)
    model = kind().fit(X, y)
    names = list(X.columns)
    for number in range(8):
        frame = X.iloc[number : number + 1]
        for label in (None, *model.classes_.tolist()):
            said = model.predict(frame)[0] if label is None else label
            amounts = towards(model, frame, said)
            found = model.reasons(as_row(X, number), k=3, to=label)
            assert len(found) <= 3
            for each in found:
                assert each.label == said
                assert each.amount == pytest.approx(amounts[names.index(each.column)], rel=1e-9)
                assert each.amount > 0
            listed = [each.amount for each in found]
            assert listed == sorted(listed, reverse=True)
            left = [a for n, a in zip(names, amounts, strict=True)
                    if n not in {each.column for each in found}]  # fmt: skip
            if len(found) == 3:
                assert max(left) <= listed[-1] + 1e-9
            else:
                assert max(left) <= 1e-9


def test_equal_columns_stand_in_their_order():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, 200), rng.integers(0, 2, 200)
    y = a + b > 1
    for names in (["left", "right"], ["right", "left"]):
        X = pd.DataFrame({names[0]: a, names[1]: b})
        both = X[(a == 1) & (b == 1)].iloc[:1]
        model = TreeClassifier(min_samples_leaf=1, pruning=None, leaf_prior=0).fit(X, y)
        amounts = towards(model, both, True)
        found = model.reasons(both)
        expected = [names[j] for j in ranked(amounts.tolist())]
        assert [each.column for each in found] == expected


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0]), max_size=8))
def test_rounding_does_not_change_the_order(amounts):
    noise = np.random.default_rng(len(amounts)).normal(size=len(amounts)) * 1e-14
    moved = (np.array(amounts) + noise * (np.array(amounts) != 0)).tolist()
    places = ranked(amounts)
    assert places == sorted((j for j, a in enumerate(amounts) if a > 0), key=lambda j: -amounts[j])
    assert ranked(moved) == places


def test_words():
    X = pd.DataFrame({"age": [20.0, 30.0, 40.0, 50.0] * 5, "city": ["Oslo", "Rome"] * 10})
    model = TreeClassifier(pruning=None, leaf_prior=0).fit(X, ["no", "no", "yes", "yes"] * 5)
    (reason,) = model.reasons({"age": 30.0, "city": None})
    assert str(reason) == "age = 30 raises the probability of no by 0.5"


@pytest.mark.parametrize("k", [0, -1, 1.5, "two", None])
def test_k_is_a_positive_whole_number(k):
    X, y = customers(40, 0)
    model = TreeClassifier().fit(X, y)
    with pytest.raises((ValueError, TypeError), match="k must be"):
        model.reasons(as_row(X, 0), k=k)


def test_the_class_is_one_of_the_model():
    X, y = customers(40, 0)
    model = TreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="no class of the model"):
        model.reasons(as_row(X, 0), to="maybe")
