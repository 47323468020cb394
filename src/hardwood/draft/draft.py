"""`Draft`: a partial tree that people decided on, line by line, each with its reason.

A line is about a node, and a node is what the splits above it make it, so these are lines of the
draft too, and earlier ones. Invariant: a draft never changes; every method gives a new one, and
what it gives makes sense line by line (whether it fits a table is seen when it is grown).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path as File
from typing import Any

from hardwood.draft.lines import (
    Line,
    Path,
    checked,
    line_data,
    many,
    node_text,
    read_line,
    read_path,
)
from hardwood.errors import not_written

FORMAT = 1
LARGEST_FILE = 1 << 26


class Draft:
    """Decisions about a tree, for `TreeClassifier.fit(X, y, draft=draft)`.

    A node is named by its path from the root: "" is the root, "LR" the right branch of its left
    branch, (0, 2) the third branch of its first one. Lines are carried out in their order, before
    growth goes on; a node that no line decides grows as always. Drafts do not change: each method
    gives a new one."""

    __slots__ = ("_lines",)

    def __init__(self, lines: Sequence[Line] = ()) -> None:
        so_far = _SoFar()
        for line in lines:
            so_far.add(checked(line))
        self._lines = tuple(so_far.lines)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The decisions, in order."""
        return self._lines

    def split(
        self,
        node: Any,
        column: str,
        threshold: Any = None,
        *,
        thresholds: Sequence[Any] = (),
        groups: Sequence[Sequence[Any]] | None = None,
        missing: int | None = None,
        reason: str = "",
    ) -> Draft:
        """This split: `column` at `threshold` (x <= threshold goes left; for ordered categories the
        last one on the left), or its categories in `groups`. `missing` is the branch of missing
        values, from 0; None: where they cost least; missing=1 alone: missing against the rest."""
        more = many(thresholds, "thresholds")
        cuts = more if threshold is None else (threshold, *more)
        sets = None if groups is None else tuple(many(g, "group") for g in many(groups, "groups"))
        return self._and(Line("split", read_path(node), column, cuts, sets, missing, True, reason))

    def prefer(self, node: Any, column: str, *, reason: str = "") -> Draft:
        """The best admissible split of this column, whatever other columns offer."""
        return self._and(Line("prefer", read_path(node), column, reason=reason))

    def forbid(self, node: Any, column: str, *, below: bool = True, reason: str = "") -> Draft:
        """Never this column at the node, nor, with `below`, anywhere under it."""
        return self._and(Line("forbid", read_path(node), column, below=below, reason=reason))

    def leaf(self, node: Any, *, reason: str = "") -> Draft:
        """The node is not split."""
        return self._and(Line("leaf", read_path(node), reason=reason))

    def note(self, node: Any, text: str) -> Draft:
        """Words about a node, which change nothing."""
        return self._and(Line("note", read_path(node), reason=text))

    def undo(self) -> Draft:
        """The draft without its last line."""
        return _made(self._lines[:-1])

    def without(self, node: Any) -> Draft:
        """The draft without all lines about a node and the nodes below it."""
        path = read_path(node)
        return _made(tuple(each for each in self._lines if each.node[: len(path)] != path))

    def reopen(self, node: Any) -> Draft:
        """The draft without the decision about a node, and without all lines below it; what is
        forbidden and noted there stays."""
        path = read_path(node)
        return _made(
            tuple(
                each
                for each in self._lines
                if each.node[: len(path)] != path or (each.node == path and not each.decides)
            )
        )

    def decision(self, node: Any) -> Line | None:
        """The line that says if and how a node is split, if there is one."""
        path = read_path(node)
        return next((each for each in self._lines if each.decides and each.node == path), None)

    def to_dict(self) -> dict[str, Any]:
        """The draft as plain data, ready for JSON."""
        return {"hardwood-draft": FORMAT, "lines": [line_data(line) for line in self._lines]}

    @staticmethod
    def from_dict(given: Any) -> Draft:
        """A draft from plain data; ValueError where it is none."""
        if not isinstance(given, dict) or "hardwood-draft" not in given:
            raise ValueError(
                "This is no draft: a draft is an object with 'hardwood-draft' and 'lines', as "
                f"Draft.to_dict() gives it; given was {str(given)[:80]!r}."
            )
        if given["hardwood-draft"] != FORMAT:
            raise ValueError(
                f"The draft has the format {given['hardwood-draft']!r}; this version of hardwood "
                f"reads format {FORMAT}. Use the version that wrote it, or a newer one."
            )
        lines = given.get("lines")
        if not isinstance(lines, list) or set(given) - {"hardwood-draft", "lines"}:
            raise ValueError("The draft must have a list of lines, and nothing else.")
        return Draft([read_line(line) for line in lines])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the draft as a JSON file, whole or not at all."""
        target = File(path)
        beside = target.with_name(f".{target.name}.{os.getpid()}.part")
        text = json.dumps(self.to_dict(), ensure_ascii=True, indent=1)
        try:
            beside.write_text(text + "\n", encoding="ascii")
            beside.replace(target)
        except OSError as error:
            raise not_written(os.fspath(path), error) from error
        finally:
            beside.unlink(missing_ok=True)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Draft:
        """Read a draft that `save` wrote; ValueError where the file is none."""
        data = File(path).read_bytes()[: LARGEST_FILE + 1]
        if len(data) > LARGEST_FILE:
            raise ValueError(f"{os.fspath(path)} is too large for a draft.")
        try:
            given = json.loads(data)
        except (ValueError, RecursionError):
            raise ValueError(f"{os.fspath(path)} is no draft: it is no JSON file.") from None
        return Draft.from_dict(given)

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[Line]:
        return iter(self._lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Draft) and self._lines == other._lines

    def __hash__(self) -> int:
        return hash(self._lines)

    def __repr__(self) -> str:
        return f"<Draft: {len(self)} {'line' if len(self) == 1 else 'lines'}>"

    def __str__(self) -> str:
        """The log of decisions."""
        rows = []
        for number, line in enumerate(self._lines, 1):
            because = f"  ({line.reason})" if line.reason else ""
            rows.append(f"{number}. {line}{because}")
        return "\n".join(rows) or "No decisions yet."

    def _and(self, line: Line) -> Draft:
        return Draft((*self._lines, line))


def _made(lines: tuple[Line, ...]) -> Draft:
    """A draft of lines that are known to go together."""
    draft = Draft()
    draft._lines = lines
    return draft


class _SoFar:
    """Lines that go together, and what one more must go with."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.decided: dict[Path, Line] = {}
        self.forbidding: list[Line] = []

    def add(self, line: Line) -> None:
        if line.node:
            _check_above(self.decided.get(line.node[:-1]), line.node)
        before = self.decided.get(line.node)
        if before is not None and line.decides:
            raise ValueError(
                f"Node {node_text(line.node)} has a decision already ({before.words}). Take it "
                f"back first: draft.without({_given(line.node)}) leaves out all lines about the "
                "node and below it."
            )
        if line.do == "forbid":
            _check_forbidden(self.lines, line)
            self.forbidding.append(line)
        elif line.column is not None:
            _check_allowed(self.forbidding, line)
        if line.decides:
            self.decided[line.node] = line
        self.lines.append(line)


def _check_above(above: Line | None, node: Path) -> None:
    where, parent = node_text(node), node_text(node[:-1])
    if above is None or above.do == "leaf":
        said = "says that it is a leaf" if above else "does not say how it is split"
        raise ValueError(
            f"A line about node {where} needs the splits above it, and the draft {said} (node "
            f"{parent}). Add split or prefer for {parent} first; model.edit(node) gives a draft "
            "with all splits above a node of a fitted tree."
        )
    if above.do == "split" and node[-1] >= above.branches:
        raise ValueError(
            f"Node {where} does not exist: the split of node {parent} ({above.words}) has "
            f"{above.branches} branches."
        )


def _check_allowed(forbidding: list[Line], line: Line) -> None:
    for each in forbidding:
        here = each.node == line.node
        under = each.below and line.node[: len(each.node)] == each.node
        if each.column == line.column and (here or under):
            raise ValueError(
                f"Node {node_text(line.node)} must not be split on {line.column!r}: the draft "
                f"forbids the column at node {node_text(each.node)}. Take that line back first."
            )


def _check_forbidden(lines: list[Line], line: Line) -> None:
    for each in lines:
        here = each.node == line.node
        under = line.below and each.node[: len(line.node)] == line.node
        if each.do in ("split", "prefer") and each.column == line.column and (here or under):
            raise ValueError(
                f"{line.column!r} cannot be forbidden at node {node_text(line.node)}: the draft "
                f"splits node {node_text(each.node)} on it. Take that line back first."
            )


def _given(path: Path) -> str:
    return repr("".join("LR"[b] for b in path)) if all(b < 2 for b in path) else repr(path)
