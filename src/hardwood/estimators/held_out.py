"""Rows held out for early stopping, drawn from random_state and the rows' positions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from hardwood.encoding import read_labels
from hardwood.encoding.drawn_rows import draw_share, drawn_rows
from hardwood.estimators.boosting_plan import Plan


def held_out_rows(X: Any, y: Any, sample_weight: Any, plan: Plan) -> tuple[Any, Any, Any, Any, Any]:
    """X, y and weights to train on, then X and y to watch; each class keeps its share."""
    y = np.asarray(y)
    labels = read_labels(y, len(y))
    draw = draw_share(labels.class_rows, plan.validation_fraction, plan.seed)
    if draw.rows == 0:
        raise ValueError(
            f"early_stopping holds out {plan.validation_fraction:g} of {len(y)} rows, which is "
            "none; give more rows, a larger validation_fraction, or X_val and y_val."
        )
    drawn = drawn_rows(draw, labels.codes)
    train, held = np.flatnonzero(~drawn), np.flatnonzero(drawn)
    weight = None if sample_weight is None else np.asarray(sample_weight)[train]
    return take_rows(X, train), y[train], weight, take_rows(X, held), y[held]


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of any table."""
    if isinstance(X, list):
        return [X[i] for i in rows]
    return _safe_indexing(X, rows)
