"""Multi-way growth: the pure-Python TOPDOWN-M, the budget, the claims, threads and row order."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwood import TreeClassifier
from tests.effort import EXAMPLES
from tests.laws.pricing import fit, prices
from tests.oracles import topdown_candidates, topdown_m, topdown_problem
from tests.oracles.topdown_m import Price
from tests.oracles.topdown_problem import Rules
from tests.tables.small import CRITERIA, LETTERS, SmallTable, stop_rules, tables

KINDS = ("numeric", "numeric", "category", "integer")


def grow_by_hand(table: SmallTable, rules: Rules, price: Price) -> topdown_m.Growth:
    weights = (1.0,) * table.n_rows if table.weights is None else table.weights
    problem = topdown_m.problem_of(table.columns, table.labels, weights, rules, table.n_classes)
    return topdown_m.grow(problem, price)


def assert_same_tree(model: TreeClassifier, growth: topdown_m.Growth) -> None:
    tree, columns = model.tree_, growth.problem.columns
    count = len(growth.split_nodes)
    assert model.history_["node"][:count].tolist() == growth.split_nodes
    if not growth.undecided:
        assert tree.n_nodes == len(growth.nodes)
    for node in growth.nodes:
        number = node.number
        expected = [math.ldexp(a, -growth.problem.exponent) for a in node.vector]
        assert tree.class_weights[number].tolist() == expected
        assert tree.rows[number] == len(node.rows)
        if node.function is not None:
            _assert_same_function(tree, number, node, columns[node.function.column])
    np.testing.assert_allclose(
        model.history_["potential"][:count], growth.potential, rtol=1e-11, atol=1e-13
    )
    np.testing.assert_allclose(model.history_["error"][:count], growth.error, atol=1e-13)


def _assert_same_function(
    tree: Any, number: int, node: topdown_m.Node, column: topdown_problem.Column
) -> None:
    function = node.function
    assert function is not None
    assert tree.feature[number] == function.column
    assert tree.branches[number] == function.arity
    assert tree.first_child[number] == node.first_child
    if column.kind == "category":
        groups = tree.groups(number)
        pairs = zip(tree.group_codes[groups], tree.group_branches[groups], strict=True)
        named = {LETTERS[code]: int(branch) for code, branch in pairs}
        assert named == {v: b for b, values in enumerate(function.branches) for v in values}
    elif column.kind == "integer":
        cuts = tree.integer_thresholds[tree.cuts(number)].tolist()
        if any(v is not None and v >= 2**63 for v in column.values):
            cuts = [cut % 2**64 for cut in cuts]
        assert cuts == list(function.thresholds)
    else:
        assert tree.thresholds[tree.cuts(number)].tolist() == list(function.thresholds)
    way = function.missing_branch
    assert bool(tree.missing_seen[number]) == (way is not None)
    assert tree.default_branch[number] == node.default_branch
    assert tree.missing_branch[number] == (node.default_branch if way is None else way)


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(max_examples=3 * EXAMPLES)
@given(table=tables(kinds=KINDS, max_columns=3), data=st.data())
def test_the_tree_is_that_of_trying_every_cut_and_every_grouping(criterion, table, data):
    rules = data.draw(stop_rules(criterion, "weight"))
    if any(column.kind == "category" for column in table.columns):
        rules = replace(rules, min_samples_leaf=1, min_weight_fraction_leaf=0.0)
    price = data.draw(prices(data.draw(st.sampled_from([1, 2, 3, 4, 6, 9, 16]))))
    model = fit(table, rules, price)
    assert_same_tree(model, grow_by_hand(table, rules, price))
    assert model.history_["exact"].dtype == bool


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(max_examples=2 * EXAMPLES)
@given(table=tables(kinds=("category",), max_classes=2, max_columns=1), data=st.data())
def test_no_grouping_of_two_classes_beats_runs_in_order_of_share(criterion, table, data):
    arity = data.draw(st.integers(3, 4))
    problem = grow_by_hand(table, Rules(criterion), Price(1)).problem
    groups, missing = topdown_candidates.group_rows(problem, problem.rows, 0)
    if missing is not None:
        groups.append(missing)
    classes = [c for c, weight in enumerate(problem.vector(problem.rows)) if weight > 0]
    merged = topdown_candidates.shares_in_order(groups, classes[-1])
    if len(merged) < arity:
        return

    def cost(branches: list[list[topdown_problem.Group]]) -> float:
        sums = [[sum(c) for c in zip(*(g.vector for g in b), strict=True)] for b in branches]
        return math.fsum(topdown_problem.phi(criterion, tuple(vector)) for vector in sums)

    in_order = topdown_m.runs([[groups[i] for i in same] for same in merged], arity)
    best = min(cost(branches) for _, branches in in_order)
    for blocks in topdown_m.partitions(list(range(len(groups))), arity):
        assert best <= cost([[groups[i] for i in block] for block in blocks]) * (1 + 1e-12)


@settings(max_examples=2 * EXAMPLES)
@given(table=tables(kinds=KINDS), data=st.data())
def test_the_budget_is_kept_the_certificate_holds_and_claims_are_true(table, data):
    criterion = data.draw(st.sampled_from(CRITERIA))
    price = data.draw(prices(data.draw(st.integers(1, 40))))
    model = fit(table, Rules(criterion), price)
    certificate = model.certificate_
    assert model.get_n_leaves() <= price.budget
    assert certificate.holds
    for claim in certificate.claims:
        assert certificate.potential <= claim.bound
    before = (1 + np.concatenate([[0], np.cumsum(model.history_["branches"] - 1)])[:-1]).tolist()
    branches = model.history_["branches"].tolist()
    for k, leaves in zip(branches, before, strict=True):
        assert price.acceptable(k, leaves)
    made = {claim.name for claim in certificate.claims}
    heaviest = _heaviest_leaf_always(model)
    reached = Price(model.get_n_leaves())
    fits = all(reached.acceptable(k, leaves) for k, leaves in zip(branches, before, strict=True))
    assert ("hatano" in made) == (bool(branches) and heaviest and fits)
    assert ("product" in made) == (set(branches) == {2} and heaviest)
    assert "mansour-mcallester" not in made or (price.gamma is not None and heaviest)


@settings(max_examples=2 * EXAMPLES)
@given(table=tables(kinds=("category", "numeric"), weights=("none", "whole")), data=st.data())
def test_every_branch_of_every_split_is_within_the_limits(table, data):
    least, criterion = data.draw(st.integers(2, 4)), data.draw(st.sampled_from(CRITERIA))
    rules = Rules(criterion, min_samples_leaf=least)
    tree = fit(table, rules, data.draw(prices(24))).tree_
    assert tree.n_leaves == 1 or (tree.weight[1:] >= least).all()


def _heaviest_leaf_always(model: TreeClassifier) -> bool:
    tree, leaves = model.tree_, {0}
    for node in model.history_["node"].tolist():
        if tree.cost[node] < max(tree.cost[leaf] for leaf in leaves):
            return False
        leaves.remove(node)
        leaves.update(tree.children(node))
    return True


def test_a_growth_that_stops_below_its_budget_after_a_multiway_split_claims_no_theorem():
    """docs/theory/rules.md#claims: the counterexample in small; k T <= s was kept, k T <= L not."""
    first, second = np.repeat([0, 1], 300), np.arange(600) % 6
    y = np.where(first == 0, second % 2, 1)
    X = np.column_stack([first, second])
    for criterion in ("gini", "entropy"):
        model = TreeClassifier(
            criterion=criterion, branching="multiway", max_leaf_nodes=64, pruning=None
        ).fit(X, y)
        assert model.history_["branches"].tolist() == [2, 6]
        assert model.get_n_leaves() == 7
        assert model.certificate_.holds
        assert not model.certificate_.claims
