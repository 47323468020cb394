"""Tables of every kind of column, and ways to cut them into parts."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from hardwood.distributed.describing import PartData


def mixed_frame(
    rng: np.random.Generator, rows: int, classes: int
) -> tuple[pd.DataFrame, pd.Series]:
    """Numbers few and many, missing ones, wide integers, categories few and many, a constant."""
    gone = rng.random(rows) < 0.2
    frame = pd.DataFrame(
        {
            "many": rng.normal(size=rows),
            "few": rng.integers(0, 5, rows),
            "flag": rng.integers(0, 2, rows).astype(bool),
            "word": rng.choice(list("xyzuvwabcdef"), rows),
            "tenths": np.where(gone, np.nan, rng.normal(size=rows).round(1)),
            "wide": rng.integers(0, 2**60, rows),
            "holes": np.where(rng.random(rows) < 0.3, np.nan, rng.normal(size=rows)),
            "single": rng.normal(size=rows).astype(np.float32),
            "same": 1.0,
            "name": rng.choice([f"s{i}" for i in range(400)], rows),
        }
    )
    score = frame["many"] + (frame["word"] < "h") + frame["tenths"].fillna(0) + 0.3 * frame["few"]
    score = score + 0.5 * rng.normal(size=rows)
    limits = np.quantile(score, np.arange(1, classes) / classes)
    return frame, pd.Series(np.digitize(score, limits))


def cut(
    frame: pd.DataFrame, y: pd.Series, weights: np.ndarray | None, places: list[int]
) -> list[PartData]:
    edges = [0, *sorted(places), len(frame)]
    return [
        PartData(frame.iloc[a:b], y.iloc[a:b], None if weights is None else weights[a:b])
        for a, b in itertools.pairwise(edges)
    ]
