"""`make bench-record`: the ratios of the last benchmark run, kept with the commit, and compared.

In: the tables of benchmarks/RESULTS-*.md. Out: lines at the end of benchmarks/ratios.csv (date,
commit, machine, name, ratio) for the tables that were measured again, docs/speed.md with its
picture, and the table of the first pages. A ratio is ours over a peer's, of the same run. Exit code
1: a ratio is more than 10 % worse than when it was measured last on the same kind of machine.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import front_page
from benchmarks.kept_ratios import (
    SEVERAL,
    Figure,
    Ratios,
    Record,
    append,
    comparable,
    latest,
    measured_again,
    records,
)
from benchmarks.report import markdown_table

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "speed.md"
PICTURE = HERE.parent / "docs" / "images" / "speed.svg"
FILES = (
    "RESULTS-tree.md",
    "RESULTS-boosting.md",
    "RESULTS-boosting-continuous.md",
    "RESULTS-boosting-tables.md",
    "RESULTS-shap.md",
)
ALLOWED = 1.10
ROUNDING = 0.005
"""The tables have two digits after the point."""


def machine_of(text: str) -> str:
    """The processor and its cores, from a file of results."""
    found = re.search(r"## Machine and versions\n\n(.*?, \d+ cores)", text)
    if found is None:
        raise ValueError("The file of results does not say on which machine it was made.")
    return re.sub(r"\(R\)| Processor", "", found[1])


def ratios_of(text: str, source: str) -> Ratios:
    """Our rows' cells in columns named "/ PEER", and every cell of a column "ratio", which is a
    table of LightGBM's; rates are turned over, so that less is better."""
    out: Ratios = {}
    heading = ""
    columns: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("## "):
            heading, columns = line[3:].strip(), []
        elif line.startswith("|") and not columns:
            columns = cells
        elif not line.startswith("|"):
            columns = []
        elif "ratio" in columns and not cells[0].startswith("---"):
            ratio = float(cells[columns.index("ratio")])
            out[f"{source}: {heading}: {cells[0]} / LightGBM"] = ratio
        elif cells[0].startswith("hardwood"):
            words = [
                c for c, name in zip(cells, columns, strict=True) if name in ("threads", "rows")
            ]
            for cell, name in zip(cells, columns, strict=True):
                if name.startswith("/ ") and re.fullmatch(r"\d+\.\d+", cell) and float(cell) > 0:
                    rate = any("/s" in column for column in columns)
                    key = f"{source}: {heading}: {' '.join([cells[0], *words])} {name}"
                    out[key] = 1 / float(cell) if rate else float(cell)
    return out


def worse(last: dict[str, Figure], now: Ratios) -> list[str]:
    """Sentences about the ratios that grew by more than is allowed."""
    return [
        f"{name}: {last[name].ratio:.3g} on {last[name].date} ({last[name].machine}), "
        f"now {ratio:.3g}"
        for name, ratio in now.items()
        if name in last and ratio - ROUNDING > ALLOWED * (last[name].ratio + ROUNDING)
    ]


def write_page(kept: list[Record], names: Iterable[str]) -> None:
    """The picture of all records, and a table of these ratios as they were measured last."""
    from matplotlib.figure import Figure as Drawing

    figures = {name: figure for name, figure in latest(kept).items() if name in set(names)}
    drawing = Drawing(figsize=(8, 4), layout="constrained")
    axes = drawing.subplots()
    for name in figures:
        seen = [(i, each.ratios[name]) for i, each in enumerate(kept) if name in each.ratios]
        axes.plot(*zip(*seen, strict=True), marker=".", linewidth=1)
    axes.set(yscale="log", ylabel="ours / peer")
    labels = [f"{each.date}\n{each.commit}" for each in kept]
    axes.set_xticks(range(len(kept)), labels, rotation=40, ha="right", rotation_mode="anchor")
    axes.axhline(1, color="grey", linewidth=0.5)
    drawing.savefig(PICTURE, metadata={"Date": None})
    rows = [
        [name, f"{each.ratio:.2f}", each.date, each.commit, each.machine]
        for name, each in figures.items()
    ]
    columns = ["benchmark", "ours / peer", "measured", "commit", "machine"]
    PAGE.write_text(
        "# Speed over time\n\n"
        "Time or memory of hardwood divided by that of a peer in the same run: below 1\n"
        "hardwood is ahead. Rates are turned over. `make bench-record` adds a record and fails\n"
        "when a ratio is more than 10 % worse than when it was measured last on the same kind of\n"
        "machine. A benchmark that a run left out keeps its older date.\n\n"
        "![Each line is a benchmark; a point where a record measured it](images/speed.svg)\n\n"
        "## Measured last\n\n"
        f"{markdown_table(columns, rows)}\n"
        f"{_told_of_several(figures.values())}"
    )


def _told_of_several(figures: Iterable[Figure]) -> str:
    if all(figure.commit != SEVERAL for figure in figures):
        return ""
    return f"\nCommit *{SEVERAL}*: read from the files of {SEVERAL} earlier runs.\n"


def measured(date: str, commit: str) -> Record:
    """What the files of results say now."""
    record = Record(date, commit)
    for name in FILES:
        text = (HERE / name).read_text()
        found = ratios_of(text, name.removeprefix("RESULTS-").removesuffix(".md"))
        record.ratios.update(found)
        record.machines.update(dict.fromkeys(found, machine_of(text)))
    return record


def write(record: Record) -> tuple[Record, list[str]]:
    """Add to the file and its pages what was measured again; sentences about what became worse."""
    before = records()
    new = measured_again(record, latest(before))
    append(new)
    kept = records()
    write_page(kept, record.ratios)
    front_page.write(latest(kept))
    return new, worse(comparable(before, new.machines), new.ratios)


def main() -> int:
    """Record, draw, compare."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    record = measured(f"{datetime.now(UTC):%Y-%m-%d}", commit)
    new, found = write(record)
    print(*found, sep="\n")
    print(f"{len(new.ratios)} of {len(record.ratios)} ratios were measured again and recorded; "
          f"{len(found)} more than 10 % worse than before.")  # fmt: skip
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
