"""Drafts and alternatives beside monotonic_cst and interaction_cst."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hardwood
from hardwood import Draft, TreeClassifier
from hardwood.certify import check
from hardwood.draft import path_of

pytestmark = pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")

SETTINGS: list[dict[str, Any]] = [
    {"monotonic_cst": {"a": 1, "b": -1}, "leaf_prior": 0.0},
    {"monotonic_cst": {"a": 1, "size": 1}, "leaf_prior": 3.0, "criterion": "gini"},
    {"monotonic_cst": {"b": -1}, "interaction_cst": [["a", "b"], ["b", "word", "size"]]},
    {"interaction_cst": "pairwise", "criterion": "entropy"},
    {"interaction_cst": {"b": ["a"], "word": "b"}, "monotonic_cst": {"a": 1}},
    {"monotonic_cst": {"a": 1}, "pruning": "error-based"},
    {"interaction_cst": {"b": ["a"]}, "pruning": "error-based"},
    {"monotonic_cst": {"a": 1, "b": -1}, "pruning": "cost-complexity", "ccp_alpha": 0.002},
]


def table(seed: int, rows: int = 160) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=rows).round(1), "b": rng.normal(size=rows)})
    X.loc[rng.random(rows) < 0.15, "a"] = np.nan
    X["word"] = pd.Categorical(rng.choice(list("uvwx"), rows))
    X["size"] = pd.Categorical.from_codes(rng.integers(0, 3, rows), ["s", "m", "l"], ordered=True)
    score = X["a"].fillna(0.5) - X["b"] + rng.normal(size=rows) + X["word"].isin(["u", "x"])
    return X, (score > 0.3).to_numpy().astype(int), rng.integers(0, 4, rows).astype(float)


def model_of(setting: int, **more: Any) -> TreeClassifier:
    given: dict[str, Any] = {"pruning": None, "min_samples_leaf": 2, "max_leaf_nodes": 14}
    return TreeClassifier(**(given | SETTINGS[setting] | more))


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_the_draft_of_a_constrained_tree_gives_that_tree_and_an_empty_one_too(
    setting: int, tmp_path: Path
) -> None:
    X, y, weights = table(setting)
    model = model_of(setting).fit(X, y, weights)
    assert model.tree_.n_leaves > 3
    for draft in (model.edit(), Draft()):
        again = model_of(setting).fit(X, y, weights, draft=draft)
        assert again.digest() == model.digest()
        assert again.unmet_ == ()
        assert not check(again, X, y, weights, thorough=True).differences
        hardwood.save(again, tmp_path / "model")
        assert hardwood.load(tmp_path / "model").digest() == model.digest()


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_what_grows_beside_told_splits_keeps_the_constraints(setting: int) -> None:
    X, y, weights = table(setting)
    draft = Draft().split("", "a", 0.45, missing=1, reason="asked for").forbid("R", "b")
    model = model_of(setting).fit(X, y, weights, draft=draft)
    assert model.tree_.thresholds[model.tree_.cuts(0)].tolist() == [0.45]
    assert model.unmet_ == ()
    report = check(model, X, y, weights, thorough=True)
    assert not report.differences
    rng = np.random.default_rng(0)
    low, high = np.sort(rng.normal(size=(2, 200)), axis=0)
    signs = SETTINGS[setting].get("monotonic_cst", {})
    for column in signs.keys() & {"a", "b"}:
        rows = X.sample(200, replace=True, random_state=1)
        before, after = (
            model.predict_proba(rows.assign(**{column: each}))[:, 1] for each in (low, high)
        )
        assert ((after - before) * signs[column] >= 0).all()


CONTRADICTIONS: dict[str, tuple[dict[str, Any], Draft, str]] = {
    "the wrong order at the root": (
        {"monotonic_cst": {"a": -1}},
        Draft().split("", "a", 0.45),
        "asks node root to split on a .*but monotonic_cst does not admit",
    ),
    "the wrong order below another split": (
        {"monotonic_cst": {"a": 1, "b": 1}, "min_samples_leaf": 1},
        Draft().split("", "a", 0.45).split("R", "b", 1.2),
        "asks node R to split on b .*but monotonic_cst does not admit",
    ),
    "a column of another set": (
        {"interaction_cst": [["a", "word"], ["b", "size"]]},
        Draft().split("", "a", 0.45).split("L", "b", 0.0),
        "asks node L to split on b .*but interaction_cst keeps the column off",
    ),
    "a preferred column of another set": (
        {"interaction_cst": "no_interactions"},
        Draft().split("", "a", 0.45).prefer("R", "word"),
        "asks node R to split on word.*but interaction_cst keeps the column off",
    ),
    "a column that stands below another": (
        {"interaction_cst": {"b": ["a"]}},
        Draft().prefer("", "b"),
        "asks node root to split on b.*but interaction_cst keeps the column off",
    ),
    "three branches": (
        {"monotonic_cst": {"a": 1}},
        Draft().split("", "b", thresholds=[-0.5, 0.5]),
        "asks node root to split on b .*under monotonic_cst splits have two branches",
    ),
}


@pytest.mark.parametrize(
    ("given", "draft", "sentence"), CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys()
)
def test_a_split_that_contradicts_a_constraint_is_refused_by_its_node(
    given: dict[str, Any], draft: Draft, sentence: str
) -> None:
    X, y, _ = table(3)
    model = TreeClassifier(**({"pruning": None, "min_samples_leaf": 2} | given))
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, y, draft=draft)
    assert not hasattr(model, "tree_")
    model.set_params(monotonic_cst=None, interaction_cst=None).fit(X, y, draft=draft)
    assert model.unmet_ == ()


def test_missing_values_of_a_told_split_go_where_the_constraint_admits_them() -> None:
    X = pd.DataFrame({"a": [0.0] * 10 + [1.0] * 10 + [np.nan] * 8})
    y = np.array([0] * 5 + [1] * 5 + [0] * 4 + [1] * 6 + [1] * 8)
    draft = Draft().split("", "a", 0.5)
    free = TreeClassifier(pruning=None, leaf_prior=0.0).fit(X, y, draft=draft)
    assert free.tree_.missing_branch[0] == 1
    X["a"] = -X["a"]
    draft = Draft().split("", "a", -0.5)
    bound = TreeClassifier(pruning=None, leaf_prior=0.0, monotonic_cst={"a": 1})
    assert bound.fit(X, y, draft=draft).tree_.missing_branch[0] == 1


def shares(weights: np.ndarray) -> float:
    return float(weights[1] / weights.sum())


def admissible(
    model: TreeClassifier, node: int, X: pd.DataFrame, y: np.ndarray, w: np.ndarray
) -> set[tuple[Any, ...]]:
    """Every threshold of the numeric columns that keeps the constraints, by brute force."""
    signs = model.monotonic_cst or {}
    here = (model.decision_path(X)[:, node].toarray().ravel() > 0) & (w > 0)
    found = set()
    for name in ("a", "b", "size"):
        column = X[name].cat.codes.astype(float) if name == "size" else X[name]
        values, labels, units = column.to_numpy()[here], y[here], w[here]
        gone = np.isnan(values)
        cuts = np.unique(values[~gone])
        lefts = [(values <= cut, cut) for cut in cuts[:-1]]
        if gone.any():
            lefts += [(left | gone, cut) for left, cut in lefts]
            lefts += [(~gone, None)]
        for left, cut in lefts:
            sides = [np.bincount(labels[s], units[s], 2) for s in (left, ~left)]
            if min(side.sum() for side in sides) < 2 or shares(sides[0]) == shares(sides[1]):
                continue
            one, other = shares(sides[0]), shares(sides[1])
            if cut is None or (other - one) * signs.get(name, 0) >= 0:
                found.add((name, *sides[0]))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_alternatives_of_a_monotone_tree_are_those_of_brute_force(seed: int) -> None:
    X, y, weights = table(seed)
    model = TreeClassifier(
        pruning=None, leaf_prior=0.0, max_leaf_nodes=8, monotonic_cst={"a": 1, "b": -1, "size": 1},
        min_samples_leaf=2,
    ).fit(X, y, weights)  # fmt: skip
    free = TreeClassifier(pruning=None, leaf_prior=0.0, min_samples_leaf=2)
    fewer = 0
    for node in range(model.tree_.n_nodes):
        offered = model.alternatives(node, 10**6, X, y, weights, distinct=False)
        found = {(e.column, *e.class_weights[0]) for e in offered if e.column != "word"}
        assert found == admissible(model, node, X, y, weights)
        free.tree_, free.classes_, free._schemas = model.tree_, model.classes_, model._schemas
        free.feature_names_in_, free.n_features_in_ = model.feature_names_in_, 4
        fewer += len(free.alternatives(node, 10**6, X, y, weights, distinct=False)) > len(offered)
    assert fewer


@pytest.mark.parametrize("setting", range(5))
def test_the_first_alternative_is_what_grew_and_a_leaf_that_was_left_has_none(
    setting: int,
) -> None:
    X, y, weights = table(setting)
    model = model_of(setting, max_leaf_nodes=None).fit(X, y, weights)
    grown = model.edit()
    for node in range(model.tree_.n_nodes):
        found = model.alternatives(node, 9, X, y, weights)
        if model.tree_.is_leaf[node]:
            assert len(found) == 0
        else:
            assert found[0].line == grown.decision(path_of(model.tree_, node))


@pytest.mark.parametrize("setting", range(5))
def test_each_alternative_is_what_growth_takes_of_its_column(setting: int) -> None:
    X, y, weights = table(setting)
    model = model_of(setting, max_leaf_nodes=5).fit(X, y, weights)
    node = int(model.tree_.children(0)[np.argmax(model.tree_.cost[model.tree_.children(0)])])
    found = model.alternatives(node, 9, X, y, weights)
    assert len(found) >= 1
    for each in found:
        told = model.edit(node).prefer(each.line.node, each.column)
        again = model_of(setting).fit(X, y, weights, draft=told)
        assert again.edit().decision(each.line.node) == each.line


def test_a_split_of_ones_own_that_a_constraint_keeps_off_is_refused() -> None:
    X, y, _ = table(3)
    model = TreeClassifier(
        pruning=None, min_samples_leaf=2, monotonic_cst={"a": 1},
        interaction_cst=[["a", "size"], ["b", "word", "size"]],
    ).fit(X, y, draft=Draft().split("", "a", 0.45))  # fmt: skip
    right = int(model.tree_.children(0)[1])
    found = model.alternatives(right, 9, X, y)
    assert {each.column for each in found} <= {"a", "size"}
    with pytest.raises(ValueError, match="does not admit this split: split on b .*at node R"):
        found.at("b", 0.0)
    with pytest.raises(ValueError, match="does not admit this split"):
        model.set_params(monotonic_cst={"a": -1}).alternatives(0, 9, X, y).at("a", 0.45)


def test_a_fold_of_cross_validation_need_not_admit_what_the_table_does():
    # Without the fold's rows the draft's split is out of order; that is no fault of the draft.
    size = [0.58, 2.49, -0.98, 0.38, 1.25, 3.39, 2.76, 3.76, 2.39, -1.55, 0.22, 2.06]
    same = [1.0] * 7 + [None, 1.0, None, 1.0, 1.0]
    code = [286, 74, 234, 19, 86, 10, 135, 107, 189, 265, 112, 260]
    X = pd.DataFrame({"size": size, "same": same, "code": [f"c{each:03}" for each in code]})
    y = [1, 5, 1, 4, 2, 3, 4, 6, 2, 0, 0, 5]
    model = TreeClassifier(
        criterion="gini",
        pruning="cost-complexity",
        ccp_alpha="cv",
        monotonic_cst={"size": {4: -1}, "same": {6: -1}},
    )
    model.fit(X, y)
    assert model.tree_.n_nodes > 1
    again = TreeClassifier(**model.get_params()).fit(X, y, draft=model.edit())
    assert again.digest() == model.digest()
