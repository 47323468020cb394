"""Runs exported models on rows of Python values; None is missing.

Each runner gives labels and one list of numbers per row: shares of a tree, scores of boosted trees.
"""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from hardwood import BoostedTreesClassifier, export
from hardwood.boosting.scores import probabilities, slope_of
from hardwood.tree.ranked import as_categories
from tests.export.models import frame_of

FLAGS = ["-O2", "-std=c99", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
COMPILER = shutil.which("cc")


def frame_for(model: Any, rows: list[list[Any]]) -> Any:
    """As the model was fitted: a frame, or an array when it knows no names."""
    X = frame_of(model, rows)
    return X if hasattr(model, "feature_names_in_") else X.to_numpy()


def expected(model: Any, rows: list[list[Any]]) -> tuple[list[Any], Any]:
    X = frame_for(model, rows)
    boosted = isinstance(model, BoostedTreesClassifier) and len(model.classes_) > 1
    numbers = model.decision_function(X) if boosted else model.predict_proba(X)
    return model.predict(X).tolist(), numbers.tolist()


def run_python(model: Any, rows: list[list[Any]]) -> tuple[list[Any], Any]:
    module: dict[str, Any] = {}
    exec(compile(export.python(model), "exported.py", "exec"), module)
    numbers = module.get("decision_function", module["predict_proba"])
    return [module["predict"](row) for row in rows], [numbers(row) for row in rows]


def c_library(model: Any, folder: Path) -> Any:
    assert COMPILER is not None
    source, library = folder / "model.c", folder / "model.so"
    source.write_text(export.c(model), encoding="ascii")
    command = [COMPILER, *FLAGS, "-shared", "-fPIC", str(source), "-o", str(library), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(library))


def _c_fields(model: Any) -> list[tuple[str, Any]]:
    fields: list[tuple[str, Any]] = []
    for j, schema in enumerate(as_categories(model._schemas)):
        if schema.kind in ("integer", "unsigned"):
            kind = ctypes.c_int64 if schema.kind == "integer" else ctypes.c_uint64
            fields += [(f"c{j}", kind), (f"c{j}_missing", ctypes.c_int)]
        elif schema.kind == "category" and isinstance((*schema.categories, 0.0)[0], str):
            fields.append((f"c{j}", ctypes.c_char_p))
        else:
            fields.append((f"c{j}", ctypes.c_double))
    return fields


def run_c(model: Any, rows: list[list[Any]]) -> tuple[list[Any], Any]:
    boosted = isinstance(model, BoostedTreesClassifier) and len(model.classes_) > 1
    width = 1 if boosted and len(model.classes_) == 2 else len(model.classes_)
    fields = _c_fields(model)
    row_type = type("Row", (ctypes.Structure,), {"_fields_": fields})
    with tempfile.TemporaryDirectory() as folder:
        library = c_library(model, Path(folder))
        numbers_of = library.hardwood_scores if boosted else library.hardwood_predict_proba
        labels, numbers = [], []
        for values in rows:
            row = row_type()
            for j, value in enumerate(values):
                _set(row, dict(fields), j, value)
            labels.append(model.classes_.tolist()[library.hardwood_predict(ctypes.byref(row))])
            out = (ctypes.c_double * width)()
            numbers_of(ctypes.byref(row), out)
            numbers.append(out[0] if boosted and width == 1 else list(out))
    return labels, numbers


def _set(row: Any, kinds: dict[str, Any], j: int, value: Any) -> None:
    if f"c{j}_missing" in kinds:
        setattr(row, f"c{j}_missing", int(value is None))
        setattr(row, f"c{j}", 0 if value is None else value)
    elif kinds[f"c{j}"] is ctypes.c_char_p:
        setattr(row, f"c{j}", None if value is None else value.encode())
    else:
        setattr(row, f"c{j}", math.nan if value is None else float(value))


def _sql_columns(model: Any) -> tuple[bool, list[str]]:
    boosted = isinstance(model, BoostedTreesClassifier)
    names = [str(label) for label in model.classes_.tolist()]
    if not boosted:
        return boosted, [f"p_{name}" for name in names]
    if len(names) == 1:
        return boosted, []
    return boosted, ["score"] if len(names) == 2 else [f"score_{name}" for name in names]


def _sql_answers(model: Any, cursor: Any) -> tuple[list[Any], Any]:
    found = [column[0] for column in cursor.description]
    table = [dict(zip(found, row, strict=True)) for row in cursor.fetchall()]
    boosted, columns = _sql_columns(model)
    numbers: Any = [[row[column] for column in columns] for row in table]
    if boosted:
        numbers = [each[0] if len(each) == 1 else each or [1.0] for each in numbers]
        shares = [[row[f"p_{label}"] for label in model.classes_.tolist()] for row in table]
        _check_shares(model, numbers, np.array(shares))
    return [row["prediction"] for row in table], numbers


def _check_shares(model: Any, scores: Any, shares: Any) -> None:
    """Probabilities follow from the scores; EXP may miss the last digits."""
    classes = len(model.classes_)
    known = np.array(scores, dtype=float).reshape(len(shares), -1)
    samme = model.variant == "discrete" and model.multiclass in (None, "samme")
    votes = classes > 2 and samme
    wanted = probabilities(known, classes, votes, slope_of(model.variant))
    assert np.allclose(shares, wanted, rtol=1e-12, atol=1e-300)


def run_duckdb(model: Any, rows: list[list[Any]]) -> tuple[list[Any], Any]:
    """Missing numbers are NULL and NaN by turns."""
    import duckdb

    columns = {}
    for schema, values in zip(as_categories(model._schemas), zip(*rows, strict=True), strict=True):
        kind = _arrow_kind(schema)
        if kind == pa.float64():
            values = tuple(_missing(i) if v is None else float(v) for i, v in enumerate(values))
        columns[schema.name] = pa.array(values, kind)
    with duckdb.connect() as connection:
        connection.register("data", pa.table(columns))
        return _sql_answers(model, connection.execute(export.sql(model)))


def _missing(i: int) -> float | None:
    return math.nan if i % 2 else None


def _arrow_kind(schema: Any) -> pa.DataType:
    if schema.kind == "category":
        strings = isinstance((*schema.categories, 0.0)[0], str)
        return pa.string() if strings else pa.float64()
    return {"numeric": pa.float64(), "integer": pa.int64(), "unsigned": pa.uint64()}[schema.kind]


def run_sqlite(model: Any, rows: list[list[Any]]) -> tuple[list[Any], Any]:
    import sqlite3

    names = [schema.name.replace('"', '""') for schema in as_categories(model._schemas)]
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE TABLE data (" + ", ".join(f'"{n}"' for n in names) + ")")
        marks = ", ".join("?" for _ in names)
        connection.executemany(f"INSERT INTO data VALUES ({marks})", rows)
        labels, numbers = _sql_answers(model, connection.execute(export.sql(model)))
    finally:
        connection.close()
    if model.classes_.dtype == bool:
        labels = [bool(label) for label in labels]
    return labels, numbers


def same(found: tuple[list[Any], Any], wanted: tuple[list[Any], Any]) -> bool:
    """Labels with their types, numbers with every bit."""
    assert found[0] == wanted[0]
    assert {type(label) for label in found[0]} == {type(label) for label in wanted[0]}
    assert np.array_equal(np.array(found[1]), np.array(wanted[1]))
    return True


def run_onnx(model: Any, rows: list[list[Any]]) -> tuple[list[Any], Any]:
    import onnxruntime

    exported = export.onnx(model, missing_string="<missing>")
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        exported.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    columns = [
        _onnx_column(s, v)
        for s, v in zip(as_categories(model._schemas), zip(*rows, strict=True), strict=True)
    ]
    inputs = session.get_inputs()
    if len(inputs) == 1 and inputs[0].name == "X":
        feed = {"X": np.column_stack(columns)}
    else:
        feed = {i.name: c[:, None] for i, c in zip(inputs, columns, strict=True)}
    answers: dict[str, Any] = dict(
        zip([o.name for o in session.get_outputs()], session.run(None, feed), strict=True)
    )
    shares = answers["probabilities"]
    np.testing.assert_allclose(
        shares, model.predict_proba(frame_for(model, rows)), rtol=1e-12, atol=1e-300
    )
    scores = answers.get("scores", shares)
    return answers["label"].tolist(), (
        scores[:, 0] if scores.shape[1] == 1 and "scores" in answers else scores
    ).tolist()


def _onnx_column(schema: Any, values: Any) -> Any:
    if schema.kind == "category" and isinstance((*schema.categories, 0.0)[0], str):
        return np.array(["<missing>" if v is None else v for v in values], dtype=object)
    return np.array([math.nan if v is None else float(v) for v in values])
