"""Which rows are held out and which cuts are looked at, in Python's integers."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

_ALL = 2**64 - 1


def _mixed(x: int) -> int:
    """SplitMix64: one step of its state and its finaliser."""
    z = (x + 0x9E3779B97F4A7C15) & _ALL
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _ALL
    return z ^ (z >> 31)


def cut_seed(seed: int, number: int) -> int:
    """Of a round, counted from 0."""
    return _mixed(_mixed(_mixed(seed & _ALL) ^ number))


def cut_is_drawn(
    seed: int, fraction: float, values: Collection[Any], branches: Sequence[Sequence[int]]
) -> bool:
    """A cut between branches with these class weights; classes that the node lacks do not count.
    `values`: of the column in the whole table, with None for missing ones."""
    cuts = len(set(values) - {None}) - 1
    share = max(fraction, 1 / cuts) if 1 <= cuts <= 7 else fraction
    total = 0
    for branch in branches:
        own = seed
        for weight, *_ in (w for w in zip(branch, *branches, strict=True) if any(w[1:])):
            own = _mixed(own ^ weight)
        total += own
    return _mixed(total & _ALL) < share * 2.0**64


def row_hash(seed: int, row: int) -> int:
    return _mixed(_mixed(seed & _ALL) ^ row)


def _ordered(labels: list[int], seed: int) -> list[list[int]]:
    """The rows of each class, by their hashes."""
    by_class: list[list[int]] = [[] for _ in range(max(labels) + 1)]
    for row in sorted(range(len(labels)), key=lambda row: row_hash(seed, row)):
        by_class[labels[row]].append(row)
    return by_class


def held_out(labels: list[int], share: float, seed: int) -> list[bool]:
    """A row is dealt to the held-out ones whenever round(rows so far x share) grows."""
    held = [False] * len(labels)
    dealt = 0
    for rows in _ordered(labels, seed):
        taken = 0
        for _ in rows:
            taken += math.floor((dealt + 1) * share + 0.5) - math.floor(dealt * share + 0.5)
            dealt += 1
        for row in rows[: min(taken, len(rows) - 1)]:
            held[row] = True
    return held


def folds(labels: list[int], count: int, seed: int) -> list[int]:
    """The fold of each row: as large as if rows were dealt out in turn, class after class."""
    fold_of = [0] * len(labels)
    dealt = 0
    for rows in _ordered(labels, seed):
        turns = sorted((dealt + i) % count for i in range(len(rows)))
        for row, fold in zip(rows, turns, strict=True):
            fold_of[row] = fold
        dealt += len(rows)
    return fold_of
