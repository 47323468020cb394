"""A tree of very many leaves through every output: python -m tests.model_file.large [bits]

The table has every combination of so many yes/no columns once, with labels drawn at random, so a
tree has about half as many leaves as rows: 21 bits give 921,554. Each output is made in time that
is linear in the leaves, or refused with a sentence; the seconds and sizes are printed.
"""

from __future__ import annotations

import ast
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from hardwood import TreeClassifier, export
from hardwood.model_file import dumps, loads
from hardwood.report import report

SOME = 200
"""Rows that are explained and reported on."""
SECONDS_PER_LEAF = 2e-3


def grown(bits: int) -> tuple[TreeClassifier, np.ndarray, np.ndarray]:
    """The tree after `save` and `load`, the table, and the answers before."""
    rows = np.arange(2**bits)
    X = (rows[:, None] >> np.arange(bits) & 1).astype(np.uint8)
    y = np.random.default_rng(0).integers(2, size=len(rows))
    model = TreeClassifier(pruning=None, min_samples_leaf=1, n_jobs=1).fit(X, y)
    return loads(dumps(model)), X, model.predict(X)


def outputs(
    model: TreeClassifier, X: np.ndarray, y: np.ndarray, folder: Path
) -> dict[str, Callable[[], Any]]:
    page = folder / "report.html"
    return {
        "predict": lambda: (model.predict(X) == y).all(),
        "to_text": lambda: len(model.to_text()),
        "rules": lambda: len(model.rules()),
        "to_dict": lambda: bool(model.to_dict()),
        "json": lambda: len(json.loads(export.json(model))),
        "dot": lambda: len(export.dot(model)),
        "python": lambda: bool(ast.parse(export.python(model))),
        "sql": lambda: len(export.sql(model)),
        "c": lambda: len(export.c(model)),
        "onnx": lambda: export.onnx(model).ByteSize(),
        "scorecard": lambda: len(export.scorecard(model)),
        "diagnose": lambda: len(str(model.diagnose())),
        "shap": lambda: np.isfinite(model.shap_values(X[:SOME])).all(),
        "explain": lambda: len(str(model.explain(X[0]))),
        "report": lambda: len(report(model, X[:SOME], y[:SOME], page)),
        "save again": lambda: len(dumps(model)),
    }


def made(make: Callable[[], Any]) -> str:
    """What came of it, as text."""
    try:
        found = make()
    except ValueError as error:
        if not str(error).rstrip().endswith("."):
            raise
        return f"refused: {error}"
    if not found:
        raise AssertionError("it is empty, or wrong")
    return str(found)


def tried(bits: int) -> dict[str, tuple[float, str]]:
    """Seconds and the end of each output."""
    model, X, y = grown(bits)
    leaves = model.get_n_leaves()
    ends = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, make in outputs(model, X, y, Path(folder)).items():
            began = perf_counter()
            end = made(make)
            ends[name] = perf_counter() - began, end
            print(f"{leaves} leaves, {name}: {ends[name][0]:.1f} s, {end}", flush=True)
    return ends


def main() -> None:
    bits = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    slow = [
        name for name, (seconds, _) in tried(bits).items() if seconds > SECONDS_PER_LEAF * 2**bits
    ]
    sys.exit(f"too slow: {', '.join(slow)}" if slow else 0)


if __name__ == "__main__":
    main()
