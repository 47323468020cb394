"""Tables with more than 256 values a column, where buckets are opened, against cumulative sums."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from hardwood import TreeClassifier
from tests.laws.reading import assert_same_growth, fit, oracle
from tests.oracles import exhaustive
from tests.oracles.topdown_problem import Column, Rules
from tests.tables.small import CRITERIA, LETTERS, SmallTable

pytestmark = pytest.mark.grid


def large_table(seed: int, *, n_classes: int, missing: bool, weights: str, n: int = 900):
    """Columns all distinct, with 1000, 300 and 2 values, mostly zero, and one of categories."""
    rng = np.random.default_rng(seed)
    smooth, steep = rng.normal(size=n), rng.exponential(size=n) ** 3
    columns = [
        smooth,
        steep,
        rng.integers(0, 1000, n) / 8,
        np.round(rng.normal(size=n), 2),
        (rng.random(n) < 0.3).astype(float),
        np.where(rng.random(n) < 0.9, 0.0, rng.normal(size=n)),
    ]
    letters = rng.integers(0, len(LETTERS), n)
    score = np.sin(3 * smooth) + columns[4] + (letters % 3) / 2 + rng.normal(size=n)
    labels = np.searchsorted(np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1]), score)
    hidden = rng.random((len(columns) + 1, n)) < (0.15 if missing else 0.0)
    values = [
        Column(
            "numeric", tuple(None if math.isnan(v) else float(v) for v in np.where(h, np.nan, c))
        )
        for c, h in zip(columns, hidden[:-1], strict=True)
    ]
    named = (None if gone else LETTERS[i] for i, gone in zip(letters, hidden[-1], strict=True))
    values.append(Column("category", tuple(named)))
    drawn = {
        "none": None,
        "whole": tuple(rng.integers(0, 4, n).astype(float)),
        "any": tuple(rng.gamma(1.0, size=n)),
    }[weights]
    return SmallTable(tuple(values), tuple(int(label) for label in labels), drawn)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize(
    ("missing", "weights"), [(False, "none"), (True, "whole"), (False, "any"), (True, "any")]
)
def test_a_large_tree_equals_the_exhaustive_one(criterion, n_classes, missing, weights):
    table = large_table(7 + n_classes, n_classes=n_classes, missing=missing, weights=weights)
    rules = Rules(criterion, max_leaf_nodes=20)
    assert_same_growth(fit(table, rules), oracle(table, rules, exhaustive.best_split))


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize(
    "rules",
    [
        {"leaf_choice": "weight", "max_leaf_nodes": 24},
        {"max_depth": 4, "min_samples_leaf": 20},
        {"max_leaf_nodes": 24, "min_weight_fraction_leaf": 0.03},
        {"max_depth": 6, "min_drop": 0.002},
    ],
    ids=lambda rules: "-".join(rules),
)
def test_a_large_tree_under_each_stop_rule_equals_the_exhaustive_one(criterion, rules):
    table = large_table(3, n_classes=2, missing=True, weights="any", n=1200)
    kept = Rules(criterion, **rules)
    assert_same_growth(fit(table, kept), oracle(table, kept, exhaustive.best_split))


@pytest.mark.parametrize("criterion", CRITERIA)
def test_many_thresholds_that_tie_are_decided_by_the_order_alone(criterion):
    # Two columns that mirror each other and labels in blocks: costs tie at every level.
    n = 1024
    line = np.arange(n, dtype=float)
    labels = tuple(int(block) for block in (line // 64) % 2)
    columns = tuple(Column("numeric", tuple(map(float, c))) for c in (-line, line, line % 512))
    table = SmallTable(columns, labels)
    rules = Rules(criterion, max_leaf_nodes=40)
    assert_same_growth(fit(table, rules), oracle(table, rules, exhaustive.best_split))


@pytest.mark.parametrize("criterion", ["km", "gini", "error"])
def test_a_tree_grown_to_purity_equals_the_exhaustive_one(criterion):
    table = large_table(5, n_classes=2, missing=True, weights="none", n=600)
    rules = Rules(criterion)
    assert_same_growth(fit(table, rules), oracle(table, rules, exhaustive.best_split))


@pytest.mark.parametrize("criterion", CRITERIA)
def test_three_hundred_categories_of_two_classes_split_as_the_sorted_scan_says(criterion):
    rng = np.random.default_rng(11)
    codes = rng.integers(0, 300, 2500)
    labels = (rng.random(2500) < (codes * 7919 % 300) / 300).astype(int)
    names = tuple(f"k{code:03d}" for code in codes)
    X = pd.DataFrame({"c0": pd.Categorical(names, categories=sorted(set(names)))})
    model = TreeClassifier(
        criterion=criterion,
        max_leaf_nodes=6,
        min_samples_leaf=1,
        min_category_size=1,
        pruning=None,
    )
    model.fit(X, labels)
    table = SmallTable((Column("category", names),), tuple(map(int, labels)))
    growth = oracle(table, Rules(criterion, max_leaf_nodes=6))
    count = len(growth.split_nodes)
    assert list(model.history_["node"][:count]) == growth.split_nodes
    for node in growth.nodes:
        assert model.tree_.class_weights[node.number].tolist() == growth.class_weights(node)


@pytest.mark.parametrize(("criterion", "missing"), [("gini", False), ("km", True)])
def test_columns_of_more_than_65536_values_split_as_the_exhaustive_search_says(criterion, missing):
    rng = np.random.default_rng(13)
    n = 70_000
    wave, step = rng.permutation(n) / 16, rng.integers(0, 700, n).astype(float)
    labels = (np.sin(wave / 500) + step / 700 + rng.normal(size=n) > 0.5).astype(int)
    gone = rng.random(n) < (0.05 if missing else 0.0)
    hidden = tuple(None if g else float(v) for v, g in zip(wave, gone, strict=True))
    columns = (Column("numeric", hidden), Column("numeric", tuple(map(float, step))))
    table = SmallTable(columns, tuple(map(int, labels)))
    rules = Rules(criterion, max_leaf_nodes=6)
    assert_same_growth(fit(table, rules), oracle(table, rules, exhaustive.best_split))
