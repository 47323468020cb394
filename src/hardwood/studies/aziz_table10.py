"""`aziz-table10`: assessments for trees of depth 1 to 5 (AAA18, Table 10).

In: the runs on a6a and w4a. Out: what adaptive and quick search assessed at each depth.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hardwood.studies.aziz_runs import (
    boosted,
    counted,
    files_of,
    read_run,
)
from hardwood.studies.data import DataFolder
from hardwood.studies.figures import panels
from hardwood.studies.study import (
    Findings,
    Record,
    Settings,
    Study,
    Table,
    Unit,
    Values,
    Verdict,
    by,
)

SEARCHES = ("adaptive", "quick")
PAPER10 = {
    "a6a": {
        "adaptive": [6.40e8, 1.23e9, 1.69e9, 2.08e9, 2.44e9],
        "quick": [6.66e8, 1.29e9, 1.83e9, 2.34e9, 2.89e9],
    },
    "w4a": {
        "adaptive": [8.71e8, 1.38e9, 1.69e9, 1.90e9, 2.12e9],
        "quick": [9.10e8, 1.72e9, 2.41e9, 3.07e9, 3.60e9],
    },
}


def _units10(settings: Settings) -> list[Unit]:
    return [
        Unit(
            f"{run}-depth-{depth}-{search}",
            {"run": run, "depth": depth, "search": search, "rounds": settings["rounds"]},
        )
        for run in settings["runs"]
        for depth in settings["depths"]
        for search in SEARCHES
    ]


def _measure10(unit: Unit, data: DataFolder) -> Values:
    run, rounds = unit.given["run"], unit.given["rounds"]
    model = boosted(run, unit.given["search"], rounds, max_depth=unit.given["depth"])
    return counted(model, read_run(run, data), [rounds])


def _conclude10(records: Sequence[Record]) -> Findings:
    rows, offs = [], []
    verdicts = []
    runs = list(dict.fromkeys(record["run"] for record in records))
    for run in runs:
        for search in SEARCHES:
            part = by(records, run=run, search=search)
            ours = [record["assessments"][-1] for record in part]
            paper = [PAPER10[run][search][record["depth"] - 1] for record in part]
            full_length = all(record.unit.given["rounds"] == 500 for record in part)
            off = [a / b - 1 for a, b in zip(ours, paper, strict=True)]
            rows += [
                [run, search, record["depth"], a, b if full_length else "", record["test"][-1]]
                for record, a, b in zip(part, ours, paper, strict=True)
            ]
            if not full_length:
                continue
            offs += [(run, search, record["depth"], o) for record, o in zip(part, off, strict=True)]
            verdicts.append(
                Verdict(
                    f"{run}, {search}, depth {', '.join(str(r['depth']) for r in part)}",
                    ", ".join(f"{b:.2e}" for b in paper),
                    ", ".join(f"{a:.2e}" for a in ours),
                    f"off by {', '.join(f'{o:+.1%}' for o in off)}",
                )
            )
    adaptive = [o for o in offs if o[1] == "adaptive"]
    if adaptive:
        worst = max(adaptive, key=lambda o: abs(o[3]))
        paragraph = (
            f"Adaptive counts are within 7 % of the paper's in "
            f"{sum(abs(o[3]) <= 0.07 for o in adaptive)} of {len(adaptive)} cases (mean difference "
            f"{np.mean([abs(o[3]) for o in adaptive]):.1%}); the farthest is {worst[0]} at depth "
            f"{worst[2]} ({worst[3]:+.1%}). Quick's are within 7 % in "
            f"{sum(abs(o[3]) <= 0.07 for o in offs if o[1] == 'quick')} of "
            f"{len(offs) - len(adaptive)}, with parameters that were chosen at depth 3."
        )
    else:
        paragraph = "A short run: the paper's counts are for 500 rounds, so nothing is compared."
        verdicts = [Verdict("counts", "500 rounds", "fewer rounds", "not compared")]
    lines = {
        run: {
            **{
                f"{search}, ours": _line(by(records, run=run, search=search)) for search in SEARCHES
            },
            **(
                {f"{search}, paper": (range(1, 6), PAPER10[run][search]) for search in SEARCHES}
                if adaptive
                else {}
            ),
        }
        for run in runs
    }
    columns = ["run", "search", "depth", "assessments", "paper", "test error"]
    return Findings(
        verdicts,
        paragraph,
        [Table("Assessments by depth", columns, rows)],
        {
            "depths": lambda figure: panels(
                figure, lines, xlabel="depth of the trees", ylabel="assessments"
            )
        },
    )


def _line(records: Sequence[Record]) -> tuple[list[float], list[float]]:
    return [r["depth"] for r in records], [r["assessments"][-1] for r in records]


TABLE10 = Study(
    name="aziz-table10",
    title="Assessments for trees of depth 1 to 5 (AAA18, Table 10)",
    protocol="As in [aziz-table2](../aziz-table2/README.md): 500 rounds at each depth.",
    full={"runs": ["a6a", "w4a"], "depths": [1, 2, 3, 4, 5], "rounds": 500},
    quick={"runs": ["a6a"], "depths": [1, 2], "rounds": 10},
    units=_units10,
    measure=_measure10,
    conclude=_conclude10,
    files=lambda settings: files_of(settings["runs"]),
)
