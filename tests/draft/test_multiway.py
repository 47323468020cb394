"""Alternatives of multi-way trees, against brute force and against growth."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hardwood import Draft, TreeClassifier
from hardwood.criteria import cost
from hardwood.draft import node_at, path_of

pytestmark = pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")

SETTINGS: list[dict[str, Any]] = [
    {"max_leaf_nodes": 12},
    {"max_leaf_nodes": 20, "criterion": "gini", "min_samples_leaf": 6},
    {"max_leaf_nodes": 64, "price": "gamma", "gamma": 0.3, "criterion": "entropy"},
    {"max_leaf_nodes": 9, "max_branches": 3, "interaction_cst": [["few", "word"], ["gaps"]]},
    {"max_leaf_nodes": 16, "pruning": "error-based"},
]


def table(seed: int, rows: int = 160) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"few": rng.integers(0, 7, rows), "gaps": rng.integers(0, 5, rows) / 2})
    X.loc[rng.random(rows) < 0.15, "gaps"] = np.nan
    X["word"] = pd.Categorical(rng.choice(list("uvwxyz"), rows))
    score = np.abs(X["few"] - 3) + X["gaps"].fillna(0.7) + X["word"].isin(["u", "x"])
    y = np.digitize(score + rng.normal(size=rows), [1.8, 3.4][: 1 + seed % 2])
    return X, y, rng.integers(1, 4, rows).astype(float)


def model_of(setting: int) -> TreeClassifier:
    given: dict[str, Any] = {"branching": "multiway", "pruning": None, "min_samples_leaf": 1}
    return TreeClassifier(**(given | SETTINGS[setting]))


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_each_alternative_is_what_growth_takes_of_its_column(setting: int) -> None:
    X, y, weights = table(setting)
    model, widths = model_of(setting).fit(X, y, weights), set()
    for node in range(min(model.tree_.n_nodes, 7)):
        path = path_of(model.tree_, node)
        found = model.alternatives(node, 9, X, y, weights)
        for each in found:
            widths.add(each.line.branches)
            told = model.edit(node).prefer(path, each.column)
            again = model_of(setting).fit(X, y, weights, draft=told)
            assert again.edit().decision(path) == each.line
            children = list(again.tree_.children(node_at(again.tree_, path)))
            np.testing.assert_array_equal(again.tree_.class_weights[children], each.class_weights)
            taken = Draft([*model.edit(node).lines, each.line])
            assert model_of(setting).fit(X, y, weights, draft=taken).unmet_ == ()
        assert found[:1] == [] or found[0].price == 0
    first = model.alternatives(0, 1, X, y, weights)[0]
    assert first.line == model_of(setting).fit(X, y, weights, draft=Draft()).edit().lines[0]
    assert max(widths) > 2


def branchings(X: pd.DataFrame, widest: int) -> list[tuple[str, np.ndarray]]:
    """A column, and the branch of each row: intervals of numbers, any groups of categories."""
    found = []
    for name in ("few", "gaps"):
        column = X[name].to_numpy(dtype=float)
        gone, cuts = np.isnan(column), np.unique(column[~np.isnan(column)])[:-1]
        for size in range(1, widest):
            for chosen in combinations(cuts, size):
                branch = np.searchsorted(chosen, column)
                for where in range(size + 1) if gone.any() else [0]:
                    found.append((name, np.where(gone, where, branch)))
        if gone.any():
            found.append((name, gone.astype(int)))
    codes = X["word"].cat.codes.to_numpy()
    for groups in np.ndindex(*(min(widest, 4),) * 6):
        used = max(groups) + 1
        first = [groups.index(b) if b in groups else 99 for b in range(used)]
        if used > 1 and first == sorted(first) and 99 not in first:
            found.append(("word", np.array(groups)[codes]))
    return found


@pytest.mark.parametrize("seed", [0, 1])
def test_the_best_of_each_column_is_that_of_brute_force(seed: int) -> None:
    X, y, weights = table(seed, 90)
    model = TreeClassifier(
        branching="multiway", max_branches=4, max_leaf_nodes=12, pruning=None, min_samples_leaf=1,
        min_category_size=1,
    ).fit(X, y, weights)  # fmt: skip
    classes = len(model.classes_)
    here = float(cost(np.bincount(y, weights, classes), "km"))
    best: dict[str, float] = {}
    for name, branch in branchings(X, 4):
        sums = np.zeros((branch.max() + 1, classes))
        np.add.at(sums, (branch, y), weights)
        drop = here - sum(float(cost(each, "km")) for each in sums)
        merit = drop / math.ceil(math.log2(len(sums))) / weights.sum()
        best[name] = max(best.get(name, 0.0), merit)
    found = model.alternatives(0, 9, X, y, weights)
    merits = [each.drop / math.ceil(math.log2(each.line.branches)) for each in found]
    assert {each.column: m for each, m in zip(found, merits, strict=True)} == pytest.approx(best)
    assert merits == sorted(merits, reverse=True)
    for each, merit in zip(found, merits, strict=True):
        assert each.price == pytest.approx(merits[0] - merit)
        line = each.line
        own = found.at(
            each.column, thresholds=line.thresholds, groups=line.groups, missing=line.missing
        )
        assert own.drop == pytest.approx(each.drop)
    every = model.alternatives(0, 10**6, X, y, weights, distinct=False)
    assert {each.line for each in found} <= {each.line for each in every}
    assert len({each.line for each in every}) == len(every) > len(found)


def test_several_thresholds_are_rounded_together() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.uniform(0, 100, 300)})
    y = ((X["age"] > 22.3) & (X["age"] < 61.7)).to_numpy().astype(int)
    model = TreeClassifier(branching="multiway", max_leaf_nodes=4).fit(X, y)
    found = model.alternatives(0, 1, X, y)
    assert found[0].line.branches == 3
    assert found.round(0, 1).line.thresholds == (20.0, 60.0)
    assert found.price_of_rounding(0, 1).startswith("20, 60 instead of ")
