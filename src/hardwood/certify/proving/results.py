"""What came of a claim, and of several.

Invariant: "refuted" has rows for which the model itself gave the answers that the explanation
names; "proved" holds for every row that the claim is about; "not proved" says why neither is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

from hardwood.certify.proving.statements import Statement

SHOWN = 30
"""Columns of a row that are printed."""

Status = Literal["proved", "refuted", "not proved"]


@dataclass(frozen=True)
class Result:
    """One claim: what was claimed, whether it is so, and why."""

    claim: Statement
    status: Status
    explanation: str
    rows: tuple[dict[str, Any], ...] = ()
    """Refuted: one row, or two that differ in one column, as column names and values; None is a
    missing value. Each is a row for `explain`, and a list of them for `pandas.DataFrame`."""

    @property
    def proved(self) -> bool:
        return self.status == "proved"

    def __str__(self) -> str:
        lines = [f"{self.status}: {self.claim}", f"  {self.explanation}"]
        names = ["row"] if len(self.rows) == 1 else ["first row", "second row"]
        told = _told(self.rows)
        for name, row in zip(names, told, strict=False):
            lines.append(f"  {name}: {row}")
        return "\n".join(lines)


class Proofs(Sequence[Result]):
    """The results in the order of the claims; true when every claim is proved. Print it."""

    def __init__(self, results: Sequence[Result]) -> None:
        self._results = tuple(results)

    @property
    def proved(self) -> bool:
        """Whether every claim is."""
        return all(result.proved for result in self._results)

    def __bool__(self) -> bool:
        return self.proved

    @overload
    def __getitem__(self, place: int) -> Result: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Result, ...]: ...
    def __getitem__(self, place: int | slice) -> Result | tuple[Result, ...]:
        return self._results[place]

    def __len__(self) -> int:
        return len(self._results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

    def __repr__(self) -> str:
        return f"<Proofs: {self.summary()}>"

    def summary(self) -> str:
        """How many of each."""
        counts = [
            (sum(result.status == status for result in self._results), status)
            for status in ("proved", "refuted", "not proved")
        ]
        told = ", ".join(f"{count} {status}" for count, status in counts if count)
        return f"{len(self)} claim{'s' if len(self) != 1 else ''}: {told}"

    def __str__(self) -> str:
        return "\n".join([self.summary(), *map(str, self._results)])


def _told(rows: tuple[dict[str, Any], ...]) -> list[str]:
    """A second row by what differs from the first."""
    told = []
    for place, row in enumerate(rows):
        other = rows[0] if place else {}
        shown = [name for name in row if name not in other or other[name] != row[name]]
        text = ", ".join(f"{name} = {value_text(row[name])}" for name in shown[:SHOWN])
        text += f" and {len(shown) - SHOWN} more columns" if len(shown) > SHOWN else ""
        told.append(text if not place else f"the same, but {text}" if text else "the same")
    return told


def value_text(value: Any) -> str:
    """A cell of a row as a reader sees it."""
    if value is None:
        return "missing"
    if isinstance(value, float):
        return repr(value + 0.0).removesuffix(".0")
    return str(value)
