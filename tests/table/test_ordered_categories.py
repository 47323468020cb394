"""Ordered categories are cut in their order, and told by their names."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier, export, load, save
from hardwood.certify import check
from hardwood.errors import ModelFileError
from hardwood.model_file.columns import column_kinds, columns_from_json, columns_to_json
from hardwood.table.schema import ColumnSchema
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

SIZES = ["tiny", "small", "medium", "large", "huge", "vast"]
ORDERED = pd.CategoricalDtype(SIZES, ordered=True)


def data(rows=300, missing=0.1, classes=2, seed=0):
    """The classes alternate with size, so that sets of sizes would do better than cuts."""
    rng = np.random.default_rng(seed)
    rank = rng.integers(0, 6, rows)
    size = pd.Series(np.array(SIZES, dtype=object)[rank])
    size[rng.random(rows) < missing] = None
    frame = pd.DataFrame(
        {
            "size": size.astype(ORDERED),
            "colour": pd.Categorical(rng.choice(list("rgb"), rows)),
            "length": rng.normal(size=rows).round(2),
        }
    )
    noise = rng.random(rows) < 0.2
    y = (rank // 2 + (frame["length"] > 0.5)) % classes
    return frame, np.where(noise, rng.integers(0, classes, rows), y)


def as_ranks(frame):
    return frame.assign(size=frame["size"].cat.codes.astype(float).where(frame["size"].notna()))


def models():
    yield TreeClassifier(pruning=None, max_leaf_nodes=12)
    yield TreeClassifier()
    yield TreeClassifier(branching="multiway", max_leaf_nodes=12)
    yield TreeClassifier(missing="fractional", max_leaf_nodes=10)
    yield BoostedTreesClassifier(n_estimators=8)
    yield BoostedTreesClassifier(n_estimators=8, variant="discrete", search="adaptive")


@pytest.mark.parametrize("model", list(models()), ids=str)
@pytest.mark.parametrize("classes", [2, 3])
def test_a_model_of_sizes_is_the_model_of_their_ranks(model, classes):
    frame, y = data(classes=classes)
    ours = type(model)(**model.get_params()).fit(frame, y)
    ranks = type(model)(**model.get_params()).fit(as_ranks(frame), y)
    assert np.array_equal(ours.predict_proba(frame), ranks.predict_proba(as_ranks(frame)))
    trees = [(ours.tree_, ranks.tree_)] if hasattr(ours, "tree_") else []
    if not trees and classes == 2:
        trees = list(zip(ours.trees_, ranks.trees_, strict=True))
    for one, other in trees:
        assert np.array_equal(one.feature, other.feature)
        assert np.array_equal(one.thresholds, other.thresholds, equal_nan=True)
    assert ours.digest() != ranks.digest()
    if model.get_params().get("branching") == "binary":
        assert 0 in ours.tree_.feature
    report = check(ours, frame, y, thorough=True)
    assert report, str(report)


def test_a_category_without_an_order_stays_a_set():
    frame, y = data()
    plain = frame.assign(size=frame["size"].cat.as_unordered())
    assert TreeClassifier().fit(plain, y)._schemas[0].kind == "category"
    assert TreeClassifier().fit(frame, y)._schemas[0].ordered
    strings = pl.from_pandas(frame.astype({"size": object, "colour": object}))
    for kind in (pl.String, pl.Categorical):
        sets = strings.with_columns(pl.col("size").cast(kind))
        assert TreeClassifier().fit(sets, y)._schemas[0].kind == "category"


def test_the_text_names_the_sizes():
    frame, y = data(missing=0.0)
    y = (frame["size"].cat.codes.to_numpy() >= 3).astype(int)
    model = TreeClassifier(pruning=None).fit(frame[["size"]], y)
    assert "size <= medium" in model.to_text()
    assert "size > medium" in model.to_text()
    y = np.isin(frame["size"].cat.codes, [1, 2]).astype(int)
    three = TreeClassifier(pruning=None).fit(frame[["size"]], y)
    assert any("size in {small, medium}" in str(rule) for rule in three.rules())
    said = json.loads(json.dumps(three.to_dict()))
    assert said["columns"][0] == {"name": "size", "kind": "ordered", "categories": SIZES}
    assert "size" in str(three.explain({"size": "small"}))
    assert "small" in str(three.explain({"size": "small"}))


def test_prediction_goes_by_value_and_an_unknown_value_is_a_missing_one():
    frame, y = data()
    model = TreeClassifier(pruning=None).fit(frame, y)
    given = model.predict_proba(frame)
    turned = frame["size"].cat.set_categories(SIZES[::-1], ordered=True)
    for other in (turned, frame["size"].astype(object), frame["size"].cat.as_unordered()):
        assert np.array_equal(model.predict_proba(frame.assign(size=other)), given)
    enum = pl.from_pandas(frame.astype({"size": object, "colour": object}))
    assert np.array_equal(model.predict_proba(enum), given)
    gone = model.predict_proba(frame.assign(size=None))
    assert np.array_equal(model.predict_proba(frame.assign(size="enormous")), gone)
    with pytest.raises(TypeError, match="trained with a category column of strings"):
        model.predict(frame.assign(size=3.0))


def test_arrow_and_polars_say_order_too_and_numbers_may_be_ordered():
    frame, y = data()
    frame["colour"] = frame["colour"].astype(object)
    enum = pl.from_pandas(frame.astype({"size": object}), schema_overrides={"size": pl.Enum(SIZES)})
    ordered = TreeClassifier().fit(frame, y).digest()
    assert TreeClassifier().fit(enum, y).digest() == ordered
    table = enum.to_arrow()
    says = table.schema.field("size").type.ordered  # polars 1.34 tells Arrow of no order
    told = frame if says else frame.assign(size=frame["size"].cat.as_unordered())
    assert TreeClassifier().fit(table, y).digest() == TreeClassifier().fit(told, y).digest()
    frame, y = data()
    digest = TreeClassifier().fit(frame, y).digest()
    table = pa.Table.from_pandas(frame, preserve_index=False)
    assert table.schema.field("size").type.ordered
    assert TreeClassifier().fit(table, y).digest() == digest
    grades = frame["size"].cat.rename_categories([10, 20, 40, 30, 50, 60])
    model = TreeClassifier(pruning=None).fit(frame.assign(size=grades), y)
    assert model._schemas[0].categories == (10, 20, 40, 30, 50, 60)
    ours = TreeClassifier(pruning=None).fit(frame, y)
    assert np.array_equal(model.predict(frame.assign(size=grades)), ours.predict(frame))


@pytest.mark.parametrize("run", [run_python, run_sqlite, run_duckdb, run_onnx, run_c])
@pytest.mark.parametrize("boosted", [False, True])
def test_exports_meet_the_values_and_answer_as_predict_does(run, boosted):
    if run is run_c and COMPILER is None:
        pytest.skip("needs a C compiler called cc")
    frame, y = data(missing=0.1)
    kind = BoostedTreesClassifier(n_estimators=5) if boosted else TreeClassifier(pruning=None)
    columns = ["size", "length"]
    model = kind.fit(frame[columns].assign(length=frame["length"].round(1)), y)
    sizes = [*SIZES, None] if run is run_onnx else [*SIZES, None, "enormous"]
    rows = [[size, length] for size in sizes for length in (-1.0, 0.45, 0.5, 0.55, 2.0)]
    if run is run_onnx:
        rows = [row for row in rows if row[0] is not None]
    assert same(run(model, rows), expected(model, rows))
    assert "medium" in export.sql(model)


def test_a_model_file_keeps_the_order(tmp_path):
    frame, y = data()
    for model in (TreeClassifier(), BoostedTreesClassifier(n_estimators=4)):
        save(model.fit(frame, y), tmp_path / "m")
        again = load(tmp_path / "m")
        assert again.digest() == model.digest()
        assert again._schemas == model._schemas
        assert again.to_text() == model.to_text()
        assert np.array_equal(again.predict_proba(frame), model.predict_proba(frame))


def test_a_model_file_refuses_categories_where_there_are_none():
    schemas = (ColumnSchema("a", "integer"), ColumnSchema("b", "numeric", ("x", "y")))
    told, kinds = columns_to_json(schemas, True), column_kinds(schemas)
    assert columns_from_json(told, kinds) == (schemas, True)
    for listed in ([[0, ["x"]]], [[1, []]], [[2, ["x"]]]):
        with pytest.raises(ModelFileError):
            columns_from_json({**told, "categories": listed}, kinds)


def test_the_report_offers_the_sizes(tmp_path):
    frame, y = data()
    for model in (TreeClassifier(), BoostedTreesClassifier(n_estimators=3)):
        model.fit(frame, y).report(frame, y, tmp_path / "page.html")
        assert "medium" in (tmp_path / "page.html").read_text(encoding="utf-8")
