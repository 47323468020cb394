"""A table cut into parts."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from hardwood.distributed.describing import PartData


def cut(
    frame: pd.DataFrame, y: pd.Series, weights: np.ndarray | None, places: list[int]
) -> list[PartData]:
    edges = [0, *sorted(places), len(frame)]
    return [
        PartData(frame.iloc[a:b], y.iloc[a:b], None if weights is None else weights[a:b])
        for a, b in itertools.pairwise(edges)
    ]
