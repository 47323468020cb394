"""`aziz-table10`: assessments for trees of depth 1 to 5 (AAA18, Table 10).

In: the runs on a6a and w4a. Out: what adaptive and quick search assessed at each depth.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from hardwood.studies import study
from hardwood.studies.aziz_printed import MOST_OFF
from hardwood.studies.aziz_runs import (
    QUICK_BATCHES,
    QUICK_START,
    boosted,
    counted,
    files_of,
    paper_search,
    read_run,
)
from hardwood.studies.data import DataFolder
from hardwood.studies.figures import panels

SEARCHES = ("adaptive", "quick")
PAPER = {
    "a6a": {
        "adaptive": [6.40e8, 1.23e9, 1.69e9, 2.08e9, 2.44e9],
        "quick": [6.66e8, 1.29e9, 1.83e9, 2.34e9, 2.89e9],
    },
    "w4a": {
        "adaptive": [8.71e8, 1.38e9, 1.69e9, 1.90e9, 2.12e9],
        "quick": [9.10e8, 1.72e9, 2.41e9, 3.07e9, 3.60e9],
    },
}


def _units(settings: study.Settings) -> list[study.Unit]:
    return [
        study.Unit(
            f"{run}-depth-{depth}-{search}",
            {"run": run, "depth": depth, "search": search, "rounds": settings["rounds"]},
        )
        for run in settings["runs"]
        for depth in settings["depths"]
        for search in SEARCHES
    ]


def _measure(unit: study.Unit, data: DataFolder) -> study.Values:
    run, rounds = unit.given["run"], unit.given["rounds"]
    search, depth = paper_search(unit.given["search"]), unit.given["depth"]
    model = boosted(run, search, rounds, max_depth=depth, chance_rounds="skip")
    return counted(model, read_run(run, data), [rounds])


def _conclude(records: Sequence[study.Record]) -> study.Findings:
    rows, verdicts = [], []
    offs: dict[str, list[tuple[str, int, float]]] = {search: [] for search in SEARCHES}
    runs = list(dict.fromkeys(record["run"] for record in records))
    for run, search in product(runs, SEARCHES):
        part = study.by(records, run=run, search=search)
        ours = [record["assessments"][-1] for record in part]
        paper = [PAPER[run][search][record["depth"] - 1] for record in part]
        full_length = all(record.unit.given["rounds"] == 500 for record in part)
        rows += [
            [run, search, record["depth"], a, b if full_length else "", record["test"][-1]]
            for record, a, b in zip(part, ours, paper, strict=True)
        ]
        if full_length:
            off = [a / b - 1 for a, b in zip(ours, paper, strict=True)]
            offs[search] += [(run, r["depth"], o) for r, o in zip(part, off, strict=True)]
            verdicts.append(
                study.Verdict(
                    f"{run}, {search}, depth {', '.join(str(r['depth']) for r in part)}",
                    ", ".join(f"{b:.2e}" for b in paper),
                    ", ".join(f"{a:.2e}" for a in ours),
                    f"off by {', '.join(f'{o:+.1%}' for o in off)}",
                )
            )
    if verdicts:
        paragraph = _paragraph(offs)
    else:
        paragraph = "A short run: the paper's counts are for 500 rounds, so nothing is compared."
    lines = {run: _lines(study.by(records, run=run), bool(verdicts)) for run in runs}
    draw = partial(panels, series=lines, xlabel="depth of the trees", ylabel="assessments")
    columns = ["run", "search", "depth", "assessments", "paper", "test error"]
    return study.Findings(
        verdicts or [study.Verdict("counts", "500 rounds", "fewer rounds", "not compared")],
        paragraph,
        [study.Table("Assessments by depth", columns, rows)],
        {"depths": draw},
    )


def _paragraph(offs: dict[str, list[tuple[str, int, float]]]) -> str:
    """Per search: run, depth and difference from the paper's count."""
    run, depth, worst = max(offs["adaptive"], key=lambda off: abs(off[2]))
    sizes = {search: [abs(off[2]) for off in offs[search]] for search in SEARCHES}
    near = {search: sum(size <= MOST_OFF for size in sizes[search]) for search in SEARCHES}
    return (
        f"Adaptive counts are within {MOST_OFF:.1%} of the paper's in {near['adaptive']} of "
        f"{len(sizes['adaptive'])} cases (mean difference {np.mean(sizes['adaptive']):.1%}); the "
        f"farthest is {run} at depth {depth} ({worst:+.1%}). Quick's are so in "
        f"{near['quick']} of {len(sizes['quick'])}, with parameters that were chosen at depth 3."
    )


def _lines(records: Sequence[study.Record], with_paper: bool) -> dict[str, Any]:
    lines = {f"{search}, ours": _line(study.by(records, search=search)) for search in SEARCHES}
    paper = PAPER[records[0]["run"]] if with_paper else {}
    return lines | {f"{search}, paper": (range(1, 6), paper[search]) for search in paper}


def _line(records: Sequence[study.Record]) -> tuple[list[float], list[float]]:
    return [r["depth"] for r in records], [r["assessments"][-1] for r in records]


STUDY = study.Study(
    name="aziz-table10",
    title="Assessments for trees of depth 1 to 5 (AAA18, Table 10)",
    protocol=(
        "By the rules of the paper's runs, as in [aziz-rules](../aziz-rules/README.md): 500 rounds "
        f"at each depth. Quick is `Quick({QUICK_START}, {QUICK_BATCHES})`."
    ),
    full={"runs": ["a6a", "w4a"], "depths": [1, 2, 3, 4, 5], "rounds": 500},
    quick={"runs": ["a6a"], "depths": [1, 2], "rounds": 10},
    units=_units,
    measure=_measure,
    conclude=_conclude,
    files=lambda settings: files_of(settings["runs"]),
)
