"""The learners that are compared: one exact tree of ours, one tree of each peer, as many leaves.

Out: `LEARNERS`, from a name to a function (leaves, threads) -> an unfitted scikit-learn classifier.
Invariant: nobody prunes or limits depth and leaf size, and everybody gets the same NumPy matrix.
A peer that is not installed is left out with a sentence.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any, Literal

Builder = Callable[[int, int], Any]


def _hardwood(criterion: Literal["gini", "km"]) -> Builder:
    def build(leaves: int, threads: int) -> Any:
        from hardwood import TreeClassifier

        return TreeClassifier(
            criterion=criterion,
            max_leaf_nodes=leaves,
            min_samples_leaf=1,
            pruning=None,
            n_jobs=threads,
        )

    return build


def _lightgbm(leaves: int, threads: int) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        n_estimators=1,
        num_leaves=leaves,
        max_depth=-1,
        min_child_samples=1,
        min_child_weight=0.0,
        min_split_gain=0.0,
        n_jobs=threads,
        verbose=-1,
    )


def _xgboost(leaves: int, threads: int) -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(
        n_estimators=1,
        max_leaves=leaves,
        max_depth=0,
        grow_policy="lossguide",
        tree_method="hist",
        min_child_weight=0.0,
        n_jobs=threads,
        verbosity=0,
    )


def _sklearn(leaves: int, threads: int) -> Any:  # noqa: ARG001 one thread is all it has
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0)


_ALL: dict[str, tuple[str, Builder]] = {
    "hardwood gini": ("hardwood", _hardwood("gini")),
    "hardwood km": ("hardwood", _hardwood("km")),
    "LightGBM": ("lightgbm", _lightgbm),
    "XGBoost hist": ("xgboost", _xgboost),
    "scikit-learn": ("sklearn", _sklearn),
}


def available(wanted: list[str] | None = None) -> dict[str, Builder]:
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


def thread_counts(name: str) -> tuple[int, ...]:
    return (1,) if name == "scikit-learn" else (1, 2)
