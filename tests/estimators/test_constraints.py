"""`monotonic_cst` and `interaction_cst` as users write them: forms, refusals, saved models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import hardwood
from hardwood import BoostedTreesClassifier, TreeClassifier

RNG = np.random.default_rng(11)
X = pd.DataFrame(
    {
        "income": RNG.normal(size=300),
        "debt": RNG.normal(size=300).round(1),
        "city": RNG.choice(["Oslo", "Rome", "Lille"], 300),
        "size": pd.Categorical(
            RNG.choice(["s", "m", "l"], 300), categories=["s", "m", "l"], ordered=True
        ),
    }
)
Y = np.where(X["income"] - X["debt"] + RNG.normal(size=300) > 0, "paid", "default")
THREE = np.where(RNG.random(300) < 0.2, "late", Y)
BOTH = pytest.mark.parametrize(
    "estimator", [TreeClassifier(pruning=None), BoostedTreesClassifier(n_estimators=4, max_depth=3)]
)


@BOTH
def test_all_forms_of_the_same_signs_give_the_same_model(estimator):
    forms: list[Any] = [
        [1, -1, 0, 1],
        np.array([1, -1, 0, 1]),
        {"income": 1, "debt": -1, "size": 1},
        {0: 1, 1: -1, 3: 1},
        {"income": {"paid": 1}, "debt": {"default": 1}, "size": {"default": -1, "paid": 1}},
    ]
    digests = {estimator.set_params(monotonic_cst=form).fit(X, Y).digest() for form in forms}
    assert len(digests) == 1
    assert digests != {estimator.set_params(monotonic_cst=None).fit(X, Y).digest()}
    estimator.set_params(monotonic_cst=[0, 0, 0, 0])
    free = estimator.fit(X, Y).digest()
    assert free == estimator.set_params(monotonic_cst=None).fit(X, Y).digest()


@BOTH
def test_all_forms_of_the_same_groups_give_the_same_model(estimator):
    estimator.set_params(monotonic_cst=None)
    forms: list[Any] = [
        [["income", "debt"]],
        [{0, 1}, {2, 3}],
        ((1, 0),),
        [["debt", 0], ["size", 2]],
    ]
    digests = {estimator.set_params(interaction_cst=form).fit(X, Y).digest() for form in forms}
    assert len(digests) == 1
    estimator.set_params(interaction_cst=None)


def test_trees_without_interactions_use_one_column_on_a_path():
    model = BoostedTreesClassifier(n_estimators=8, interaction_cst="no_interactions").fit(X, Y)
    for tree in model.trees_:
        assert len(set(tree.feature[tree.feature >= 0].tolist())) <= 1
    pairs = BoostedTreesClassifier(n_estimators=8, interaction_cst="pairwise").fit(X, Y)
    assert any(len(set(tree.feature[tree.feature >= 0].tolist())) > 1 for tree in pairs.trees_)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "unknown column": ({"monotonic_cst": {"age": 1}}, "'age', which is no column"),
    "unknown place": ({"monotonic_cst": {7: 1}}, "7 for a column"),
    "wrong length": ({"monotonic_cst": [1, 0]}, "2 entries, but X has 4 columns"),
    "wrong sign": ({"monotonic_cst": [2, 0, 0, 0]}, "2 for a sign"),
    "a flag for a sign": ({"monotonic_cst": {"income": True}}, "True for a sign"),
    "text": ({"monotonic_cst": "up"}, "given was 'up'"),
    "unordered categories": ({"monotonic_cst": {"city": 1}}, "'city', whose categories"),
    "unknown class": ({"monotonic_cst": {"income": {"bad": 1}}}, "the class 'bad'"),
    "both classes up": (
        {"monotonic_cst": {"income": {"paid": 1, "default": 1}}},
        "both classes to move the same way",
    ),
    "a column twice": ({"monotonic_cst": {"income": 1, 0: 1}}, "names a column twice"),
    "groups as text": ({"interaction_cst": "triples"}, "given was 'triples'"),
    "one group that is no list": ({"interaction_cst": ["income", "debt"]}, "sequence of sets"),
    "unknown column in a group": ({"interaction_cst": [["age"]]}, "'age', which is no column"),
    "groups as a number": ({"interaction_cst": 3}, "given was 3"),
    "unknown column below": ({"interaction_cst": {"age": ["debt"]}}, "'age', which is no column"),
    "unknown column above": ({"interaction_cst": {"debt": "age"}}, "'age', which is no column"),
    "below itself": ({"interaction_cst": {"debt": ["debt"]}}, "'debt' stand only below itself"),
    "in a circle": (
        {"interaction_cst": {"debt": ["income"], "income": "city", "city": ["debt"]}},
        "could never be used",
    ),
    "in no set together": (
        {"interaction_cst": [["income", "city"], {"debt": ["income"]}]},
        "no set of columns has them all",
    ),
}


@BOTH
@pytest.mark.parametrize(("given", "sentence"), REFUSED.values(), ids=REFUSED.keys())
def test_wrong_constraints_get_a_sentence(estimator, given, sentence):
    model = estimator.__class__(**given)
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, Y)
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize(
    ("model", "y", "sentence"),
    [
        (
            TreeClassifier(monotonic_cst={"income": 1}, branching="multiway", max_leaf_nodes=9),
            Y,
            "multiway",
        ),
        (TreeClassifier(monotonic_cst={"income": 1}, missing="fractional"), Y, "fractional"),
        (TreeClassifier(monotonic_cst={"income": 1}), THREE, "say for which class"),
        (
            TreeClassifier(monotonic_cst={"income": {"late": 1, "paid": 1, "default": 1}}),
            THREE,
            "all classes to move the same way",
        ),
        (
            BoostedTreesClassifier(variant="discrete", monotonic_cst={"income": {"late": 1}}),
            THREE,
            "samme",
        ),
    ],
)
def test_combinations_that_cannot_keep_the_promise_are_refused(model, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, y)


def test_a_column_without_a_name_is_suggested_by_its_place():
    bare = np.arange(30.0).reshape(15, 2)
    with pytest.raises(ValueError, match=r"for example \{0: \{2: 1\}\}"):
        TreeClassifier(monotonic_cst=[1, 0]).fit(bare, np.arange(15) % 3)


def test_names_need_a_table_with_names():
    with pytest.raises(ValueError, match="X has no column names"):
        TreeClassifier(monotonic_cst={"income": 1}).fit(X[["income", "debt"]].to_numpy(), Y)


def test_warm_start_does_not_go_on_from_trees_that_break_the_constraint():
    model = BoostedTreesClassifier(n_estimators=3, warm_start=True).fit(X, Y)
    model.set_params(n_estimators=5, monotonic_cst={"income": -1})
    with pytest.raises(ValueError, match="do not keep monotonic_cst"):
        model.fit(X, Y)
    model.set_params(monotonic_cst=None, interaction_cst="no_interactions")
    with pytest.raises(ValueError, match="interaction_cst"):
        model.fit(X, Y)
    again = BoostedTreesClassifier(n_estimators=3, warm_start=True, monotonic_cst={"income": 1})
    again.fit(X, Y).set_params(n_estimators=6).fit(X, Y)
    whole = BoostedTreesClassifier(n_estimators=6, monotonic_cst={"income": 1}).fit(X, Y)
    assert again.digest() == whole.digest()


def test_a_model_file_keeps_the_constraints(tmp_path):
    given = {
        "monotonic_cst": {"income": {"paid": 1}, 1: -1},
        "interaction_cst": [{"income", "debt"}, frozenset({2}), {"debt": ["income"]}],
    }
    model = BoostedTreesClassifier(n_estimators=3, **given).fit(X, Y)
    hardwood.save(model, tmp_path / "model")
    loaded = hardwood.load(tmp_path / "model")
    assert loaded.digest() == model.digest()
    assert loaded.get_params()["monotonic_cst"] == given["monotonic_cst"]
    assert loaded.get_params()["interaction_cst"] == given["interaction_cst"]


@BOTH
def test_columns_stand_below_the_ones_they_need(estimator):
    forms: list[Any] = [
        {"income": ["debt"], "size": "debt"},
        [{0: [1]}, {3: {1}}],
        [{0: 1}, {"size": ["debt"]}],
        [{0, 1, 2, 3}, {"income": "debt", "size": ("debt",)}],
    ]
    digests = set()
    for form in forms:
        model = estimator.set_params(interaction_cst=form).fit(X, Y)
        digests.add(model.digest())
        for tree in getattr(model, "trees_", None) or [model.tree_]:
            assert_below(tree, {0: 1, 3: 1})
    assert len(digests) == 1
    estimator.set_params(interaction_cst=None)


def assert_below(tree, needs) -> None:
    above: list[set[int]] = [set()]
    for node in range(1, tree.n_nodes):
        parent = int(tree.parent[node])
        above.append(above[parent] | {int(tree.feature[parent])})
    for node in range(tree.n_nodes):
        needed = needs.get(int(tree.feature[node]))
        assert needed is None or needed in above[node]


@pytest.mark.parametrize(
    "given", [{"branching": "multiway", "max_leaf_nodes": 32}, {"missing": "fractional"}, {}]
)
def test_pruned_trees_of_every_kind_keep_columns_below_others(given):
    """Subtrees are not raised: the split that a column needs would be gone."""
    rng = np.random.default_rng(3)
    columns = rng.integers(0, 6, (600, 3)).astype(float)
    columns[rng.random((600, 3)) < 0.05] = np.nan
    y = (np.nan_to_num(columns).sum(axis=1) + rng.normal(size=600) * 2 > 8).astype(int)
    model = TreeClassifier(interaction_cst={0: 2, 1: 2}, pruning="error-based", **given)
    assert model.fit(columns, y).tree_.n_leaves > 2
    assert_below(model.tree_, {0: 2, 1: 2})


def test_warm_start_does_not_go_on_from_trees_with_a_column_too_high():
    model = BoostedTreesClassifier(n_estimators=3, warm_start=True).fit(X, Y)
    model.set_params(n_estimators=5, interaction_cst={"income": "city", "debt": "city"})
    with pytest.raises(ValueError, match="interaction_cst"):
        model.fit(X, Y)


def test_one_class_needs_no_order():
    model = TreeClassifier(monotonic_cst=[1, 0, 0, 0]).fit(X, ["same"] * 300)
    assert model.tree_.n_leaves == 1
