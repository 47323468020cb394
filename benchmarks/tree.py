"""One tree of ours against one tree of each peer: `python -m benchmarks.tree` (or `make bench`).

Measures fit time, peak memory of a fit, prediction, a fit of iris and growth with the number of
rows; prints tables with ratios and keeps them in `benchmarks/RESULTS-tree.md`. Learners take turns,
repeat by repeat, so that a noisy minute hurts all alike, and the best of the repeats counts.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_iris

from benchmarks.data import TASKS, Task, generated
from benchmarks.learners import Builder, available, thread_counts
from benchmarks.memory import peak_of_fit
from benchmarks.report import markdown_table, write_section

TITLE = "One tree, hardwood and its peers"
DEFAULT_OUT = Path(__file__).parent / "RESULTS-tree.md"
Key = tuple[str, int]


@dataclass(frozen=True)
class Options:
    repeats: int
    tasks: list[str]
    learners: dict[str, Builder]
    largest: int
    out: Path

    def pairs(self) -> list[Key]:
        return [(name, t) for name in self.learners for t in thread_counts(name)]

    def show(self, heading: str, columns: list[str], rows: list[list[str]], note: str) -> None:
        table = markdown_table(columns, rows)
        print(f"\n{heading}\n{note}\n{table}", flush=True)
        write_section(self.out, TITLE, heading, f"{note}\n\n{table}")


def in_turns(jobs: Mapping[Key, Callable[[], Any]], repeats: dict[Key, int]) -> dict[Key, float]:
    """The best wall-clock seconds of each job, the jobs taking turns."""
    best = dict.fromkeys(jobs, math.inf)
    for turn in range(max(repeats.values())):
        for key, job in jobs.items():
            if turn < repeats[key]:
                start = time.perf_counter()
                job()
                best[key] = min(best[key], time.perf_counter() - start)
    return best


def fit_once(build: Builder, task: Task, threads: int) -> Any:
    return build(task.leaves, threads).fit(task.X, task.y)


def warm_up(options: Options, task: Task) -> None:
    """A small fit each, so that no library pays for loading or for its threads while measured."""
    few = Task(task.name, task.X[:2000], task.y[:2000], 16)
    for name, threads in options.pairs():
        fit_once(options.learners[name], few, threads)


def ratio(values: dict[Key, float], key: Key, peer: str) -> str:
    """The value over the peer's with as many threads (or with the one it has)."""
    other = values.get((peer, key[1]), values.get((peer, 1)))
    return f"{values[key] / other:.2f}" if other else "-"


def fit_times(options: Options) -> None:
    for name in options.tasks:
        task = TASKS[name]()
        if task is None:
            continue
        warm_up(options, task)
        jobs = {
            (learner, t): partial(fit_once, options.learners[learner], task, t)
            for learner, t in options.pairs()
        }
        slow = {key: key[0] == "scikit-learn" for key in jobs}
        repeats = {key: min(2, options.repeats) if slow[key] else options.repeats for key in jobs}
        best = in_turns(jobs, repeats)
        rows = [
            [
                k[0],
                str(k[1]),
                f"{s:.3f}",
                ratio(best, k, "LightGBM"),
                ratio(best, k, "scikit-learn"),
            ]
            for k, s in best.items()
        ]
        columns = ["learner", "threads", "seconds", "/ LightGBM", "/ scikit-learn"]
        note = f"{task.X.shape[1]} columns, {task.leaves} leaves, best of {options.repeats}."
        options.show(f"Fit time: {task.name}", columns, rows, note)


def memory(options: Options) -> None:
    for name in options.tasks:
        task = TASKS[name]()
        if task is None:
            continue
        bytes_of = {}
        for learner, threads in options.pairs():
            found = [peak_of_fit(name, learner, threads) for _ in range(min(2, options.repeats))]
            if None not in found:
                bytes_of[learner, threads] = float(min(b for b in found if b is not None))
        rows = [
            [k[0], str(k[1]), f"{b / 2**20:.0f}", ratio(bytes_of, k, "LightGBM")]
            for k, b in bytes_of.items()
        ]
        note = f"Peak resident memory less what was there before; X is {task.X.nbytes >> 20} MiB."
        columns = ["learner", "threads", "MiB", "/ LightGBM"]
        options.show(f"Memory of a fit: {task.name}", columns, rows, note)


def prediction(options: Options) -> None:
    task = generated()
    jobs: dict[Key, Callable[[], Any]] = {}
    for learner, threads in options.pairs():
        model = options.learners[learner](task.leaves, threads).fit(task.X, task.y)
        jobs[learner, threads] = partial(model.predict, task.X)
    best = in_turns(jobs, dict.fromkeys(jobs, options.repeats))
    speed = {key: len(task.y) / seconds for key, seconds in best.items()}
    rows = [
        [k[0], str(k[1]), f"{v / 1e6:.2f}", ratio(speed, k, "scikit-learn")]
        for k, v in speed.items()
    ]
    columns = ["learner", "threads", "million rows/s", "/ scikit-learn"]
    note = f"`predict` on {len(task.y):,} rows, {task.leaves} leaves, best of {options.repeats}."
    options.show("Prediction", columns, rows, note)


def iris(options: Options) -> None:
    X, y = load_iris(return_X_y=True)
    task = Task("iris", X, y, leaves=8)
    jobs = {
        (name, 1): partial(fit_once, build, task, 1) for name, build in options.learners.items()
    }
    best = in_turns(jobs, dict.fromkeys(jobs, 40 * options.repeats))
    rows = [[k[0], f"{1e6 * s:.0f}", ratio(best, k, "scikit-learn")] for k, s in best.items()]
    note = f"150 rows, 8 leaves, one thread, best of {40 * options.repeats}."
    options.show("Fit of iris", ["learner", "microseconds", "/ scikit-learn"], rows, note)


def scaling(options: Options) -> None:
    names = [n for n in options.learners if n != "scikit-learn"]
    sizes = [n for n in (200_000, 500_000, 1_000_000, 2_000_000, 5_000_000) if n <= options.largest]
    seconds: dict[int, dict[Key, float]] = {}
    for n in sizes:
        task = generated(n, 64, continuous=5, binary=10)
        warm_up(options, task)
        jobs = {
            (learner, 2): partial(fit_once, options.learners[learner], task, 2) for learner in names
        }
        seconds[n] = in_turns(jobs, dict.fromkeys(jobs, min(3, options.repeats)))
    rows = []
    for name in names:
        first = seconds[sizes[0]][name, 2] / (sizes[0] * math.log(sizes[0]))
        for n in sizes:
            spent = seconds[n][name, 2]
            rows.append(
                [name, f"{n:,}", f"{spent:.3f}", f"{spent / (n * math.log(n)) / first:.2f}"]
            )
    columns = ["learner", "rows", "seconds", "time / (n log n), first = 1"]
    note = "5 continuous and 10 binary columns, 64 leaves, two threads; at most 1 is the aim."
    options.show("Growth with the number of rows", columns, rows, note)


SECTIONS: dict[str, Callable[[Options], None]] = {
    "fit": fit_times,
    "memory": memory,
    "predict": prediction,
    "iris": iris,
    "scaling": scaling,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--only", choices=SECTIONS, nargs="+", default=list(SECTIONS))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--tasks", choices=TASKS, nargs="+", default=list(TASKS))
    parser.add_argument("--learners", nargs="+", help="words of the names to keep")
    parser.add_argument("--largest", type=int, default=5_000_000, help="rows, for scaling")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    learners = available(given.learners)
    options = Options(given.repeats, given.tasks, learners, given.largest, given.out)
    for section in given.only:
        SECTIONS[section](options)


if __name__ == "__main__":
    main()
