"""A table of one column, as the tests look at it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.table import Column, read_training_table


def only_column(X: Any, **options: Any) -> Column:
    return read_training_table(X, **options).column(0)


def objects(*cells: Any) -> NDArray[Any]:
    column = np.empty((len(cells), 1), dtype=object)
    column[:, 0] = cells
    return column
