"""The file of ratios over time, benchmarks/ratios.csv: a line per measured ratio.

A record is what one run measured. Invariant: a ratio that was read again from an older file of
results is not in the record, so the date and the commit of a line are those of its measurement.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path

RECORDS = Path(__file__).parent / "ratios.csv"
SEVERAL = "several"
"""In place of a commit: the runs of a record belong to more than one."""
Ratios = dict[str, float]


@dataclass(frozen=True)
class Record:
    """The ratios of one run, and the kind of machine that each was measured on."""

    date: str
    commit: str
    ratios: Ratios = field(default_factory=dict)
    machines: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Figure:
    """A ratio, and where it comes from."""

    ratio: float
    date: str
    commit: str
    machine: str


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


def latest(kept: list[Record]) -> dict[str, Figure]:
    """Of every ratio the one that was measured last."""
    return {
        name: Figure(ratio, record.date, record.commit, record.machines[name])
        for record in kept
        for name, ratio in record.ratios.items()
    }


def comparable(kept: list[Record], machines: dict[str, str]) -> dict[str, Figure]:
    """Of every ratio the one that was measured last on the same kind of machine, or on any where
    there is none: one code was 0.15 of a peer's time on one kind and 0.22 on another."""
    same = [
        Record(each.date, each.commit, {
            name: ratio for name, ratio in each.ratios.items()
            if each.machines[name] == machines.get(name)
        }, each.machines)
        for each in kept
    ]  # fmt: skip
    return latest(kept) | latest(same)


def measured_again(record: Record, last: dict[str, Figure]) -> Record:
    """The record without the tables whose every ratio is the one of last time, on the same kind of
    machine: a run writes whole tables, and two runs of one do not agree in every digit."""

    def told(name: str) -> tuple[str, str]:
        return f"{record.ratios[name]:.4g}", record.machines[name]

    changed = {
        table_of(name)
        for name in record.ratios
        if name not in last or told(name) != (f"{last[name].ratio:.4g}", last[name].machine)
    }
    names = [name for name in record.ratios if table_of(name) in changed]
    return Record(
        record.date,
        record.commit,
        {name: record.ratios[name] for name in names},
        {name: record.machines[name] for name in names},
    )


def table_of(name: str) -> str:
    """The file and heading that a ratio stands under."""
    return name.rpartition(": ")[0]
