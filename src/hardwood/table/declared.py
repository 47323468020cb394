"""`categorical_features`: which columns the user declares to be categories.

As in scikit-learn's histogram gradient boosting: "from_dtype", None, a boolean mask, column
indices, or column names. Out: one bool per column, or None when each column's type decides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_ALLOWED = (
    'allowed are "from_dtype", None, a boolean mask over the columns, column indices, '
    "or column names"
)


def declared_columns(
    categorical_features: Any, n_columns: int, names: tuple[str, ...] | None
) -> tuple[bool, ...] | None:
    """One bool per column; None for "from_dtype"."""
    if isinstance(categorical_features, str):
        if categorical_features == "from_dtype":
            return None
        raise ValueError(f"categorical_features is {categorical_features!r}; {_ALLOWED}.")
    if categorical_features is None:
        return (False,) * n_columns
    listed = np.asarray(categorical_features)
    if listed.ndim != 1:
        raise ValueError(
            f"categorical_features has {listed.ndim} dimensions instead of one; {_ALLOWED}."
        )
    if listed.size == 0:
        return (False,) * n_columns
    if listed.dtype.kind == "b":
        return _from_mask(listed.tolist(), n_columns)
    cells = list(categorical_features)
    if all(isinstance(cell, str) for cell in cells):
        chosen = _places(cells, names)
    elif listed.dtype.kind in "iu":
        chosen = set(listed.tolist())
        if min(chosen) < 0 or max(chosen) >= n_columns:
            raise ValueError(
                f"categorical_features lists column indices from {min(chosen)} to {max(chosen)}; "
                f"X has columns 0 to {n_columns - 1}."
            )
    else:
        raise ValueError(f"categorical_features holds values of type {_types(cells)}; {_ALLOWED}.")
    return tuple(j in chosen for j in range(n_columns))


def _from_mask(mask: list[bool], n_columns: int) -> tuple[bool, ...]:
    if len(mask) != n_columns:
        raise ValueError(
            f"categorical_features is a mask of length {len(mask)}, but X has {n_columns} columns; "
            "give one bool per column."
        )
    return tuple(mask)


def _places(cells: list[str], names: tuple[str, ...] | None) -> set[int]:
    if names is None:
        raise ValueError(
            "categorical_features lists column names, but X has none; give column indices or a "
            "mask, or X as a data frame."
        )
    unknown = sorted(set(cells) - set(names))
    if unknown:
        raise ValueError(
            f"categorical_features lists {unknown}, which are not among the column names of X; "
            "correct the names."
        )
    return {names.index(cell) for cell in cells}


def _types(cells: list[Any]) -> str:
    return ", ".join(sorted({type(cell).__name__ for cell in cells}))
