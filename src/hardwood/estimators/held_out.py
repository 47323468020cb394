"""Rows held out for early stopping, drawn from random_state and the rows' positions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split
from sklearn.utils import _safe_indexing

from hardwood.estimators.boosting_plan import Plan


def held_out_rows(X: Any, y: Any, sample_weight: Any, plan: Plan) -> tuple[Any, Any, Any, Any, Any]:
    """X, y and weights to train on, then X and y to watch; each class keeps its share."""
    labels = np.asarray(y)
    rows = np.arange(len(labels))
    try:
        train, held = train_test_split(
            rows, test_size=plan.validation_fraction, random_state=plan.seed, stratify=labels
        )
    except ValueError as error:
        raise ValueError(
            f"early_stopping holds out {plan.validation_fraction:g} of {len(labels)} rows, too few "
            "for every class to be on both sides; give more rows, a larger "
            "validation_fraction, or X_val and y_val."
        ) from error
    train, held = np.sort(train), np.sort(held)
    weight = None if sample_weight is None else np.asarray(sample_weight)[train]
    return take_rows(X, train), labels[train], weight, take_rows(X, held), labels[held]


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of any table."""
    if isinstance(X, list):
        return [X[i] for i in rows]
    return _safe_indexing(X, rows)
