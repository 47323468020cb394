"""A mixed frame with its labels as an array, which the tests index by position."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tests.tables.frames import mixed_frame


def labelled(seed: int, rows: int = 400, classes: int = 2) -> tuple[pd.DataFrame, NDArray[Any]]:
    X, y = mixed_frame(np.random.default_rng(seed), rows, classes)
    return X.drop(columns="name"), y.to_numpy()  # 400 names would tell 150 rows apart
