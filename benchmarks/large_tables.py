"""Larger tables beside LightGBM with as many leaves: `python -m benchmarks.large_tables`.

In: covtype (7 classes), adult and letter of `HARDWOOD_DATA`; 70 % of the rows train. Out: error,
log loss, Brier score, AUC and seconds of the fit, ours by default but for the rounds and leaves;
and the time per round of logistic boosting against real, on the same rows.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from benchmarks.accuracy import RESULTS
from benchmarks.cross_validation import of_probabilities, read_set
from benchmarks.report import markdown_table, write_section
from hardwood import BoostedTreesClassifier

SETS = ("covtype", "adult", "letter")
LEAVES = 31


def models(rounds: int) -> dict[str, Any]:
    from lightgbm import LGBMClassifier

    shape: dict[str, Any] = {
        "n_estimators": rounds, "max_leaf_nodes": LEAVES, "max_depth": None, "n_jobs": 2
    }  # fmt: skip
    return {
        "hardwood": BoostedTreesClassifier(**shape),
        "hardwood, all columns": BoostedTreesClassifier(**shape, feature_fraction=1.0),
        "LightGBM": LGBMClassifier(n_estimators=rounds, num_leaves=LEAVES, n_jobs=2, verbose=-1),
    }


def compare(name: str, folder: Path, rounds: int) -> list[list[str]]:
    X, y = read_set(name, folder)
    train, test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=1, stratify=y)
    rows = []
    for label, model in models(rounds).items():
        start = time.perf_counter()
        model.fit(train, y_train)
        seconds = time.perf_counter() - start
        wrong = float(np.mean(np.asarray(model.predict(test)) != y_test))
        found = of_probabilities(model.predict_proba(test), np.asarray(model.classes_), y_test)
        rows.append([name, label, *(f"{each:.4f}" for each in (wrong, *found)), f"{seconds:.1f}"])
        print(*rows[-1], flush=True)
    return rows


def round_times(name: str, folder: Path, rounds: int, turns: int) -> list[str]:
    """Best seconds per round of logistic and of real boosting, in turns, and their ratio."""
    X, y = read_set(name, folder)
    labels = np.unique(y, return_inverse=True)[1]
    binary = (labels == np.bincount(labels).argmax()).astype(np.int64)
    best = {"logistic": np.inf, "real": np.inf}
    for _ in range(turns):
        for variant in best:
            model = BoostedTreesClassifier(
                variant=variant, n_estimators=rounds, max_leaf_nodes=LEAVES, max_depth=None,
                learning_rate=0.25, feature_fraction=1.0, n_jobs=2,
            )  # fmt: skip
            start = time.perf_counter()
            model.fit(X, binary)
            seconds = (time.perf_counter() - start) / model.n_estimators_
            best[variant] = min(best[variant], seconds)
    ratio = best["logistic"] / best["real"]
    return [name, *(f"{1000 * each:.1f}" for each in best.values()), f"{ratio:.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    given = parser.parse_args()
    if "HARDWOOD_DATA" not in os.environ:
        parser.error("set HARDWOOD_DATA to the folder that holds the data sets")
    folder = Path(os.environ["HARDWOOD_DATA"])
    rows = [row for name in SETS for row in compare(name, folder, given.rounds)]
    head = ["table", "model", "error", "log loss", "Brier score", "AUC", "seconds"]
    times = [round_times(name, folder, 50, given.turns) for name in SETS]
    text = "\n\n".join(
        [
            f"{given.rounds} rounds of {LEAVES} leaves, 70 % of the rows train, 2 threads.",
            markdown_table(head, rows),
            f"Milliseconds per round, one class against the rest, best of {given.turns} in turns:",
            markdown_table(["table", "logistic", "real", "ratio"], times),
        ]
    )
    print(f"\n{text}")
    if given.write:
        write_section(RESULTS, "Accuracy and probabilities", "Larger tables", text)


if __name__ == "__main__":
    main()
