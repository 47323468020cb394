"""`report`: from a model and a table to the page, and to a file if a path is given.

In: a fitted model, X, y or None, a path or None. Out: a `Report`. Wrong input is refused before a
file is touched, and a file is written whole or not at all.
"""

from __future__ import annotations

import html
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hardwood.encoding import read_labels
from hardwood.estimators import BoostedTreesClassifier, TreeClassifier
from hardwood.model_file.files import replace
from hardwood.plots.tree_plot import PALETTE
from hardwood.report.answers import Codes, predicted, probabilities
from hardwood.report.assembly import page
from hardwood.report.claims_part import claims_part
from hardwood.report.curves_part import curves_part
from hardwood.report.data_part import data_part, here_part
from hardwood.report.distribution_part import distribution_part
from hardwood.report.effects_part import effects_part
from hardwood.report.growth_part import certificate_part, growth_part, rounds_part
from hardwood.report.importance_part import importance_part
from hardwood.report.model_part import model_part
from hardwood.report.quality_part import cost_part, quality_part


class Report(str):
    """The page's HTML; `path` is the file it was written to, if any. Notebooks show the page."""

    __slots__ = ("path",)
    path: Path | None

    def __repr__(self) -> str:
        where = f" in {self.path}" if self.path is not None else ""
        return f"<Report: {len(self) / 1000:.0f} kB of HTML{where}>"

    def _repr_html_(self) -> str:
        frame = 'style="width:100%;height:80vh;border:0" title="hardwood report"'
        return f'<iframe {frame} srcdoc="{html.escape(self)}"></iframe>'


def report(
    model: Any,
    X: Any,
    y: Any = None,
    path: str | PathLike[str] | None = None,
    *,
    source: str | None = None,
    claims: Any = None,
) -> Report:
    """One self-contained HTML page about the model on the rows of X.

    Without y it has no errors, curves, confusion matrix, calibration and permutation importances.
    `source` is a word about where the rows come from, for the page's head. `claims`: as
    `certify.prove` takes them, or its result, for a section of what is proved."""
    if not isinstance(model, TreeClassifier | BoostedTreesClassifier):
        raise TypeError(
            "A report is about a fitted TreeClassifier or BoostedTreesClassifier; given was "
            f"{type(model).__name__}."
        )
    check_is_fitted(model)
    parts = content(model, X, y, source)
    parts["claims"] = None if claims is None else claims_part(model, claims)
    made = Report(page(parts))
    made.path = None
    if path is not None:
        made.path = Path(path)
        replace(made.path, made.encode("ascii"))
    return made


def content(model: Any, X: Any, y: Any, source: str | None = None) -> dict[str, Any]:
    """The parts of the page as plain data."""
    table = model._table(X)
    codes = None if y is None else _class_numbers(model, y, table.n_rows)
    guess, proba = predicted(model, table), probabilities(model, table)
    single = isinstance(model, TreeClassifier)
    return {
        "palette": list(PALETTE),
        "source": source,
        "digest": model.digest(),
        "version": _version(),
        "model": model_part(model),
        "here": here_part(model, table, guess, codes),
        "data": data_part(model, table, codes),
        "quality": None
        if codes is None
        else quality_part(proba, guess, codes) | cost_part(model.costs_, guess, codes),
        "curves": None if codes is None else curves_part(proba, guess, codes),
        "importances": importance_part(model, table, codes),
        "effects": effects_part(model, table),
        "distributions": distribution_part(model, table, codes) if single else None,
        "growth": growth_part(model) if single else None,
        "certificate": certificate_part(model) if single else None,
        "rounds": None if single else rounds_part(model, table, codes),
    }


def _class_numbers(model: Any, y: Any, n_rows: int) -> Codes:
    labels = read_labels(y, n_rows)
    known = model.classes_.tolist()
    place = {label: number for number, label in enumerate(known)}
    given = labels.classes.tolist()
    unknown = [label for label in given if label not in place]
    if unknown:
        few = ", ".join(map(repr, known[:10])) + (", ..." if len(known) > 10 else "")
        raise ValueError(
            f"y has the class {unknown[0]!r}, which the model does not know; its classes are "
            f"{few}. Give the labels as they were in training, or leave y out."
        )
    return np.array([place[label] for label in given], dtype=np.intp)[labels.codes]


def _version() -> str:
    import hardwood

    return hardwood.__version__
