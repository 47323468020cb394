"""One line of a draft: an instruction about one node, and the reason for it.

In: what a caller or a JSON file says. Out: a `Line`, or a sentence that says what is wrong. A node
is named by its path from the root, the numbers of the branches taken: () is the root, (0, 1) the
second branch of its first branch. Paths stay what they are when the tree is grown again.
Invariant: a line is plain data; `from_data(to_data(line)) == line`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Integral, Real
from typing import Any

from hardwood.tree.numbers import json_value, plain_value, value_text

Path = tuple[int, ...]
Value = bool | int | float | str | None

ACTIONS = ("split", "prefer", "forbid", "leaf", "note")
MOST_BRANCHES = 1 << 20
DEEPEST = 10_000
_KEYS = {"do", "node", "column", "thresholds", "groups", "missing", "below", "reason"}


@dataclass(frozen=True, slots=True)
class Line:
    """`do` is "split" (this split), "prefer" (this column's best split), "forbid" (never this
    column), "leaf" or "note" (words alone)."""

    do: str
    node: Path
    column: str | None = None
    thresholds: tuple[Value, ...] = ()
    """Of a split of numbers, ascending; of ordered categories the last one of each branch."""
    groups: tuple[tuple[Value, ...], ...] | None = None
    """Of a split of categories: those of each branch."""
    missing: int | None = None
    """The branch of missing values; None: where they cost least. One more than the thresholds
    make: a branch of their own."""
    below: bool = True
    """A forbidden column is forbidden below the node too."""
    reason: str = ""

    @property
    def branches(self) -> int:
        if self.groups is not None:
            return len(self.groups)
        return max(len(self.thresholds) + 1, 2 if self.missing is None else self.missing + 1)

    @property
    def decides(self) -> bool:
        """Whether the line says if and how its node is split."""
        return self.do in ("split", "prefer", "leaf")

    def __str__(self) -> str:
        return f"{node_text(self.node)}: {self.words}"

    @property
    def words(self) -> str:
        """What the line says, without its node and its reason."""
        if self.do == "prefer":
            return f"split on {value_text(self.column)}, where it is best"
        if self.do == "forbid":
            return f"never split on {value_text(self.column)}" + (
                ", nor below" if self.below else ""
            )
        if self.do == "split":
            return f"split on {value_text(self.column)}{self._condition()}"
        return {"leaf": "a leaf", "note": "note"}[self.do]

    def _condition(self) -> str:
        parts = []
        if self.groups is not None:
            parts.append(" | ".join(_few(group) for group in self.groups))
        elif self.thresholds:
            parts.append("at " + ", ".join(map(value_text, self.thresholds)))
        if self.missing is not None:
            parts.append(f"missing values to branch {self.missing + 1}")
        return " " + "; ".join(parts)


def _few(group: Sequence[Value]) -> str:
    text = ", ".join(map(value_text, group[:5])) + (", ..." if len(group) > 5 else "")
    return "{" + text + "}"


def node_text(path: Path) -> str:
    """`root`, `L`, `LR`, or the branches' numbers from 1 where a split has more than two."""
    if not path:
        return "root"
    if all(branch < 2 for branch in path):
        return "".join("LR"[branch] for branch in path)
    return ".".join(str(branch + 1) for branch in path)


def read_path(node: Any) -> Path:
    """A path from "", "LR", or a sequence of branch numbers from 0."""
    if isinstance(node, str):
        if node and not set(node) <= {"L", "R"}:
            raise ValueError(
                f"A node of a draft is named by its path from the root: '' is the root, 'LR' the "
                f"right branch of its left one, (0, 2) the third of its first; given was {node!r}."
            )
        return tuple("LR".index(letter) for letter in node)
    good = isinstance(node, Sequence) and len(node) <= DEEPEST
    if not good or not all(_whole(b) and 0 <= b < MOST_BRANCHES for b in node):
        raise ValueError(
            "A node of a draft is named by its path from the root, a string of L and R or a "
            f"sequence of branch numbers from 0; given was {str(node)[:80]!r}."
        )
    return tuple(int(branch) for branch in node)


def read_line(given: Any) -> Line:
    """A line from plain data; ValueError where it is none."""
    if not isinstance(given, dict) or given.get("do") not in ACTIONS or "node" not in given:
        raise ValueError(
            "A line of a draft is an object with 'do' (one of "
            f"{', '.join(ACTIONS)}) and 'node'; given was {str(given)[:80]!r}."
        )
    unknown = set(given) - _KEYS
    if unknown:
        raise ValueError(f"A line of a draft has the unknown entry {str(min(unknown))[:40]!r}.")
    groups = given.get("groups")
    if groups is not None:
        groups = tuple(_listed(group, "groups") for group in _listed(groups, "groups"))
        if any(not _is_category(value) for group in groups for value in group):
            raise ValueError("A category in a draft must be a string, a number, true or false.")
    return checked(
        Line(
            given["do"],
            read_path(given["node"]),
            given.get("column"),
            _listed(given.get("thresholds", ()), "thresholds"),
            groups,
            given.get("missing"),
            given.get("below", True),
            given.get("reason", ""),
        )
    )


def line_data(line: Line) -> dict[str, Any]:
    """As `json` takes it; what says nothing is left out."""
    out: dict[str, Any] = {"do": line.do, "node": list(line.node)}
    if line.column is not None:
        out["column"] = line.column
    if line.groups is not None:
        out["groups"] = [list(group) for group in line.groups]
    elif line.do == "split":
        out["thresholds"] = list(line.thresholds)
    if line.missing is not None:
        out["missing"] = line.missing
    if line.do == "forbid":
        out["below"] = line.below
    if line.reason:
        out["reason"] = line.reason
    return out


def checked(line: Line) -> Line:
    """The line, with plain values; ValueError where it does not make sense by itself."""
    where = f"The draft's line about node {node_text(line.node)}"
    if not isinstance(line.reason, str):
        raise ValueError(f"{where} has a reason that is no string: {line.reason!r}.")
    if line.do in ("split", "prefer", "forbid") and not isinstance(line.column, str):
        raise ValueError(f"{where} must name a column by a string; given was {line.column!r}.")
    if not isinstance(line.below, bool):
        raise ValueError(f"{where}: below must be True or False; given was {line.below!r}.")
    if line.do != "split":
        if line.thresholds or line.groups is not None or line.missing is not None:
            raise ValueError(f"{where} has thresholds, groups or missing, which only a split has.")
        return line
    return _checked_split(line, where)


def _checked_split(line: Line, where: str) -> Line:
    if line.missing is not None and not (
        _whole(line.missing) and 0 <= line.missing < MOST_BRANCHES
    ):
        raise ValueError(
            f"{where}: missing must be the number of a branch, from 0, or None (where missing "
            f"values cost least); given was {line.missing!r}."
        )
    missing = None if line.missing is None else int(line.missing)
    if line.groups is not None:
        return _checked_groups(line, missing, where)
    given = tuple(plain_value(t) for t in line.thresholds)
    thresholds = tuple(json_value(t) for t in given)
    if any(not _is_threshold(t) for t in given):
        raise ValueError(f"{where} has a threshold that is no finite number: {line.thresholds!r}.")
    if not thresholds and missing != 1:
        raise ValueError(
            f"{where} says 'split' without a threshold or groups. Give threshold=..., or "
            "groups=[[...], [...]], or missing=1 alone for missing values against the rest; "
            "prefer(node, column) takes the column's best split."
        )
    if missing is not None and missing > len(thresholds) + 1:
        raise ValueError(f"{where} sends missing values to branch {missing}, which it has not.")
    numbers = [t for t in thresholds if isinstance(t, int | float)]
    if any(not a < b for a, b in pairwise(numbers)):
        raise ValueError(f"{where} has thresholds that do not rise: {line.thresholds!r}.")
    return Line("split", line.node, line.column, thresholds, None, missing, True, line.reason)


def _checked_groups(line: Line, missing: int | None, where: str) -> Line:
    if line.thresholds:
        raise ValueError(f"{where} has both thresholds and groups; give one of them.")
    assert line.groups is not None
    groups = tuple(tuple(json_value(value) for value in group) for group in line.groups)
    empty = [number for number, group in enumerate(groups) if not group]
    if len(groups) < 2 or any(number != missing for number in empty):
        raise ValueError(
            f"{where} must have two groups of categories or more, none of them empty (but a "
            f"last one for missing values alone); given were {str(line.groups)[:80]}."
        )
    if missing is not None and missing >= len(groups):
        raise ValueError(f"{where} sends missing values to branch {missing}, which it has not.")
    named = [(type(value), value) for group in groups for value in group]
    if len(set(named)) < len(named):
        raise ValueError(f"{where} names a category twice.")
    return Line("split", line.node, line.column, (), groups, missing, True, line.reason)


def many(given: Any, what: str) -> tuple[Any, ...]:
    """What a caller gave as several values; a word is one."""
    try:
        if not isinstance(given, str):
            return tuple(given)
    except TypeError:
        pass
    raise ValueError(f"The {what} of a split must be a list; given was {str(given)[:80]!r}.")


def _listed(given: Any, what: str) -> tuple[Any, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise ValueError(f"The {what} of a line of a draft must be a list; given was {given!r}.")
    return tuple(given)


def _is_category(value: Any) -> bool:
    finite = not isinstance(value, float) or math.isfinite(value)
    return finite and isinstance(value, bool | int | float | str)


def _whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_threshold(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real | str):
        return False
    return isinstance(value, str | int) or math.isfinite(float(value))
