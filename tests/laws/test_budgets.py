"""A tree of a leaf budget is the beginning of the same tree without one.

With a budget, leaves are left open until their turn comes, and what cannot be among the largest
drops is not looked for. Without one every leaf is searched whole, so they share no short cut."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hardwood import TreeClassifier

ROWS = 6_000
BUDGETS = (2, 3, 4, 7, 12, 13, 14, 25, 40, 41)


def chance() -> tuple[pd.DataFrame, np.ndarray]:
    """Drops of all leaves are about the same, and far from what bounds of buckets promise."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(ROWS, 5)), columns=list("abcde"))
    frame.loc[rng.random(ROWS) < 0.2, "b"] = np.nan
    frame["few"] = rng.integers(0, 9, ROWS).astype(float)
    frame["letter"] = pd.Categorical.from_codes(rng.integers(0, 6, ROWS), list("uvwxyz"))
    return frame, rng.integers(0, 2, ROWS)


def three_classes() -> tuple[pd.DataFrame, np.ndarray]:
    frame, _ = chance()
    rng = np.random.default_rng(2)
    return frame, np.digitize(frame["a"] + frame["c"] ** 2 + rng.normal(size=ROWS), [0.5, 1.5])


def pure_corner() -> tuple[pd.DataFrame, np.ndarray]:
    """Many leaves are nearly pure: even a perfect split of them would drop too little."""
    frame, y = chance()
    rng = np.random.default_rng(3)
    return frame, np.where(frame["a"] < 0.3, rng.random(ROWS) < 0.01, y).astype(int)


def twins() -> tuple[pd.DataFrame, np.ndarray]:
    """Two halves with the classes exchanged: every drop but the first occurs twice, to the bit."""
    rng = np.random.default_rng(4)
    half = pd.DataFrame(rng.normal(size=(ROWS // 2, 4)), columns=list("abcd"))
    y = (half["a"] * half["b"] + rng.normal(size=ROWS // 2) > 1).to_numpy()
    frame = pd.concat([half, half], ignore_index=True)
    frame["side"] = np.repeat([0.0, 1.0], ROWS // 2)
    return frame, np.concatenate([y, ~y]).astype(int)


def beginning(model: TreeClassifier, splits: int) -> list[tuple[object, ...]]:
    """What was split, in order, by which column and threshold, and what the branches weigh."""
    history, tree = model.history_, model.grown_tree_
    return [
        (
            node,
            history["feature"][i],
            tree.thresholds[tree.cuts(node)].tolist(),
            [tree.class_weights[child].tolist() for child in tree.children(node)],
        )
        for i, node in enumerate(history["node"][:splits].tolist())
    ]


@pytest.mark.parametrize("table", [chance, three_classes, pure_corner, twins])
@pytest.mark.parametrize("criterion", ["km", "gini"])
@pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize("jobs", [1, pytest.param(3, marks=pytest.mark.threads)])
def test_a_budget_stops_growth_and_changes_nothing_before(table, criterion, weighted, jobs):
    X, y = table()
    weights = np.tile(np.random.default_rng(5).random(ROWS // 2) + 0.5, 2) if weighted else None
    shape = {"pruning": None, "criterion": criterion, "max_depth": None}
    whole = TreeClassifier(**shape).fit(X, y, weights)
    assert whole.grown_tree_.n_leaves > max(BUDGETS)
    for budget in BUDGETS:
        model = TreeClassifier(max_leaf_nodes=budget, n_jobs=jobs, **shape).fit(X, y, weights)
        assert model.grown_tree_.n_leaves == budget
        assert beginning(model, budget) == beginning(whole, budget - 1), budget
