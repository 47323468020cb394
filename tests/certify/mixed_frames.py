"""A frame of numbers, large integers, categories and missing values, with labels to learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray


def mixed_frame(seed: int, rows: int = 400, classes: int = 2) -> tuple[pd.DataFrame, NDArray[Any]]:
    """Numbers, integers, categories, missing values; labels that depend on all of them."""
    rng = np.random.RandomState(seed)
    number = rng.normal(size=rows).round(2)
    city = rng.choice(list("abcdefghijkl"), size=rows)
    large = 2**60 + rng.randint(0, 50, size=rows)
    score = number + (city < "f") + (large % 7 > 3) + rng.normal(size=rows)
    y = np.digitize(score, np.quantile(score, np.linspace(0, 1, classes + 1)[1:-1]))
    X = pd.DataFrame({"number": number, "city": pd.Categorical(city), "large": large})
    X["noise"] = rng.normal(size=rows)
    X.loc[rng.rand(rows) < 0.1, "number"] = np.nan
    X.loc[rng.rand(rows) < 0.1, "city"] = None
    return X, y
