"""The problems of the boosting benchmark and the learners that meet on them.

Out: `TASKS`, from a name to a function that reads the files under `HARDWOOD_DATA`, and `learners`,
the builders of unfitted scikit-learn classifiers. Invariant: everybody gets the same float64 matrix
in C order, as many rounds and the same depth, and apart from that its own defaults; the limits that
keep LightGBM and XGBoost from splitting small leaves are lifted, as AdaBoost has none.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import TASKS as TREE_TASKS

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


@dataclass(frozen=True)
class BoostingTask:
    """test: rows that were not trained on, where the data come with a split.
    few: rounds from which scikit-learn's time is scaled up.
    exact: whether XGBoost's exact method ends within half a minute.
    """

    title: str
    X: Floats
    y: Labels
    rounds: int
    depth: int
    few: int
    exact: bool = True
    test: tuple[Floats, Labels] | None = None


def read_split(name: str) -> tuple[Floats, Labels, Floats, Labels] | None:
    """X and y of the official training and test rows."""
    folder = os.environ.get("HARDWOOD_DATA")
    path = Path(folder) / f"{name}.parquet" if folder else None
    if path is None or not path.exists():
        print(f"{name} is skipped: set HARDWOOD_DATA to the folder that holds {name}.parquet")
        return None
    import pandas as pd

    frame = pd.read_parquet(path)
    train = (frame.pop("split") == "train").to_numpy()
    y = frame.pop("class").to_numpy().astype(np.int64)
    X = np.ascontiguousarray(frame.to_numpy(), dtype=np.float64)
    return X[train], y[train], X[~train], y[~train]


def _one_against_the_rest(
    name: str, positive: int, title: str, **sizes: Any
) -> Callable[[], BoostingTask | None]:
    def read() -> BoostingTask | None:
        parts = read_split(name)
        if parts is None:
            return None
        X, y, X_test, y_test = parts
        test = X_test, (y_test == positive).astype(np.int64)
        return BoostingTask(title, X, (y == positive).astype(np.int64), test=test, **sizes)

    return read


def _covtype() -> BoostingTask | None:
    task = TREE_TASKS["covtype-binary"]()
    if task is None:
        return None
    return BoostingTask("covtype, class 2 or not", task.X, task.y, 100, 3, few=3)


TASKS: dict[str, Callable[[], BoostingTask | None]] = {
    "a6a": _one_against_the_rest("a6a", 1, "a6a", rounds=500, depth=3, few=20),
    "w4a": _one_against_the_rest("w4a", 1, "w4a", rounds=500, depth=3, few=20),
    "satimage": _one_against_the_rest(
        "satimage", 4, "satimage, 4 or not", rounds=500, depth=3, few=20
    ),
    "mnist": _one_against_the_rest(
        "mnist", 0, "MNIST, 0 or not", rounds=300, depth=4, few=2, exact=False
    ),
    "covtype": _covtype,
}

Builder = Callable[[int, int, int], Any]
"""(rounds, depth, threads) -> an unfitted classifier."""


def hardwood(**parameters: Any) -> Builder:
    def build(rounds: int, depth: int, threads: int) -> Any:
        from hardwood import BoostedTreesClassifier

        shape: dict[str, Any] = {"n_estimators": rounds, "max_depth": depth, "n_jobs": threads}
        return BoostedTreesClassifier(learning_rate=1.0, **shape, **parameters)

    return build


def _lightgbm(rounds: int, depth: int, threads: int) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        n_estimators=rounds,
        max_depth=depth,
        num_leaves=2**depth,
        min_child_samples=1,
        n_jobs=threads,
        verbose=-1,
    )


def _xgboost(method: str) -> Builder:
    def build(rounds: int, depth: int, threads: int) -> Any:
        from xgboost import XGBClassifier

        return XGBClassifier(
            n_estimators=rounds,
            max_depth=depth,
            tree_method=method,
            n_jobs=threads,
            verbosity=0,
        )

    return build


def _sklearn(rounds: int, depth: int, threads: int) -> Any:  # noqa: ARG001 it has one thread
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(max_depth=depth, random_state=0)
    return AdaBoostClassifier(tree, n_estimators=rounds, random_state=0)


AUTO, EXHAUSTIVE = "hardwood discrete, auto", "hardwood discrete, exhaustive"
LIGHTGBM, XGBOOST, SKLEARN = "LightGBM", "XGBoost hist", "scikit-learn AdaBoost"
XGBOOST_EXACT = "XGBoost exact"

_DISCRETE = {"variant": "discrete", "criterion": "error"}
_ALL: dict[str, tuple[str, Builder]] = {
    AUTO: ("hardwood", hardwood(**_DISCRETE, search="auto")),
    EXHAUSTIVE: ("hardwood", hardwood(**_DISCRETE, search="exhaustive")),
    "hardwood real, auto": ("hardwood", hardwood(variant="real", criterion="km", search="auto")),
    LIGHTGBM: ("lightgbm", _lightgbm),
    XGBOOST: ("xgboost", _xgboost("hist")),
    XGBOOST_EXACT: ("xgboost", _xgboost("exact")),
    SKLEARN: ("sklearn", _sklearn),
}


def learners(wanted: list[str] | None = None) -> dict[str, Builder]:
    """The learners whose package is installed, of those whose name contains a wanted word."""
    found = {}
    for name, (package, build) in _ALL.items():
        if wanted and not any(word.lower() in name.lower() for word in wanted):
            continue
        if importlib.util.find_spec(package) is None:
            print(f"{name} is skipped: the package {package} is not installed")
        else:
            found[name] = build
    return found
