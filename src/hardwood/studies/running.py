"""`hardwood study`: measure what is not measured yet, then conclude.

In: a study or several, the folders, quick or full, how many units at a time. Out: a results folder
per study. Each unit's record is written as soon as it is measured, so that stopping at any moment
loses the units in work and no other. Units stand alone, so which process measures them, and in
which order, does not change their records.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardwood.studies.data import DataFolder, folder_of
from hardwood.studies.folder import ResultsFolder
from hardwood.studies.measuring import measured
from hardwood.studies.study import Findings, Record, Study, StudyError, Unit
from hardwood.studies.times import Time, write_times
from hardwood.studies.writing import write_conclusion

Tell = Callable[[int, int, str], None]
"""Called with the units done, all units and what comes next ("" at the end)."""


class InterruptedStudyError(StudyError):
    """Ctrl-C; what was computed stays."""


def run_study(
    study: Study,
    out: Path,
    *,
    data: Path | None = None,
    quick: bool = False,
    jobs: int = 1,
    tell: Tell = lambda _done, _all, _next: None,
) -> Findings:
    """The findings, after writing them to `out`. With `jobs` above 1 the study must be one of
    `STUDIES`, which the other processes look up by its name."""
    source = folder_of(data)
    run = _Run.begin(study, out, source, quick)
    _measure_all([run], source, jobs, tell)
    return run.conclude()


def run_all(
    studies: Sequence[Study],
    out: Path,
    *,
    data: Path | None = None,
    quick: bool = False,
    jobs: int = 1,
    tell: Tell = lambda _done, _all, _next: None,
) -> None:
    """Every study, each in a folder of its name below `out`, and times.md, which says what each
    cost. The pages are written when all units of all studies are measured."""
    source = folder_of(data)
    started = time.perf_counter()
    runs = [_Run.begin(study, out / study.name, source, quick) for study in studies]
    missing = _measure_all(runs, source, jobs, tell)
    for run in runs:
        run.conclude()
    took = time.perf_counter() - started
    write_times(out, [run.time() for run in runs], missing, took, jobs)


@dataclass
class _Run:
    """One study on its way: its units, and the records that there are."""

    study: Study
    folder: ResultsFolder
    units: list[Unit]
    records: dict[str, Record]
    quick: bool

    @classmethod
    def begin(cls, study: Study, out: Path, source: DataFolder, quick: bool) -> _Run:
        """Read the records of earlier runs; refuse missing data and foreign folders."""
        settings = study.quick if quick else study.full
        source.require(list(study.files(settings)))
        folder = ResultsFolder(out, study, settings)
        folder.prepare()
        units = list(study.units(settings))
        found = {unit.key: record for unit in units if (record := folder.load(unit))}
        return cls(study, folder, units, found, quick)

    def missing(self) -> list[Unit]:
        return [unit for unit in self.units if unit.key not in self.records]

    def keep(self, record: Record) -> None:
        self.folder.keep(record)
        self.records[record.unit.key] = record

    def conclude(self) -> Findings:
        """Write the pages, from the records in the order of the units."""
        records = [self.records[unit.key] for unit in self.units]
        findings = self.study.conclude(records)
        write_conclusion(self.folder, self.study, records, findings, self._command())
        return findings

    def time(self) -> Time:
        records = self.records.values()
        return Time(
            self.study.name,
            len(records),
            sum(record.seconds for record in records),
            sum(record.cpu for record in records),
        )

    def _command(self) -> str:
        words = ["hardwood", "study", self.study.name, "--out", self.folder.path.as_posix()]
        return shlex.join([*words, *(["--quick"] if self.quick else [])])


def _measure_all(runs: Sequence[_Run], source: DataFolder, jobs: int, tell: Tell) -> int:
    """Measure and keep what has no record, and say how many units that were."""
    by_name = {run.study.name: run for run in runs}
    todo = [(run.study, unit) for run in runs for unit in run.missing()]
    count = sum(len(run.units) for run in runs)
    done = count - len(todo)
    names = [unit.key if len(runs) == 1 else f"{study.name} {unit.key}" for study, unit in todo]
    tell(done, count, names[0] if names else "")
    try:
        for study, record in measured(todo, source, jobs):
            by_name[study].keep(record)
            done += 1
            following = len(todo) - (count - done)
            tell(done, count, names[following] if following < len(names) else "")
    except KeyboardInterrupt:
        where = runs[0].folder.path if len(runs) == 1 else runs[0].folder.path.parent
        raise InterruptedStudyError(
            f"Interrupted; {done} of {count} units are finished and stay in {where}. "
            "Give the same command again to go on from there."
        ) from None
    return len(todo)
