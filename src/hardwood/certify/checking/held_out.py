"""Which rows a model was grown on, when some were held out of growth.

Row i has the hash mix(mix(seed) ^ i) of SplitMix64. With the classes one after the other, of the
first m rows round(m * share) are held out, halves up; that says how many of each class, at most all
but one, and those of the smallest hashes are taken. A boosted model does not say whether its rows
were drawn or X_val and y_val were given, but the number of rows in its first tree does.
"""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.ledger import Ledger
from hardwood.certify.checking.rounds import Scores, kept
from hardwood.certify.checking.training_rows import TrainingRows

WORD = 1 << 64


def seed_of(ledger: Ledger, model: Any, drawn: bool) -> int | None:
    """What something was drawn from; None, with a note if it was, where that is not kept."""
    state = model.random_state
    if state is None:
        return 0
    if isinstance(state, Integral):
        return int(state)
    if drawn:
        ledger.skip("random_state is no whole number, so what was drawn from it is not known.")
    return None


def held_out(data: TrainingRows, share: float, seed: int) -> NDArray[np.bool_]:
    """[rows] which are held out."""
    hashes = _mixed(np.arange(data.n_rows, dtype=np.uint64) ^ np.uint64(_mixed_number(seed)))
    held = np.zeros(data.n_rows, dtype=np.bool_)
    before = 0
    for c in range(len(data.classes)):
        rows = np.flatnonzero(data.labels == c)
        after = before + len(rows)
        wanted = math.floor(after * share + 0.5) - math.floor(before * share + 0.5)
        held[rows[np.argsort(hashes[rows])[: min(wanted, len(rows) - 1)]]] = True
        before = after
    return held


def rows_trained_on(
    ledger: Ledger, model: Any, data: TrainingRows, seed: int | None
) -> TrainingRows:
    if not model.early_stopping:
        return data
    ledger.skip("Whether early stopping ended at the right round was not decided again.")
    if seed is None:
        return data
    held = held_out(data, float(model.validation_fraction), seed)
    if not held.any():  # too few rows to hold any out: X_val and y_val were given
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


def _mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    x = x + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(x ^ (x >> np.uint64(31)))


def _mixed_number(seed: int) -> int:
    return int(_mixed(np.array([seed % WORD], dtype=np.uint64))[0])
