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
        model.costs_ = None
        if hasattr(model, "tree_"):
            model.tree_ = replace(model.tree_, costs=None)
        assert labels != expected(model, rows)[0]


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
@pytest.mark.parametrize("write", [export.sql, export.python, export.c, export.onnx])
def test_costs_among_several_classes_of_scores_are_refused_with_a_reason(write, multiclass):
    model = with_costs(hand_boosted(1, multiclass, CLASSES["integers"]), 3)
    with pytest.raises(ValueError, match="more than two classes need probabilities"):
        write(model)
    assert export.json(model)
