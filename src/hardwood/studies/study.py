"""What a study is: units of work that stand alone, and a conclusion drawn from their records.

In: a name, settings for a full and a quick run, and three functions. Out: a `Study`. A unit is
measured from its settings and the data alone, with fixed seeds, so that units can be computed in
any order, in any run. Invariant: `conclude` sees records only, so a verdict is a function of what
was measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardwood.studies.data import DataFolder

Settings = Mapping[str, Any]
Values = dict[str, Any]


class StudyError(ValueError):
    """A study cannot go on; the sentence says why and what to do."""


@dataclass(frozen=True)
class Unit:
    """One piece of work. `key` names its record; `given` says what to do."""

    key: str
    given: Values


@dataclass(frozen=True)
class Record:
    """A finished unit: what was given, what was measured, and how long it took: by the clock, and
    in processor time of all threads (NaN where an older record does not have it)."""

    unit: Unit
    values: Values
    seconds: float
    cpu: float = float("nan")

    def __getitem__(self, name: str) -> Any:
        return self.unit.given[name] if name in self.unit.given else self.values[name]


@dataclass(frozen=True)
class Table:
    """A captioned table of texts."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Verdict:
    """One line of "paper / ours / verdict"."""

    what: str
    paper: str
    ours: str
    verdict: str


@dataclass(frozen=True)
class Findings:
    """What the records show. `figures` maps a file's stem to what draws it on a new figure."""

    verdicts: Sequence[Verdict]
    paragraph: str
    tables: Sequence[Table] = ()
    figures: Mapping[str, Callable[[Any], None]] = field(default_factory=dict)
    csv: Table | None = None
    """What results.csv holds; by default every record's numbers and texts."""


@dataclass(frozen=True)
class Study:
    """One table or figure of a paper, or a question of our own."""

    name: str
    title: str
    protocol: str
    """A paragraph: what was done, and where it differs from the paper."""
    full: Settings
    quick: Settings
    units: Callable[[Settings], Sequence[Unit]]
    measure: Callable[[Unit, DataFolder], Values]
    conclude: Callable[[Sequence[Record]], Findings]
    files: Callable[[Settings], Sequence[str]] = lambda _: ()
    """The data files that a run needs, so that a missing one is reported at once."""


def unit(*names: Any, **given: Any) -> Unit:
    """A unit whose key is made of these names, as a file may be called."""
    key = "-".join(map(str, names)).replace(" ", "-")
    return Unit("".join(letter for letter in key if letter not in "():"), given)


def by(records: Sequence[Record], **given: Any) -> list[Record]:
    """The records whose units were given these values."""
    return [
        record
        for record in records
        if all(record.unit.given.get(name) == value for name, value in given.items())
    ]


def one(records: Sequence[Record], **given: Any) -> Record | None:
    """The only record with these values, if there is one."""
    found = by(records, **given)
    return found[0] if found else None
