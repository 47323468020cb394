"""How boosting's defaults were chosen: `python -m benchmarks.boosting_defaults`.

In: the data sets of `HARDWOOD_DATA`. Settings are compared by cross-validation on folds of another
seed than the peers', over the sets of `probabilities.csv` (beside the data, in `peers`) and over
larger tables. Out: two tables, printed; `benchmarks/RESULTS-defaults.md` keeps those that the
defaults were chosen from, with the decision.
"""

from __future__ import annotations

import argparse
import csv
import os
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cross_validation import Job, read_set, run
from benchmarks.report import markdown_table

SEED = 7
LARGER = ("adult", "letter", "covtype", "mnist", "kddcup99_10pct")
SHARE = "share"
"""(least share, least columns): feature_fraction is min(1, max(share, columns / d))."""
SETTINGS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "300 rounds, rate 0.1": {"n_estimators": 300, "learning_rate": 0.1},
    "depth 6": {"max_depth": 6},
    "prior 1": {"leaf_prior": 1.0},
    "prior 2": {"leaf_prior": 2.0},
    "all columns": {"feature_fraction": 1.0},
    "a fifth of the columns, at least 5": {SHARE: (0.2, 5)},
    "a fifth, at least 4": {SHARE: (0.2, 4)},
    "0.3, at least 5": {SHARE: (0.3, 5)},
    "0.3, at least 8": {SHARE: (0.3, 8)},
    "100 rounds, rate 0.2": {"n_estimators": 100, "learning_rate": 0.2},
    "rate 0.3": {"learning_rate": 0.3},
}


def parameters(setting: dict[str, Any], columns: int) -> tuple[tuple[str, Any], ...]:
    given = {"random_state": 0, "n_jobs": 1, **setting}
    if SHARE in given:
        share, least = given.pop(SHARE)
        given["feature_fraction"] = min(1.0, max(share, least / columns))
    return tuple(sorted(given.items()))


def compare(names: list[str], settings: list[str], folder: Path, processes: int) -> str:
    """Mean figures of each setting over the sets."""
    rows = []
    columns = {name: read_set(name, folder)[0].shape[1] for name in names}
    for label in settings:
        jobs = [
            Job(name, folder, "boosted", parameters(SETTINGS[label], columns[name]), SEED, 5)
            for name in names
        ]
        found = run(jobs, processes)
        means = [
            float(np.mean([getattr(each, key) for each in found]))
            for key in ("error", "log_loss", "brier", "seconds")
        ]
        rows.append([label, *(f"{value:.4f}" for value in means[:3]), f"{means[3]:.2f}"])
        print(rows[-1], flush=True)
    return markdown_table(["setting", "error", "log loss", "Brier", "s a fold"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--settings", nargs="*", choices=list(SETTINGS), default=list(SETTINGS))
    parser.add_argument("--larger", action="store_true", help="the larger tables too (slow)")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    folder = Path(os.environ.get("HARDWOOD_DATA", "."))
    peers = folder.parent / "peers" / "probabilities.csv"
    if not peers.exists():
        print("Skipped: set HARDWOOD_DATA to the folder of the data sets.")
        return
    with peers.open() as file:
        names = sorted({row["set"] for row in csv.DictReader(file)})
    print(compare(names, given.settings, folder, given.processes))
    if given.larger:
        print(compare(list(LARGER), given.settings, folder, given.processes))


if __name__ == "__main__":
    main()
