"""Which rows a boosted model was trained on, when early stopping held some out.

Held-out rows are drawn from random_state and the rows' positions, unless X_val and y_val were
given. The model does not say which, but the number of rows in its first tree does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardwood.certify.checking.draws import stopping_rows
from hardwood.certify.checking.ledger import Ledger
from hardwood.certify.checking.rounds import Scores, kept
from hardwood.certify.checking.training_rows import TrainingRows


def rows_trained_on(
    ledger: Ledger, model: Any, data: TrainingRows, seed: int | None
) -> TrainingRows:
    if not model.early_stopping:
        return data
    ledger.skip("Whether early stopping ended at the right round was not decided again.")
    if seed is None:
        return data
    held = stopping_rows(seed, data.labels, float(model.validation_fraction))
    if held is None:  # too few rows to hold any out: X_val and y_val were given
        return data
    without = data.take(np.flatnonzero(~held))
    return data if _fits(model, data) and not _fits(model, without) else without


def _fits(model: Any, data: TrainingRows) -> bool:
    """Whether the first tree has as many rows as these would give it."""
    first = model.trees_[0] if model.trees_ else None
    tree = first[0] if isinstance(first, list) else first
    units = Scores(data.labels, 2, data.weights(model.class_weight)).units()
    seen = kept(units, float(model.weight_fraction))
    return tree is not None and int(tree.rows[0]) == int(np.count_nonzero(seen))
