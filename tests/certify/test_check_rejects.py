"""The checker finds every change to a fitted model, wherever it is made.

Each array of each tree, history and certificate is changed in turn, one entry at a time. Changes
that nobody could observe are listed in `unobservable`, with the reason.
"""

from __future__ import annotations

import copy
import dataclasses

import numpy as np
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.certify import check
from tests.certify.labelled import labelled

ENTRIES = 3
"""Entries of each array that are changed, drawn at random."""


def changed_entries(array, rng):
    """Copies of an array, each with one entry changed, and where; up and down in turn, and an entry
    that is alone in both directions."""
    flat = np.asarray(array).ravel()
    for turn, i in enumerate(rng.choice(len(flat), min(ENTRIES, len(flat)), replace=False)):
        values = changed_values(flat[i])
        for value in values if len(flat) == 1 else [values[turn % len(values)]]:
            copy_of = np.array(array)
            copy_of.ravel()[i] = value
            yield np.unravel_index(i, np.shape(array)), copy_of


def changed_values(value):
    if isinstance(value, (bool, np.bool_)):
        return [not value]
    if isinstance(value, str):
        return [value + "!"]
    if isinstance(value, np.unsignedinteger):
        return [value + 1 if value == 0 else value - 1]
    if isinstance(value, (int, np.integer)):
        return [value + 1, value - 1]
    if np.isnan(value):
        return [0.25]
    if np.isinf(value):
        return [1.0]
    step = 1e-6 * (1e-3 + abs(value))
    return [value + step, value - step]


def unobservable(tree, name, at):
    """Where a node's part of a flat array begins says nothing when the part is empty."""
    counts = {"cut_begin": tree.cut_count, "group_begin": tree.group_count}
    return name in counts and counts[name][at[0]] == 0


def changed_trees(tree, rng):
    for array in dataclasses.fields(tree):
        told = getattr(tree, array.name)
        if told is None or not np.size(told):
            continue
        for at, new in changed_entries(told, rng):
            if not unobservable(tree, array.name, at):
                yield f"{array.name}{at}", dataclasses.replace(tree, **{array.name: new})


def with_attributes(model, **changes):
    other = copy.copy(model)
    for name, value in changes.items():
        setattr(other, name, value)
    return other


def changed_histories(model, rng, skip=()):
    """`skip` are entries that the report says it cannot check."""
    for name, array in model.history_.items():
        for at, new in changed_entries(array, rng):
            if (name, int(at[0])) not in skip:
                history = model.history_ | {name: new}
                yield f"history_[{name!r}]{at}", with_attributes(model, history_=history)


def assert_all_found(changes, X, y, w=None):
    count = 0
    for what, model in changes:
        assert not check(model, X, y, w), f"the change of {what} was not found"
        count += 1
    assert count > 20


def tree_setting(name):
    X, y = labelled(7, rows=150, classes=3 if name == "three classes" else 2)
    w = np.random.RandomState(2).rand(150) if name == "weights" else None
    rules = {
        "drop": {},
        "weights": {"criterion": "gini"},
        "weight": {"leaf_choice": "weight", "criterion": "entropy"},
        "three classes": {"criterion": "km", "min_samples_leaf": 2},
        "error": {"criterion": "error"},
        "multiway": {"branching": "multiway", "max_leaf_nodes": 20},
        "fractional": {"missing": "fractional"},
    }[name]
    model = TreeClassifier(**{"max_leaf_nodes": 9, "pruning": None, **rules}).fit(X, y, w)
    return model, X, y, w


TREES = ["drop", "weights", "weight", "three classes", "error", "multiway", "fractional"]


@pytest.mark.parametrize("name", TREES)
def test_a_changed_tree_is_found(name):
    model, X, y, w = tree_setting(name)
    assert check(model, X, y, w)
    changes = (
        (what, with_attributes(model, grown_tree_=tree, tree_=tree))
        for what, tree in changed_trees(model.grown_tree_, np.random.RandomState(0))
    )
    assert_all_found(changes, X, y, w)


@pytest.mark.parametrize(
    "pruning",
    [
        {"pruning": "error-based"},
        {"pruning": "error-based", "missing": "fractional"},
        {"pruning": "cost-complexity", "ccp_alpha": 0.01, "criterion": "gini"},
        {"pruning": "reduced-error", "random_state": 2},
    ],
)
def test_a_changed_pruned_tree_is_found(pruning):
    X, y = labelled(7, rows=150)
    model = TreeClassifier(**pruning).fit(X, y)
    assert model.tree_ is not model.grown_tree_
    report = check(model, X, y)
    assert report, str(report)
    changes = (
        (what, with_attributes(model, tree_=tree))
        for what, tree in changed_trees(model.tree_, np.random.RandomState(0))
    )
    assert_all_found(changes, X, y)
    for attribute in ("pruned_leaves", "pruned_error"):
        for value in changed_values(getattr(model.certificate_, attribute)):
            told = dataclasses.replace(model.certificate_, **{attribute: value})
            assert not check(with_attributes(model, certificate_=told), X, y)


@pytest.mark.parametrize("name", TREES)
def test_a_changed_history_is_found(name):
    model, X, y, w = tree_setting(name)
    skip = {("exact", i) for i in range(20)} if name in ("multiway", "fractional") else ()
    assert_all_found(changed_histories(model, np.random.RandomState(1), skip), X, y, w)
    for array in model.history_:
        shorter = model.history_ | {array: model.history_[array][:-1]}
        assert not check(with_attributes(model, history_=shorter), X, y, w)
        without = {key: value for key, value in model.history_.items() if key != array}
        assert not check(with_attributes(model, history_=without), X, y, w)


@pytest.mark.parametrize("name", TREES)
def test_a_changed_certificate_is_found(name):
    model, X, y, w = tree_setting(name)
    told = model.certificate_
    changed = [dataclasses.replace(told, criterion="gini" if name != "weights" else "km")]
    for attribute in ("gamma", "bound", "potential", "error", "leaves", "root_potential"):
        for value in changed_values(getattr(told, attribute)):
            changed.append(dataclasses.replace(told, **{attribute: value}))
    for claim in told.claims:
        rest = [each for each in told.claims if each is not claim]
        lists = [rest, [*rest, claim, claim], [*rest, dataclasses.replace(claim, name="hope")]]
        for attribute in ("gamma", "bound"):
            for value in changed_values(getattr(claim, attribute)):
                lists.append([*rest, dataclasses.replace(claim, **{attribute: value})])
        for claims in lists:
            other = dataclasses.replace(told)
            other.__dict__["claims"] = tuple(claims)
            changed.append(other)
    assert name != "weight" or len(told.claims) >= 2
    for certificate in changed:
        assert not check(with_attributes(model, certificate_=certificate), X, y, w), certificate


def test_a_claim_that_was_not_earned_is_found():
    model, X, y, w = tree_setting("drop")
    earned = tree_setting("weight")[0].certificate_.claims
    assert not model.certificate_.claims
    other = dataclasses.replace(model.certificate_)
    other.__dict__["claims"] = earned
    report = check(with_attributes(model, certificate_=other), X, y, w)
    assert any("the conditions of the claim" in each for each in report.differences)


BOOSTED = {
    "real": {"learning_rate": 1.0},
    "real slow": {"learning_rate": 0.3, "min_samples_leaf": 3},
    "discrete": {"variant": "discrete", "learning_rate": 1.0},
    "discrete slow": {"variant": "discrete", "criterion": "gini", "learning_rate": 0.3},
    "gentle": {"variant": "gentle", "feature_fraction": 0.6, "random_state": 3},
    "trimmed": {"weight_fraction": 0.8, "learning_rate": 1.0},
    "ovr": {"multiclass": "ovr", "learning_rate": 1.0},
    "samme": {"variant": "discrete"},
}


def boosted_setting(name):
    classes = 3 if name in ("ovr", "samme") else 2
    X, y = labelled(8, rows=150, classes=classes)
    w = np.random.RandomState(2).randint(0, 3, 150) if name == "real slow" else None
    model = BoostedTreesClassifier(n_estimators=3, max_depth=2, **BOOSTED[name])
    return model.fit(X, y, w), X, y, w


def changed_boosted_trees(model, rng):
    for r in rng.choice(len(model.trees_), 1):
        ovr = isinstance(model.trees_[r], list)
        place = int(rng.randint(len(model.trees_[r]))) if ovr else 0
        tree = model.trees_[r][place] if ovr else model.trees_[r]
        for what, new in changed_trees(tree, rng):
            trees = list(model.trees_)
            trees[r] = [*trees[r][:place], new, *trees[r][place + 1 :]] if ovr else new
            yield f"round {r}: {what}", with_attributes(model, trees_=trees)


@pytest.mark.parametrize("name", BOOSTED)
def test_a_changed_boosted_tree_is_found(name):
    model, X, y, w = boosted_setting(name)
    report = check(model, X, y, w)
    assert report, str(report)
    assert_all_found(changed_boosted_trees(model, np.random.RandomState(3)), X, y, w)


@pytest.mark.parametrize("name", BOOSTED)
def test_a_changed_round_or_tree_weight_is_found(name):
    model, X, y, w = boosted_setting(name)
    rng = np.random.RandomState(4)
    assert_all_found(changed_histories(model, rng), X, y, w)
    for at, new in changed_entries(model.tree_weights_, rng):
        assert not check(with_attributes(model, tree_weights_=new), X, y, w), at
    for changes in (
        {"n_estimators_": 2},
        {"assessments_": model.assessments_ + 1},
        {"trees_": model.trees_[:-1]},
        {"trees_": model.trees_[::-1]},
        {"trees_": model.trees_[:-1], "tree_weights_": model.tree_weights_[:-1]},
        {"learning_rate": 0.5},
        {"classes_": model.classes_[::-1]},
        {"max_depth": 1},
        {"min_samples_leaf": 60},
    ):
        assert not check(with_attributes(model, **changes), X, y, w), changes


def test_a_changed_round_is_found_after_training_ended():
    """Of a tree that was dropped neither error nor work can be derived; all else is."""
    X = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]])
    y = np.array([0, 1, 1, 1, 0])
    model = BoostedTreesClassifier(variant="discrete", learning_rate=1.0).fit(X, y)
    last = len(model.history_["error"]) - 1
    assert model.history_["stopped"][last] == "no better than chance"
    rng = np.random.RandomState(5)
    skip = {("exhaustive_assessments", last)}
    assert_all_found(changed_histories(model, rng, skip), X, y)


def test_other_rows_labels_and_weights_are_found():
    for model, X, y, w in (tree_setting("drop"), boosted_setting("real")):
        rng = np.random.RandomState(6)
        assert check(model, X, y, w)
        assert not check(model, X.iloc[:-1], y[:-1])
        assert not check(model, X, np.where(np.arange(len(y)) == 3, 1 - y, y))
        assert not check(model, X, y, rng.rand(len(y)))
        assert not check(with_attributes(model, class_weight={0: 2.0}), X, y)
        order = rng.permutation(len(y))
        assert check(model, X.iloc[order], y[order])


@pytest.mark.parametrize(
    "rule",
    [
        {"max_leaf_nodes": 8},
        {"max_depth": 2},
        {"min_samples_leaf": 40},
        {"min_weight_fraction_leaf": 0.3},
        {"min_drop": 0.1},
        {"leaf_choice": "weight"},
        {"criterion": "gini"},
    ],
)
def test_rules_that_the_tree_breaks_are_found(rule):
    model, X, y, w = tree_setting("drop")
    assert not check(with_attributes(model, **rule), X, y, w)


def test_a_split_that_is_not_the_best_is_found_when_thorough():
    """A tree that never saw the best column, presented as one that did."""
    X, y = labelled(9, rows=150)
    hidden = X.assign(many=0.0)
    for model in (
        TreeClassifier(max_leaf_nodes=4, pruning=None),
        BoostedTreesClassifier(n_estimators=2),
        BoostedTreesClassifier(n_estimators=2, variant="discrete", learning_rate=1.0),
    ):
        model.fit(hidden, y)
        assert check(model, hidden, y, thorough=True)
        assert check(model, X, y)
        report = check(model, X, y, thorough=True)
        assert any("offers" in each for each in report.differences)


def test_a_leaf_that_could_be_split_is_found_when_thorough():
    _, X, y, w = tree_setting("drop")
    short = TreeClassifier(max_leaf_nodes=4, pruning=None).fit(X, y)
    report = check(with_attributes(short, max_leaf_nodes=9), X, y, w, thorough=True)
    assert any("could be split" in each for each in report.differences)


def test_the_model_is_only_read():
    for model, X, y, w in (tree_setting("weights"), boosted_setting("discrete")):
        before = model.digest()
        weights = np.array(getattr(model, "tree_weights_", []))
        history = {name: array.copy() for name, array in model.history_.items()}
        check(model, X, y, w, thorough=True)
        check(model, X, 1 - y, w)
        assert model.digest() == before
        assert np.array_equal(weights, getattr(model, "tree_weights_", []))
        for name, array in model.history_.items():
            np.testing.assert_array_equal(array, history[name])
