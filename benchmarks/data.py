"""The tables of the benchmarks: one that needs no file, and covtype where `HARDWOOD_DATA` has it.

Out: `Task` with a float64 matrix in C order, as every library here takes it, integer labels and the
number of leaves to grow. Invariant: a task is the same in every process and on every machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Task:
    name: str
    X: NDArray[np.float64]
    y: NDArray[np.int64]
    leaves: int


def generated(
    rows: int = 400_000, leaves: int = 256, *, continuous: int = 10, binary: int = 44
) -> Task:
    """Continuous columns without a repeated value and 0/1 columns of many shares.

    The label is the sign of a smooth term, a step, two interactions of a continuous with a binary
    column, a sum over the first binary columns and logistic noise: both kinds matter, at every
    depth, and no tree of a few hundred leaves is pure.
    """
    rng = np.random.default_rng(20_240_607)
    X = np.empty((rows, continuous + binary))
    X[:, :continuous] = rng.random((rows, continuous))
    shares = rng.uniform(0.02, 0.5, binary)
    X[:, continuous:] = rng.random((rows, binary)) < shares
    numbers, flags = X[:, :continuous], X[:, continuous:]
    score = (
        1.5 * np.sin(6.0 * numbers[:, 0])
        + 2.0 * (numbers[:, 1] > 0.3)
        + 3.0 * (numbers[:, 2] - 0.5) * (2.0 * flags[:, 0] - 1.0)
        + 2.0 * (numbers[:, 3] - 0.5) * (2.0 * flags[:, 1] - 1.0)
        + flags[:, 2:8].sum(axis=1)
    )
    score += rng.logistic(scale=0.5, size=rows)
    y = (score > np.median(score)).astype(np.int64)
    return Task(f"generated, {rows:,} rows", X, y, leaves)


def _covtype(binary: bool) -> Task | None:
    folder = os.environ.get("HARDWOOD_DATA")
    path = Path(folder) / "covtype.parquet" if folder else None
    if path is None or not path.exists():
        print("covtype is skipped: set HARDWOOD_DATA to the folder that holds covtype.parquet")
        return None
    import pandas as pd

    frame = pd.read_parquet(path)
    labels = frame.pop("class").astype(str).astype(int).to_numpy()
    train = np.random.default_rng(0).permutation(len(frame))[: int(0.8 * len(frame))]
    X = np.ascontiguousarray(frame.to_numpy(np.float64)[train])
    y = ((labels == 2) if binary else labels - 1)[train].astype(np.int64)
    return Task(f"covtype, {'class 2 or not' if binary else '7 classes'}", X, y, 1000)


TASKS: dict[str, Callable[[], Task | None]] = {
    "generated": generated,
    "covtype-binary": lambda: _covtype(True),
    "covtype-7": lambda: _covtype(False),
}
