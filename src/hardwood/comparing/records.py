"""What differs, piece by piece; every piece prints itself."""

from __future__ import annotations

from dataclasses import dataclass

from hardwood.tree.numbers import value_text

ROWS_SHOWN = 5
"""Row numbers that a sentence names."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A parameter, a column or a count, by name."""

    name: str
    old: object
    new: object

    def __str__(self) -> str:
        if self.old == self.new:
            return f"{self.name}: {self.old}"
        return f"{self.name}: {self.old} -> {self.new}"


@dataclass(frozen=True, slots=True)
class SplitChange:
    """Two nodes that the same rows reach, and that go on differently."""

    where: str
    """The conditions on the way, the same in both trees."""
    old: str
    new: str
    old_node: int
    new_node: int
    tree: str = ""
    """Which tree of a boosted model."""

    def __str__(self) -> str:
        place = f"{self.tree}, {self.where}" if self.tree else self.where
        return f"{place}: {self.old} -> {self.new}"


@dataclass(frozen=True, slots=True)
class RowChange:
    """Rows that get another answer for one reason."""

    old: object
    new: object
    rows: tuple[int, ...]
    """Their numbers, from 0."""
    why: str

    def __str__(self) -> str:
        count = "1 row" if len(self.rows) == 1 else f"{len(self.rows)} rows"
        few = ", ".join(map(str, self.rows[:ROWS_SHOWN]))
        more = ", ..." if len(self.rows) > ROWS_SHOWN else ""
        said = f"{value_text(self.old)} -> {value_text(self.new)}"
        return f"{said}, {count} ({few}{more}): {self.why}"
