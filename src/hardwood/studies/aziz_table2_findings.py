"""What the counts and errors of `aziz-table2` show beside the paper's (AAA18 Tables 2 and 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hardwood.studies.aziz_runs import CLASSES, PAPER, at, data_set, within
from hardwood.studies.figures import bars
from hardwood.studies.study import Findings, Record, Table, Verdict, one

SEARCHES = ("exhaustive", "quick", "adaptive", "auto")


def conclude(records: Sequence[Record]) -> Findings:
    runs = list(dict.fromkeys(record["run"] for record in records))
    verdicts, rows, same = [], [], True
    for run in runs:
        found = {search: one(records, run=run, search=search) for search in SEARCHES}
        rows += _rows(run, found)
        verdicts += _verdicts(run, found)
        models = {
            record["digest"]
            for record in found.values()
            if record and record["rounds"] == (found["adaptive"] or record)["rounds"]
        }
        same = same and len(models) <= 1
    columns = [
        "run",
        "search",
        "rounds",
        "assessments",
        "/ exhaustive",
        "seconds",
        "train",
        "test",
        "paper: assessments",
        "train",
        "test",
    ]
    verdicts.append(
        Verdict(
            "all searches give the same model (digest)",
            "identical trees",
            "identical" if same else "NOT identical",
            "agrees" if same else "DIFFERS",
        )
    )
    figures = {"assessments": lambda figure: _draw(figure, records, runs)}
    paragraph = _paragraph(records, runs)
    tables = [Table("Counts and errors", columns, rows)]
    nearest = _nearest(records, runs)
    if nearest is not None:
        tables.append(nearest)
    return Findings(verdicts, paragraph, tables, figures, _long(records))


def _rows(run: str, found: dict[str, Record | None]) -> list[list[Any]]:
    rows = []
    for search, record in found.items():
        if record is None:
            continue
        for rounds in record["marks"]:
            if rounds not in (20, 50, 100, 300, 500) and rounds != record["rounds"]:
                continue
            paper = PAPER.get(data_set(run), {}).get(rounds)
            published = {"adaptive": 0, "quick": 1}.get(search)
            seen = at(record, rounds, "assessments")
            last = rounds == record["rounds"]
            rows.append(
                [
                    run,
                    search,
                    rounds,
                    seen,
                    seen / at(record, rounds, "exhaustive"),
                    record["fit_seconds"] if last else "",
                    at(record, rounds, "train"),
                    at(record, rounds, "test"),
                    paper[published] if paper and published is not None else "",
                    paper[2] if paper else "",
                    paper[3] if paper else "",
                ]
            )
    return rows


def _verdicts(run: str, found: dict[str, Record | None]) -> list[Verdict]:
    paper = PAPER.get(data_set(run), {})
    verdicts = []
    counted_run, errors_run = found["adaptive"], found["auto"]
    shared = [rounds for rounds in paper if counted_run and rounds in counted_run["marks"]]
    if shared:
        last = shared[-1]
        for search, place in (("adaptive", 0), ("quick", 1)):
            ours = at(found[search], last, "assessments")
            verdicts.append(
                Verdict(
                    f"{run}, {last} rounds: assessments, {search}",
                    f"{paper[last][place]:.3g}",
                    f"{ours:.3g}",
                    within(ours, paper[last][place], 0.07),
                )
            )
    for rounds in [rounds for rounds in paper if errors_run and rounds in errors_run["marks"]]:
        train, test = at(errors_run, rounds, "train"), at(errors_run, rounds, "test")
        off = 100 * (test - paper[rounds][3])
        verdicts.append(
            Verdict(
                f"{run}, {rounds} rounds: training and test error",
                f"{paper[rounds][2]:.3f}, {paper[rounds][3]:.3f}",
                f"{train:.4f}, {test:.4f}",
                f"test error {'within' if abs(off) <= 0.5 else 'outside'} 0.5 points ({off:+.2f})",
            )
        )
    return verdicts


def _nearest(records: Sequence[Record], runs: Sequence[str]) -> Table | None:
    """How far each multi-class form is from the paper, counts of SAMME times the classes."""
    rows = []
    for run in runs:
        name = data_set(run)
        if name not in CLASSES:
            continue
        errors, counts = (
            one(records, run=run, search="auto"),
            one(records, run=run, search="adaptive"),
        )
        factor = CLASSES[name] if "SAMME" in run else 1
        for rounds, paper in PAPER[name].items():
            seen = factor * at(counts, rounds, "assessments")
            rows.append(
                [
                    run,
                    rounds,
                    100 * (at(errors, rounds, "train") - paper[2]),
                    100 * (at(errors, rounds, "test") - paper[3]),
                    seen / paper[0],
                ]
            )
    columns = [
        "form",
        "rounds",
        "train error off by (points)",
        "test error off by (points)",
        "adaptive assessments / paper (SAMME's times the classes)",
    ]
    caption = "Which multi-class form the paper ran: how far each is from its numbers"
    return Table(caption, columns, rows) if rows else None


def _paragraph(records: Sequence[Record], runs: Sequence[str]) -> str:
    """Which runs meet both goals at the paper's last mark: counts within 7 %, errors within half a
    point."""
    good: list[str] = []
    bad: list[str] = []
    for run in [run for run in runs if data_set(run) in PAPER]:
        paper = PAPER[data_set(run)]
        errors = one(records, run=run, search="auto")
        counts = one(records, run=run, search="adaptive")
        last = max((m for m in paper if errors and m in errors["marks"]), default=None)
        if last is None:
            continue
        error = 100 * abs(at(errors, last, "test") - paper[last][3])
        count = abs(at(counts, last, "assessments") / paper[last][0] - 1)
        summary = "count not comparable" if np.isnan(count) else f"count off by {count:.1%}"
        (good if count <= 0.07 and error <= 0.5 else bad).append(
            f"{run} ({summary}, test error off by {error:.2f} points)"
        )
    if not good and not bad:
        return "No run is as long as one of the paper's, so nothing is compared."
    text = (
        f"At the last mark both goals are met on {_listed(good)}, and not both on {_listed(bad)}. "
    )
    return text + _multiclass(records, runs)


def _multiclass(records: Sequence[Record], runs: Sequence[str]) -> str:
    sentences = []
    for name in [name for name in CLASSES if any(data_set(run) == name for run in runs)]:
        offs = {}
        for run in [run for run in runs if data_set(run) == name]:
            record = one(records, run=run, search="auto")
            there = [mark for mark in PAPER[name] if record and mark in record["marks"]]
            if there:
                offs[run] = 100 * float(
                    np.mean([abs(at(record, m, "test") - PAPER[name][m][3]) for m in there])
                )
        if offs:
            best = min(offs, key=lambda run: offs[run])
            summary = ", ".join(f"{run} {off:.2f}" for run, off in offs.items())
            near = "within" if offs[best] <= 0.5 else "not within"
            sentences.append(
                f"On {name} the test errors are off, on average over the paper's marks, by "
                f"{summary} points; {best} is nearest, and {near} half a point."
            )
    if sentences:
        sentences.insert(0, "The paper does not say how it treated more than two classes.")
    return " ".join(sentences)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "none"


def _draw(figure: Any, records: Sequence[Record], runs: Sequence[str]) -> None:
    """Shares of exhaustive search; a search that ran for other rounds than adaptive is left out."""
    shares: dict[str, list[float]] = {"quick": [], "adaptive": [], "auto": []}
    for run in runs:
        reference = one(records, run=run, search="adaptive")
        for search, values in shares.items():
            record = one(records, run=run, search=search)
            same = record and reference and record["rounds"] == reference["rounds"]
            values.append(
                record["assessments"][-1] / record["exhaustive"][-1]
                if record and same
                else float("nan")
            )
    bars(figure, list(runs), shares, "assessments / exhaustive")


def _long(records: Sequence[Record]) -> Table:
    rows = [
        [
            record["run"],
            record["search"],
            mark,
            record["assessments"][i],
            record["exhaustive"][i],
            record["train"][i],
            record["test"][i],
            record["fit_seconds"],
            record["rounds"],
        ]
        for record in records
        for i, mark in enumerate(record["marks"])
    ]
    columns = [
        "run",
        "search",
        "rounds",
        "assessments",
        "exhaustive",
        "train",
        "test",
        "fit_seconds",
        "fit_rounds",
    ]
    return Table("", columns, rows)
