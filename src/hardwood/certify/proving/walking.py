"""The boxes of one tree, and of one tree that is asked twice.

In: a tree and the cells of its columns. Out: boxes, a set of cells per column, on each of which
every row reaches the same leaves. A walk splits a box at the nodes that it meets; a row whose value
is missing goes down every branch where the tree says so (`share`), so a box may end in several
leaves with their parts, in the order in which prediction adds them. Invariant: the boxes that a
walk yields, with those that it was told to leave out, cover the box that it started from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.proving.cells import Cells
from hardwood.tree.arrays import Tree

Box = dict[int, int]
"""A set of cells by column; a column that is not there may have any value."""
Ends = tuple[tuple[int, float], ...]
"""Nodes and the part of the row that each gets."""


@dataclass(frozen=True, eq=False)
class Walk:
    """A tree with the set of cells of each branch."""

    tree: Tree
    cells: Sequence[Cells]

    @cached_property
    def columns(self) -> list[int]:
        found: list[int] = self.tree.feature.tolist()
        return found

    @cached_property
    def first_child(self) -> list[int]:
        found: list[int] = self.tree.first_child.tolist()
        return found

    @cached_property
    def parts(self) -> list[float] | None:
        """What each node gets of a row whose value is missing at the node above."""
        return None if self.tree.share is None else self.tree.share.tolist()

    @cached_property
    def masks(self) -> list[list[int]]:
        """Of each node, the cells that take each branch."""
        found: list[list[int]] = []
        for node, column in enumerate(self.columns):
            if column < 0:
                found.append([])
                continue
            masks = self.cells[column].branches(self.tree, node)
            if self.parts is None:
                masks[int(self.tree.missing_branch[node])] |= self.cells[column].missing
            found.append(masks)
        return found

    def below(self, values: NDArray[np.float64]) -> tuple[list[float], list[float]]:
        """The least and the largest value of a leaf at or below each node."""
        low, high = values.tolist(), values.tolist()
        first, count = self.first_child, self.tree.branches.tolist()
        for node in range(len(low) - 1, -1, -1):
            if first[node] >= 0:
                own = slice(first[node], first[node] + count[node])
                low[node], high[node] = min(low[own]), max(high[own])
        return low, high

    def asks_below(self, column: int) -> list[bool]:
        """Whether the node or one below it is about the column."""
        found = [each == column for each in self.columns]
        for node in range(len(found) - 1, 0, -1):
            if found[node]:
                found[int(self.tree.parent[node])] = True
        return found

    def steps(self, node: int, mask: int) -> Iterator[tuple[int, Ends]]:
        """From a node whose column has the cells `mask`: cells and the ends that they lead to."""
        first = self.first_child[node]
        for branch, own in enumerate(self.masks[node]):
            if own & mask:
                yield own & mask, ((first + branch, 1.0),)
        missing = self.cells[self.columns[node]].missing
        if self.parts is not None and mask & missing:
            children = range(first, first + len(self.masks[node]))
            yield missing, tuple((child, self.parts[child]) for child in children)


def inner_end(walk: Walk, ends: Ends) -> int:
    """The place of the first end that is no leaf, or -1."""
    for place, (node, _) in enumerate(ends):
        if walk.first_child[node] >= 0:
            return place
    return -1


def stepped(ends: Ends, place: int, below: Ends) -> Ends:
    """The end at `place` replaced by what is below it."""
    part = ends[place][1]
    own = tuple((node, part * share) for node, share in below)
    return ends[:place] + own + ends[place + 1 :]


def boxes(
    walk: Walk, start: Box, done: Callable[[Ends], bool] = lambda _: False
) -> Iterator[tuple[Box, Ends]]:
    """The boxes inside `start`, each with its leaves; ends that are `done` are left out."""
    pending: list[tuple[Box, Ends]] = [(start, ((0, 1.0),))]
    while pending:
        box, ends = pending.pop()
        if done(ends):
            continue
        place = inner_end(walk, ends)
        if place < 0:
            yield box, ends
            continue
        node = ends[place][0]
        column = walk.columns[node]
        for mask, below in walk.steps(node, box[column]):
            pending.append(({**box, column: mask}, stepped(ends, place, below)))


@dataclass(frozen=True, slots=True)
class Pair:
    """A row asked twice: the same but for one column, whose cells are `first` and `second`."""

    box: Box
    first: int
    second: int
    ends: tuple[Ends, Ends]


def pairs(
    walk: Walk,
    start: Box,
    column: int,
    sets: tuple[int, int],
    done: Callable[[Pair], bool],
) -> Iterator[Pair]:
    """All ways to ask twice, down to the leaves; pairs that are `done` are left out."""
    shared = {each: mask for each, mask in start.items() if each != column}
    pending = [Pair(shared, *sets, (((0, 1.0),), ((0, 1.0),)))]
    while pending:
        pair = pending.pop()
        if done(pair):
            continue
        side = 0
        place = inner_end(walk, pair.ends[0])
        if place < 0:
            side, place = 1, inner_end(walk, pair.ends[1])
        if place < 0:
            yield pair
            continue
        pending.extend(_split(walk, pair, column, side, place))


def _split(walk: Walk, pair: Pair, column: int, side: int, place: int) -> Iterator[Pair]:
    ends = pair.ends[side]
    node = ends[place][0]
    asked = walk.columns[node]
    own = (pair.second if side else pair.first) if asked == column else pair.box[asked]
    for mask, below in walk.steps(node, own):
        after = stepped(ends, place, below)
        both = (pair.ends[0], after) if side else (after, pair.ends[1])
        if asked != column:
            yield Pair({**pair.box, asked: mask}, pair.first, pair.second, both)
        elif side:
            yield Pair(pair.box, pair.first, mask, both)
        else:
            yield Pair(pair.box, mask, pair.second, both)
