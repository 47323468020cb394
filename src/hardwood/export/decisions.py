"""A node as a list of questions, asked one after the other, the first "yes" deciding the child.

In: a node of a tree. Out: `Question`s and the child of rows that say no to all of them. For targets
that have if and else: none of a node's children appears twice, so the text is as long as the tree.
Invariant: a missing value says no to every comparison and to every set of categories.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import INTERVAL, Tree
from hardwood.tree.paths import node_cuts

NESTING = 40
"""Levels of if within if; below it a subtree becomes a function of its own. Python's tokenizer
stops at 100 levels of indentation, C99 promises 127 of blocks."""


@dataclass(frozen=True, slots=True)
class Question:
    """x <= cut (or x is one of `codes`), or x is missing when `missing`."""

    child: int
    cut: float | int | None = None
    codes: tuple[int, ...] = ()
    missing: bool = False


class Questions(NamedTuple):
    asked: list[Question]
    otherwise: int


def questions(tree: Tree, schemas: Sequence[ColumnSchema], node: int) -> Questions:
    """Of an inner node."""
    if tree.kind[node] == INTERVAL:
        return _intervals(tree, schemas, node)
    return _groups(tree, node)


def _intervals(tree: Tree, schemas: Sequence[ColumnSchema], node: int) -> Questions:
    children = tree.children(node)
    cuts = node_cuts(tree, schemas[tree.feature[node]], node)
    missing = int(tree.missing_branch[node])
    asked = []
    if len(children) > len(cuts) + 1:  # a branch for missing values alone
        asked.append(Question(children[-1], missing=True))
        missing = -1
    for branch, cut in enumerate(cuts):
        # -0.0 and 0.0 are one threshold.
        asked.append(Question(children[branch], cut=cut + 0, missing=branch == missing))
    return Questions(asked, children[len(cuts)])


def _groups(tree: Tree, node: int) -> Questions:
    children, own = tree.children(node), tree.groups(node)
    members: list[list[int]] = [[] for _ in children]
    for code, branch in zip(tree.group_codes[own], tree.group_branches[own], strict=True):
        members[branch].append(int(code))
    default, missing = int(tree.default_branch[node]), int(tree.missing_branch[node])
    asked = [
        Question(children[branch], codes=tuple(codes), missing=branch == missing)
        for branch, codes in enumerate(members)
        if branch != default and (codes or branch == missing)
    ]
    return Questions(asked, children[default])


class Style(NamedTuple):
    """How a language writes a tree. `ask(question, node)` is a condition."""

    leaf: Callable[[int], str]
    call: Callable[[int], str]
    ask: Callable[[Question, int], str]
    first: Callable[[str, int], str]
    later: Callable[[str], str]
    otherwise: str
    end: str
    indent: str


@dataclass(slots=True)
class Writer:
    """Writes one tree; `pending` are the nodes that still need a function."""

    tree: Tree
    schemas: Sequence[ColumnSchema]
    style: Style
    pending: list[int] = field(default_factory=lambda: [0])

    def bodies(self) -> Iterator[tuple[int, list[str]]]:
        """Function by function, the root's first: the node it starts at and its lines."""
        while self.pending:
            start = self.pending.pop()
            lines: list[str] = []
            self._write(start, 0, lines)
            yield start, lines

    def _write(self, node: int, level: int, lines: list[str]) -> None:
        style = self.style
        margin = style.indent * (level + 1)
        if not self.tree.branches[node]:
            lines.append(margin + style.leaf(node))
            return
        if level == NESTING:
            self.pending.append(node)
            lines.append(margin + style.call(node))
            return
        asked, otherwise = questions(self.tree, self.schemas, node)
        if not asked:  # every row takes one branch
            self._write(otherwise, level, lines)
            return
        for place, question in enumerate(asked):
            condition = style.ask(question, node)
            head = style.first(condition, node) if place == 0 else style.later(condition)
            lines.append(margin + head)
            self._write(question.child, level + 1, lines)
        lines.append(margin + style.otherwise)
        self._write(otherwise, level + 1, lines)
        if style.end:
            lines.append(margin + style.end)
