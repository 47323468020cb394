"""Which rows a model was grown on, when some were held out of growth.

A boosted model that is refitted has all rows. Another does not say whether its rows were drawn
(docs/theory/rules.md#draws) or X_val and y_val were given, but its trees do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking import draws
from hardwood.certify.checking.ledger import Ledger
from hardwood.certify.checking.rounds import Scores, kept
from hardwood.certify.checking.training_rows import TrainingRows


def seed_of(ledger: Ledger, model: Any, drawn: bool) -> int | None:
    """What something was drawn from; None, with a note if it was, where that is not kept."""
    seed = draws.seed_of(model.random_state)
    if seed is None and drawn:
        ledger.skip("random_state is no whole number, so what was drawn from it is not known.")
    return seed


def held_out(data: TrainingRows, share: float, seed: int) -> NDArray[np.bool_]:
    """[rows] which are held out."""
    return draws.held_out_rows(seed, data.labels, len(data.classes), share)


def rows_trained_on(
    ledger: Ledger, model: Any, data: TrainingRows, seed: int | None
) -> list[TrainingRows]:
    """One choice, or two where the first tree has as many rows by either."""
    if not model.early_stopping:
        return [data]
    ledger.skip("Whether early stopping ended at the right round was not decided again.")
    if seed is None or model.refit:
        return [data]
    held = held_out(data, float(model.validation_fraction), seed)
    if not held.any():  # too few rows to hold any out: X_val and y_val were given
        return [data]
    without = data.take(np.flatnonzero(~held))
    return [each for each in (without, data) if _fits(model, each)] or [without]


def _fits(model: Any, data: TrainingRows) -> bool:
    """Whether the first tree has as many rows as these would give it."""
    first = model.trees_[0] if model.trees_ else None
    tree = first[0] if isinstance(first, list) else first
    units = Scores(data.labels, 2, data.weights(model.class_weight)).units()
    seen = kept(units, float(model.weight_fraction))
    return tree is not None and int(tree.rows[0]) == int(np.count_nonzero(seen))
