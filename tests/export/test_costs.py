"""Exports of models whose mistakes have costs say what predict says."""

from dataclasses import replace

import numpy as np
import pytest

from hardwood import export
from tests.export.models import CLASSES, SCHEMAS, edge_rows, hand_boosted, hand_made
from tests.export.runners import (
    COMPILER,
    expected,
    run_c,
    run_duckdb,
    run_onnx,
    run_python,
    run_sqlite,
    same,
)

pytestmark = pytest.mark.grid

NUMBERS = tuple(schema for schema in SCHEMAS if schema.kind == "numeric")
NO_UNSIGNED = tuple(schema for schema in SCHEMAS if schema.kind != "unsigned")
RUNNERS = [run_python, run_sqlite, run_duckdb, run_onnx, *([run_c] if COMPILER else [])]


def with_costs(model, seed):
    classes = len(model.classes_)
    costs = np.random.default_rng(seed).integers(1, 30, (classes, classes)).astype(float)
    np.fill_diagonal(costs, 0)
    model.costs_ = costs
    if hasattr(model, "tree_"):
        model.tree_ = model.grown_tree_ = replace(model.tree_, costs=costs)
    return model


def without_costs(model):
    model.costs_ = None
    if hasattr(model, "tree_"):
        model.tree_ = replace(model.tree_, costs=None)
    return model


def models(kind, schemas):
    yield with_costs(hand_made(3, 20, CLASSES[kind], schemas), 1)
    if len(CLASSES[kind]) == 2:
        yield with_costs(hand_boosted(2, "ovr", CLASSES[kind], schemas), 2)


@pytest.mark.parametrize("kind", ["booleans", "integers"])
@pytest.mark.parametrize("run", RUNNERS)
def test_labels_are_those_of_least_expected_cost(run, kind):
    schemas = {run_onnx: NUMBERS, run_sqlite: NO_UNSIGNED}.get(run, SCHEMAS)
    for model in models(kind, schemas):
        rows = edge_rows(model)
        assert same(run(model, rows), expected(model, rows))
        labels = expected(model, rows)[0]
        assert labels != expected(without_costs(model), rows)[0]


@pytest.mark.parametrize("costs", [[[0, 0], [3, 0]], [[0, 3], [0, 0]]])
@pytest.mark.parametrize("run", [run_python, run_sqlite, run_onnx, *([run_c] if COMPILER else [])])
def test_a_mistake_that_costs_nothing_leaves_one_answer(run, costs):
    model = hand_boosted(2, "ovr", CLASSES["booleans"], NUMBERS)
    model.costs_ = np.array(costs, dtype=float)
    rows = edge_rows(model)
    wanted = expected(model, rows)
    assert len(set(wanted[0])) == 1
    assert same(run(model, rows), wanted)


@pytest.mark.parametrize("multiclass", ["ovr", "samme"])
@pytest.mark.parametrize("run", RUNNERS)
def test_scores_of_several_classes_are_weighed_by_the_costs(run, multiclass):
    schemas = {run_onnx: NUMBERS, run_sqlite: NO_UNSIGNED}.get(run, SCHEMAS)
    model = with_costs(hand_boosted(1, multiclass, CLASSES["integers"], schemas), 3)
    rows = edge_rows(model)
    wanted = expected(model, rows)
    assert same(run(model, rows), wanted)
    assert wanted[0] != expected(without_costs(model), rows)[0]


@pytest.mark.parametrize("run", RUNNERS)
def test_equal_scores_have_equal_costs_and_the_first_class_wins(run):
    """No tree asks anything, so that all classes are equally probable."""
    model = hand_boosted(1, "ovr", CLASSES["integers"], NUMBERS, rounds=3)
    for booster in model._run.boosters:
        booster.trees = [replace(tree, value=0.0 * tree.value) for tree in booster.trees]
    model._ensemble = model._run.ensemble()
    costs = np.ones((5, 5)) - np.eye(5)
    costs[0, 1], costs[1, 0] = 3.0, 3.0
    model.costs_ = costs
    rows = edge_rows(model, 3)
    assert set(expected(model, rows)[0]) == {CLASSES["integers"][2]}
    assert same(run(model, rows), expected(model, rows))


@pytest.mark.parametrize("multiclass", ["ovr", "samme"])
def test_texts_of_several_classes_with_costs_are_those_without(multiclass):
    """Leaves of boosted trees say what they add, which costs leave as it is."""
    model = with_costs(hand_boosted(1, multiclass, CLASSES["integers"]), 3)
    drawn = export.dot(model), model.to_text()
    assert drawn == (export.dot(without_costs(model)), model.to_text())
