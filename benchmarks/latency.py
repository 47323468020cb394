"""One row through fitted boosted models, ours and the peers': `python -m benchmarks.latency`.

Models of as many trees, trained on the same table, are asked for the probabilities of one row: from
a NumPy array and from a pandas frame, called again and again by one thread, and by many threads at
once. A call has one thread, but for scikit-learn's, which cannot be told. The models take turns,
and the best of their turns counts. The table goes to `benchmarks/RESULTS-latency.md`.
"""

from __future__ import annotations

import argparse
import importlib.util
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.boosting import Key, busy_sentence, in_turns
from benchmarks.data import generated
from benchmarks.report import markdown_table, write_section

TITLE = "Latency of one row, hardwood and its peers"
DEFAULT_OUT = Path(__file__).parent / "RESULTS-latency.md"
CALLERS = (1, 8)

Builder = Callable[[int, int], Any]
"""(rounds, leaves) -> an unfitted classifier, with one thread where that can be chosen."""


def _hardwood(rounds: int, leaves: int) -> Any:
    from hardwood import BoostedTreesClassifier

    return BoostedTreesClassifier(n_estimators=rounds, max_leaf_nodes=leaves, max_depth=None)


def _lightgbm(rounds: int, leaves: int) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_estimators=rounds, num_leaves=leaves, n_jobs=1, verbose=-1)


def _xgboost(rounds: int, leaves: int) -> Any:
    from xgboost import XGBClassifier

    shape: dict[str, Any] = {"max_leaves": leaves, "max_depth": 0, "grow_policy": "lossguide"}
    return XGBClassifier(n_estimators=rounds, tree_method="hist", n_jobs=1, verbosity=0, **shape)


def _sklearn(rounds: int, leaves: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=rounds, max_leaf_nodes=leaves, early_stopping=False
    )


LEARNERS: dict[str, tuple[str, Builder]] = {
    "hardwood": ("hardwood", _hardwood),
    "LightGBM": ("lightgbm", _lightgbm),
    "XGBoost hist": ("xgboost", _xgboost),
    "scikit-learn HGB": ("sklearn", _sklearn),
}


def _calls(model: Any, row: Any, calls: int, callers: int) -> None:
    """So many calls in all, shared by so many threads."""

    def ask(_: int) -> None:
        for _ in range(calls // callers):
            model.predict_proba(row)

    with ThreadPoolExecutor(callers) as pool:
        list(pool.map(ask, range(callers)))


def latencies(given: argparse.Namespace, trees: int, busy: str) -> None:
    task = generated(given.rows)
    frame = pd.DataFrame(task.X, columns=[f"c{j}" for j in range(task.X.shape[1])])
    jobs: dict[Key, Callable[[], Any]] = {}
    for name, (package, build) in LEARNERS.items():
        if importlib.util.find_spec(package) is None:
            print(f"{name} is skipped: the package {package} is not installed")
            continue
        of_arrays = build(trees, given.leaves).fit(task.X, task.y)
        of_frames = build(trees, given.leaves).fit(frame, task.y)
        row, framed = np.ascontiguousarray(task.X[:1]), frame[:1]
        assert np.array_equal(of_arrays.predict_proba(row), of_frames.predict_proba(framed))
        jobs[f"{name}, pandas", 1] = partial(_calls, of_frames, framed, given.calls, 1)
        for callers in CALLERS:
            jobs[name, callers] = partial(_calls, of_arrays, row, given.calls, callers)
    best = in_turns(jobs, given.repeats)
    rate = {key: given.calls / seconds for key, seconds in best.items()}
    one, many = CALLERS
    table = [
        [
            name,
            f"{1e6 / rate[name, one]:.0f}",
            f"{1e6 / rate[f'{name}, pandas', 1]:.0f}",
            f"{rate[name, one]:,.0f}",
            f"{rate[name, many]:,.0f}",
            f"{rate[name, many] / rate[name, one]:.2f}",
        ]
        for name in LEARNERS
        if (name, one) in rate
    ]
    note = (
        f"`predict_proba` of one row of {task.X.shape[1]} columns, {trees} trees of {given.leaves} "
        f"leaves; {given.calls:,} calls a turn, best of {given.repeats} turns. To reach with 100 "
        "trees: at most 60 us from NumPy, 400 us from pandas, 8 threads at least 1.5 times the "
        f"calls of one on 2 cores.{busy}"
    )
    columns = ["learner", "us, NumPy", "us, pandas", "calls/s, 1 thread", "8 threads", "8 / 1"]
    text = markdown_table(columns, table)
    heading = f"{trees} trees"
    print(f"\n{heading}\n{note}\n{text}", flush=True)
    write_section(given.out, TITLE, heading, f"{note}\n\n{text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--trees", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--leaves", type=int, default=31)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    busy = busy_sentence()
    for trees in given.trees:
        latencies(given, trees, busy)


if __name__ == "__main__":
    main()
