"""What the plots read from a fitted model, checked.

In: a model. Out: its history and the name of a step. A model that is not fitted, or not one of
ours, is refused with a sentence.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

Floats = NDArray[np.float64]


def history_of(model: Any) -> dict[str, NDArray[Any]]:
    """The model's history; a model without one is refused."""
    if not hasattr(model, "get_params"):
        raise TypeError(
            f"The plots take a fitted TreeClassifier or BoostedTreesClassifier; given was "
            f"{type(model).__name__}."
        )
    check_is_fitted(model)
    history = getattr(model, "history_", None)
    if not isinstance(history, dict):
        raise TypeError(
            f"{type(model).__name__} has no history_; the plots take a fitted TreeClassifier or "
            "BoostedTreesClassifier."
        )
    return history


def is_tree(model: Any) -> bool:
    """A single tree, whose history has an entry per split."""
    return "potential" in history_of(model)


def splits_of(model: Any, what: str) -> dict[str, NDArray[Any]]:
    """The history of a single tree; boosted trees are refused."""
    if not is_tree(model):
        raise TypeError(f"{what} is about the splits of one tree; give a fitted TreeClassifier.")
    return history_of(model)


def rounds_of(model: Any, what: str) -> dict[str, NDArray[Any]]:
    """The history of a boosted model; single trees are refused."""
    if is_tree(model):
        raise TypeError(f"{what} is about rounds; give a fitted BoostedTreesClassifier.")
    return history_of(model)


def class_numbers(model: Any, y: Any, rows: int) -> NDArray[np.intp]:
    """The place of each label in the model's classes; other labels are refused."""
    truth = np.asarray(y)
    if len(truth) != rows:
        raise ValueError(f"X has {rows} rows and y has {len(truth)}; they must be as many.")
    places = {label: i for i, label in enumerate(model.classes_.tolist())}
    unknown = [label for label in truth.tolist() if label not in places]
    if unknown:
        raise ValueError(
            f"y has the class {unknown[0]!r}, which the model does not know; its classes are "
            f"{', '.join(map(repr, list(places)[:10]))}."
        )
    return np.array([places[label] for label in truth.tolist()], dtype=np.intp)


def class_place(model: Any, positive: Any) -> int:
    """The place of a class that the caller names."""
    known = model.classes_.tolist()
    if positive not in known:
        few = ", ".join(map(repr, known[:10])) + (", ..." if len(known) > 10 else "")
        raise ValueError(f"positive must be one of the classes {few}; given was {positive!r}.")
    return int(known.index(positive))


def steps(values: NDArray[Any]) -> NDArray[np.int64]:
    """1, 2, ... beside the values."""
    return np.arange(1, len(values) + 1)


def running_mean(values: Floats) -> Floats:
    """Over about a tenth of the sequence, so that a trend shows through the noise; the window
    shrinks at both ends."""
    half = max(len(values) // 20, 1)
    sums = np.concatenate(([0.0], np.cumsum(values)))
    places = np.arange(len(values))
    low, high = np.maximum(places - half, 0), np.minimum(places + half + 1, len(values))
    return np.asarray((sums[high] - sums[low]) / (high - low))
