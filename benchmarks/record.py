"""`make bench-record`: the ratios of the last benchmark run, kept with the commit, and compared.

In: the tables of benchmarks/RESULTS-*.md. Out: lines at the end of benchmarks/ratios.csv (date,
commit, machine, name, ratio), docs/speed.md with its picture, and the table of the first pages. A
ratio is ours over a peer's, of the same run, so records of different machines can be compared. Exit
code 1: a ratio is more than 10 % worse than in the last record.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import front_page
from benchmarks.report import markdown_table

HERE = Path(__file__).parent
RECORDS = HERE / "ratios.csv"
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
SEVERAL = "several"
"""In place of a commit: the runs of a record belong to more than one."""
Ratios = dict[str, float]


@dataclass(frozen=True)
class Record:
    """The ratios of one day, and the kind of machine that each was measured on."""

    date: str
    commit: str
    ratios: Ratios = field(default_factory=dict)
    machines: dict[str, str] = field(default_factory=dict)


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


def worse(last: Ratios, now: Ratios) -> list[str]:
    """Sentences about the ratios that grew by more than is allowed."""
    return [
        f"{name}: {last[name]:.3g} in the last record, now {ratio:.3g}"
        for name, ratio in now.items()
        if name in last and ratio - ROUNDING > ALLOWED * (last[name] + ROUNDING)
    ]


def records(path: Path = RECORDS) -> list[Record]:
    """Every record, oldest first."""
    out: dict[tuple[str, str], Record] = {}
    if path.exists():
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                key = (row["date"], row["commit"])
                record = out.setdefault(key, Record(*key))
                record.ratios[row["name"]] = float(row["ratio"])
                record.machines[row["name"]] = row["machine"]
    return list(out.values())


def append(record: Record, path: Path = RECORDS) -> None:
    """One line per ratio."""
    new = not path.exists()
    with path.open("a", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        if new:
            lines.writerow(["date", "commit", "machine", "name", "ratio"])
        for name, ratio in record.ratios.items():
            row = [record.date, record.commit, record.machines[name], name, f"{ratio:.4g}"]
            lines.writerow(row)


def write_page(kept: list[Record]) -> None:
    """The picture of all records and the table of the last."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    for name in kept[-1].ratios:
        seen = [(i, each.ratios[name]) for i, each in enumerate(kept) if name in each.ratios]
        axes.plot(*zip(*seen, strict=True), marker=".", linewidth=1)
    labels = [f"{each.date}\n{each.commit}" for each in kept]
    axes.set(yscale="log", ylabel="ours / peer", xticks=range(len(kept)), xticklabels=labels)
    axes.axhline(1, color="grey", linewidth=0.5)
    figure.savefig(PICTURE, metadata={"Date": None})
    last = kept[-1]
    rows = [[name, f"{ratio:.2f}"] for name, ratio in last.ratios.items()]
    told = f"commit {last.commit}"
    if last.commit == SEVERAL:
        told = f"{SEVERAL} commits\n\nRead from the result files of {SEVERAL} earlier runs."
    PAGE.write_text(
        "# Speed over time\n\n"
        "Time or memory of hardwood divided by that of a peer in the same run: below 1\n"
        "hardwood is ahead. Rates are turned over. `make bench-record` adds a record and fails\n"
        "when a ratio is more than 10 % worse than in the last one.\n\n"
        "![Each line is a benchmark, each place on the axis a record](images/speed.svg)\n\n"
        f"## Last record: {last.date}, {told}\n\n"
        f"{markdown_table(['benchmark', 'ours / peer'], rows)}\n"
    )


def measured(date: str, commit: str) -> Record:
    """What the files of results say now."""
    record = Record(date, commit)
    for name in FILES:
        text = (HERE / name).read_text()
        found = ratios_of(text, name.removeprefix("RESULTS-").removesuffix(".md"))
        record.ratios.update(found)
        record.machines.update(dict.fromkeys(found, machine_of(text)))
    return record


def write(record: Record) -> list[str]:
    """Add the record to the file and its pages; sentences about what became worse."""
    before = records()
    append(record)
    write_page(records())
    front_page.write(record.date, record.ratios, record.machines)
    return worse(before[-1].ratios, record.ratios) if before else []


def main() -> int:
    """Record, draw, compare."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    record = measured(f"{datetime.now(UTC):%Y-%m-%d}", commit)
    found = write(record)
    print(*found, sep="\n")
    print(f"{len(record.ratios)} ratios recorded; {len(found)} more than 10 % worse than before.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
