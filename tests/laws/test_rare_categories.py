"""Rare categories of a node are divided as one (docs/theory/rules.md#categories)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.certify import check
from tests.laws.pricing import fit as fit_multiway
from tests.laws.reading import fit, oracle
from tests.laws.test_fractional import fit_fractional
from tests.laws.test_multiway import assert_same_tree, grow_by_hand
from tests.oracles import fractional
from tests.oracles.topdown_m import Price
from tests.oracles.topdown_problem import Column, Rules
from tests.tables.small import LETTERS, SmallTable

pytestmark = pytest.mark.grid


def table(seed: int, rows: int, classes: int, weights: str, missing: float = 0.0) -> SmallTable:
    """A column of categories of very different sizes beside one of few values."""
    rng = np.random.default_rng(seed)
    sizes = 0.6 ** np.arange(len(LETTERS))
    codes = rng.choice(len(sizes), rows, p=sizes / sizes.sum())
    gone = rng.random(rows) < missing
    names = [None if g else LETTERS[c] for c, g in zip(codes, gone, strict=True)]
    few = rng.integers(0, 4, rows)
    labels = (rng.random(rows) * classes * 0.7 + 0.2 * few + (codes % 3 == 0) * 0.4).astype(int)
    labels = np.minimum(labels, classes - 1)
    labels[:classes] = range(classes)
    given = {
        "none": None,
        "whole": tuple(rng.integers(0, 4, rows).astype(float).tolist()),
        "any": tuple((rng.random(rows) + 0.1).tolist()),
    }[weights]
    columns = (Column("category", tuple(names)), Column("numeric", tuple(map(float, few))))
    return SmallTable(columns, tuple(labels.tolist()), given)


@pytest.mark.parametrize("weights", ["none", "whole", "any"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_the_tree_is_that_of_the_oracle(classes, weights, missing):
    changed = 0
    for seed in range(6):
        case = table(seed, 150 + 50 * seed, classes, weights, missing)
        rules = Rules("gini", max_leaf_nodes=8, min_category_size=8)
        model, growth = fit(case, rules), oracle(case, rules)
        found = [list(model.tree_.children(n)) for n in range(model.tree_.n_nodes)]
        assert found == [list(node.children or ()) for node in growth.nodes]
        for node in growth.nodes:
            expected = growth.class_weights(node)
            assert model.tree_.class_weights[node.number].tolist() == expected
        changed += fit(case, Rules("gini", max_leaf_nodes=8)).digest() != model.digest()
        assert check(model, case.X, case.y, case.sample_weight)
    assert changed


def three_kinds(case: SmallTable) -> SmallTable:
    """Labels for which it pays to part the categories in three."""
    rng = np.random.default_rng(1)
    kinds = [0 if name is None else LETTERS.index(name) % 3 for name in case.columns[0].values]
    if case.n_classes == 2:
        drawn = [int(rng.random() < (0.02, 0.5, 0.98)[kind]) for kind in kinds]
    else:
        drawn = [kind if rng.random() < 0.9 else int(rng.integers(0, 3)) for kind in kinds]
    return replace(case, labels=(*range(case.n_classes), *drawn[case.n_classes :]))


@pytest.mark.parametrize("weights", ["none", "whole", "any"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_a_multiway_tree_is_that_of_the_oracle(classes, weights, missing):
    changed = wide = 0
    for seed in range(4):
        case = three_kinds(table(seed, 150 + 50 * seed, classes, weights, missing))
        rules = Rules("gini", "weight", max_depth=2, min_category_size=8)
        price = Price(200, gamma=0.9) if seed % 2 else Price(12)
        model, growth = fit_multiway(case, rules, price), grow_by_hand(case, rules, price)
        assert_same_tree(model, growth)
        wide += sum(
            n.function.arity > 2 and n.function.column == 0 for n in growth.nodes if n.function
        )
        single = replace(rules, min_category_size=1)
        changed += fit_multiway(case, single, price).digest() != model.digest()
        assert check(model, case.X, case.y, case.sample_weight)
    assert changed
    assert wide


@pytest.mark.parametrize("classes", [2, 3])
def test_fractional_examples_have_the_tree_of_the_oracle(classes):
    for seed in range(6):
        case = table(seed, 200, classes, "none", 0.15)
        rules = Rules("gini", max_leaf_nodes=6, min_category_size=8)
        model = fit_fractional(case, rules)
        growth = fractional.grow(case.columns, case.labels, [1.0] * case.n_rows, rules)
        assert model.tree_.n_nodes == len(growth.nodes)
        for node in growth.nodes:
            expected = np.ldexp(np.array(node.vector, float), -growth.problem.exponent)
            assert model.tree_.class_weights[node.number].tolist() == expected.tolist()


@pytest.mark.parametrize("variant", ["real", "discrete", "gentle"])
@pytest.mark.parametrize("weights", ["none", "whole", "any"])
def test_every_search_gives_the_same_rounds_and_the_checker_agrees(variant, weights):
    case = table(3, 300, 2, weights, 0.1)
    X, y, given = case.frame, case.y, case.sample_weight
    models = [
        BoostedTreesClassifier(
            variant=variant, n_estimators=5, max_depth=2, min_category_size=12, search=search
        ).fit(X, y, given)
        for search in ("auto", "exhaustive", "quick", "adaptive")
    ]
    assert len({model.digest() for model in models}) == 1
    assert check(models[0], X, y, given)
    free = BoostedTreesClassifier(
        variant=variant, n_estimators=5, max_depth=2, min_category_size=1
    ).fit(X, y, given)
    assert free.digest() != models[0].digest()


@pytest.mark.parametrize("model", [TreeClassifier, BoostedTreesClassifier])
def test_a_weight_of_two_is_the_row_twice(model):
    case = table(5, 300, 2, "whole")
    repeated = np.repeat(np.arange(case.n_rows), np.array(case.weights, int))
    more = {"n_estimators": 6} if model is BoostedTreesClassifier else {}
    weighted = model(**more).fit(case.frame, case.y, case.sample_weight)
    rows = case.frame.iloc[repeated].reset_index(drop=True)
    assert model(**more).fit(rows, case.y[repeated]).digest() == weighted.digest()


def test_a_column_of_random_categories_does_no_harm():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(6000, 3)), columns=list("abc"))
    y = (X["a"] + 0.5 * X["b"] + rng.normal(size=6000) > 0).to_numpy()
    noisy = X.assign(merchant=rng.integers(0, 1500, 6000).astype(str))
    scores = [
        BoostedTreesClassifier(n_estimators=30).fit(t[:3000], y[:3000]).score(t[3000:], y[3000:])
        for t in (X, noisy)
    ]
    assert scores[1] > scores[0] - 0.01
