"""The runs of Aziz, Anderton & Aslam (2018): AdaBoost, criterion error, counted assessments.

In: names of tasks and, for short tries, a number of rounds. Out: tables of what each search
assessed and of the errors, beside the paper's (Tables 2, 4 and 10) and those of an independent slow
oracle on the same files. The weight-order bound is summed over every node that was split: rounds
differ too much for a sample of them (w4a: 0.35 or 0.48 of exhaustive from every tenth).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.boosting_tasks import hardwood, read_split

Section = tuple[str, list[str], list[list[str]], str]
SEARCHES = ("exhaustive", "adaptive", "quick", "auto")
COLUMNS = ["search", "rounds", "assessments", "/ exhaustive", "train", "test"]


@dataclass(frozen=True)
class Run:
    """reference: rows of the results table that others found; quick: the paper's count."""

    reference: list[list[str]]
    multiclass: str | None = None
    quick: dict[int, float] | None = None


RUNS = {
    "a6a": Run(
        [
            ["oracle, exhaustive", "500", "2.07e+09", "1.000", "", ""],
            ["oracle, adaptive", "500", "1.60e+09", "0.773", ".1277", ".1598"],
            ["oracle, weight-order bound", "500", "1.56e+09", "0.754", "", ""],
            ["paper, adaptive", "100", "3.35e+08", "", ".142", ".155"],
            ["paper, adaptive", "500", "1.69e+09", "", ".128", ".160"],
            ["paper, quick", "100", "3.57e+08", "", "", ""],
            ["paper, quick", "500", "1.83e+09", "", "", ""],
        ],
        quick={100: 3.57e8, 500: 1.83e9},
    ),
    "w4a": Run(
        [
            ["oracle, exhaustive", "500", "3.28e+09", "1.000", "", ""],
            ["oracle, adaptive", "500", "1.62e+09", "0.494", ".0057", ".0180"],
            ["oracle, weight-order bound", "500", "1.57e+09", "0.479", "", ""],
            ["paper, adaptive", "100", "3.92e+08", "", ".011", ".019"],
            ["paper, adaptive", "500", "1.69e+09", "", ".006", ".018"],
            ["paper, quick", "100", "4.64e+08", "", ".011", ".020"],
            ["paper, quick", "500", "2.41e+09", "", "", ""],
        ],
        quick={100: 4.64e8, 500: 2.41e9},
    ),
    "satimage": Run(
        [
            ["paper, adaptive", "100", "1.98e+08", "", ".113", ".150"],
            ["paper, adaptive", "500", "8.64e+08", "", "", ".109"],
            ["paper, quick", "100", "2.20e+08", "", "", ""],
            ["paper, quick", "500", "1.11e+09", "", "", ""],
        ],
        multiclass="ovr",
    ),
}


def _fit(name: str, search: Any, rounds: int) -> tuple[Any, tuple[Any, Any, Any, Any]] | None:
    parts = read_split(name)
    if parts is None:
        return None
    multiclass = RUNS[name].multiclass
    more = {} if multiclass is None else {"multiclass": multiclass}
    build = hardwood(variant="discrete", criterion="error", search=search, **more)
    return build(rounds, 3, 2).fit(parts[0], parts[1]), parts


def paper_runs(tasks: list[str], rounds: int | None) -> Iterator[Section]:
    """One table per data set: our four searches, the paper and the oracle."""
    last = rounds or 500
    for name in [task for task in tasks if task in RUNS]:
        rows: list[list[str]] = []
        for search in SEARCHES:
            fitted = _fit(name, search, last)
            if fitted is None:
                break
            rows += _counts(search, *fitted, last)
        else:
            note = (
                f"Discrete AdaBoost, criterion error, depth 3, {last} rounds"
                f"{'' if RUNS[name].multiclass is None else ', one-versus-rest'}; quick with its "
                "default start and batches."
            )
            yield f"The paper's run: {name}", COLUMNS, rows + RUNS[name].reference, note


def bounds(tasks: list[str], rounds: int | None) -> Iterator[Section]:
    """The weight-order bound of the two-class runs; a minute or two each."""
    for name in [task for task in tasks if task in RUNS and RUNS[task].multiclass is None]:
        fitted = _fit(name, "auto", rounds or 500)
        if fitted is not None:
            oracle = [row for row in RUNS[name].reference if "bound" in row[0]]
            note = "Summed over every node that was split; depth 3."
            yield f"Weight-order bound: {name}", COLUMNS, [_bound(*fitted), *oracle], note


def _counts(
    search: str, model: Any, parts: tuple[Any, Any, Any, Any], last: int
) -> list[list[str]]:
    X, y, X_test, y_test = parts
    rows = []
    for rounds in sorted({min(100, last), last}):
        seen = float(np.sum(model.history_["assessments"][:rounds]))
        everything = float(np.sum(model.history_["exhaustive_assessments"][:rounds]))
        errors = [_staged_error(model, X, y, rounds), _staged_error(model, X_test, y_test, rounds)]
        rows.append([search, str(rounds), f"{seen:.2e}", f"{seen / everything:.3f}", *errors])
    return rows


def _staged_error(model: Any, X: Any, y: Any, rounds: int) -> str:
    stage = next(itertools.islice(model.staged_predict(X), rounds - 1, None))
    return f"{np.mean(stage != y):.4f}"


def _bound(model: Any, parts: tuple[Any, Any, Any, Any]) -> list[str]:
    """The weight-order bound over the nodes that were split."""
    from hardwood.table import read_training_table

    X, y = parts[:2]
    sign = np.where(y == model.classes_[1], 1.0, -1.0)
    table, by_column = read_training_table(X), np.ascontiguousarray(X.T)
    before = itertools.chain([np.zeros(len(y))], model.staged_decision_function(X))
    found = 0
    for tree, scores in zip(model.trees_, before, strict=False):
        found += _bound_of_tree(tree, table, (by_column, y, np.exp(-sign * scores)))
    everything = float(np.sum(model.history_["exhaustive_assessments"]))
    counts = [f"{found:.2e}", f"{found / everything:.3f}"]
    return ["weight-order bound", str(len(model.trees_)), *counts, "", ""]


def _bound_of_tree(tree: Any, table: Any, rows: tuple[Any, Any, NDArray[np.float64]]) -> int:
    from hardwood.search import weight_order_bound
    from hardwood.tree import decision_path
    from hardwood.tree.route import leaves_of

    by_column, y, weights = rows
    passed = decision_path(tree, leaves_of(tree, table, 1)).tocsc()
    total = 0
    for node in np.flatnonzero(tree.branches):
        here = passed.indices[passed.indptr[node] : passed.indptr[node + 1]]
        total += weight_order_bound(by_column[:, here].T, y[here], weights[here])
    return total


def quick_grid(tasks: list[str], rounds: int | None) -> Iterator[Section]:
    """Which start and batches of Quick Boost come near the counts that the paper gives."""
    from hardwood.search import Quick

    last = rounds or 100
    for name in [task for task in tasks if task in RUNS and RUNS[task].quick]:
        published = (RUNS[name].quick or {}).get(last)
        rows = []
        for start, batches in itertools.product((0.1, 0.25, 0.5, 0.75, 0.9), (1, 2, 5, 10, 25)):
            fitted = _fit(name, Quick(start=start, batches=batches), last)
            if fitted is None:
                return
            seen = float(fitted[0].assessments_)
            beside = f"{seen / published:.3f}" if published else "-"
            rows.append([f"{start:g}", str(batches), f"{seen:.2e}", beside])
        note = f"{last} rounds, depth 3; the paper counted {published or 'nothing here'}."
        columns = ["start", "batches", "assessments", "/ paper"]
        yield f"Quick Boost's parameters: {name}", columns, rows, note
