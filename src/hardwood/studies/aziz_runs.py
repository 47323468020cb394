"""The boosting runs of Aziz, Anderton & Aslam 2018, counted: what tables 2, 3, 4 and 10 share.

In: the name of a run, a search and the marks: rounds after which results are recorded. Out:
assessments, errors and seconds at each mark. The paper's AdaBoost is variant "discrete" with
criterion "error" and learning rate 1; its multi-class form is not named, "pairs" gives its numbers.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hardwood.studies import study
from hardwood.studies.data import DataFolder, sparse_files

QUICK_START, QUICK_BATCHES = 0.9, 20
"""The paper does not give Quick Boost's parameters. Of 62 pairs tried, by the rules of the
paper's runs, these and (0.95, 10) come nearest to its counts after 100 rounds: A6A -0.7 %, W4A
+0.5 %, SATIMAGE +1.5 %. After 300 and 500 rounds, which were not used, all are within 0.8 %."""
PAPER_COLUMNS = {"mnist": 780}
"""Table 1 of the paper: MNIST without its last four columns, which are 0 in every image."""


@dataclass(frozen=True)
class Run:
    """One data set boosted in one form."""

    file: str
    depth: int = 3
    more: dict[str, Any] = field(default_factory=dict)
    sparse: bool = False


RUNS = {
    "a6a": Run("a6a"),
    "w4a": Run("w4a"),
    "satimage pairs": Run("satimage", more={"multiclass": "pairs"}),
    "mnist pairs": Run("mnist", 4, {"multiclass": "pairs"}),
    "reuters": Run("reuters_moneyfx", sparse=True),
    "rcv1 sample": Run("rcv1_sample", sparse=True),
}


def data_set(run: str) -> str:
    """The paper's name of the data of a run, as in `aziz_printed`."""
    return run.split()[0]


def files_of(runs: Sequence[str]) -> list[str]:
    names: dict[str, None] = {}
    for run in runs:
        found = RUNS[run]
        for name in sparse_files(found.file) if found.sparse else [f"{found.file}.parquet"]:
            names[name] = None
    return list(names)


def units_of(
    run: str, rounds: int, ways: Sequence[str], searches: Sequence[str]
) -> list[study.Unit]:
    """A unit for every way of boosting and every search."""
    return [
        study.unit(run, way, search, run=run, way=way, search=search, rounds=rounds)
        for way in ways
        for search in searches
    ]


def read_run(run: str, data: DataFolder) -> tuple[Any, Any, Any, Any]:
    """Training and test parts, as matrices."""
    found = RUNS[run]
    if found.sparse:
        return data.read_sparse(found.file).split()
    X, y, X_test, y_test = data.read(found.file).split()
    columns = PAPER_COLUMNS.get(found.file)
    return matrix(X)[:, :columns], y, matrix(X_test)[:, :columns], y_test


def matrix(table: Any) -> Any:
    """Columns of numbers as a float64 array."""
    return np.column_stack([np.asarray(column, dtype=np.float64) for column in table.columns])


def search_of(name: Any) -> Any:
    from hardwood.search import Quick

    return Quick(QUICK_START, QUICK_BATCHES) if name == "quick" else name


def paper_search(name: str) -> Any:
    """The same by the rules of the paper's runs."""
    from hardwood.search import PaperRun

    return PaperRun(name, QUICK_START, QUICK_BATCHES)


def paper_parts(run: str, data: DataFolder) -> tuple[Any, Any, Any, Any]:
    """`read_run` with as many columns as the paper's runs counted: by pairs, one more than the
    features and the class. SATIMAGE trimmed to 90 % ends in rounds that look at 22,175 pairs in
    every column at three levels; 2.525e6 assessments a round are 38 columns, not 37. A column that
    changes nothing but counts is constant."""
    X, y, X_test, y_test = read_run(run, data)
    if RUNS[run].more.get("multiclass") != "pairs":
        return X, y, X_test, y_test
    X, X_test = (np.column_stack([part, np.zeros(len(part))]) for part in (X, X_test))
    return X, y, X_test, y_test


def boosted(run: str, search: Any, rounds: int, **more: Any) -> Any:
    """An unfitted model of the paper's kind."""
    from hardwood import BoostedTreesClassifier

    found = RUNS[run]
    given: dict[str, Any] = {
        "learning_rate": 1.0,
        "max_depth": found.depth,
        "n_jobs": -1,
        **found.more,
        **more,
    }
    return BoostedTreesClassifier(
        n_estimators=rounds,
        variant="discrete",
        criterion="error",
        search=search_of(search),
        **given,
    )


def counted(model: Any, parts: tuple[Any, Any, Any, Any], marks: Sequence[int]) -> study.Values:
    """Fit, and tell assessments and errors after the marked rounds."""
    X, y, X_test, y_test = parts
    started = time.perf_counter()
    model.fit(X, y)
    seconds = time.perf_counter() - started
    marks = [mark for mark in marks if mark <= model.n_estimators_] or [model.n_estimators_]
    seen = np.cumsum(model.history_["assessments"], dtype=np.float64)
    everything = np.cumsum(model.history_["exhaustive_assessments"], dtype=np.float64)
    return {
        "fit_seconds": round(seconds, 3),
        "rounds": int(model.n_estimators_),
        "marks": list(marks),
        "assessments": [float(seen[mark - 1]) for mark in marks],
        "exhaustive": [float(everything[mark - 1]) for mark in marks],
        "train": errors_at(model, X, y, marks),
        "test": errors_at(model, X_test, y_test, marks),
        "digest": model.digest(),
    }


def errors_at(model: Any, X: Any, y: Any, marks: Sequence[int]) -> list[float]:
    """After each of these numbers of rounds."""
    errors = {}
    stages = enumerate(model.staged_predict(X), start=1)
    for rounds, guess in itertools.islice(stages, max(marks)):
        if rounds in marks:
            errors[rounds] = round(float(np.mean(guess != y)), 6)
    return [errors[mark] for mark in marks]


def round_weights(model: Any, X: Any, y: Any) -> Iterator[Any]:
    """The rows' weights at the start of each round: w = exp(-y F), F the scores before it."""
    sign = np.where(y == model.classes_[1], 1.0, -1.0)
    for scores in itertools.chain([np.zeros(len(y))], model.staged_decision_function(X)):
        yield np.exp(-sign * scores)


def at(record: study.Record | None, rounds: int, name: str) -> float:
    """A number after so many rounds; NaN where it was not measured."""
    if record is None or rounds not in record["marks"]:
        return float("nan")
    return float(record[name][record["marks"].index(rounds)])
