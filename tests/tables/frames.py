"""Frames of every kind of column with labels to learn: numbers, integers, categories, gaps.

Out: a pandas frame, its labels, and weights where the name says so. Invariant: the same table for
the same arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

WIDE = 4200
"""Beyond this many columns the encoder keeps rarely set ones as entries."""
CITIES = tuple("abcdefg")


def category(codes: NDArray[np.int64], names: Sequence[str]) -> pd.Categorical[Any]:
    """A column of categories; code -1 is a missing value."""
    given: Any = list(names)
    return pd.Categorical.from_codes(codes, given)


def mixed_frame(
    rng: np.random.Generator, rows: int, classes: int
) -> tuple[pd.DataFrame, pd.Series[Any]]:
    """Numbers few and many, missing ones, wide integers, categories few and many, a constant, a
    column that is mostly zero and one that ties with another."""
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
    codes = np.where(rng.random(rows) < 0.1, -1, rng.integers(0, len(CITIES), rows))
    frame["city"] = category(codes, CITIES)
    frame["rare"] = np.where(rng.random(rows) < 0.95, 0.0, rng.normal(size=rows))
    frame["again"] = frame["tenths"]
    return frame, pd.Series(np.digitize(score, limits))


def every_kind(rows: int = 150, seed: int = 1) -> tuple[pd.DataFrame, pd.Series[Any]]:
    """Every kind of column, missing values among them, and a target with a name."""
    rng = np.random.default_rng(seed)
    city = rng.choice(["Oslo", "Bergen", "Rome", "Turin", "São Paulo"], rows).astype(object)
    city[rng.random(rows) < 0.1] = None
    size = pd.Categorical(rng.choice([1.5, 2.5, 10.0], rows), categories=[10.0, 2.5, 1.5, 99.0])
    account = 2**53 + rng.integers(0, 9, rows)
    serial = rng.integers(0, 5, rows).astype(np.uint64) + np.uint64(2**64 - 7)
    noise = rng.normal(size=rows)
    X = pd.DataFrame({"city": city, "size": size, "account": account, "serial": serial,
                      "income": noise.round(3)})  # fmt: skip
    score = (city == "Oslo") + (account - 2**53) / 9 + (serial > 2**64 - 5) + noise / 2
    return X, pd.Series(np.where(score > 1.2, "yes", "no"), name="bought")


def noisy_frame(
    seed: int, n: int, classes: int, weighted: str | None
) -> tuple[pd.DataFrame, NDArray[np.int64], NDArray[np.float64] | None]:
    """Noise over a signal: few and many numbers, categories, large integers, missing values."""
    rng = np.random.default_rng(seed)
    x, z = rng.integers(0, 12, n) / 2, rng.normal(size=n).round(1)
    city = rng.integers(0, len(CITIES), n)
    number = 2**60 + rng.integers(0, 9, n)
    score = (x > 2) + (city % 3 == 1) + (number % 4 > 1) * (z > 0) + rng.normal(size=n) * 0.8
    y = np.clip(np.round(score), 0, classes - 1).astype(int)
    y[:classes] = range(classes)
    frame = pd.DataFrame(
        {
            "x": np.where(rng.random(n) < 0.1, np.nan, x),
            "city": category(np.where(rng.random(n) < 0.1, -1, city), CITIES),
            "z": z,
            "id": pd.array([None if gone else int(v) for v, gone in zip(
                number, rng.random(n) < 0.1, strict=True)], dtype="Int64"),
        }
    )  # fmt: skip
    choices = {
        None: None,
        "whole": rng.integers(0, 4, n).astype(float),
        "dyadic": rng.integers(0, 12, n) / 4,
    }
    weights = choices[weighted]
    if weights is not None:
        weights[:classes] = 1.0
    return frame, y, weights


def every_storage(seed: int, *, n_classes: int = 2, n: int = 3000) -> tuple[pd.DataFrame, Any, Any]:
    """Few values, mostly one value, many values, categories up to and beyond 256, missing."""
    rng = np.random.default_rng(seed)
    columns: dict[str, Any] = {}
    for k in range(12):
        columns[f"few{k}"] = rng.integers(0, 2 + k, n) / 4
    for k in range(6):
        columns[f"rare{k}"] = np.where(rng.random(n) < 0.012, 1.0 + rng.integers(0, 1 + k, n), 0.0)
    for k in range(4):
        columns[f"spike{k}"] = np.where(rng.random(n) < 0.012, rng.normal(size=n), float(k - 1))
    for k in range(4):
        columns[f"level{k}"] = np.round(rng.normal(size=n) * 10 * (k + 1)) / 10
    for k in range(5):
        columns[f"any{k}"] = rng.normal(size=n) ** 3
    for k, size in enumerate((5, 16, 40, 256, 257, 700)):
        codes = np.minimum(rng.geometric(3 / size, n) - 1, size - 1)
        codes[rng.random(n) < (0.05 if k % 2 else 0.0)] = -1
        names = [f"v{i:03d}" for i in range(size)]
        columns[f"category{size}"] = category(codes, names)
    columns["same"] = np.full(n, 3.5)
    columns["gone"] = np.full(n, np.nan)
    columns["large"] = 2**60 + rng.integers(0, 900, n)
    frame = pd.DataFrame(columns)
    for name in ("few1", "rare2", "spike1", "level0", "any1", "any3"):
        frame.loc[rng.random(n) < 0.08, name] = np.nan
    score = (
        np.nan_to_num(frame["any0"] / 2 + frame["few3"] + frame["rare0"] + frame["spike0"])
        + (frame["category257"].cat.codes % 5) / 2
        + (frame["category40"].cat.codes % 3) / 2
        + rng.normal(size=n)
    )
    edges = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1])
    return frame, np.searchsorted(edges, score), rng.gamma(1.0, size=n)


def widened(frame: pd.DataFrame) -> pd.DataFrame:
    same = np.zeros((len(frame), WIDE))
    return pd.concat([frame, pd.DataFrame(same).add_prefix("constant")], axis=1)
