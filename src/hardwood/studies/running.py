"""`hardwood study`: run what is not done yet, then conclude.

In: a study's name, the folders, quick or full. Out: the results folder. Each unit's record is
written as soon as it is measured, so that stopping at any moment loses one unit at most.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from pathlib import Path

from hardwood.studies.data import folder_of
from hardwood.studies.folder import ResultsFolder
from hardwood.studies.study import Findings, Record, Study, StudyError, Unit
from hardwood.studies.writing import write_conclusion

Tell = Callable[[int, int, str], None]
"""Called with the units done, all units and the next unit's key ("" at the end)."""


class InterruptedStudyError(StudyError):
    """Ctrl-C; what was computed stays."""


def run_study(
    study: Study,
    out: Path,
    *,
    data: Path | None = None,
    quick: bool = False,
    tell: Tell = lambda _done, _all, _next: None,
) -> Findings:
    """The findings, after writing them to `out`."""
    settings = study.quick if quick else study.full
    source = folder_of(data)
    source.require(list(study.files(settings)))
    folder = ResultsFolder(out, study, settings)
    folder.prepare()
    units = list(study.units(settings))
    records: list[Record] = []
    try:
        for unit in units:
            tell(len(records), len(units), unit.key)
            record = folder.load(unit)
            if record is None:
                record = _measured(study, unit, source)
                folder.keep(record)
            records.append(record)
        tell(len(units), len(units), "")
        findings = study.conclude(records)
        write_conclusion(folder, study, records, findings, _command(study, out, quick))
    except KeyboardInterrupt:
        raise InterruptedStudyError(
            f"Interrupted; {len(records)} of {len(units)} units are finished and stay in {out}. "
            "Give the same command again to go on from there."
        ) from None
    return findings


def _measured(study: Study, unit: Unit, source: object) -> Record:
    started, cpu = time.perf_counter(), time.process_time()
    values = study.measure(unit, source)  # type: ignore[arg-type]
    return Record(unit, values, time.perf_counter() - started, time.process_time() - cpu)


def _command(study: Study, out: Path, quick: bool) -> str:
    words = ["hardwood", "study", study.name, "--out", out.as_posix()]
    return shlex.join([*words, *(["--quick"] if quick else [])])
