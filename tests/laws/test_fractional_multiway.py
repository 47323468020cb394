"""`missing="fractional"` with `branching="multiway"`: every split is a best one, and its laws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwood import TreeClassifier
from hardwood.certify import check
from tests.effort import EXAMPLES
from tests.laws.pricing import fit, prices
from tests.oracles import fractional, fractional_m
from tests.oracles.topdown_m import Price
from tests.oracles.topdown_problem import Column, Rules
from tests.tables.matrices import shapes_of_columns
from tests.tables.small import CRITERIA, LETTERS, SmallTable, gappy_tables, stop_rules

pytestmark = pytest.mark.grid

BUDGETS = st.sampled_from([1, 2, 3, 4, 6, 9, 16])


def grown(table: SmallTable, rules: Rules, price: Price, **more: Any) -> TreeClassifier:
    return fit(table, rules, price, missing="fractional", **more)


def splits_of(model: TreeClassifier, columns: tuple[Column, ...]) -> list[fractional_m.Taken]:
    tree, splits = model.tree_, []
    for node in model.history_["node"].tolist():
        column = columns[tree.feature[node]]
        groups = tree.groups(node)
        pairs = zip(tree.group_codes[groups], tree.group_branches[groups], strict=True)
        cuts = tree.thresholds[tree.cuts(node)].tolist()
        if column.kind == "integer":
            cuts = tree.integer_thresholds[tree.cuts(node)].tolist()
            if any(v is not None and v >= 2**63 for v in column.values):
                cuts = [cut % 2**64 for cut in cuts]
        branch_of = {LETTERS[code]: int(branch) for code, branch in pairs}
        splits.append(fractional_m.Taken(node, int(tree.feature[node]), tuple(cuts), branch_of))
    return splits


def assert_best_splits(model: TreeClassifier, table: SmallTable, rules: Rules, price: Price):
    weights = (1.0,) * table.n_rows if table.weights is None else table.weights
    problem = fractional.problem_of(table.columns, table.labels, weights, rules)
    growth = fractional_m.follow(problem, price, splits_of(model, table.columns))
    tree, unit = model.tree_, 2.0**-problem.exponent
    assert tree.n_nodes == len(growth.nodes)
    for node in growth.nodes:
        number = node.number
        weights_here = [a * unit for a in node.vector]
        np.testing.assert_allclose(tree.class_weights[number], weights_here, rtol=1e-15)
        assert tree.rows[number] == len(node.items)
        assert tree.share[number] == node.share
        if node.split is not None:
            assert tree.default_branch[number] == tree.missing_branch[number] == node.heaviest
            assert tree.missing_seen[number] == node.missing_seen
    np.testing.assert_allclose(model.history_["potential"], growth.potential, rtol=1e-11)
    np.testing.assert_allclose(model.history_["error"], growth.error, atol=1e-13)


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(max_examples=3 * EXAMPLES)
@given(table=gappy_tables(max_columns=3, max_classes=3), data=st.data())
def test_no_function_is_better_than_the_split_taken(criterion, table, data):
    rules = replace(data.draw(stop_rules(criterion, "weight")), max_leaf_nodes=None)
    if any(column.kind == "category" for column in table.columns):
        rules = replace(rules, min_samples_leaf=1, min_weight_fraction_leaf=0.0)
    price = data.draw(prices(data.draw(BUDGETS)))
    assert_best_splits(grown(table, rules, price), table, rules, price)


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(max_examples=2 * EXAMPLES)
@given(
    table=gappy_tables(kinds=("category",), max_columns=2, max_classes=3, max_rows=40),
    data=st.data(),
)
def test_no_grouping_is_better_than_the_split_taken(criterion, table, data):
    rules, price = Rules(criterion), data.draw(prices(data.draw(BUDGETS)))
    assert_best_splits(grown(table, rules, price), table, rules, price)


@settings(max_examples=3 * EXAMPLES)
@given(
    table=gappy_tables(kinds=("numeric",), weights=("none", "whole"), max_rows=14, max_columns=2),
    criterion=st.sampled_from(CRITERIA),
    least=st.integers(1, 4),
)
def test_limits_are_on_the_examples_with_a_value_to_the_last_unit(table, criterion, least):
    rules, price = Rules(criterion, min_samples_leaf=least), Price(9)
    assert_best_splits(grown(table, rules, price), table, rules, price)


def test_a_branch_of_exactly_the_least_examples_is_allowed():
    """Three values of two examples each, the middle one of its own class; parts are rounded."""
    X = np.array([[0.0], [0.0], [1.0], [1.0], [2.0], [2.0], [np.nan]])
    model = TreeClassifier(
        branching="multiway",
        missing="fractional",
        max_leaf_nodes=3,
        min_samples_leaf=2,
        pruning=None,
        criterion="gini",
    ).fit(X, [0, 0, 1, 1, 0, 0, 0])
    assert model.history_["branches"].tolist() == [3]


@settings(max_examples=2 * EXAMPLES)
@given(table=gappy_tables(max_classes=3), data=st.data())
def test_threads_and_row_order_change_nothing_and_the_checker_accepts(table, data):
    rules = data.draw(stop_rules(data.draw(st.sampled_from(CRITERIA)), "weight"))
    price = data.draw(prices(data.draw(st.integers(1, 16))))
    model = grown(table, rules, price)
    order = list(data.draw(st.permutations(range(table.n_rows))))
    assert grown(table.take(order), rules, price, n_jobs=2).digest() == model.digest()
    found = check(model, table.X, table.y, table.sample_weight)
    assert found, found.differences


@pytest.mark.threads
@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_larger_table_gives_one_tree_for_any_threads_and_row_order(criterion, n_classes):
    X, y, w = shapes_of_columns(5, n_classes, rows=3000)
    X[np.random.default_rng(9).random(X.shape) < 0.05] = np.nan
    model = TreeClassifier(
        pruning=None,
        min_samples_leaf=2,
        criterion=criterion,
        max_leaf_nodes=40,
        branching="multiway",
        missing="fractional",
    )
    order = np.random.default_rng(0).permutation(len(y))
    digests = {model.set_params(n_jobs=n).fit(X, y, w).digest() for n in (1, 3)}
    digests.add(model.fit(X[order], y[order], w[order]).digest())
    assert len(digests) == 1
    found = check(model, X[order], y[order], w[order])
    assert found, found.differences
