"""Shapley values by their definition, in exact fractions.

In: a tree of nested `Node`s and a row of plain values, None for missing. Out: for every column and
output the average, over all orders in which columns become known, of what the column adds to the
expected score. All subsets of columns are enumerated: 2^columns walks over the tree. Imports
nothing of the library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import factorial
from typing import Any


@dataclass(frozen=True)
class Node:
    """A leaf has scores, one per output; a split sends a row to children[branch(value)]."""

    weight: float
    scores: tuple[float, ...] = ()
    column: int = -1
    branch: Callable[[Any], int] | None = None
    children: tuple[Node, ...] = ()


def interval_branch(cuts: Sequence[float], missing: int) -> Callable[[Any], int]:
    """The number of cuts below the value."""
    return lambda value: missing if value is None else sum(cut < value for cut in cuts)


def group_branch(branch_of: dict[Any, int], missing: int, other: int) -> Callable[[Any], int]:
    """The branch of the value's group; `other` for values in no group."""
    return lambda value: missing if value is None else branch_of.get(value, other)


def expectation(node: Node, row: Sequence[Any], known: set[int]) -> list[Fraction]:
    """The scores when only the known columns are looked at."""
    if not node.children:
        return [Fraction(score) for score in node.scores]
    if node.column in known:
        assert node.branch is not None
        return expectation(node.children[node.branch(row[node.column])], row, known)
    below = [expectation(child, row, known) for child in node.children]
    shares = [share(node, child) for child in node.children]
    outputs = range(len(below[0]))
    return [
        sum((s * b[o] for s, b in zip(shares, below, strict=True)), Fraction()) for o in outputs
    ]


def share(node: Node, child: Node) -> Fraction:
    if node.weight == 0:
        return Fraction(1, len(node.children))
    return Fraction(child.weight) / Fraction(node.weight)


def shapley_values(root: Node, row: Sequence[Any]) -> list[list[float]]:
    """[columns][outputs]"""
    columns = len(row)
    game = {
        frozenset(known): expectation(root, row, set(known))
        for size in range(columns + 1)
        for known in combinations(range(columns), size)
    }
    outputs = range(len(game[frozenset()]))
    values = [[Fraction() for _ in outputs] for _ in range(columns)]
    for known, before in game.items():
        for j in set(range(columns)) - known:
            after = game[known | {j}]
            orders = factorial(len(known)) * factorial(columns - len(known) - 1)
            for o in outputs:
                values[j][o] += Fraction(orders, factorial(columns)) * (after[o] - before[o])
    return [[float(value) for value in each] for each in values]
