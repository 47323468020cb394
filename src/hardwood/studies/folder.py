"""The folder of one study's results.

    OUT/README.md results.csv *.png   the conclusion, written when all units are done
    OUT/units/run.json                which study and settings the records belong to
    OUT/units/KEY.json                one finished unit

In: records. Out: the same records, also after the process was stopped at any moment. Invariant: a
file is there whole or not at all (written beside its place and moved), and records of different
settings never mix.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardwood.studies.study import Record, Study, StudyError, Unit

RUN = "run.json"


class ResultsFolder:
    """Records on disk for one study with one set of settings."""

    def __init__(self, path: Path, study: Study, settings: Any) -> None:
        self.path = path
        self._units = path / "units"
        self._run = {"study": study.name, "settings": json.loads(json.dumps(dict(settings)))}

    def prepare(self) -> None:
        """Make the folder, or see that what is in it belongs to this run."""
        if self.path.exists() and not self.path.is_dir():
            raise StudyError(f"{self.path} is a file; give --out the name of a folder.")
        marker = self._units / RUN
        found = _read(marker) if marker.exists() else None
        if found is not None and found != self._run:
            raise StudyError(
                f"{self.path} holds results of another run ({found.get('study', 'unknown')}, other "
                f"settings); give another --out, or remove {self._units} to start anew."
            )
        try:
            self._units.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StudyError(f"{self.path} cannot be made ({error.strerror or error}).") from error
        self.write_text(marker, json.dumps(self._run, indent=1))

    def load(self, unit: Unit) -> Record | None:
        """The unit's record; None when there is none, or none that can be read."""
        found = _read(self._file(unit))
        try:
            if found is None or found["given"] != json.loads(json.dumps(unit.given)):
                return None
            cpu = float(found.get("cpu", "nan"))
            return Record(unit, found["values"], float(found["seconds"]), cpu)
        except (KeyError, TypeError, ValueError):
            return None

    def keep(self, record: Record) -> None:
        """Write one record."""
        content = {
            "given": record.unit.given,
            "values": record.values,
            "seconds": record.seconds,
            "cpu": record.cpu,
        }
        self.write_text(self._file(record.unit), json.dumps(content))

    def write_text(self, path: Path, text: str) -> None:
        self.write(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))

    def write(self, path: Path, fill: Callable[[Path], object]) -> None:
        """As `write_whole`."""
        write_whole(path, fill, self._units)

    def _file(self, unit: Unit) -> Path:
        return self._units / f"{unit.key}.json"


def write_whole(path: Path, fill: Callable[[Path], object], units: Path) -> None:
    """Let `fill` write a temporary file, and move it into place; `units` holds the records."""
    temporary = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        fill(temporary)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StudyError(
            f"{path} could not be written ({error.strerror or error}); the finished units in "
            f"{units} stay. Make room and give the same command again to go on."
        ) from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _read(path: Path) -> dict[str, Any] | None:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None
