"""The tables of the golden cases: every kind of column, the same bits everywhere.

Out: `table(name)`, the data that a case trains on, and `sample_weight(kind, rows)`. Nothing is read
from outside but the data sets inside scikit-learn.

Invariant: a table's bits do not depend on the version of NumPy or on the CPU. Numbers come from
`RandomState`, whose streams are frozen, and go through one addition, multiplication or comparison
at a time: no exp, no log, no sum over an axis, whose last bits may differ between CPUs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import RandomState
from scipy import sparse
from sklearn import datasets

Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Data:
    X: Any
    y: Any

    @property
    def rows(self) -> int:
        return int(self.X.shape[0])


def bell(random: RandomState, rows: int) -> Floats:
    """All-distinct numbers around 0: four uniform ones, added one by one."""
    u = [random.random_sample(rows) for _ in range(4)]
    return ((u[0] + u[1]) + (u[2] + u[3])) - 2.0


def whole(random: RandomState, low: int, high: int, rows: int) -> Any:
    return random.randint(low, high, rows, dtype=np.int64)


def with_holes(random: RandomState, values: Floats, share: float) -> Floats:
    return np.where(random.random_sample(len(values)) < share, np.nan, values)


def classes_of(score: Floats, classes: int) -> Any:
    """Classes of unequal sizes by rank of the score; the first is the largest."""
    rank = np.empty(len(score), dtype=np.int64)
    rank[np.argsort(score, kind="stable")] = np.arange(len(score))
    sizes = np.arange(classes + 2, 2, -1)
    limits = np.cumsum(sizes) * len(score) // sizes.sum()
    return np.searchsorted(limits, rank, side="right")


def few(rows: int = 200) -> Data:
    """Numbers of few values, two values and one value."""
    random = RandomState(1)
    X = np.column_stack(
        [
            whole(random, 0, 4, rows),
            whole(random, -3, 9, rows) / 4.0,
            whole(random, 0, 2, rows),
            np.full(rows, 7.25),
            whole(random, 0, 30, rows),
        ]
    )
    score = (X[:, 0] + 2.0 * X[:, 1]) + (X[:, 2] + 2.0 * bell(random, rows))
    return Data(X, classes_of(score, 2))


def smooth(rows: int, classes: int, columns: int = 5) -> Data:
    """All-distinct numbers only."""
    random = RandomState(2)
    X = np.column_stack([bell(random, rows) * 10.0**j for j in range(columns)])
    score = X[:, 0] + X[:, 1] / 10.0 * X[:, 0] + 0.5 * bell(random, rows)
    return Data(X, classes_of(score, classes))


def easy(rows: int, columns: int) -> Data:
    """All-distinct numbers and no noise: boosting soon has half of the weight on few rows."""
    random = RandomState(13)
    X = np.column_stack([bell(random, rows) for _ in range(columns)])
    return Data(X, classes_of((X[:, 0] + X[:, 1]) + X[:, 2], 2))


def signed_zeros(rows: int = 160) -> Data:
    """0.0 and -0.0 beside the smallest and neighbouring numbers, some missing."""
    random = RandomState(3)
    values = np.array([-0.0, 0.0, -1.0, 5e-324, -5e-324, 1.0, 1.0 + 2.0**-52, np.nan])
    X = values[random.randint(0, len(values), (rows, 4), dtype=np.int64)]
    score = np.where(X[:, 0] > 0, 1.0, 0.0) + np.where(X[:, 1] < 0, 1.0, 0.0) + bell(random, rows)
    return Data(X, classes_of(score, 2))


def integers(rows: int = 240) -> Data:
    """Whole numbers beyond 2^53, signed and unsigned, some of them neighbours, some missing."""
    random = RandomState(4)
    wide = whole(random, -(2**62), 2**62, rows)
    near = 2**53 + whole(random, 0, 9, rows)
    frame = pd.DataFrame(
        {
            "wide": wide,
            "near": near,
            "unsigned": (2**63 + whole(random, 0, 50, rows).astype(np.uint64)).astype(np.uint64),
            "holes": pd.array(near, dtype="Int64"),
            "small": whole(random, -5, 5, rows).astype(np.int16),
        }
    )
    frame.loc[random.random_sample(rows) < 0.2, "holes"] = pd.NA
    score = wide / 2.0**61 + (near - 2**53) / 4.0 + 2.0 * bell(random, rows)
    return Data(frame, pd.Series(classes_of(score, 2)))


def categories(rows: int, many: int) -> Data:
    """Categories few, many, ordered and missing, beside booleans; labels are strings."""
    random = RandomState(5)
    word, name = whole(random, 0, 6, rows), whole(random, 0, many, rows)
    size, gone = whole(random, 0, 4, rows), random.random_sample(rows) < 0.2
    sizes = pd.CategoricalDtype(["small", "middle", "large", "huge"], ordered=True)
    frame = pd.DataFrame(
        {
            "word": pd.Categorical(np.array(list("pqrstu"))[word], categories=list("utsrqpz")),
            "name": np.array([f"n{i * 37 % many}" for i in range(many)], dtype=object)[name],
            "size": pd.Series(np.array(sizes.categories)[size]).astype(sizes),
            "flag": random.random_sample(rows) < 0.3,
            "lost": np.where(gone, None, np.array(list("abc"), dtype=object)[word % 3]),
        }
    )
    score = (word % 3 - 1.0) + (name % 5) / 2.0 + size / 2.0 + 2.0 * bell(random, rows)
    labels = np.array(["low", "middle", "high"], dtype=object)[classes_of(score, 3)]
    return Data(frame, pd.Series(labels))


def holes(rows: int) -> Data:
    """Missing values in every column, and a column that has nothing else."""
    random = RandomState(6)
    frame = pd.DataFrame(
        {
            "bell": bell(random, rows),
            "few": whole(random, 0, 5, rows).astype(float),
            "flag": whole(random, 0, 2, rows).astype(float),
            "same": np.full(rows, 2.0),
        }
    )
    score = frame["bell"].to_numpy() + frame["few"].to_numpy() / 2.0 + bell(random, rows)
    for name, share in zip(frame, (0.1, 0.3, 0.5, 0.2), strict=True):
        frame[name] = with_holes(random, frame[name].to_numpy(), share)
    middle: Any = np.where(score < -0.5, "y", None)  # type: ignore[call-overload]
    frame["word"] = np.where(score > 0.5, "x", middle)
    frame.loc[random.random_sample(rows) < 0.6, "word"] = None
    frame["nothing"] = np.nan
    return Data(frame, pd.Series(classes_of(score, 2)))


def mixed(rows: int, classes: int) -> Data:
    """A column of every kind."""
    random = RandomState(7)
    word, name = whole(random, 0, 8, rows), whole(random, 0, 300, rows)
    frame = pd.DataFrame(
        {
            "many": bell(random, rows),
            "few": whole(random, 0, 5, rows),
            "flag": random.random_sample(rows) < 0.5,
            "word": np.array(list("hgfedcba"), dtype=object)[word],
            "tenths": with_holes(random, np.floor(bell(random, rows) * 10.0) / 10.0, 0.2),
            "wide": whole(random, 0, 2**60, rows),
            "holes": with_holes(random, bell(random, rows), 0.3),
            "single": bell(random, rows).astype(np.float32),
            "same": 1.0,
            "name": np.array([f"s{i * 7 % 300}" for i in range(300)], dtype=object)[name],
        }
    )
    tenths = frame["tenths"].fillna(0.5).to_numpy()
    score = frame["many"].to_numpy() + (word % 3) / 2.0 + tenths + frame["few"].to_numpy() / 4.0
    return Data(frame, pd.Series(classes_of(score + 0.7 * bell(random, rows), classes)))


def zeros(rows: int, classes: int) -> Data:
    """Numbers of which 90 to 99 % are one value and the others all distinct."""
    random = RandomState(8)
    frame = pd.DataFrame(index=range(rows))
    score = bell(random, rows)
    for place, (usual, share) in enumerate(
        [(0.0, 0.9), (0.0, 0.96), (0.0, 0.97), (0.0, 0.99), (0.25, 0.94), (-9.0, 0.96)]
    ):
        rest = random.random_sample(rows) >= share
        values = bell(random, rows)
        score = score + np.where(rest, 1.5 + 2.0 * values, 0.0)
        frame[f"zero{place}"] = np.where(rest, values, usual)
    frame["zero4"] = with_holes(random, frame["zero4"].to_numpy(), 0.02)
    frame["bell"] = bell(random, rows)
    return Data(frame, pd.Series(classes_of(score + frame["bell"].to_numpy(), classes)))


def images(rows: int, columns: int, classes: int) -> Data:
    """Whole numbers below 200 in 3 to 60 % of a column; else 0, in some columns 9."""
    random = RandomState(14)
    share = np.divide(3.0 + np.floor(57.0 * random.random_sample(columns)), 100.0)
    drawn = random.random_sample((rows, columns)) < share
    X = np.where(drawn, random.randint(0, 200, (rows, columns), dtype=np.int64), 0).astype(float)
    X[:, ::7] = np.where(drawn[:, ::7], X[:, ::7], 9.0)
    X[:, 5] = np.where(X[:, 5] > 150.0, np.nan, X[:, 5])
    score = np.zeros(rows)
    for j in range(0, columns, 3):
        score = score + np.nan_to_num(X[:, j]) / 100.0
    return Data(X, classes_of(score + bell(random, rows), classes))


def entries(rows: int, columns: int, share: float) -> Data:
    """A sparse matrix: few whole numbers in even columns, all-distinct ones in odd columns."""
    random = RandomState(9)
    chosen = random.random_sample((rows, columns)) < share
    values = np.where(
        np.arange(columns) % 2 == 0,
        1.0 + random.randint(0, 3, (rows, columns), dtype=np.int64),
        random.random_sample((rows, columns)) - 0.5,
    )
    X = np.where(chosen, values, 0.0)
    score = 1.5 * bell(random, rows)
    for j in range(8):
        score = score + X[:, j] * (1.0 if j % 3 else -1.0)
    return Data(sparse.csr_matrix(X), classes_of(score, 2))


def wide(rows: int, columns: int) -> Data:
    """More columns than rows: two-valued, few-valued and all-distinct ones in turn."""
    random = RandomState(10)
    uniform = random.random_sample((rows, columns))
    kind = np.arange(columns) % 3
    steps = np.where(kind == 0, np.floor(uniform * 2.0), np.floor(uniform * 5.0))
    X = np.where(kind == 2, uniform, steps)
    score = (X[:, 0] + X[:, 2]) + (X[:, 4] / 4.0 + bell(random, rows) / 2.0)
    return Data(X, classes_of(score, 3))


def coded(rows: int = 220) -> Data:
    """Categories as numbers in an array, for `categorical_features`."""
    random = RandomState(11)
    X = np.column_stack([whole(random, 0, 7, rows), whole(random, 0, 12, rows), bell(random, rows)])
    score = (X[:, 0] % 3.0) + (X[:, 1] % 4.0) / 2.0 + X[:, 2]
    return Data(with_holes(random, X.T.ravel(), 0.05).reshape(3, rows).T, classes_of(score, 2))


def bundled(load: Callable[..., Any], step: int = 1) -> Data:
    """Every step-th row of a data set of scikit-learn's, as an array."""
    X, y = load(return_X_y=True)
    return Data(X[::step], y[::step])


def framed(load: Callable[..., Any]) -> Data:
    X, y = load(return_X_y=True, as_frame=True)
    return Data(X, y)


_MAKERS: dict[str, Callable[[], Data]] = {
    "few": few,
    "smooth": lambda: smooth(250, 2),
    "signed-zeros": signed_zeros,
    "integers": integers,
    "categories": lambda: categories(260, 40),
    "holes": lambda: holes(280),
    "mixed2": lambda: mixed(300, 2),
    "mixed3": lambda: mixed(300, 3),
    "mixed7": lambda: mixed(300, 7),
    "zeros": lambda: zeros(300, 2),
    "sparse": lambda: entries(300, 60, 0.1),
    "wide": lambda: wide(120, 500),
    "coded": coded,
    "iris": lambda: bundled(datasets.load_iris),
    "wine": lambda: framed(datasets.load_wine),
    "cancer": lambda: framed(datasets.load_breast_cancer),
    "digits": lambda: bundled(datasets.load_digits, 3),
    "smooth-large2": lambda: smooth(30_000, 2, 3),
    "smooth-large7": lambda: smooth(5_000, 7),
    "easy-large": lambda: easy(17_000, 18),
    "categories-large": lambda: categories(6_000, 700),
    "holes-large": lambda: holes(5_000),
    "mixed-large2": lambda: mixed(8_000, 2),
    "mixed-large3": lambda: mixed(5_000, 3),
    "zeros-large2": lambda: zeros(6_000, 2),
    "zeros-large3": lambda: zeros(30_000, 3),
    "zeros-larger2": lambda: zeros(30_000, 2),
    "images": lambda: images(400, 40, 2),
    "images-large3": lambda: images(9_000, 104, 3),
    "sparse-large": lambda: entries(5_000, 100, 0.05),
    "sparse-wide": lambda: entries(150, 4_200, 0.02),
}

NAMES = tuple(_MAKERS)


@cache
def table(name: str) -> Data:
    """The data of that name; nobody writes to it."""
    return _MAKERS[name]()


WEIGHTS = ("none", "whole", "thirds", "zeros", "uneven")


def sample_weight(kind: str, rows: int) -> Floats | None:
    """None, whole numbers, thirds (not dyadic), thirds of which a quarter is 0, or more than half
    of the weight on few rows."""
    random = RandomState(12)
    if kind == "none":
        return None
    if kind == "whole":
        return np.array(whole(random, 1, 5, rows), dtype=np.float64)
    if kind == "uneven":
        return np.where(random.random_sample(rows) < 0.005, 300.0, 1.0)
    kept = random.random_sample(rows) >= (0.25 if kind == "zeros" else 0.0)
    return np.where(kept, np.divide(whole(random, 1, 8, rows), 3.0), np.zeros(rows))
