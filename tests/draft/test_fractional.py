"""Drafts and alternatives of trees whose missing values go down every branch, in pieces."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hardwood
from hardwood import Draft, TreeClassifier
from hardwood.certify import check
from hardwood.criteria import cost
from hardwood.draft import node_at, path_of

pytestmark = [pytest.mark.grid, pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")]

SETTINGS: list[dict[str, Any]] = [
    {"pruning": None, "max_leaf_nodes": 12},
    {"pruning": None, "criterion": "gini", "min_samples_leaf": 4},
    {"pruning": "error-based"},
    {"pruning": "cost-complexity", "ccp_alpha": 0.002},
    {"pruning": "reduced-error", "random_state": 3},
    {"pruning": None, "branching": "multiway", "max_leaf_nodes": 20},
    {"pruning": None, "criterion": "entropy", "interaction_cst": [["a", "word"], ["b", "word"]]},
]


def table(seed: int, rows: int = 220) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=rows).round(1), "b": rng.normal(size=rows)})
    X["word"] = pd.Categorical(rng.choice(list("uvwx"), rows))
    score = X["a"] - X["b"] + rng.normal(size=rows) + X["word"].isin(["u", "x"])
    for name in X:
        X.loc[rng.random(rows) < 0.2, name] = None if name == "word" else np.nan
    y = np.digitize(score, [-0.5, 1.2]) if seed % 2 else (score > 0.3).to_numpy().astype(int)
    return X, y, rng.integers(0, 4, rows) / 2.0


def model_of(setting: int) -> TreeClassifier:
    return TreeClassifier(missing="fractional", **SETTINGS[setting])


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_the_draft_of_a_tree_gives_that_tree_and_an_empty_one_too(
    setting: int, seed: int, tmp_path: Path
) -> None:
    X, y, weights = table(seed)
    model = model_of(setting).fit(X, y, weights)
    assert model.tree_.n_leaves > 2
    assert model.tree_.share is not None
    for draft in (model.edit(), Draft()):
        again = model_of(setting).fit(X, y, weights, draft=draft)
        assert again.unmet_ == ()
        assert again.digest() == model.digest()
        assert not check(again, X, y, weights, thorough=True).differences
        hardwood.save(again, tmp_path / "model")
        loaded = hardwood.load(tmp_path / "model")
        assert (loaded.digest(), loaded.draft_) == (model.digest(), draft)


@pytest.mark.parametrize("setting", range(6))
def test_lines_are_carried_out_and_replayed(setting: int) -> None:
    X, y, weights = table(2 + setting % 2)
    draft = (
        Draft()
        .split("", "word", groups=[["u"], ["v", "w"]], reason="asked for")
        .forbid("L", "a")
        .prefer("R", "b")
        .leaf("RL")
        .split("RR", "a", 0.25)
    )
    model = model_of(setting).fit(X, y, weights, draft=draft)
    assert model.unmet_ == ()
    tree = model.tree_
    right = int(tree.first_child[0]) + 1
    assert [int(f) for f in tree.feature[[0, right]]] == [2, 1]
    assert tree.is_leaf[tree.first_child[right]]
    last = int(tree.first_child[right]) + 1
    assert tree.thresholds[tree.cuts(last)].tolist() == [0.25]
    assert not check(model, X, y, weights, thorough=True).differences
    assert model_of(setting).fit(X, y, weights, draft=draft).digest() == model.digest()


def test_unnamed_categories_join_the_heaviest_branch_and_missing_rows_go_down_both() -> None:
    X, y, weights = table(2)
    draft = Draft().split("", "word", groups=[["u"], ["v", "w"]])
    tree = model_of(0).fit(X, y, weights, draft=draft).tree_
    part, words = tree.groups(0), X["word"].cat.codes.to_numpy()
    codes, branches = tree.group_codes[part], tree.group_branches[part]
    named = [X["word"].isin(group).to_numpy() @ weights for group in (["u"], ["v", "w"])]
    assert branches.tolist() == [0, 1, 1, int(np.argmax(named))]
    known = np.array([np.isin(words, codes[branches == b]) @ weights for b in (0, 1)])
    children = list(tree.children(0))
    np.testing.assert_allclose(tree.share[children], known / known.sum(), rtol=1e-9)
    np.testing.assert_array_equal(tree.class_weights[children].sum(axis=0), tree.class_weights[0])


def test_lines_that_make_no_sense_are_told() -> None:
    X, y, _ = table(0)
    model = model_of(0).fit(X, y, draft=Draft().split("", "b", 99.0))
    assert model.unmet_ == (0,)
    assert model.digest() == model_of(0).fit(X, y).digest()
    for line in (Draft().split("", "b", 0.0, missing=1), Draft().split("", "b", missing=1)):
        with pytest.raises(ValueError, match="missing values go down every branch"):
            model_of(0).fit(X, y, draft=line)


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_the_first_alternative_is_what_grew_and_each_is_what_its_column_gives(setting: int) -> None:
    X, y, weights = table(setting)
    model = model_of(setting).fit(X, y, weights)
    grown = model.edit()
    for node in range(model.tree_.n_nodes):
        found = model.alternatives(node, 9, X, y, weights)
        path = path_of(model.tree_, node)
        raised = SETTINGS[setting]["pruning"] == "error-based"
        if not model.tree_.is_leaf[node] and not raised and "branching" not in SETTINGS[setting]:
            assert found[0].line == grown.decision(path)
        if node > 4:
            continue
        for each in found:
            told = model.edit(node).prefer(path, each.column)
            again = model_of(setting).fit(X, y, weights, draft=told)
            assert again.edit().decision(path) == each.line
            children = list(again.tree_.children(node_at(again.tree_, path)))
            np.testing.assert_array_equal(again.tree_.class_weights[children], each.class_weights)


def test_every_threshold_has_the_drop_of_its_own_split() -> None:
    X, y, weights = table(0)
    model = model_of(0).fit(X, y, weights)
    node = int(model.tree_.first_child[0])
    every = model.alternatives(node, 10**6, X, y, weights, distinct=False)
    assert len(every) > 60
    best = {each.column: each.line for each in model.alternatives(node, 9, X, y, weights)}
    assert {each.line for each in every if best[each.column] == each.line} == set(best.values())
    for each in every[::9]:
        alone = every.at(each.column, *each.line.thresholds, groups=each.line.groups)
        assert alone.drop == pytest.approx(each.drop, abs=1e-12)
        np.testing.assert_array_equal(alone.class_weights, each.class_weights)
    with pytest.raises(ValueError, match="no rows"):
        every.at("b", 1e9)
    assert every.round(0, 1).line.thresholds != every[0].line.thresholds


@pytest.mark.parametrize("classes", [2, 3])
def test_the_drops_of_all_cuts_are_those_of_the_obvious_sum(classes: int) -> None:
    """Branch j has a_j + s_j m: the classes with a value, and its share of those without."""
    X, y, _ = table(classes - 2, 120)
    model = TreeClassifier(missing="fractional", pruning=None, min_samples_leaf=1).fit(X, y)
    every = model.alternatives(0, 10**6, X, y, distinct=False)
    found = {each.line.thresholds: each.drop for each in every if each.column == "b"}
    values, count = X["b"].to_numpy(), np.bincount
    gone = count(y[np.isnan(values)], minlength=classes)
    whole = float(cost(count(y, minlength=classes).astype(float), "km"))
    seen = 0
    cuts = np.unique(values[~np.isnan(values)])
    for low, high in pairwise(cuts):
        parts = [count(y[side], minlength=classes) for side in (values <= low, values >= high)]
        known = sum(part.sum() for part in parts)
        sums = [part + part.sum() / known * gone for part in parts]
        drop = (whole - sum(float(cost(each, "km")) for each in sums)) / len(y)
        near = [d for (t,), d in found.items() if low <= t < high]
        if near:
            assert near == [pytest.approx(drop, abs=1e-9)]
            seen += 1
        else:
            assert drop == pytest.approx(0, abs=1e-9)
    assert seen == len(found) > 50
