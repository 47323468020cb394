"""Logistic boosting over pairs of a row and a class: `python -m benchmarks.pairs_logistic`.

Is `multiclass="pairs"` worth having for the log loss? In: sets of several classes, of
`HARDWOOD_DATA`. Boosted by default, with a model per class, and over the table of all pairs, whose
last column is the class's number; five folds. Out: error, log loss and Brier score of both.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from benchmarks.cross_validation import PEERS_SEED, read_set
from benchmarks.report import markdown_table
from hardwood import BoostedTreesClassifier

SETS = (
    "annealing", "car", "glass", "iris", "lymph", "segmentation", "vehicle", "vowel", "wine"
)  # fmt: skip
"""The peers' sets of 3 to 11 classes and fewer than 3,000 rows."""


def pairs(X: pd.DataFrame, classes: int) -> pd.DataFrame:
    """A row for each row and class."""
    table = X.loc[X.index.repeat(classes)].reset_index(drop=True)
    table["class of the pair"] = np.tile(np.arange(classes, dtype=np.float64), len(X))
    return table


def probabilities(way: str, parts: tuple[Any, Any, Any], classes: int) -> Any:
    X, y, X_test = parts
    if way == "a model per class":
        return BoostedTreesClassifier(random_state=0).fit(X, y).predict_proba(X_test)
    own = np.repeat(y, classes) == np.tile(np.arange(classes), len(y))
    model = BoostedTreesClassifier(random_state=0).fit(pairs(X, classes), own)
    found = model.predict_proba(pairs(X_test, classes))[:, 1].reshape(-1, classes)
    return found / found.sum(axis=1, keepdims=True)


def figures(name: str, folder: Path) -> list[list[float]]:
    X, labels = read_set(name, folder)
    y = np.unique(labels, return_inverse=True)[1]
    classes = int(y.max()) + 1
    found: dict[str, list[list[float]]] = {"a model per class": [], "pairs": []}
    for train, test in StratifiedKFold(5, shuffle=True, random_state=PEERS_SEED).split(X, y):
        for way, rows in found.items():
            p = probabilities(way, (X.iloc[train], y[train], X.iloc[test]), classes)
            p = np.clip(p, 1e-6, None)
            p /= p.sum(axis=1, keepdims=True)
            right = p[np.arange(len(test)), y[test]]
            brier = (p**2).sum(axis=1) - 2 * right + 1
            rows.append([(p.argmax(axis=1) != y[test]).mean(), -np.log(right).mean(), brier.mean()])
    return [np.mean(rows, axis=0).tolist() for rows in found.values()]


def main() -> None:
    warnings.simplefilter("ignore")
    folder = Path(os.environ["HARDWOOD_DATA"])
    rows = {name: figures(name, folder) for name in SETS}
    rows["mean"] = np.mean(list(rows.values()), axis=0).tolist()
    shown = [
        [name, *[" ".join(f"{value:.4f}" for value in way) for way in row]]
        for name, row in rows.items()
    ]
    print(markdown_table(["set", "a model per class", "pairs"], shown))


if __name__ == "__main__":
    main()
