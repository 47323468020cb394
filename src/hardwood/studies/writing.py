"""The conclusion of a study as Markdown, CSV and PNG.

In: a study, its records and findings. Out: README.md, results.csv and one PNG per figure in the
results folder. Invariant: numbers are written as they were measured; only the Markdown rounds.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from functools import partial
from typing import Any

from hardwood.plots.image import save_png
from hardwood.studies.folder import ResultsFolder
from hardwood.studies.study import Findings, Record, Study, Table


def write_conclusion(
    folder: ResultsFolder, study: Study, records: Sequence[Record], findings: Findings, command: str
) -> None:
    """Figures first, the page that shows them last."""
    for stem, draw in findings.figures.items():
        folder.write(folder.path / f"{stem}.png", partial(save_png, draw=draw))
    table = findings.csv or record_table(records)
    folder.write_text(folder.path / "results.csv", _csv(table))
    page = _page(study, records, findings, command)
    folder.write_text(folder.path / "README.md", page)


def record_table(records: Sequence[Record]) -> Table:
    """Every number and text of every record, a row for each of its marks if it has any; other
    sequences are left out."""
    lines = [
        {**line, "seconds": round(record.seconds, 2)}
        for record in records
        for line in _lines({**record.unit.given, **record.values})
    ]
    names = [name for name in dict.fromkeys(n for line in lines for n in line) if name != "seconds"]
    rows = [[line.get(name, "") for name in [*names, "seconds"]] for line in lines]
    return Table("", [*names, "seconds"], rows)


def _lines(values: dict[str, Any]) -> list[dict[str, Any]]:
    """What a record says once, beside what it says at each mark."""
    once = {name: value for name, value in values.items() if not isinstance(value, (list, dict))}
    marks = values.get("marks")
    if not isinstance(marks, list):
        return [once]
    each = {
        name: value
        for name, value in values.items()
        if isinstance(value, list) and len(value) == len(marks)
    }
    return [{**once, **{name: each[name][i] for name in each}} for i in range(len(marks))]


def markdown(table: Table) -> str:
    """A table as Markdown, cells padded so that the source reads as one too."""
    cells = [list(table.columns), *[[cell(value) for value in row] for row in table.rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(table.columns))]
    lines = [
        " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))
        for row in cells
    ]
    rule = " | ".join("-" * width for width in widths)
    return "\n".join(f"| {line} |" for line in [lines[0], rule, *lines[1:]])


def cell(value: Any) -> str:
    """A number with four digits that matter, anything else as it is."""
    if isinstance(value, bool) or not isinstance(value, float):
        return str(value).replace("|", "\\|")
    if value != value:
        return "-"
    if abs(value) >= 1e6:
        return f"{value:.2e}".replace("e+0", "e").replace("e+", "e")
    return f"{value:.4g}"


def _page(study: Study, records: Sequence[Record], findings: Findings, command: str) -> str:
    verdicts = Table(
        "",
        ["", "paper", "ours", "verdict"],
        [[v.what, v.paper, v.ours, v.verdict] for v in findings.verdicts],
    )
    spent = f"{sum(record.seconds for record in records):.0f} s of work"
    cpu = sum(record.cpu for record in records)
    if cpu == cpu:
        spent += f", {cpu:.0f} s of processor time"
    parts = [
        f"# {study.title}",
        study.protocol,
        (
            f"Made by `{command}`: {len(records)} units, {spent}. "
            "More is in [results.csv](results.csv)."
        ),
    ]
    for table in findings.tables:
        parts += [f"## {table.caption}", markdown(table)]
    parts += [f"![{stem}]({stem}.png)" for stem in findings.figures]
    parts += ["## Paper, ours, verdict", markdown(verdicts), findings.paragraph]
    return "\n\n".join(parts) + "\n"


def _csv(table: Table) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_short(value) for value in row] for row in table.rows)
    return text.getvalue()


def _short(value: Any) -> Any:
    return f"{value:.8g}" if isinstance(value, float) else value
