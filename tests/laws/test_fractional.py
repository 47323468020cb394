"""`missing="fractional"` against the plain TopDown with fractional examples, and its laws."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood import TreeClassifier
from hardwood.table import read_prediction_table
from hardwood.tree import INTERVAL
from hardwood.tree.paths import node_cuts
from hardwood.tree.route import leaves_of, shares_of
from tests.hand_built import SCHEMAS, build, random_node
from tests.laws.reading import fit, read, route
from tests.oracles import fractional, fractional_costs
from tests.oracles.topdown_problem import Column, Rules
from tests.tables.matrices import shapes_of_columns
from tests.tables.small import (
    CRITERIA,
    LEAF_CHOICES,
    SmallTable,
    any_rules,
    gappy_tables,
    stop_rules,
    tables,
)

pytestmark = pytest.mark.grid

every_growth = pytest.mark.parametrize(
    ("criterion", "leaf_choice"), [(c, choice) for c in CRITERIA for choice in LEAF_CHOICES]
)


def plain(table: SmallTable, rules: Rules) -> fractional.Growth:
    weights = (1.0,) * table.n_rows if table.weights is None else table.weights
    return fractional.grow(table.columns, table.labels, weights, rules)


def fit_fractional(table: SmallTable, rules: Rules, **more) -> TreeClassifier:
    return fit(table, rules, missing="fractional", **more)


def assert_same_growth(model: TreeClassifier, growth: fractional.Growth) -> None:
    tree, problem = model.tree_, growth.problem
    nodes = read(tree, problem.columns)
    assert model.history_["node"].tolist() == growth.split_nodes
    assert len(nodes) == len(growth.nodes)
    unit = 2.0**-problem.exponent
    for expected, node in zip(growth.nodes, nodes, strict=True):
        number = expected.number
        assert tree.parent[number] == expected.parent
        assert tree.depth[number] == expected.depth
        assert tree.rows[number] == len(expected.items)
        assert tree.share[number] == expected.share
        weights = [a * unit for a in expected.vector]
        np.testing.assert_allclose(tree.class_weights[number], weights, rtol=1e-15)
        assert tree.cost[number] == pytest.approx(expected.phi / problem.total, rel=1e-14)
        if expected.split is None:
            assert node.feature == -1
            continue
        assert node.feature == expected.split.column
        assert node.first_child == expected.first_child
        assert node.threshold == expected.split.threshold
        if expected.split.threshold is None:
            assert node.branch_of == expected.split.branch_of
        assert node.default_branch == node.missing_branch == expected.heaviest
        assert node.missing_seen == expected.missing_seen
    np.testing.assert_allclose(model.history_["potential"], growth.potential, rtol=1e-12)
    np.testing.assert_allclose(model.history_["error"], growth.error, rtol=1e-12, atol=1e-15)


@every_growth
@given(table=gappy_tables(), data=st.data())
def test_the_tree_equals_the_plain_tree_of_fractional_examples(criterion, leaf_choice, table, data):
    rules = data.draw(stop_rules(criterion, leaf_choice))
    assert_same_growth(fit_fractional(table, rules), plain(table, rules))


@pytest.mark.parametrize("criterion", CRITERIA)
@given(table=gappy_tables(kinds=("category",), max_columns=2, max_rows=40))
def test_the_tree_of_categories_equals_the_plain_tree_of_fractional_examples(criterion, table):
    rules = Rules(criterion, max_leaf_nodes=6)
    assert_same_growth(fit_fractional(table, rules), plain(table, rules))


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_buckets_of_many_values_hide_no_cut(criterion, n_classes):
    rng = np.random.default_rng(n_classes)
    n = 420
    X = rng.normal(size=(n, 3))
    X[:, 2] = np.round(X[:, 2] * 2)
    y = np.digitize(X[:, 0] + X[:, 1] ** 2 + rng.normal(size=n), range(1, n_classes))
    X[rng.random(X.shape) < 0.15] = np.nan
    columns = tuple(
        Column("numeric", tuple(None if math.isnan(v) else v for v in column))
        for column in X.T.tolist()
    )
    table = SmallTable(columns, tuple(y.tolist()), tuple(rng.integers(1, 9, n) / 8.0))
    rules = Rules(criterion, max_depth=1)
    assert_same_growth(fit_fractional(table, rules), plain(table, rules))


@pytest.mark.parametrize("criterion", CRITERIA)
@given(table=gappy_tables(kinds=("category",), max_classes=2, max_columns=1, max_rows=40))
def test_no_subset_beats_the_cuts_in_order_of_the_shares_of_the_present(criterion, table):
    growth = plain(table, Rules(criterion, max_leaf_nodes=1))
    problem, root = growth.problem, growth.nodes[0]
    values = table.columns[0].values
    items = {v: [i for i in root.items if values[i.row] == v] for v in values}
    missing = problem.vector(items.pop(None, []))
    vectors = [problem.vector(some) for some in items.values() if some]
    known = tuple(map(sum, zip(*vectors, strict=True)))
    best = root.phi if root.best is None else root.best.cost
    for size in range(1, len(vectors)):
        for side in combinations(vectors, size):
            left = tuple(map(sum, zip(*side, strict=True)))
            right = tuple(a - b for a, b in zip(known, left, strict=True))
            parts = [fractional_costs.branch_parts(v, known, missing) for v in (left, right)]
            if min(sum(left), sum(right)) >= problem.per_example:
                cost = sum(fractional_costs.phi(criterion, part) for part in parts)
                assert best <= cost * (1 + 1e-12)


@given(table=gappy_tables(), rules=any_rules)
def test_probabilities_combine_the_leaves_that_a_row_reaches(table, rules):
    model, growth = fit_fractional(table, rules), plain(table, rules)
    rows = [[column.values[i] for column in table.columns] for i in range(table.n_rows)]
    expected = np.array([fractional.class_shares(growth, row) for row in rows], dtype=float)
    combined = model.predict_proba(table.X)
    np.testing.assert_allclose(combined, expected, rtol=1e-12, atol=1e-12)
    several = np.array([None in row for row in rows])
    assert np.array_equal(model.predict(table.X)[several], combined[several].argmax(axis=1))
    nodes = read(model.tree_, table.columns)
    leaves = [route(nodes, table.columns, row) for row in rows]
    assert model.apply(table.X).tolist() == leaves
    alone = np.array(leaves)[~several]
    assert np.array_equal(combined[~several], model.tree_.shares[alone])
    assert np.array_equal(model.predict(table.X)[~several], model.tree_.label[alone])


@given(table=gappy_tables(), rules=any_rules)
def test_parts_add_up_and_the_certificate_holds(table, rules):
    model = fit_fractional(table, rules)
    tree = model.tree_
    inner = np.flatnonzero(~tree.is_leaf)
    for node in inner:
        below = list(tree.children(node))
        assert np.array_equal(tree.class_weights[below].sum(axis=0), tree.class_weights[node])
        assert tree.share[below].sum() == pytest.approx(1.0)
    potential = np.append(model.certificate_.root_potential, model.history_["potential"])
    assert (np.diff(potential) <= 1e-12).all()
    assert model.certificate_.holds
    for claim in model.certificate_.claims:
        assert claim.bound >= model.certificate_.potential * (1 - 1e-12)


@given(table=tables(), rules=any_rules)
def test_a_table_without_missing_values_grows_the_tree_of_branches(table, rules):
    columns = []
    for column in table.columns:
        some = next((v for v in column.values if v is not None), 0.0)
        values = tuple(some if v is None else v for v in column.values)
        columns.append(Column("numeric" if some == 0.0 else column.kind, values))
    table = replace(table, columns=tuple(columns))
    model, usual = fit_fractional(table, rules), fit(table, rules)
    assert model.tree_.share is not None
    bare = TreeClassifier(**usual.get_params()).fit(table.X, table.y, table.sample_weight)
    bare.tree_ = replace(model.tree_, share=None)
    assert bare.digest() == usual.digest()
    assert model.digest() != usual.digest()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_column_without_any_value_changes_no_other_split(criterion, n_classes, weighted):
    X, y, w = shapes_of_columns(3, n_classes)
    X[:, 5] = np.nan
    weights = np.round(w * 8) / 8 + 0.125 if weighted else None
    usual = TreeClassifier(pruning=None, criterion=criterion, max_leaf_nodes=60, min_samples_leaf=3)
    usual.fit(X, y, weights)
    model = TreeClassifier(**usual.get_params()).set_params(missing="fractional")
    model.fit(X, y, weights)
    model.tree_ = replace(model.tree_, share=None)
    assert model.digest() == usual.digest()


@pytest.mark.threads
@given(table=gappy_tables(), rules=any_rules)
def test_the_digest_is_the_same_for_any_number_of_threads(table, rules):
    assert len({fit_fractional(table, rules, n_jobs=n).digest() for n in (1, 2, 3)}) == 1


@pytest.mark.threads
@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_larger_table_gives_one_tree_for_any_threads_and_row_order(criterion, n_classes):
    X, y, w = shapes_of_columns(5, n_classes, rows=9000)
    X[np.random.default_rng(9).random(X.shape) < 0.05] = np.nan
    model = TreeClassifier(
        pruning=None,
        min_samples_leaf=1,
        criterion=criterion,
        max_leaf_nodes=40,
        missing="fractional",
    )
    order = np.random.default_rng(0).permutation(len(y))
    digests = {model.set_params(n_jobs=n).fit(X, y, w).digest() for n in (1, 2, 3)}
    one = model.predict_proba(X)
    assert np.array_equal(model.set_params(n_jobs=1).predict_proba(X), one)
    digests.add(model.fit(X[order], y[order], w[order]).digest())
    assert len(digests) == 1


@given(table=gappy_tables(), rules=any_rules, data=st.data())
def test_the_digest_is_the_same_for_any_order_of_the_rows(table, rules, data):
    order = list(data.draw(st.permutations(range(table.n_rows))))
    one, other = fit_fractional(table, rules), fit_fractional(table.take(order), rules)
    assert one.digest() == other.digest()


@given(table=gappy_tables(kinds=("numeric", "category"), weights=("whole",)), rules=any_rules)
def test_a_power_of_two_in_all_weights_changes_no_leaf(table, rules):
    # A whole weight would be several examples, and twice as many when it is doubled.
    table = replace(table, weights=tuple(w + 0.125 for w in table.weights))
    scaled = replace(table, weights=tuple(w * 2.0 for w in table.weights))
    one, other = fit_fractional(table, rules), fit_fractional(scaled, rules)
    assert np.array_equal(one.apply(table.X), other.apply(table.X))
    assert np.array_equal(one.predict_proba(table.X), other.predict_proba(table.X))


def test_sparse_columns_with_missing_entries_grow_the_tree_of_a_narrow_table():
    """In a table of more than 4,096 columns rare ones are lists of entries."""
    rng = np.random.default_rng(4)
    n = 400
    few = rng.integers(0, 3, size=(n, 6)).astype(float)
    few[rng.random(few.shape) < 0.6] = 0.0
    few[rng.random(few.shape) < 0.05] = np.nan
    few[rng.random(n) < 0.9, 5] = np.nan
    y = (np.nan_to_num(few[:, 0]) + np.nan_to_num(few[:, 1]) + rng.random(n) > 1.4).astype(int)
    wide = np.zeros((n, 4200))
    wide[:, ::700] = few
    parameters = {"missing": "fractional", "min_samples_leaf": 2, "max_leaf_nodes": 20}
    narrow_tree = TreeClassifier(pruning=None, **parameters).fit(few, y).tree_
    wide_tree = TreeClassifier(pruning=None, **parameters).fit(wide, y).tree_
    assert np.array_equal(wide_tree.feature[wide_tree.feature >= 0] % 700, np.zeros(19))
    assert np.array_equal(wide_tree.class_weights, narrow_tree.class_weights)
    assert np.array_equal(wide_tree.share, narrow_tree.share)


def test_text_dictionary_and_rules_say_where_missing_values_go():
    frame = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0, 5.0, None]})
    model = TreeClassifier(
        pruning=None, min_samples_leaf=1, missing="fractional", leaf_prior=0.0
    ).fit(frame, [0, 0, 1, 1, 1, 1])
    text = model.to_text()
    assert text.splitlines()[0].startswith("2 leaves, depth 1; missing: every branch by its share")
    assert "or missing" not in text
    nodes = model.to_dict()["nodes"]
    assert [node["share"] for node in nodes] == [1.0, 0.4, 0.6]
    assert nodes[0]["conditions"] == ["age <= 2", "age > 2"]
    assert [str(rule).split(" then ")[0] for rule in model.rules()] == [
        "if age <= 2",
        "if age > 2 or missing",
    ]
    assert model.apply(frame).tolist() == [1, 1, 2, 2, 2, 2]
    left = 2 / (2 + 0.4)
    expected = 0.4 * left
    assert model.predict_proba(frame)[-1, 0] == pytest.approx(expected, rel=1e-12)


def test_an_unseen_category_takes_the_heaviest_branch_and_a_new_gap_every_branch():
    frame = pd.DataFrame({"city": ["a", "a", "b", "b", "b"]}, dtype="category")
    model = TreeClassifier(
        pruning=None, min_samples_leaf=1, missing="fractional", leaf_prior=0.0
    ).fit(frame, [0, 0, 1, 1, 1])
    other = pd.DataFrame({"city": ["z", None]}, dtype="category")
    np.testing.assert_allclose(model.predict_proba(other), [[0, 1], [0.4, 0.6]])
    assert model.predict(other).tolist() == [1, 1]


def test_multiway_splits_of_every_kind_combine_their_branches():
    """Trees written by hand, since growth of multi-way splits has tests of its own."""
    rng = np.random.default_rng(8)
    n = 60
    frame = pd.DataFrame(
        {
            "age": 100 * rng.normal(size=n),
            "city": pd.Categorical.from_codes(rng.integers(-1, 6, n), SCHEMAS[1].categories),
            "account": pd.array(2**63 + rng.integers(-200_000, 200_000, n).astype(np.uint64)),
            "balance": pd.array(2**60 + rng.integers(-200_000, 200_000, n)),
            SCHEMAS[4].name: 100 * rng.normal(size=n),
        }
    )
    for column in frame.columns.drop("city"):
        frame.loc[rng.random(n) < 0.4, column] = pd.NA if frame[column].dtype != float else np.nan
    rows = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    table = read_prediction_table(frame, SCHEMAS, True, model_name="a tree")
    for _ in range(10):
        tree = build(random_node(rng, 25, 3), SCHEMAS)
        share = np.append(1.0, tree.weight[1:] / tree.weight[tree.parent[1:]])
        every = replace(tree, share=share)
        leaves, shares = shares_of(every, table, 2)
        usual = leaves_of(tree, table, 1)
        assert np.array_equal(leaves[leaves >= 0], usual[leaves >= 0])
        for row, single, combined in zip(rows, leaves, shares, strict=True):
            asked = any(row[feature] is None for feature in tree.used_features)
            assert (single < 0) == asked
            expected = _combined(every, row, 0)
            np.testing.assert_allclose(combined, expected, rtol=1e-12)


def _combined(tree, row, node):
    if tree.is_leaf[node]:
        return tree.shares[node]
    value, below = row[tree.feature[node]], tree.children(node)
    if value is None:
        return sum(tree.share[child] * _combined(tree, row, child) for child in below)
    if tree.kind[node] == INTERVAL:
        cuts = node_cuts(tree, SCHEMAS[tree.feature[node]], node)
        return _combined(tree, row, below[sum(value > cut for cut in cuts)])
    code = SCHEMAS[1].categories.index(value)
    own = tree.groups(node)
    branches = dict(zip(tree.group_codes[own], tree.group_branches[own], strict=True))
    return _combined(tree, row, below[branches.get(code, tree.default_branch[node])])


def test_an_unknown_way_for_missing_values_is_refused():
    with pytest.raises(ValueError, match='missing must be one of "branch", "fractional"'):
        TreeClassifier(missing="fractions").fit([[1.0], [2.0]], [0, 1])
