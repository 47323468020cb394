"""Every export answers as `predict` does, at every threshold and beside it, to the last bit."""

import pytest

from hardwood.table.schema import ColumnSchema
from tests.export.models import CLASSES, SCHEMAS, as_model, edge_rows, hand_boosted, hand_made
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
from tests.hand_built import build, groups, interval, leaf

pytestmark = pytest.mark.grid

NO_INTEGERS = tuple(s for s in SCHEMAS if s.kind not in ("integer", "unsigned"))
NO_UNSIGNED = tuple(s for s in SCHEMAS if s.kind != "unsigned")  # SQLite has no such type
NUMBERS = tuple(s for s in SCHEMAS if s.kind == "numeric")


def models(seed, labels, schemas):
    yield hand_made(seed, 3 + 7 * seed, labels, schemas)
    yield hand_boosted(seed, "ovr", labels, schemas)
    if len(labels) > 2:
        yield hand_boosted(seed, "samme", labels, schemas)


def check(run, seed, kind, schemas):
    for model in models(seed, CLASSES[kind], schemas):
        rows = edge_rows(model)
        assert same(run(model, rows), expected(model, rows))


kinds = pytest.mark.parametrize("kind", CLASSES)
seeds = pytest.mark.parametrize("seed", range(2))


@seeds
@kinds
def test_python_source_predicts_as_the_model(seed, kind):
    check(run_python, seed, kind, SCHEMAS)


@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler called cc")
@kinds
def test_c_source_compiles_without_warnings_and_predicts_as_the_model(kind):
    check(run_c, list(CLASSES).index(kind), kind, SCHEMAS)


@seeds
@kinds
def test_sql_predicts_as_the_model_in_sqlite(seed, kind):
    check(run_sqlite, seed, kind, NO_UNSIGNED)


@kinds
def test_sql_predicts_as_the_model_in_duckdb(kind):
    pytest.importorskip("duckdb", reason="needs duckdb")
    check(run_duckdb, list(CLASSES).index(kind), kind, SCHEMAS)


@seeds
@kinds
@pytest.mark.parametrize("schemas", [NO_INTEGERS, NUMBERS], ids=["mixed", "numbers"])
def test_onnx_predicts_as_the_model_in_onnxruntime(seed, kind, schemas):
    pytest.importorskip("onnxruntime", reason="needs onnxruntime")
    check(run_onnx, seed, kind, schemas)


def deep_model(depth):
    schemas = (
        ColumnSchema("a", "numeric"),
        ColumnSchema("b", "numeric"),
        ColumnSchema("c", "category", tuple("abcdefgh")),
    )
    node = leaf(1, 2)
    for d in range(depth):
        side = leaf(d % 3 + 1, d % 5)
        if d % 5:
            node = interval(d % 2, [d + 0.1], side, node, missing=d % 2)
        else:
            node = groups(2, [[d % 8], [(d + 1) % 8]], side, node, missing=d % 2)
    return as_model(build(node, schemas), ["no", "yes"], schemas)


@pytest.mark.parametrize("run", [run_python, run_c, run_sqlite, run_duckdb, run_onnx])
def test_a_deep_tree_is_exported_whole(run):
    if run is run_c and COMPILER is None:
        pytest.skip("needs a C compiler called cc")
    if run in (run_duckdb, run_onnx):
        pytest.importorskip("duckdb" if run is run_duckdb else "onnxruntime")
    model = deep_model(150 if run is run_duckdb else 400)
    rows = edge_rows(model)[::7]
    assert same(run(model, rows), expected(model, rows))


def test_sums_of_many_trees_stay_within_sqlite_limits():
    model = hand_boosted(1, "ovr", ["no", "yes"], NUMBERS, rounds=1100)
    rows = edge_rows(model, count=0)[:50]
    assert same(run_sqlite(model, rows), expected(model, rows))


def test_a_model_of_one_class_says_it_everywhere():
    for model in (hand_made(0, 1, ["only"], NUMBERS), hand_boosted(0, "ovr", ["only"], NUMBERS)):
        rows = edge_rows(model)[:5]
        runs = [run_python, run_sqlite, *([run_c] if COMPILER else [])]
        for run in runs:
            assert run(model, rows) == (["only"] * 5, [[1.0]] * 5)
