"""Resident memory and open files over many calls: python -m tests.limits.leaks [times]

Fits, predictions, saved files, failed fits and cancelled fits by turns. After a start, in which
caches fill, neither may go on growing.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hardwood import BoostedTreesClassifier, TreeClassifier, load, save
from hardwood.errors import ModelWarning

ALLOWED = 12 * 2**20
"""Bytes that may be added in all: pages of the allocator, not something per call."""


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


class _CancelledError(Exception):
    pass


def _cancel(*_: Any) -> None:
    raise _CancelledError


def actions(folder: Path) -> list[Callable[[], Any]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 5))
    y = (X[:, 0] + rng.normal(size=2000) > 0).astype(int)
    missing = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    infinite = X.copy()
    infinite[7, 2] = np.inf
    tree = TreeClassifier(max_leaf_nodes=30, n_jobs=2).fit(X, y)
    path = folder / "model.hardwood"

    def refused() -> None:
        try:
            TreeClassifier().fit(infinite, y)
        except ValueError:
            return
        raise AssertionError("infinity was taken")

    def cancelled() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        try:
            BoostedTreesClassifier(n_estimators=100_000, n_jobs=2).fit(X, y)
        except _CancelledError:
            return
        raise AssertionError("the fit was not cancelled")

    return [
        lambda: TreeClassifier(max_leaf_nodes=30, n_jobs=2).fit(X, y),
        lambda: TreeClassifier(missing="fractional", max_leaf_nodes=10).fit(missing, y),
        lambda: BoostedTreesClassifier(n_estimators=3, n_jobs=2).fit(missing, y),
        lambda: tree.predict_proba(missing),
        lambda: tree.shap_values(X[:50]),
        lambda: save(tree, path),
        lambda: load(path),
        refused,
        cancelled,
    ]


def growth(times: int) -> tuple[int, int]:
    """(bytes, files) that were added after the first half of the calls of each action."""
    signal.signal(signal.SIGALRM, _cancel)
    warnings.simplefilter("ignore", ModelWarning)
    with tempfile.TemporaryDirectory() as folder:
        every = actions(Path(folder))
        halves = []
        for _ in range(2):
            for _ in range(max(times // 2, 1)):
                for act in every:
                    act()
            halves.append((resident(), open_files()))
    return halves[1][0] - halves[0][0], halves[1][1] - halves[0][1]


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    memory, files = growth(times)
    print(f"{times} times each action: {memory / 2**20:.1f} MB and {files} open files more")
    sys.exit(0 if memory <= ALLOWED and files <= 0 else 1)


if __name__ == "__main__":
    main()
