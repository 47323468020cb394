"""Labels -> class numbers, from the rule alone (docs/theory/rules.md#labels).

In: y as `fit` was given it. Out: the distinct labels in ascending order, and each row's place among
them. Invariant: one label per row and none missing, or a ValueError.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def class_numbers(y: Any, n_rows: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The classes as Python values, and a class number per row."""
    listed = list(y) if isinstance(y, (list, tuple)) else np.asarray(y).tolist()
    if not isinstance(listed, list):
        raise ValueError(f"y is of type {type(y).__name__}; give one label per row.")
    labels = [_alone(label) for label in listed]
    if len(labels) != n_rows:
        raise ValueError(
            f"X has {n_rows} rows and y has {len(labels)}; give one label per row, those that fit "
            "was given."
        )
    if any(label is None or label != label for label in labels):
        raise ValueError("Input y contains missing labels; give the labels that fit was given.")
    try:
        classes = sorted(set(labels))
    except TypeError:
        raise TypeError(
            "y mixes labels of several types; give the labels that fit was given."
        ) from None
    place = {label: i for i, label in enumerate(classes)}
    numbers = np.array([place[label] for label in labels], dtype=np.int64)
    out = np.empty(len(classes), dtype=object)
    out[:] = classes
    return out, numbers


def _alone(label: Any) -> Any:
    """A label as it is; that of a table of one column comes in a list."""
    if isinstance(label, (list, tuple, np.ndarray)):
        if len(label) != 1:
            raise ValueError("y must have one column; give the labels that fit was given.")
        label = label[0]
    return None if type(label).__name__ in ("NAType", "NaTType") else label
