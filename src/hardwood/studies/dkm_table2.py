"""`dkm-table2`: TopDown and AdaBoost after equally many rounds (DKM96, Table 2).

In: the trials of `dkm_sequences`. Out: rounds to zero training error, and both errors after as
many.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from hardwood.studies import study
from hardwood.studies.dkm_sequences import (
    FULL,
    GAPS,
    PROBLEMS,
    PROTOCOL,
    QUICK,
    chosen,
    files,
    measure,
    units,
)
from hardwood.studies.figures import bars

PAPER = {
    "decision list": (218.0, 9.4, 9.14, 13.8),
    "pima": (143.6, 18.0, 29.60, 23.7),
    "australian": (74.3, 9.9, 19.50, 15.0),
    GAPS: (143.6, 18.0, 29.60, 23.7),
}


def _conclude(records: Sequence[study.Record]) -> study.Findings:
    rows, verdicts = [], []
    for problem in dict.fromkeys(record["problem"] for record in records):
        part = study.by(records, problem=problem)
        ours = [
            float(np.mean([record[name] for record in part]))
            for name in ("rounds", "train_adaboost", "test_topdown", "test_adaboost")
        ]
        beside = zip(ours, PAPER[problem], strict=True)
        rows.append([problem, len(part), *[x for pair in beside for x in pair]])
        verdicts += _verdicts(problem, ours)
    measured = ("rounds", "AdaBoost train %", "TopDown test %", "AdaBoost test %")
    columns = ["problem", "trials", *[name for each in measured for name in (each, "paper")]]
    drawn = {"TopDown": 6, "TopDown, paper": 7, "AdaBoost": 8, "AdaBoost, paper": 9}
    draw = partial(
        bars,
        names=[row[0] for row in rows],
        series={name: [row[place] for row in rows] for name, place in drawn.items()},
        label="test error (%)",
    )
    table = study.Table("Means over the trials", columns, rows)
    return study.Findings(verdicts, _paragraph(rows, verdicts), [table], {"test-errors": draw})


def _verdicts(problem: str, ours: Sequence[float]) -> list[study.Verdict]:
    paper = PAPER[problem]
    same = (ours[2] < ours[3]) == (paper[2] < paper[3])
    return [
        study.Verdict(
            f"{problem}: rounds to zero training error; AdaBoost's error then",
            f"{paper[0]:.1f}; {paper[1]:.1f} %",
            f"{ours[0]:.1f}; {ours[1]:.1f} %",
            _not_yet(problem, ours[1]),
        ),
        study.Verdict(
            f"{problem}: test error, TopDown and AdaBoost",
            f"{paper[2]:.2f} % and {paper[3]:.1f} %",
            f"{ours[2]:.2f} % and {ours[3]:.1f} %",
            f"{'same' if same else 'other'} order, off by {ours[2] - paper[2]:+.1f} and "
            f"{ours[3] - paper[3]:+.1f}{chosen(problem)}",
        ),
    ]


def _paragraph(every: Sequence[Any], verdicts: Sequence[study.Verdict]) -> str:
    rows = [row for row in every if row[0] != GAPS]
    verdicts = [verdict for verdict in verdicts if not verdict.what.startswith(GAPS)]
    order = sum("same order" in verdict.verdict for verdict in verdicts)
    slower = sum("not at zero yet" in verdict.verdict for verdict in verdicts)
    farthest = max(rows, key=lambda row: max(abs(row[6] - row[7]), abs(row[8] - row[9])))
    return (
        f"TopDown reaches zero training error before AdaBoost on {slower} of {len(rows)} problems, "
        f"and which of the two has the lower test error agrees with the paper on {order} of "
        f"{len(rows)}. The test errors farthest from the paper's are those on {farthest[0]} "
        f"({farthest[6]:.1f} and {farthest[8]:.1f} % against {farthest[7]:.1f} and "
        f"{farthest[9]:.1f} %). The decision list is ours, chosen to be like the "
        "paper's in its errors, so its line confirms nothing; on the other two the folds and, for "
        "Australian, the splits of categories (subsets here, a branch per category in C4.5) differ."
        f"{_gaps(every)}"
    )


def _gaps(rows: Sequence[Any]) -> str:
    """Pima's rounds, the number farthest off, with gaps in the place of zeros."""
    rounds = {row[0]: row[2] for row in rows}
    if GAPS not in rounds:
        return ""
    return (
        f" Pima's rounds, {rounds['pima']:.1f}, become {rounds[GAPS]:.1f} where zeros are missing "
        f"values (paper: {PAPER[GAPS][0]:.1f}); so the paper's data may have had them so, though "
        "its errors are not nearer to the paper's then."
    )


def _not_yet(problem: str, error: float) -> str:
    if error <= 0.5:
        return "differs"
    return f"agrees: AdaBoost is not at zero yet{chosen(problem)}"


STUDY = study.Study(
    name="dkm-table2",
    title="TopDown and AdaBoost for equal numbers of rounds (DKM96, Table 2)",
    protocol=(
        f"{PROTOCOL} After that Pima was run once more with its zeros where no living person has "
        "them (glucose, blood pressure, skin, insulin, body mass) as missing values, which TopDown "
        "treats as C4.5 does."
    ),
    full={**FULL, "problems": [*PROBLEMS, GAPS]},
    quick=QUICK,
    units=units,
    measure=measure,
    conclude=_conclude,
    files=files,
)
