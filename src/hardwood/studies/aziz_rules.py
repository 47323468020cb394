"""`aziz-rules`: runs by the rules of the paper's program (AAA18, Tables 4, 5, 8 and 9).

In: boosting in NumPy with constant stumps, ties cut and chance rounds passed over. Out: errors and
Algorithm 1's assessments, beside the paper's.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from hardwood.studies.aziz_printed import RULE, sentences, set_beside
from hardwood.studies.aziz_runs import RUNS, at, files_of, read_run
from hardwood.studies.aziz_table3 import ALL_WAYS, MARKS
from hardwood.studies.data import DataFolder
from hardwood.studies.paper_boosting import pairs_of, paper_rounds
from hardwood.studies.study import Findings, Record, Settings, Study, Table, Unit, Values


def _units(settings: Settings) -> list[Unit]:
    return [
        Unit(
            f"{run}-{way}".replace(" ", "-").replace("(", "").replace(")", ""),
            {"run": run, "way": way, "search": "adaptive", "rounds": settings["rounds"]},
        )
        for run, way in settings["runs"]
    ]


def _measure(unit: Unit, data: DataFolder) -> Values:
    run, rounds = unit.given["run"], unit.given["rounds"]
    X, y, X_test, y_test = read_run(run, data)
    labels, classes = np.concatenate([y, y_test]), np.unique(y)
    several = len(classes) > 2
    if several:
        table, sign = pairs_of(X, y, classes)
        test = pairs_of(X_test, y_test, classes)[0]
    else:
        table, sign, test = X, np.where(y == classes[1], 1.0, -1.0), X_test
    marks = [mark for mark in MARKS if mark <= rounds] or [rounds]
    found: Values = {"marks": marks, "assessments": [], "train": [], "test": []}
    assessed, depth, way = 0, RUNS[run].depth, ALL_WAYS[unit.given["way"]]
    steps = paper_rounds(table, sign, test, depth, **way)
    for t, (scores, count) in enumerate(itertools.islice(steps, rounds), start=1):
        assessed += count
        if t in marks:
            best = scores.reshape(-1, len(classes)).argmax(1) if several else (scores > 0) * 1
            missed = classes[best] != labels
            found["assessments"].append(float(assessed))
            found["train"].append(round(float(missed[: len(y)].mean()), 6))
            found["test"].append(round(float(missed[len(y) :].mean()), 6))
    return found


def _conclude(records: Sequence[Record]) -> Findings:
    beside = [each for each in set_beside(records) if each.search == "adaptive"]
    rows = [
        [record["run"], record["way"], mark]
        + [at(record, mark, name) for name in ("assessments", "train", "test")]
        for record in records
        for mark in record["marks"]
    ]
    columns = ["run", "way", "rounds", "assessments", "train", "test"]
    paragraph = sentences(beside) + (
        " On SATIMAGE trimming to 90 % of the weight collapses by these rules because after a "
        "constant first tree the two labels hold half of the weight each and the cut drops rows of "
        "the more frequent one only: the next tree is constant too, its error over all rows is one "
        "half, and every later round is the same. On A6A and W4A the same happens after some "
        "rounds. Errors depend on the order of tied stumps and of tied rows, which the paper does "
        "not give."
    )
    table = Table("Errors and assessments", columns, rows)
    return Findings([each.verdict() for each in beside], paragraph, [table])


STUDY = Study(
    name="aziz-rules",
    title="By the rules of the paper's runs (AAA18, Tables 4, 5, 8 and 9)",
    protocol=(
        "Discrete AdaBoost over trees of depth 3, Algorithm 1 in every node, in plain NumPy, by "
        "three rules that the paper's numbers show and the library does not have: a stump may be "
        "constant, so that a column that is constant in a node competes and counts, and a node is "
        "sought again below a constant stump; trimming cuts through rows of equal weight, in the "
        "order of the rows; a round no better than chance is passed over. Of tied stumps the first "
        "column's wins, and of its cuts the lowest, also before a constant stump; the library does "
        "not split then. SATIMAGE is a table of pairs of an example and a class. "
        f"{RULE}"
    ),
    full={
        "runs": [
            ["satimage pairs", "wt. trim (0.9)"],
            ["a6a", "wt. trim (0.9)"],
            ["w4a", "wt. trim (0.9)"],
            ["satimage pairs", "AdaBoost"],
        ],
        "rounds": 500,
    },
    quick={"runs": [["a6a", "AdaBoost"], ["satimage pairs", "wt. trim (0.9)"]], "rounds": 3},
    units=_units,
    measure=_measure,
    conclude=_conclude,
    files=lambda settings: files_of([run for run, _ in settings["runs"]]),
)
