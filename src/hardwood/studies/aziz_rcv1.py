"""`aziz-rcv1`: text, in the place of RCV1, which is not at hand (AAA18, Tables 2 to 4 and 7).

In: 1,000 documents of RCV1 and Reuters-21578. Out: for every printed cell of RCV1 the share of
exhaustive search and the errors of the stand-in. They are other rows, so no number can be met.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardwood.studies import study
from hardwood.studies.aziz_printed import ABSENT, IMPROVED, PRINTED, SEARCHES
from hardwood.studies.aziz_runs import at, files_of, units_of
from hardwood.studies.aziz_table3 import WAYS, measure

ROWS, COLUMNS, DEPTH = 20_242, 47_236, 3
"""Of the paper's RCV1."""
COLUMN_SHARE = {"LazyBoost (0.5)": 0.5, "LazyBoost (0.9)": 0.9}
SAMPLE, REUTERS = "rcv1 sample", "reuters"
STAND_IN = "stand-in: other rows, no number to meet"


def _units(settings: study.Settings) -> list[study.Unit]:
    return [
        unit
        for run, rounds, ways in settings["runs"]
        for unit in units_of(run, rounds, ways, SEARCHES)
    ]


def _conclude(records: Sequence[study.Record]) -> study.Findings:
    table = [
        [
            *[record["run"], record["way"], record["search"], mark],
            *[at(record, mark, "assessments"), _share(record, mark)],
            *[at(record, mark, "train"), at(record, mark, "test")],
        ]
        for record in records
        for mark in record["marks"]
    ]
    columns = ["run", "way", "search", "rounds", "assessments", "/ exhaustive", "train", "test"]
    shown = study.Table("Counts and errors of the stand-ins", columns, table)
    rows = [
        row for key in PRINTED if key[0] == "rcv1" for row in _cells(records, key[1], key[2])
    ] + [_improvement(records, way) for way in IMPROVED]
    return study.Findings(rows, _paragraph(records), [shown])


def _share(record: study.Record, mark: int) -> float:
    return at(record, mark, "assessments") / at(record, mark, "exhaustive")


def _cells(records: Sequence[study.Record], way: str, search: str) -> list[study.Verdict]:
    """The paper's cells of one way and search beside the sample's."""
    found = []
    record = study.one(records, run=SAMPLE, way=way, search=search)
    for cell in PRINTED["rcv1", way, search]:
        what = f"rcv1, {way}, {cell.rounds} rounds, {search}: share assessed; training; test error"
        everything = cell.rounds * ROWS * COLUMNS * DEPTH * COLUMN_SHARE.get(way, 1.0)
        paper = f"{cell.assessments / everything:.2f}; {cell.train:.3f}; {cell.test:.3f}"
        mark = None if record is None else _mark(record, cell.rounds)
        if record is None or mark is None:
            found.append(study.Verdict(what, paper, "not run", ABSENT))
            continue
        train, test = at(record, mark, "train"), at(record, mark, "test")
        ours = f"{_share(record, mark):.3f}; {train:.4f}; {test:.4f}"
        if mark < cell.rounds:
            ours += f" (after {mark}; training ended)"
        found.append(study.Verdict(what, paper, ours, STAND_IN))
    return found


def _mark(record: study.Record, rounds: int) -> int | None:
    """The marked rounds, or the last mark of a training that ended by itself before them."""
    if rounds in record["marks"]:
        return rounds
    return int(record["marks"][-1]) if _ended(record) < rounds else None


def _ended(record: study.Record) -> float:
    """The rounds of a training that ended by itself."""
    rounds = int(record.values["rounds"])
    return rounds if rounds < record.unit.given["rounds"] else float("inf")


def _improvement(records: Sequence[study.Record], way: str) -> study.Verdict:
    what = f"rcv1, {way}, 400 rounds: fewer assessments than quick's, in %"
    adaptive, quick = (
        study.one(records, run=SAMPLE, way=way, search=search) for search in SEARCHES
    )
    paper = f"{IMPROVED[way]['rcv1']:.1f}"
    if adaptive is None or quick is None:
        return study.Verdict(what, paper, "not run", ABSENT)
    mark = min(adaptive["marks"][-1], quick["marks"][-1])
    fewer = 1 - at(adaptive, mark, "assessments") / at(quick, mark, "assessments")
    after = "" if mark == 400 else f" (after {mark})"
    return study.Verdict(what, paper, f"{100 * fewer:.2f}{after}", STAND_IN)


def _paragraph(records: Sequence[study.Record]) -> str:
    pairs = [
        (float(record["assessments"][-1]), float(quick["assessments"][-1]))
        for record in records
        if record["search"] == "adaptive"
        and (quick := study.one(records, run=record["run"], way=record["way"], search="quick"))
    ]
    fewer = sum(adaptive < quick for adaptive, quick in pairs)
    return (
        f"Adaptive assesses less than quick in {fewer} of {len(pairs)} runs, as the paper says of "
        "RCV1. Most words are in few documents, so that most columns are constant in a small table "
        "and in a node of it; by the paper's rule they would compete (see "
        "[aziz-rules](../aziz-rules/README.md)). Shares and errors of other documents say nothing "
        "about the printed digits."
    )


STUDY = study.Study(
    name="aziz-rcv1",
    title="Text in the place of RCV1 (AAA18, Tables 2 to 4 and 7)",
    protocol=(
        "The paper's RCV1 (20,242 training documents) is not at hand. The sample has 1,000 and 500 "
        "of its documents in the same 47,236 columns; Reuters is money-fx against the rest of "
        "Reuters-21578, 7,770 and 3,299 documents in 8,315 columns. Trees of depth 3, as in "
        "[aziz-table3](../aziz-table3/README.md). Counts are compared as shares of exhaustive "
        "search on the columns that a tree may see; for the paper that is rounds x 20,242 x 47,236 "
        "x 3. A training that ended before a mark "
        "is shown as it ended."
    ),
    full={
        "runs": [
            [SAMPLE, 400, ["AdaBoost", *WAYS]],
            [REUTERS, 50, ["AdaBoost"]],
        ]
    },
    quick={"runs": [[SAMPLE, 2, ["AdaBoost"]]]},
    units=_units,
    measure=measure,
    conclude=_conclude,
    files=lambda settings: files_of([run for run, _, _ in settings["runs"]]),
)
