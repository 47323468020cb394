"""`aziz-rules`: runs by the rules of the paper's program (AAA18, Tables 2 to 5, 8 and 9).

In: boosting by `hardwood.search.PaperRun`: constant stumps compete and win ties, trimming cuts
ties, chance rounds are passed over. Out: errors and assessments, beside the paper's.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from hardwood.studies import study
from hardwood.studies.aziz_printed import RULE, improvements, sentences, set_beside
from hardwood.studies.aziz_runs import (
    QUICK_BATCHES,
    QUICK_START,
    at,
    boosted,
    errors_at,
    files_of,
    paper_parts,
    paper_search,
    units_of,
)
from hardwood.studies.aziz_table3 import ALL_WAYS, MARKS
from hardwood.studies.data import DataFolder


def _units(settings: study.Settings) -> list[study.Unit]:
    return [unit for line in settings["runs"] for unit in units_of(*line)]


def _measure(unit: study.Unit, data: DataFolder) -> study.Values:
    return by_rules(unit, paper_parts(unit.given["run"], data))


def by_rules(unit: study.Unit, parts: tuple[Any, Any, Any, Any]) -> study.Values:
    """Assessments and errors at the paper's marks, for rows and columns as given."""
    rounds, way = unit.given["rounds"], unit.given["way"]
    # A run that trims much soon passes over a round; from there on every round is the same.
    for tried in [20, 100] if way == "wt. trim (0.9)" else []:
        if tried < rounds:
            found = _run(unit, tried, parts)
            if found["passed_over"]:
                return found
    return _run(unit, rounds, parts)


def _run(unit: study.Unit, trained: int, parts: tuple[Any, Any, Any, Any]) -> study.Values:
    """After `trained` rounds, and after the later marks as if the last round went on for ever."""
    X, y, X_test, y_test = parts
    draw = unit.given.get("draw", 0)
    more = {"chance_rounds": "skip", "random_state": draw, **ALL_WAYS[unit.given["way"]]}
    model = boosted(unit.given["run"], paper_search(unit.given["search"]), trained, **more)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # trimming that leaves too few rows is what is studied
        model.fit(X, y)
    rounds = unit.given["rounds"]
    marks = [mark for mark in MARKS if mark <= rounds] or [rounds]
    seen = np.cumsum(model.history_["assessments"], dtype=np.float64)
    last = float(model.history_["assessments"][-1])
    had = [min(mark, len(seen)) for mark in marks]
    return {
        "marks": marks,
        "assessments": [
            float(seen[k - 1] + (mark - k) * last) for k, mark in zip(had, marks, strict=True)
        ],
        "train": errors_at(model, X, y, had),
        "test": errors_at(model, X_test, y_test, had),
        "trained": len(seen),
        "passed_over": not np.any(np.asarray(model.tree_weights_[-1])),
    }


def _conclude(records: Sequence[study.Record]) -> study.Findings:
    beside = set_beside(records)
    rows = [
        [record["run"], record["way"], record["search"], mark]
        + [at(record, mark, name) for name in ("assessments", "train", "test")]
        for record in records
        for mark in record["marks"]
    ]
    columns = ["run", "way", "search", "rounds", "assessments", "train", "test"]
    table = study.Table("Errors and assessments", columns, rows)
    found = [each.verdict() for each in beside] + improvements(beside)
    return study.Findings(found, sentences(beside) + TOLD, [table])


TOLD = (
    " That a constant stump competes and wins ties was concluded from SATIMAGE's errors after 100 "
    "rounds: with errors of stumps that only rounding tells apart taken as tied they agree to the "
    "digit only so, and in each of four orders of the other ties. Under trimming to 90 % of the "
    "weight a run ends in a constant tree: once the two labels hold half of the weight each, the "
    "cut drops rows of the more frequent one only, the next tree is constant, its error over all "
    "rows is one half, and every later round is the same. Under trimming the order of "
    "rows of equal weight matters, which the paper does not give; here it is that of the file. "
    "[aziz-orders](../aziz-orders/README.md) shows how far other orders lead. That SATIMAGE has "
    "38 columns, one more than its features and the class, was concluded from the counts of its "
    "collapsed runs, in which every column is looked at in full; with a constant one in the "
    "place of the unknown column the counts of its other runs are near too. Quick's parameters "
    "were chosen by its counts after 100 rounds on A6A, W4A and SATIMAGE; those after 300 and 500 "
    "rounds, of MNIST, of LazyBoost and of trimming were not used."
)
BOTH = ["adaptive", "quick"]
STUDY = study.Study(
    name="aziz-rules",
    title="By the rules of the paper's runs (AAA18, Tables 2 to 5, 8 and 9)",
    protocol=(
        "Discrete AdaBoost as in [aziz-table2](../aziz-table2/README.md), by three rules that the "
        "paper's numbers show and the library's other searches do not have "
        "(`hardwood.search.PaperRun`). A stump may call all rows of a node alike: in every column "
        "it competes and counts, also where the column is constant in the node, and it wins ties, "
        "where errors that only the rounding of weights tells apart are tied; such a node, and one "
        "of a single label, is sought again at each level below. Trimming cuts through rows of "
        "equal weight, in the order of the rows. A round no better than chance is passed over. "
        "A table of pairs has one constant column more. "
        f"Quick is `Quick({QUICK_START}, {QUICK_BATCHES})`. MNIST has a study of its own, "
        f"[aziz-rules-mnist](../aziz-rules-mnist/README.md). {RULE}"
    ),
    full={
        "runs": [
            ["satimage pairs", 500, list(ALL_WAYS), BOTH],
            ["w4a", 500, list(ALL_WAYS), BOTH],
            ["a6a", 500, list(ALL_WAYS), BOTH],
        ],
    },
    quick={
        "runs": [
            ["a6a", 3, ["AdaBoost"], ["adaptive"]],
            ["satimage pairs", 3, ["wt. trim (0.9)"], ["adaptive"]],
        ],
    },
    units=_units,
    measure=_measure,
    conclude=_conclude,
    files=lambda settings: files_of([run for run, *_ in settings["runs"]]),
)
