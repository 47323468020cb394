"""Every row reaches the leaf that plain Python reaches, rows exactly at a threshold included."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import given

from tests.laws.reading import ReadNode, fit, read, route
from tests.oracles.topdown_problem import Column, Rules
from tests.tables.small import LETTERS, SmallTable, any_rules, tables


def edge_rows(nodes: list[ReadNode], columns: tuple[Column, ...]) -> list[list[Any]]:
    """Rows at each threshold and beside it, rows with a value missing, categories not seen."""
    base = [next((v for v in column.values if v is not None), None) for column in columns]
    rows = []
    for node in nodes:
        for value in _edges(node, columns):
            rows.append([*base[: node.feature], value, *base[node.feature + 1 :]])
    return rows


def _edges(node: ReadNode, columns: tuple[Column, ...]) -> list[Any]:
    if node.feature < 0:
        return []
    column = columns[node.feature]
    if column.kind == "category":
        return [None, *LETTERS]
    if node.threshold is None:
        return [None, *column.values]
    if column.kind == "integer":
        low = 2**63 if node.threshold >= 2**63 else -(2**63)
        high = 2**64 - 1 if node.threshold >= 2**63 else 2**63 - 1
        return [None] + [min(max(node.threshold + d, low), high) for d in (-1, 0, 1)]
    ends = (-math.inf, math.inf)
    around = [math.nextafter(node.threshold, end) for end in ends]
    return [None, node.threshold, *(v for v in around if math.isfinite(v))]


@given(table=tables(), rules=any_rules)
def test_apply_is_the_route_followed_by_hand(table, rules):
    model = fit(table, rules)
    nodes = read(model.tree_, table.columns)
    rows = [list(row) for row in zip(*(c.values for c in table.columns), strict=True)]
    rows += edge_rows(nodes, table.columns)
    columns = zip(*rows, strict=True)
    asked = SmallTable(
        tuple(Column(c.kind, tuple(v)) for c, v in zip(table.columns, columns, strict=True)),
        (0,) * len(rows),
    )
    expected = [route(nodes, table.columns, row) for row in rows]
    X = asked.frame if hasattr(model, "feature_names_in_") else asked.X
    assert model.apply(X).tolist() == expected
    classes = model.tree_.class_weights[expected].argmax(axis=1)
    assert np.array_equal(model.predict(X), model.classes_[classes])


@given(table=tables(), rules=any_rules)
def test_training_rows_reach_the_leaves_that_hold_their_weight(table, rules):
    model = fit(table, rules)
    weights = np.ones(table.n_rows) if table.weights is None else np.array(table.weights)
    sums = np.zeros_like(model.tree_.class_weights)
    np.add.at(sums, (model.apply(table.X), table.y), weights)
    leaves = model.tree_.feature < 0
    np.testing.assert_allclose(
        sums[leaves], model.tree_.class_weights[leaves], rtol=1e-9, atol=1e-9
    )


@given(table=tables(), rules=any_rules)
def test_a_decision_path_runs_from_the_root_to_the_leaf(table, rules):
    model = fit(table, rules)
    path = model.decision_path(table.X).toarray().astype(bool)
    tree, leaves = model.tree_, model.apply(table.X)
    for visited, leaf in zip(path, leaves, strict=True):
        chain = {int(leaf)}
        while (parent := int(tree.parent[min(chain)])) >= 0:
            chain.add(parent)
        assert set(np.flatnonzero(visited)) == chain


@given(table=tables(kinds=("numeric", "category", "integer")))
def test_a_category_that_was_never_declared_takes_the_heaviest_branch(table):
    model = fit(table, Rules("gini", max_leaf_nodes=6))
    nodes = read(model.tree_, table.columns)
    frame = table.frame
    for j, column in enumerate(table.columns):
        if column.kind == "category":
            frame[f"c{j}"] = frame[f"c{j}"].cat.rename_categories(lambda c: f"new {c}")
    if not hasattr(model, "feature_names_in_"):
        return
    rows = []
    for row in zip(*(c.values for c in table.columns), strict=True):
        rows.append(
            [
                "new" if column.kind == "category" and value is not None else value
                for column, value in zip(table.columns, row, strict=True)
            ]
        )
    assert model.apply(frame).tolist() == [route(nodes, table.columns, row) for row in rows]
