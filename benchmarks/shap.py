"""Shapley values of ours against LightGBM's `pred_contrib`: `python -m benchmarks.shap`.

Models of as many trees and the same depth explain the same rows, with the same number of threads.
They take turns, and the best of their turns counts. Every run checks that our values add up to the
score. The table goes to `benchmarks/RESULTS-shap.md`.
"""

from __future__ import annotations

import argparse
import importlib.util
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.boosting import Key, busy_sentence, in_turns, ratio
from benchmarks.boosting_tasks import LIGHTGBM, learners, read_split
from benchmarks.data import generated
from benchmarks.report import markdown_table, write_section

TITLE = "Shapley values, hardwood and LightGBM"
DEFAULT_OUT = Path(__file__).parent / "RESULTS-shap.md"
HARDWOOD = "hardwood"
TASKS = ("generated", "a6a", "satimage")


def read(name: str) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """Training rows with all their classes; "generated" needs no files."""
    if name == "generated":
        task = generated(20_000)
        return task.X, task.y
    parts = read_split(name)
    return None if parts is None else parts[:2]


def explain_times(name: str, given: argparse.Namespace, busy: str) -> None:
    data = read(name)
    if data is None:
        return
    X, y = data
    rows = np.ascontiguousarray(X[: given.rows])
    jobs: dict[Key, Callable[[], Any]] = {}
    largest = 0.0
    for threads in given.threads:
        model = _ours(given, threads).fit(X, y)
        largest = max(largest, _difference(model, rows))
        jobs[HARDWOOD, threads] = partial(model.shap_values, rows)
        if importlib.util.find_spec("lightgbm") is not None:
            peer = learners([LIGHTGBM])[LIGHTGBM](given.trees, given.depth, threads).fit(X, y)
            jobs[LIGHTGBM, threads] = partial(peer.predict, rows, pred_contrib=True)
    best = in_turns(jobs, given.repeats)
    table = [
        [who, str(t), f"{1e6 * seconds / len(rows):.2f}", ratio(best, (who, t), LIGHTGBM)]
        for (who, t), seconds in best.items()
    ]
    note = (
        f"{len(rows):,} rows, {X.shape[1]} columns, {len(np.unique(y))} classes, {given.trees} "
        f"rounds of depth {given.depth}; best of {given.repeats} turns. To reach: at most 1.0 "
        "times LightGBM. Our values and their start add up to the score within "
        f"{largest:.1e}.{busy}"
    )
    text = markdown_table(["learner", "threads", "us per row", "/ LightGBM"], table)
    heading = f"{name}, depth {given.depth}"
    print(f"\n{heading}\n{note}\n{text}", flush=True)
    write_section(given.out, TITLE, heading, f"{note}\n\n{text}")


def _ours(given: argparse.Namespace, threads: int) -> Any:
    from hardwood import BoostedTreesClassifier

    return BoostedTreesClassifier(n_estimators=given.trees, max_depth=given.depth, n_jobs=threads)


def _difference(model: Any, rows: NDArray[Any]) -> float:
    """The largest difference between a score and the sum that explains it."""
    total = model.shap_values(rows).sum(axis=1) + model.shap_expected_value()
    return float(np.abs(total - model.decision_function(rows)).max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--tasks", choices=TASKS, nargs="+", default=list(TASKS))
    parser.add_argument("--trees", type=int, default=500)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[2, 1])
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    busy = busy_sentence()
    for name in given.tasks:
        explain_times(name, given, busy)


if __name__ == "__main__":
    main()
