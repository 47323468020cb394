"""Every output of a loaded model: exports, pictures, the report, explanations, the diagnosis.

What loads must work everywhere. An export may refuse a model with a sentence; nothing may fail
otherwise.
"""

from __future__ import annotations

import ast
import json
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hardwood import TreeClassifier, export
from hardwood.report import report
from tests.model_file.using import rows_for

SOME = 20
"""Rows that explanations and reports are asked about."""


def use_fully(model: Any, turn: int | None = None) -> None:
    """turn: one of the exports alone, by this number, and no pictures."""
    X = rows_for(model).iloc[:SOME]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
        assert str(model.diagnose())
        assert np.isfinite(or_refused(lambda: model.shap_values(X), 0.0)).all()
        assert str(or_refused(lambda: model.explain(X.iloc[[0]]), "refused"))
        for write in WRITERS if turn is None else [WRITERS[turn % len(WRITERS)]]:
            write(model)
        if turn is None:
            draw(model)
            page(model, X)


def or_refused(made: Callable[[], Any], otherwise: Any) -> Any:
    """What is made, or `otherwise` where a ValueError or TypeError says in a sentence why not."""
    try:
        return made()
    except (ValueError, TypeError) as error:
        if not str(error).rstrip().endswith((".", ")", "'")):
            raise
        return otherwise


def words(model: Any) -> None:
    assert model.to_text()
    assert model.to_dict()
    assert isinstance(model.rules(), list)


def python(model: Any) -> None:
    ast.parse(or_refused(lambda: export.python(model), ""))


def plain_data(model: Any) -> None:
    json.loads(export.json(model))
    assert or_refused(lambda: export.dot(model), "digraph").startswith("digraph")


def other_languages(model: Any) -> None:
    assert isinstance(or_refused(lambda: export.sql(model), ""), str)
    assert isinstance(or_refused(lambda: export.c(model), ""), str)


WRITERS = (words, python, plain_data, other_languages)


def draw(model: Any) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots()
    try:
        model.plot(ax=axes)
        figure.canvas.draw()
    finally:
        plt.close(figure)


def page(model: Any, X: pd.DataFrame) -> None:
    y = np.resize(model.classes_, len(X))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        report(model, X, y, path)
        assert path.stat().st_size > 1000
    assert isinstance(model, TreeClassifier) or model.n_estimators_ >= 1
