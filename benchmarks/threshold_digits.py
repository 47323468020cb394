"""How long thresholds are, and whether it costs accuracy: `python -m benchmarks.threshold_digits`.

In: the data sets of `HARDWOOD_DATA`, by default those of the peers' `probabilities.csv` beside it.
`TreeClassifier` with its defaults on the peers' folds.
Out, per set and in the mean: significant digits per threshold, as they are and as midpoints of the
two neighbouring values of the node would be, and the cross-validated error with both.
"""

from __future__ import annotations

import argparse
import copy
import os
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from benchmarks.cross_validation import LARGE, PEERS_SEED, read_set
from benchmarks.report import markdown_table
from hardwood import TreeClassifier
from hardwood.tree.arrays import INTERVAL


def digits(value: float) -> int:
    """Of the shortest decimal; 0 has none."""
    text = repr(abs(value)).partition("e")[0].replace(".", "")
    return len(text.strip("0"))


def with_midpoints(model: TreeClassifier, X: pd.DataFrame) -> tuple[Any, list[int], list[int]]:
    """The model with midpoints; digits per threshold as it is and with midpoints."""
    tree, members = model.tree_, model.decision_path(X).tocsc()
    thresholds = tree.thresholds.copy()
    short, long = [], []
    for node in np.flatnonzero(tree.kind == INTERVAL).tolist():
        values = X.iloc[members[:, node].indices, int(tree.feature[node])].to_numpy(dtype=float)
        values = values[~np.isnan(values)]
        for cut in range(tree.cut_begin[node], tree.cut_begin[node] + tree.cut_count[node]):
            t = float(tree.thresholds[cut])
            low, high = values[values <= t], values[values > t]
            if len(low) and len(high):  # a raised subtree may have a side without rows
                thresholds[cut] = (low.max() + high.min()) / 2
                short.append(digits(t))
                long.append(digits(float(thresholds[cut])))
    other = copy.copy(model)
    other.tree_ = replace(tree, thresholds=thresholds)
    return other, short, long


def figures(name: str, folder: Path) -> tuple[str, float, float, float, float]:
    X, y = read_set(name, folder)
    folds = StratifiedKFold(3 if len(y) >= LARGE else 10, shuffle=True, random_state=PEERS_SEED)
    short: list[int] = []
    long: list[int] = []
    errors = []
    for train, test in folds.split(X, y):
        model = TreeClassifier().fit(X.iloc[train], y[train])
        other, some, more = with_midpoints(model, X.iloc[train])
        short, long = short + some, long + more
        errors.append([(each.predict(X.iloc[test]) != y[test]).mean() for each in (model, other)])
    means = np.mean(errors, axis=0)
    nothing = float("nan")
    return (
        name,
        float(np.mean(long)) if long else nothing,
        float(np.mean(short)) if short else nothing,
        float(means[1]),
        float(means[0]),
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("sets", nargs="*", help="names of data sets; default: the peers'")
    folder = Path(os.environ["HARDWOOD_DATA"])
    peers = folder.parent / "peers" / "probabilities.csv"
    names = arguments.parse_args().sets or sorted(pd.read_csv(peers)["set"].unique())
    warnings.simplefilter("ignore")
    rows = [figures(name, folder) for name in names]
    means = np.nanmean([row[1:] for row in rows], axis=0).tolist()
    head = ["set", "digits, midpoints", "digits", "error, midpoints", "error"]
    shown = [
        [name, *(f"{v:.2f}" for v in row[:2]), *(f"{v:.4f}" for v in row[2:])]
        for name, *row in [*rows, ("mean", *means)]
    ]
    print(markdown_table(head, shown))


if __name__ == "__main__":
    main()
