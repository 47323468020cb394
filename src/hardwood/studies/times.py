"""What the studies cost: times.md beside their folders.

In: the time of every study. Out: a page. Processor time is that of all threads; it does not grow
while a process waits for a busy machine, as time by the clock does.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hardwood.studies.folder import write_whole
from hardwood.studies.study import Table
from hardwood.studies.writing import markdown


@dataclass(frozen=True)
class Time:
    """Of one study, added up over its units."""

    study: str
    units: int
    seconds: float
    cpu: float


def write_times(out: Path, times: Sequence[Time], measured: int, seconds: float, jobs: int) -> None:
    """`measured` of the units were measured in this run, which took so many seconds."""
    units, cpu = sum(t.units for t in times), sum(t.cpu for t in times)
    rows = [[t.study, t.units, f"{t.cpu:.0f}", f"{t.seconds:.0f}"] for t in times]
    total = ["all", units, f"{cpu:.0f}", f"{sum(t.seconds for t in times):.0f}"]
    table = Table("", ["study", "units", "processor, s", "clock, s"], [*rows, total])
    told = (
        f"The last run measured {measured} of {units} units in {seconds:.0f} s by the clock, "
        f"{jobs} at a time on {os.cpu_count()} cores; the others have records of earlier runs."
        if measured < units
        else f"All {units} units were measured in one run of {seconds:.0f} s by the clock, {jobs} "
        f"at a time on {os.cpu_count()} cores."
    )
    page = "\n\n".join(["# What the studies cost", told, ABOUT, markdown(table)]) + "\n"
    write_whole(out / "times.md", lambda path: path.write_text(page, encoding="utf-8"), out)


ABOUT = (
    "Processor time is that of all threads of a unit; time by the clock includes waiting for other "
    "processes of the machine, and counts twice what two units did at the same time."
)
