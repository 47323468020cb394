"""Constrained models against the plain searches, and what must not change them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hardwood import BoostedTreesClassifier
from hardwood.certify import check
from tests.laws.constraint_trials import trials
from tests.laws.reading import assert_same_growth, fit, oracle, read
from tests.oracles.constrained import ScoreSearch, ShareSearch
from tests.oracles.topdown_problem import Column, Rules
from tests.tables.small import CRITERIA, SmallTable, stop_rules, tables

pytestmark = pytest.mark.grid

signs = st.sampled_from([-1, 0, 1, 1])


def drawn_signs(data: st.DataObject, table: SmallTable) -> dict[int, dict[int, int]]:
    """A sign for some columns and one class, as `monotonic_cst` takes them."""
    told = {}
    for j, column in enumerate(table.columns):
        if column.kind != "category":
            label = data.draw(st.integers(0, table.n_classes - 1))
            told[j] = {label: data.draw(signs)}
    return told


def of_both_classes(
    table: SmallTable, told: dict[int, dict[int, int]]
) -> dict[tuple[int, int], int]:
    found = {(j, label): s for j, one in told.items() for label, s in one.items() if s}
    if table.n_classes == 2:
        found |= {(j, 1 - label): -s for (j, label), s in found.items()}
    return found


@pytest.mark.parametrize("prior", [0.0, 3.0])
@pytest.mark.parametrize("criterion", CRITERIA)
@given(table=tables(), data=st.data())
def test_a_monotone_tree_equals_the_plain_one(criterion, prior, table, data):
    assume(table.n_classes > 1)
    rules = data.draw(stop_rules(criterion, "drop"))
    told = drawn_signs(data, table)
    model = fit(table, rules, monotonic_cst=told, leaf_prior=prior)
    search = ShareSearch(of_both_classes(table, told), leaf_prior=prior)
    assert_same_growth(model, oracle(table, rules, search))


@pytest.mark.parametrize("criterion", ["km", "gini"])
@given(table=tables(), data=st.data())
def test_a_tree_with_interaction_constraints_equals_the_plain_one(criterion, table, data):
    columns = range(len(table.columns))
    groups = data.draw(st.lists(st.sets(st.sampled_from(columns), min_size=1), max_size=3))
    rest = frozenset(columns).difference(*groups)
    rules = Rules(criterion, max_leaf_nodes=12)
    model = fit(table, rules, interaction_cst=groups)
    known = [frozenset(group) for group in groups] + ([rest] if rest else [])
    assert_same_growth(model, oracle(table, rules, ShareSearch(groups=known)))


@given(table=tables(), data=st.data())
def test_a_tree_with_columns_below_others_equals_the_plain_one(table, data):
    columns = data.draw(st.permutations(range(len(table.columns))))
    needs = {  # of columns before it: never in a circle
        j: data.draw(st.sets(st.sampled_from(columns[:i]), max_size=2))
        for i, j in enumerate(columns)
        if i
    }
    rules = Rules("km", max_leaf_nodes=12)
    model = fit(table, rules, interaction_cst=needs)
    search = ShareSearch(needs={j: frozenset(each) for j, each in needs.items()})
    assert_same_growth(model, oracle(table, rules, search))
    assert not check(model, table.X, table.y, table.sample_weight).differences
    boosted = BoostedTreesClassifier(n_estimators=2, interaction_cst=needs, max_depth=3)
    boosted.fit(table.X, table.y, table.sample_weight)
    assert not check(boosted, table.X, table.y, table.sample_weight).differences


@given(
    table=tables(kinds=("numeric", "category"), weights=("none",), max_classes=2), data=st.data()
)
def test_a_round_of_constrained_boosting_equals_the_plain_one(table, data):
    assume(table.n_classes == 2)
    assert_same_round(table, drawn_signs(data, table))


def test_branches_that_say_the_same_cost_what_their_interval_takes():
    """Both branches of the second column would be clipped to one value, and that is no gain."""
    columns = (
        (0, 0, 2, 2, 2, 2, 0, 3, 0, 0, 1, 2, 1, 0, 3, 1, 2, 0, 3, 2),
        (0, None, 2, 3, 4, 5, 6, 7, None, None, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19),
        (0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1),
    )
    table = SmallTable(
        tuple(Column("numeric", tuple(v if v is None else float(v) for v in c)) for c in columns),
        labels=(1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1),
        weights=None,
    )
    assert_same_round(table, {1: {0: 1}, 2: {0: -1}})


def assert_same_round(table: SmallTable, told: dict[int, dict[int, int]]) -> None:
    rules = Rules("km", max_depth=3)
    model = BoostedTreesClassifier(
        n_estimators=1, max_depth=3, variant="real", leaf_prior=1.0, feature_fraction=1.0,
        min_category_size=1, monotonic_cst=told,
    ).fit(table.X, table.y)  # fmt: skip
    # Rows of weight 1 are whole numbers of 2^e: the prior of one example weighs as much as a row.
    search = ScoreSearch(of_both_classes(table, told))
    growth = oracle(table, rules, search)
    search.prior = float(growth.problem.weights[0])
    search.nodes.clear()
    growth = oracle(table, rules, search)
    tree = model.trees_[0]
    nodes = read(tree, table.columns)
    if growth.undecided is not None:
        return
    by_parts = {tuple(n.rows): n for n in growth.nodes}
    assert len(nodes) == len(growth.nodes)
    assert len(by_parts) == len(growth.nodes)
    for node in growth.nodes:
        if node.split is None:
            low, high = search.interval(growth.problem, node, 1)
            own = min(max(search._own(node.vector), low), high)
            leaf = model.trees_[0].value[_number(growth, tree, node)]
            assert leaf == pytest.approx(own, abs=1e-12)


def _number(growth, tree, node) -> int:
    """The node of the model's tree at the oracle's place, by the branches from the root."""
    turns = []
    while node.parent >= 0:
        parent = growth.nodes[node.parent]
        turns.append(parent.children.index(node.number))
        node = parent
    number = 0
    for turn in reversed(turns):
        number = int(tree.first_child[number]) + turn
    return number


@pytest.mark.threads
@given(table=tables(), data=st.data())
def test_the_digest_does_not_depend_on_threads_order_or_search(table, data):
    assume(table.n_classes > 1)
    told = drawn_signs(data, table)
    order = list(data.draw(st.permutations(range(table.n_rows))))
    moved = table.take(order)
    model = BoostedTreesClassifier(
        n_estimators=3, max_depth=3, monotonic_cst=told, interaction_cst="pairwise"
    )
    digests = set()
    for rows, search, jobs in (
        (table, "auto", 1),
        (moved, "exhaustive", 2),
        (moved, "adaptive", 1),
    ):
        model.set_params(search=search, n_jobs=jobs)
        digests.add(model.fit(rows.X, rows.y, rows.sample_weight).digest())
    assert len(digests) == 1


@given(table=tables(), data=st.data())
def test_the_checker_agrees_with_constrained_models(table, data):
    assume(table.n_classes > 1)
    told = drawn_signs(data, table)
    tree = fit(table, Rules("km"), monotonic_cst=told, leaf_prior=3.0, interaction_cst="pairwise")
    assert not check(tree, table.X, table.y, table.sample_weight, thorough=True).differences
    boosted = BoostedTreesClassifier(n_estimators=3, monotonic_cst=told, max_depth=3)
    boosted.fit(table.X, table.y, table.sample_weight)
    assert not check(boosted, table.X, table.y, table.sample_weight, thorough=True).differences


def test_the_checker_finds_a_leaf_on_the_wrong_side():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] + rng.normal(size=300) > 0).astype(int)
    model = BoostedTreesClassifier(n_estimators=2, max_depth=3).fit(X, y)
    assert not check(model, X, y).differences
    model.monotonic_cst = [-1, 0, 0]
    assert any("monotonic_cst is not kept" in each for each in check(model, X, y).differences)
    model.set_params(monotonic_cst=None, interaction_cst={0: [1], 1: [2]})
    assert any("others must stand above" in each for each in check(model, X, y).differences)
    model.set_params(monotonic_cst=None, interaction_cst="no_interactions")
    assert any("interaction_cst" in each for each in check(model, X, y).differences)


@pytest.mark.parametrize("seed", range(4))
def test_no_pair_of_rows_violates_a_constraint(seed):
    found = trials(800, seed)
    assert found.pairs >= 800
    assert found.violations == 0
    assert found.claims
    assert found.not_proved == 0
