"""`explain`: one row's answer in words, true to the model, from every form of a row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.explain import UNSEEN, explain_path
from hardwood.table import read_prediction_table
from hardwood.tree import rules as rules_of
from hardwood.tree.route import leaves_of
from tests.explain.by_hand import frame, random_rows
from tests.hand_built import SCHEMAS, build, groups, interval, leaf, random_node
from tests.laws.reading import fit
from tests.tables.small import stop_rules, tables

AGES = [25.0, 31.0, np.nan, 47.5, 52.0, 38.0, 60.0, 29.0]
CITIES = ["Oslo", "Rome", "Oslo", "Rome", "Lille", "Oslo", None, "Lille"]
LABELS = ["no", "yes", "no", "yes", "yes", "no", "yes", "no"]
X = pd.DataFrame({"age": AGES, "city": CITIES})


def tree() -> TreeClassifier:
    return TreeClassifier(max_leaf_nodes=4, min_samples_leaf=1, pruning=None).fit(X, LABELS)


def boosted(n_classes: int = 2) -> BoostedTreesClassifier:
    labels = LABELS if n_classes == 2 else ["a", "b", "c", "b", "c", "a", "b", "a"]
    return BoostedTreesClassifier(n_estimators=7, max_depth=2).fit(X, labels)


def hand_built_row(age, city, account, balance, points):
    return read_prediction_table(frame([[age, city, account, balance, points]]), SCHEMAS, True)


@given(table=tables(), rules=stop_rules("gini", "drop"), data=st.data())
def test_the_steps_are_the_decision_path_and_the_shares_predict_proba(table, rules, data):
    model = fit(table, rules)
    i = data.draw(st.integers(0, table.n_rows - 1))
    row = table.X[i : i + 1]
    found = model.explain(row)
    path = model.decision_path(row).indices
    assert [*(step.node for step in found.steps), found.leaf] == sorted(path)
    assert found.prediction == model.predict(row)[0]
    assert list(found.shares.values()) == model.predict_proba(row)[0].tolist()
    assert found.rows == model.tree_.rows[found.leaf]
    assert str(found).startswith(f"{found.prediction}: ")


@pytest.mark.parametrize("seed", range(10))
def test_conditions_of_a_path_are_those_of_the_leafs_rule(seed):
    rng = np.random.default_rng(seed)
    root = random_node(rng, 12, classes=2)
    made = build(root, SCHEMAS)
    by_leaf = {rule.leaf: rule for rule in rules_of(made, SCHEMAS, ["no", "yes"])}
    for row in random_rows(rng, root, 5):
        table = hand_built_row(*row)
        found = explain_path(made, SCHEMAS, ["no", "yes"], table)
        assert found.leaf == leaves_of(made, table, 1)[0]
        assert found.conditions == by_leaf[found.leaf].conditions
        assert found.share == by_leaf[found.leaf].share
        for step in found.steps:
            value = row[[schema.name for schema in SCHEMAS].index(step.column)]
            assert step.value == (UNSEEN if value == "Atlantis" else value)


def test_a_path_reads_well():
    root = interval(
        0, [30, 50], leaf(9, 1), groups(1, [[0, 1], [2]], leaf(3, 1), leaf(0, 8)), leaf(1, 1)
    )
    made = build(root, SCHEMAS)
    found = explain_path(made, SCHEMAS, ["no", "yes"], hand_built_row(42.5, "Rome", 1, 1, 1.0))
    assert str(found) == (
        "yes: 100% of 8 training rows\n"
        "  age in (30, 50]               here 42.5\n"
        "  city in {Rome} (and others)   here Rome\n"
        "shares: no 0, yes 1"
    )
    assert str(found.steps[0]) == "age in (30, 50] (here 42.5)"
    unseen = explain_path(made, SCHEMAS, ["no", "yes"], hand_built_row(42.5, "Atlantis", 1, 1, 1.0))
    assert "here a category not seen in training" in str(unseen)
    missing = explain_path(made, SCHEMAS, ["no", "yes"], hand_built_row(None, None, 1, 1, 1.0))
    assert missing.steps[0].value is None
    assert "here missing" in str(missing)


def test_a_tree_that_is_a_leaf_says_that_it_asks_nothing():
    text = str(TreeClassifier(max_leaf_nodes=1).fit(X, LABELS).explain(X[:1]))
    assert text == "no: 50% of 8 training rows\n  the tree asks nothing\nshares: no 0.5, yes 0.5"


def test_a_missing_value_on_the_path_of_a_fractional_tree_is_refused():
    made = build(interval(0, [30], leaf(9, 1), leaf(2, 3), missing=0), SCHEMAS)
    made = replace(made, share=np.array([1.0, 10 / 15, 5 / 15]))
    found = explain_path(made, SCHEMAS, ["no", "yes"], hand_built_row(42.5, None, 1, 1, 1.0))
    assert found.prediction == "yes"
    with pytest.raises(ValueError, match="Column 'age' of x is missing.*fractional"):
        explain_path(made, SCHEMAS, ["no", "yes"], hand_built_row(None, None, 1, 1, 1.0))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("i", range(8))
def test_contributions_are_the_shap_values_largest_first(n_classes, i):
    model = boosted(n_classes)
    row = X[i : i + 1]
    found = model.explain(row)
    output = 0 if n_classes == 2 else model.classes_.tolist().index(found.prediction)
    values = model.shap_values(row).reshape(2, -1)[:, output]
    expected = np.atleast_1d(model.shap_expected_value())[output]
    assert found.prediction == model.predict(row)[0]
    assert found.score_of == ("yes" if n_classes == 2 else found.prediction)
    assert found.score == np.atleast_1d(model.decision_function(row)[0])[output]
    assert list(found.probabilities.values()) == model.predict_proba(row)[0].tolist()
    amounts = {each.column: each.amount for each in found.contributions}
    assert amounts == dict(zip(X.columns, values.tolist(), strict=True))
    assert [abs(amount) for amount in amounts.values()] == sorted(abs(values), reverse=True)
    assert found.score == pytest.approx(expected + values.sum(), abs=1e-12)


def test_contributions_read_well():
    model = BoostedTreesClassifier(n_estimators=1, max_depth=1, variant="gentle", learning_rate=1)
    model.fit(X[["age"]].fillna(20), LABELS)
    score = float(model.decision_function(pd.DataFrame({"age": [47.5]}))[0])
    text = str(model.explain({"age": 47.5}))
    first, second, third = text.split("\n")
    assert first == f"yes with probability {1 / (1 + np.exp(-2 * score)):.3g}"
    assert second == f"score of yes {score:.4g} = 0 expected + {score:.4g} by columns"
    assert third == f"  {score:+.4f}  age = 47.5"


def test_many_columns_are_summed_up_in_print():
    rng = np.random.default_rng(0)
    many = rng.normal(size=(200, 14))
    model = BoostedTreesClassifier(n_estimators=60).fit(many, rng.integers(0, 2, 200))
    found = model.explain(many[0])
    lines = str(found).split("\n")
    assert len(found.contributions) == 14
    assert len(lines) == 13
    assert lines[-1].endswith("4 other columns")


@pytest.mark.parametrize("model", [tree(), boosted()])
def test_every_form_of_a_row_is_explained_alike(model):
    for i in (0, 3, 6):
        row = X.iloc[i : i + 1]
        cells = [None if pd.isna(value) else value for value in X.iloc[i]]
        expected = model.explain(row)
        for form in (
            X.iloc[i],
            dict(zip(X.columns, cells, strict=True)),
            dict(zip(reversed(X.columns), reversed(cells), strict=True)),
            cells,
            tuple(cells),
            np.array(cells, dtype=object),
            pl.DataFrame([cells], schema={"age": pl.Float64, "city": pl.String}, orient="row"),
        ):
            assert model.explain(form) == expected


def test_a_sparse_row_has_zeros_where_nothing_is_stored():
    rng = np.random.default_rng(1)
    dense = rng.integers(0, 2, (60, 5)) * rng.normal(size=(60, 5))
    model = TreeClassifier(max_leaf_nodes=12).fit(
        sparse.csr_matrix(dense), dense[:, 0] > dense[:, 1]
    )
    for i in range(10):
        assert model.explain(sparse.csr_matrix(dense[i : i + 1])) == model.explain(dense[i])


@pytest.mark.parametrize("model", [tree(), boosted()])
@pytest.mark.parametrize(
    ("x", "error", "sentence"),
    [
        ({"age": 3}, ValueError, "x lacks 'city'; it must have every column"),
        ({"age": 3, "city": "Oslo", "zip": 1}, ValueError, "x has the unknown 'zip'"),
        ([1.0], ValueError, "x has 1 values, but .* is expecting 2"),
        (X[:3], ValueError, "x has 3 rows; one row is explained at a time"),
        (X.drop(columns="age")[:1], ValueError, "feature names should match"),
        ("Oslo", TypeError, "x is of type str; a row is a table of one row, a dict"),
        (None, TypeError, "x is of type NoneType"),
        (7, TypeError, "x is of type int"),
        (["old", "Oslo"], TypeError, "Column 'age' holds strings"),
        ([40, 2], TypeError, "Column 'city' holds numbers"),
        ([np.inf, "Oslo"], ValueError, "Column 'age' of X contains infinity"),
    ],
)
def test_what_is_no_row_gets_a_sentence(model, x, error, sentence):
    with pytest.raises(error, match=sentence):
        model.explain(x)
