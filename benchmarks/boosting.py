"""Boosted trees of ours against the peers: `python -m benchmarks.boosting` (or `make bench`).

Measures what issue 3 asks for: fit time, MNIST with all ten classes and prediction; and repeats the
runs of Aziz, Anderton & Aslam (2018), counting assessments (`benchmarks.boosting_paper`). Learners
take turns, so that a noisy minute hurts all alike, and the best of their turns counts; a learner
that has had its share of seconds sits out. Tables go to `benchmarks/RESULTS-boosting.md`.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import boosting_paper
from benchmarks.boosting_paper import Section
from benchmarks.boosting_tasks import (
    AUTO,
    EXHAUSTIVE,
    LIGHTGBM,
    SKLEARN,
    TASKS,
    XGBOOST,
    XGBOOST_EXACT,
    BoostingTask,
    Builder,
    hardwood,
    learners,
    read_split,
)
from benchmarks.report import markdown_table, write_section

TITLE = "Boosted trees, hardwood and its peers"
DEFAULT_OUT = Path(__file__).parent / "RESULTS-boosting.md"
SECONDS_PER_LEARNER = 60.0
AIMS = {
    "a6a": "at most 1.5 times LightGBM",
    "w4a": "at most 1.5 times LightGBM and 0.8 of exhaustive",
    "satimage": "at most 1.5 times LightGBM",
    "mnist": "at most 1.0 times LightGBM and 0.5 of exhaustive; exhaustive at most 1.5 LightGBM",
    "covtype": "at most 1.0 times LightGBM",
}
Key = tuple[str, int]


@dataclass(frozen=True)
class Options:
    repeats: int
    rounds: int | None
    tasks: list[str]
    learners: dict[str, Builder]
    threads: list[int]
    out: Path
    busy: str = ""

    def task(self, name: str) -> BoostingTask | None:
        """The task, with other rounds where they were asked for."""
        task = TASKS[name]()
        if task is None or self.rounds is None:
            return task
        return replace(task, rounds=self.rounds, few=min(task.few, self.rounds))

    def show(self, heading: str, columns: list[str], rows: list[list[str]], note: str) -> None:
        table = markdown_table(columns, rows)
        note += self.busy if {"seconds", "million rows/s"} & set(columns) else ""
        print(f"\n{heading}\n{note}\n{table}", flush=True)
        write_section(self.out, TITLE, heading, f"{note}\n\n{table}")


Run = Callable[[Options], None]


def in_turns(jobs: Mapping[Key, Callable[[], Any]], turns: int) -> dict[Key, float]:
    """The best wall-clock seconds of each job; a job that used up its seconds sits out."""
    best, spent = dict.fromkeys(jobs, math.inf), dict.fromkeys(jobs, 0.0)
    for turn in range(turns):
        for key, job in jobs.items():
            if turn and spent[key] * (turn + 1) / turn > SECONDS_PER_LEARNER:
                continue
            start = time.perf_counter()
            job()
            taken = time.perf_counter() - start
            best[key], spent[key] = min(best[key], taken), spent[key] + taken
    return best


def ratio(values: dict[Key, float], key: Key, other: str) -> str:
    """The value over the other's with as many threads (or with the one it has)."""
    found = values.get((other, key[1]), values.get((other, 1)))
    return f"{values[key] / found:.2f}" if found else "-"


def fit_times(options: Options) -> None:
    for name in options.tasks:
        task = options.task(name)
        if task is not None:
            _fit_times(options, name, task)


def _fit_times(options: Options, name: str, task: BoostingTask) -> None:
    models: dict[Key, Any] = {}

    def fit(key: Key, rounds: int) -> None:
        build = options.learners[key[0]]
        models[key] = build(rounds, task.depth, key[1]).fit(task.X, task.y)

    keys = [
        (learner, threads)
        for learner in options.learners
        for threads in ([1] if learner == SKLEARN else options.threads)
        if task.exact or learner != XGBOOST_EXACT
    ]
    for learner, threads in keys:  # load the libraries and start their threads
        options.learners[learner](2, task.depth, threads).fit(task.X[:2000], task.y[:2000])
    rounds_of = {key: task.few if key[0] == SKLEARN else task.rounds for key in keys}
    best = in_turns({key: partial(fit, key, rounds_of[key]) for key in keys}, options.repeats)
    best = {key: seconds * task.rounds / rounds_of[key] for key, seconds in best.items()}
    rows = [
        [
            learner if rounds_of[learner, t] == task.rounds else f"{learner} (scaled up)",
            str(t),
            f"{seconds:.3f}",
            ratio(best, (learner, t), LIGHTGBM),
            ratio(best, (learner, t), EXHAUSTIVE),
            _error(models[learner, t], task.X, task.y),
            _error(models[learner, t], *task.test) if task.test else "",
        ]
        for (learner, t), seconds in best.items()
    ]
    columns = ["learner", "threads", "seconds", "/ LightGBM", "/ exhaustive", "train", "test"]
    note = (
        f"{len(task.y):,} rows, {task.X.shape[1]} columns, {task.rounds} rounds, depth "
        f"{task.depth}; best of {options.repeats} turns. scikit-learn from {task.few} rounds, its "
        f'errors after those. To reach, "{AUTO}": {AIMS[name]}, never above 1.0 of exhaustive.'
    )
    options.show(f"Fit time: {task.title}", columns, rows, note)


def _error(model: Any, X: Any, y: Any) -> str:
    return f"{np.mean(model.predict(X) != y):.4f}"


def mnist_of_ten(options: Options) -> None:
    parts = read_split("mnist")
    if parts is None or not any(name.startswith("hardwood") for name in options.learners):
        return
    X, y, X_test, y_test = parts
    rows, rounds, threads = [], options.rounds or 300, max(options.threads)
    for multiclass in ("samme", "ovr"):
        build = hardwood(variant="discrete", criterion="error", multiclass=multiclass)
        start = time.perf_counter()
        model = build(rounds, 4, threads).fit(X, y)
        seconds = time.perf_counter() - start
        errors = [_error(model, X, y), _error(model, X_test, y_test)]
        rows.append([multiclass, f"{seconds:.1f}", *errors])
    note = (
        f"60,000 rows, 784 columns, {rounds} rounds of depth 4, {threads} threads, one run. To "
        "reach: SAMME in under a minute. The paper needed 6.3e5 s (one-versus-rest)."
    )
    options.show("MNIST, ten classes", ["multiclass", "seconds", "train", "test"], rows, note)


def prediction(options: Options) -> None:
    parts, task = read_split("a6a"), options.task("a6a")
    if parts is None or task is None:
        return
    every_row = np.concatenate([parts[0], parts[2]])
    X = np.ascontiguousarray(np.tile(every_row, (9, 1)))
    jobs: dict[Key, Callable[[], Any]] = {}
    for learner, build in options.learners.items():
        if learner in (EXHAUSTIVE, XGBOOST_EXACT, SKLEARN):
            continue
        for threads in options.threads:
            model = build(task.rounds, task.depth, threads).fit(task.X, task.y)
            jobs[learner, threads] = partial(model.predict, X)
    best = in_turns(jobs, options.repeats)
    speed = {key: len(X) / seconds for key, seconds in best.items()}
    rows = [
        [learner, str(t), f"{v / 1e6:.2f}", ratio(speed, (learner, t), XGBOOST)]
        for (learner, t), v in speed.items()
    ]
    note = (
        f"`predict` on the {len(every_row):,} rows of a6a nine times over, {task.rounds} trees of "
        f"depth {task.depth}; best of {options.repeats} turns. To reach: 3 times XGBoost."
    )
    columns = ["learner", "threads", "million rows/s", "/ XGBoost"]
    options.show("Prediction", columns, rows, note)


def _counting(produce: Callable[[list[str], int | None], Iterator[Section]]) -> Run:
    def run(options: Options) -> None:
        for heading, columns, rows, note in produce(options.tasks, options.rounds):
            options.show(heading, columns, rows, note)

    return run


def busy_sentence() -> str:
    """Said beside every time when others use the machine: the peers' OpenMP suffers most. The load
    average would still tell of this program's own start."""
    import psutil

    busy = psutil.cpu_percent(interval=2.0)
    return (
        ""
        if busy < 10
        else f" NOT COMPARABLE: {busy:.0f} % of the CPU was in use before the start."
    )


SECTIONS: dict[str, Run] = {
    "fit": fit_times,
    "mnist10": mnist_of_ten,
    "predict": prediction,
    "paper": _counting(boosting_paper.paper_runs),
    "bound": _counting(boosting_paper.bounds),
    "quick": _counting(boosting_paper.quick_grid),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    usual = [section for section in SECTIONS if section not in ("bound", "quick")]
    parser.add_argument("--only", choices=SECTIONS, nargs="+", default=usual)
    parser.add_argument("--tasks", choices=TASKS, nargs="+", default=list(TASKS))
    parser.add_argument("--rounds", type=int, help="rounds in place of each task's own")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[2, 1])
    parser.add_argument("--learners", nargs="+", help="words of the names to keep")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    options = Options(
        given.repeats,
        given.rounds,
        given.tasks,
        learners(given.learners),
        given.threads,
        given.out,
        busy_sentence(),
    )
    for section in given.only:
        SECTIONS[section](options)


if __name__ == "__main__":
    main()
