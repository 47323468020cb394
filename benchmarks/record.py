"""`make bench-record`: the ratios of the last benchmark run, kept with the commit, and compared.

In: the tables of benchmarks/RESULTS-*.md. Out: lines at the end of benchmarks/ratios.csv (date,
commit, name, ratio) and docs/speed.md with its picture. A ratio is ours over a peer's, of the same
run, so records of different machines can be compared. Exit code 1: a ratio is more than 10 % worse
than in the last record.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.report import markdown_table

HERE = Path(__file__).parent
RECORDS = HERE / "ratios.csv"
PAGE = HERE.parent / "docs" / "speed.md"
PICTURE = HERE.parent / "docs" / "images" / "speed.svg"
FILES = (
    "RESULTS-tree.md",
    "RESULTS-boosting.md",
    "RESULTS-boosting-continuous.md",
    "RESULTS-shap.md",
)
ALLOWED = 1.10
ROUNDING = 0.005
"""The tables have two digits after the point."""
Ratios = dict[str, float]


def ratios_of(text: str, source: str) -> Ratios:
    """Our rows' cells in columns named "/ PEER"; rates are turned over, so that less is better."""
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


def records(path: Path = RECORDS) -> list[tuple[str, str, Ratios]]:
    """(date, commit, ratios) of every record, oldest first."""
    out: dict[tuple[str, str], Ratios] = {}
    if path.exists():
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                out.setdefault((row["date"], row["commit"]), {})[row["name"]] = float(row["ratio"])
    return [(date, commit, ratios) for (date, commit), ratios in out.items()]


def append(date: str, commit: str, ratios: Ratios, path: Path = RECORDS) -> None:
    """One line per ratio."""
    new = not path.exists()
    with path.open("a", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        if new:
            lines.writerow(["date", "commit", "name", "ratio"])
        lines.writerows([date, commit, name, f"{ratio:.4g}"] for name, ratio in ratios.items())


def write_page(kept: list[tuple[str, str, Ratios]]) -> None:
    """The picture of all records and the table of the last."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    labels = [f"{date}\n{commit}" for date, commit, _ in kept]
    for name in kept[-1][2]:
        seen = [(i, ratios[name]) for i, (_, _, ratios) in enumerate(kept) if name in ratios]
        axes.plot(*zip(*seen, strict=True), marker=".", linewidth=1)
    axes.set(yscale="log", ylabel="ours / peer", xticks=range(len(kept)), xticklabels=labels)
    axes.axhline(1, color="grey", linewidth=0.5)
    figure.savefig(PICTURE, metadata={"Date": None})
    date, commit, last = kept[-1]
    table = markdown_table(["benchmark", "ours / peer"], [[n, f"{r:.2f}"] for n, r in last.items()])
    PAGE.write_text(
        "# Speed over time\n\n"
        "Time or memory of hardwood divided by that of a peer in the same run: below 1\n"
        "hardwood is ahead. Rates are turned over. `make bench-record` adds a record and fails\n"
        "when a ratio is more than 10 % worse than in the last one.\n\n"
        "![Each line is a benchmark, each place on the axis a record](images/speed.svg)\n\n"
        f"## Last record: {date}, commit {commit}\n\n{table}\n"
    )


def main() -> int:
    """Record, draw, compare."""
    now: Ratios = {}
    for name in FILES:
        source = name.removeprefix("RESULTS-").removesuffix(".md")
        now |= ratios_of((HERE / name).read_text(), source)
    command = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    before = records()
    append(f"{datetime.now(UTC):%Y-%m-%d}", commit, now)
    write_page(records())
    found = worse(before[-1][2], now) if before else []
    print(*found, sep="\n")
    print(f"{len(now)} ratios recorded; {len(found)} more than 10 % worse than before.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
