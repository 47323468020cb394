"""Export = predict, for fitted models on any small table, at its thresholds and beside them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwood import BoostedTreesClassifier, TreeClassifier
from tests.effort import trials
from tests.export.models import edge_rows
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
from tests.tables.small import tables

VARIANTS = (("real", "ovr"), ("discrete", "samme"), ("discrete", "ovr"),
            ("discrete", "pairs"), ("gentle", "ovr"))  # fmt: skip


@st.composite
def fitted(draw, kinds=("numeric", "numeric", "category", "integer")):
    table = draw(tables(kinds=kinds, weights=("none", "whole")))
    if draw(st.booleans()):
        model = TreeClassifier(
            pruning=None,
            min_samples_leaf=1,
            criterion=draw(st.sampled_from(("km", "gini"))),
            n_jobs=1,
        )
    else:
        variant, multiclass = draw(st.sampled_from(VARIANTS))
        model = BoostedTreesClassifier(
            variant=variant, multiclass=multiclass, n_estimators=5, max_depth=3, n_jobs=1
        )
    return model.fit(table.X, table.y, table.sample_weight)


def check(run, model):
    rows = edge_rows(model, count=10)
    assert same(run(model, rows), expected(model, rows))


@given(model=fitted())
def test_python_source_is_predict(model):
    check(run_python, model)


@given(model=fitted())
def test_sql_in_sqlite_is_predict(model):
    if all(schema.kind != "unsigned" for schema in model._schemas):
        check(run_sqlite, model)


@settings(max_examples=trials(12))
@given(model=fitted())
def test_sql_in_duckdb_is_predict(model):
    pytest.importorskip("duckdb", reason="needs duckdb")
    check(run_duckdb, model)


@given(model=fitted(kinds=("numeric", "category")))
def test_onnx_is_predict(model):
    pytest.importorskip("onnxruntime", reason="needs onnxruntime")
    check(run_onnx, model)


@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler called cc")
@settings(max_examples=trials(10))
@given(model=fitted())
def test_c_source_is_predict(model):
    check(run_c, model)
