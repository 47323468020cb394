"""Which shapes are tables: two dimensions, 1 to 2^31 - 1 rows, at least one column.

Checked from the shape alone, before any work per row. Where scikit-learn has a sentence for the
same fault its words are used, so that code written for its messages keeps working.
"""

from __future__ import annotations

from collections.abc import Sequence

MOST_ROWS = 2**31 - 1


def check_shape(shape: Sequence[int], given: object) -> tuple[int, int]:
    """(rows, columns) of a shape that is a table's; `given` is what the message describes."""
    if len(shape) != 2:
        raise ValueError(_wrong_dimensions(len(shape), type(given).__name__))
    n_rows, n_columns = shape
    if n_rows > MOST_ROWS:
        raise ValueError(
            f"X has {n_rows} rows; at most {MOST_ROWS} (2^31 - 1) are allowed. "
            "Train on a sample of the rows."
        )
    if n_columns == 0:
        raise ValueError(
            f"Found X with 0 feature(s) (shape=({n_rows}, 0)) while a minimum of 1 is required."
        )
    if n_rows == 0:
        raise ValueError(
            f"Found X with 0 sample(s) (shape=(0, {n_columns})) while a minimum of 1 is required."
        )
    return n_rows, n_columns


def _wrong_dimensions(dimensions: int, kind: str) -> str:
    if dimensions > 2:
        return f"Found array with dim {dimensions}, while X must have 2: rows and columns."
    found = "scalar array" if dimensions == 0 else "1D array"
    return (
        f"Expected 2D array, got {found} instead (X is a {kind}).\n"
        "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
        "or array.reshape(1, -1) if it contains a single sample."
    )
