"""Boosting as users run it, on real tables: `python -m benchmarks.boosting_tables`.

Logistic boosting of ours and LightGBM, 31 leaves, rate 0.1, all columns in every round, two
threads. Each gets the table in the form that suits it: a matrix, a frame whose words are
categories, or a sparse matrix. Learners take turns and the best of their turns counts. One table
goes to `benchmarks/RESULTS-boosting-tables.md`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.boosting import busy_sentence
from benchmarks.report import markdown_table, write_section
from benchmarks.tree import in_turns

OUT = Path(__file__).parent / "RESULTS-boosting-tables.md"
TITLE = "Boosting on real tables, hardwood and LightGBM"
Data = tuple[Any, Any]


def _frame(folder: Path, name: str, positive: int | None = None) -> Data:
    import pandas as pd

    frame = pd.read_parquet(folder / f"{name}.parquet")
    if "split" in frame:
        frame = frame[frame.pop("split") == "train"]
    y = frame.pop("class")
    if positive is not None:
        y = y.astype(int) == positive
    words = [c for c in frame if not pd.api.types.is_numeric_dtype(frame[c])]
    for column in words:
        frame[column] = frame[column].astype("category")
    X = frame if words else np.ascontiguousarray(frame.to_numpy(float))
    return X, pd.factorize(y, sort=True)[0]


def _reuters(folder: Path) -> Data:
    from scipy.sparse import load_npz

    X: Any = load_npz(folder / "reuters_moneyfx_train.npz")
    return X.tocsr().astype(np.float32), np.load(folder / "reuters_moneyfx_train_y.npy")


Read = Callable[[Path], Data]
TABLES: dict[str, tuple[Read, int, float]] = {
    "a6a": (partial(_frame, name="a6a", positive=1), 500, 0.8),
    "w4a": (partial(_frame, name="w4a", positive=1), 500, 0.8),
    "satimage, 4 or not": (partial(_frame, name="satimage", positive=4), 500, 0.8),
    "adult": (partial(_frame, name="adult"), 100, 0.7),
    "letter, 26 classes": (partial(_frame, name="letter"), 30, 0.7),
    "Reuters, sparse": (_reuters, 100, 1.0),
    "isolet, 26 classes": (partial(_frame, name="isolet"), 10, 0.8),
    "covtype, 2 or not": (partial(_frame, name="covtype", positive=2), 100, 0.7),
    "covtype, 7 classes": (partial(_frame, name="covtype"), 20, 0.7),
    "MNIST, 0 or not": (partial(_frame, name="mnist", positive=0), 100, 0.4),
}
"""From a name to how it is read, the rounds and the ratio to reach."""


def _builders(rounds: int) -> dict[str, Any]:
    from lightgbm import LGBMClassifier

    from hardwood import BoostedTreesClassifier

    return {
        "hardwood": BoostedTreesClassifier(
            n_estimators=rounds,
            learning_rate=0.1,
            max_depth=None,
            max_leaf_nodes=31,
            feature_fraction=1.0,
            n_jobs=2,
        ),
        "LightGBM": LGBMClassifier(
            n_estimators=rounds,
            learning_rate=0.1,
            num_leaves=31,
            min_child_samples=1,
            n_jobs=2,
            verbose=-1,
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--only", nargs="*", choices=[*TABLES], default=[*TABLES])
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    folder = os.environ.get("HARDWOOD_DATA")
    if not folder:
        print("Skipped: set HARDWOOD_DATA to the folder that holds the data sets.")
        return
    busy = busy_sentence()
    rows = []
    for name in given.only:
        read, rounds, aim = TABLES[name]
        X, y = read(Path(folder))
        jobs = {(each, 2): partial(model.fit, X, y) for each, model in _builders(rounds).items()}
        seconds = in_turns(jobs, dict.fromkeys(jobs, given.repeats))
        ours, theirs = seconds["hardwood", 2], seconds["LightGBM", 2]
        shape = f"{X.shape[0]:,} x {X.shape[1]:,}"
        times = [f"{ours:.2f}", f"{theirs:.2f}", f"{ours / theirs:.2f}"]
        rows.append([name, shape, str(rounds), *times, f"{aim:.1f}"])
        print(*rows[-1], flush=True)
    names = ["table", "size", "rounds", "hardwood, s", "LightGBM, s", "ratio", "to reach"]
    note = f"31 leaves, rate 0.1, two threads; best of {given.repeats} turns.{busy}"
    write_section(OUT, TITLE, "Fit time", f"{note}\n\n{markdown_table(names, rows)}")


if __name__ == "__main__":
    main()
