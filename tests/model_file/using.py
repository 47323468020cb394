"""Calling everything that a loaded model offers, on rows that suit its columns."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd

from hardwood import TreeClassifier
from hardwood.table.schema import ColumnSchema

ROWS = 300
"""More than the 256 that ensembles score at a time."""


def rows_for(model: Any) -> pd.DataFrame:
    """Values at and beside the cuts, extremes, missing values, categories known and not."""
    tree = model.tree_ if isinstance(model, TreeClassifier) else model._run.all_trees()[0]
    known = np.unique(tree.thresholds[~np.isnan(tree.thresholds)])  # in whatever order they lie
    cuts = np.concatenate([known, [0.0, -1e308, 1e308]])
    cuts = np.concatenate([cuts, np.nextafter(cuts, 0), [np.nan]])
    columns = [_column(schema, cuts, j) for j, schema in enumerate(model._schemas)]
    named = hasattr(model, "feature_names_in_")
    X = pd.DataFrame(dict(enumerate(columns)))
    if named:  # as objects: a name may be no valid Unicode
        X.columns = pd.Index([schema.name for schema in model._schemas], dtype=object)
    return X


def _column(schema: ColumnSchema, cuts: np.ndarray, j: int) -> Any:
    if schema.kind == "numeric" and not schema.categories:
        return np.roll(np.resize(cuts, ROWS), j)
    if schema.kind in ("category", "numeric"):  # unordered, ordered
        text = not schema.categories or isinstance(schema.categories[0], str)
        values = [*schema.categories[:50], "never seen" if text else 123456.5, None]
    else:
        low = 0 if schema.kind == "unsigned" else -(2**63)
        high = 2**64 - 1 if schema.kind == "unsigned" else 2**63 - 1
        middle = [2**53 + k for k in range(8)]
        values = [None, low, high, *middle]
        kind: Any = "UInt64" if schema.kind == "unsigned" else "Int64"
        return pd.array([values[(i + j) % len(values)] for i in range(ROWS)], dtype=kind)
    # As objects: a category may be no valid Unicode.
    return pd.Series([values[(i * (j + 1)) % len(values)] for i in range(ROWS)], dtype=object)


def use(model: Any) -> np.ndarray:
    """Calls everything, with warnings as errors; returns the probabilities."""
    read_out(model)
    X = rows_for(model)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        probabilities: np.ndarray = model.predict_proba(X)
        assert probabilities.shape == (ROWS, len(model.classes_))
        assert np.isfinite(probabilities).all()
        assert set(model.predict(X).tolist()) <= set(model.classes_.tolist())
        if isinstance(model, TreeClassifier):
            assert model.apply(X).max() < model.tree_.n_nodes
            assert model.decision_path(X).shape == (ROWS, model.tree_.n_nodes)
        else:
            *_, last = model.staged_decision_function(X)
            assert last.shape == model.decision_function(X).shape
    return probabilities


def read_out(model: Any) -> None:
    """Everything that a model tells without rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(model.feature_importances_).all()
        assert len({len(values) for values in model.history_.values()}) == 1
        assert repr(model)
        if isinstance(model, TreeClassifier):
            assert str(model.certificate_)
            assert model.to_text()
            assert model.to_dict()
            assert len(model.rules()) == model.tree_.n_leaves
        else:
            assert len(model.trees_) == len(model.tree_weights_) == model.n_estimators_
