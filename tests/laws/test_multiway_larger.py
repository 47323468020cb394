"""Multi-way splits of larger tables: many boundary points, every storage, very many values."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest

from hardwood import TreeClassifier
from tests.oracles import topdown_problem

pytestmark = pytest.mark.grid


def waves(n: int, values: int, classes: int = 2, seed: int = 0):
    """One column whose classes alternate in waves, so that wide splits pay."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, values, n)
    y = ((8 * x // values) + (rng.random(n) < 0.1)) % classes
    return x.astype(float), y


def cheapest(groups: list[tuple[int, ...]], criterion: str, arity: int) -> float:
    """Least cost of parting the groups into runs: the textbook's dynamic program."""
    n = len(groups)
    sums = np.concatenate([np.zeros((1, len(groups[0])), int), np.cumsum(groups, axis=0)])
    cost = {
        (i, j): topdown_problem.phi(criterion, tuple(int(v) for v in sums[j] - sums[i]))
        for i in range(n)
        for j in range(i + 1, n + 1)
    }
    best = [cost[i, n] for i in range(n)]
    for runs in range(2, arity + 1):
        best = [
            min((cost[i, j] + best[j] for j in range(i + 1, n - runs + 2)), default=np.inf)
            for i in range(n)
        ]
    return best[0]


@pytest.mark.parametrize("criterion", ["km", "gini", "error"])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_root_takes_the_cheapest_of_all_cuts_per_price(criterion, classes):
    x, y = waves(2000, 70, classes)
    model = TreeClassifier(
        criterion=criterion, branching="multiway", max_leaf_nodes=12, max_depth=1, pruning=None
    ).fit(x[:, None], y)
    groups = [tuple(np.bincount(y[x == v], minlength=classes)) for v in np.unique(x)]
    whole = topdown_problem.phi(criterion, tuple(np.bincount(y, minlength=classes)))
    merits = {}
    for k in range(2, 13):
        merits[k] = (whole - cheapest(groups, criterion, k)) / int(np.ceil(np.log2(k)))
    arity = max(merits, key=lambda k: (merits[k], -k))
    assert model.history_["branches"].tolist() == [arity]
    assert arity > 2
    gain = model.history_["gain"][0] * len(y)
    assert gain == pytest.approx(whole - cheapest(groups, criterion, arity), rel=1e-12)
    assert model.history_["exact"].all()


def test_a_split_among_more_boundary_points_than_are_kept_is_marked():
    rng = np.random.default_rng(1)
    x = rng.normal(size=5000)
    y = (np.floor(2 * x) + (rng.random(5000) < 0.2)).astype(int) % 2
    model = TreeClassifier(
        pruning=None, min_samples_leaf=1, branching="multiway", max_leaf_nodes=32
    ).fit(x[:, None], y)
    history = model.history_
    assert history["branches"][0] > 2
    assert not history["exact"][0]
    # Once only splits in two are acceptable the search is exact again.
    assert history["exact"][-1]
    assert history["branches"][-1] == 2


def test_clean_blocks_are_found_exactly_among_any_number_of_values():
    x = np.arange(20_000.0)
    y = (x // 2500).astype(int) % 2
    model = TreeClassifier(
        pruning=None, min_samples_leaf=1, branching="multiway", max_leaf_nodes=8
    ).fit(x[:, None], y)
    assert model.history_["branches"].tolist() == [8]
    assert model.history_["exact"].all()
    assert model.tree_.thresholds.tolist() == [2500 * k - 1 for k in range(1, 8)]


@pytest.mark.parametrize("multiclass", [False, True])
def test_every_storage_gives_the_same_wide_splits(multiclass):
    rng = np.random.default_rng(2)
    n = 3000
    x, y = waves(n, 40, 3 if multiclass else 2, seed=3)
    X = np.column_stack(
        [
            np.where(rng.random(n) < 0.97, 0.0, rng.integers(1, 6, n)),
            x + rng.normal(size=n) / 1000,
            x,
            rng.integers(0, 3, n),
            rng.integers(0, 2, n),
        ]
    )
    X[rng.random(X.shape) < 0.05] = np.nan
    parameters = {"branching": "multiway", "max_leaf_nodes": 40, "pruning": None}
    lanes = TreeClassifier(**parameters).fit(X, y).tree_
    padded = np.hstack([X, np.zeros((n, 4100))])
    entries = TreeClassifier(**parameters).fit(padded, y).tree_
    assert (lanes.branches > 2).any()
    for name in ("feature", "branches", "missing_branch", "default_branch", "rows", "thresholds"):
        assert np.array_equal(getattr(lanes, name), getattr(entries, name)), name


def test_a_hundred_thousand_categories_and_a_million_numbers_are_no_trouble():
    rng = np.random.default_rng(4)
    n = 1_000_000
    codes = rng.integers(0, 100_000, n)
    frame = pd.DataFrame({"number": rng.normal(size=n)})
    frame["name"] = pd.Categorical.from_codes(codes, [f"c{i}" for i in range(100_000)])
    y = ((frame["number"] > 0).to_numpy() ^ (codes % 7 == 0)).astype(int)
    start = time.perf_counter()
    model = TreeClassifier(
        pruning=None, min_samples_leaf=1, branching="multiway", max_leaf_nodes=16
    ).fit(frame, y)
    assert time.perf_counter() - start < 120
    assert model.get_n_leaves() <= 16
    assert model.score(frame, y) > 0.8


def test_more_categories_than_are_enumerated_use_a_rule_of_thumb_and_say_so():
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 14, 4000)
    y = np.where(rng.random(4000) < 0.15, rng.integers(0, 4, 4000), codes % 4)
    frame = pd.DataFrame({"name": pd.Categorical.from_codes(codes, list("abcdefghijklmn"))})
    model = TreeClassifier(
        pruning=None, min_samples_leaf=1, branching="multiway", max_leaf_nodes=40
    ).fit(frame, y)
    assert model.history_["branches"][0] == 4
    assert not model.history_["exact"][0]
    groups = model.tree_.group_branches[model.tree_.groups(0)]
    assert groups.tolist() == [i % 4 for i in range(14)]
    few = frame[codes < 10]
    exact = TreeClassifier(
        pruning=None, min_samples_leaf=1, branching="multiway", max_leaf_nodes=40
    ).fit(few, y[codes < 10])
    assert exact.history_["exact"].all()
