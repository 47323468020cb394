"""Never uses a column; never uses columns together.

A column is used when some row is asked about it: a node about it can be reached by a row that the
claim is about, in a tree that counts (one of weight 0 does not). Every node is visited with the box
of the rows that reach it, so these claims are always decided.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardwood.certify.proving.cells import bits
from hardwood.certify.proving.results import Result
from hardwood.certify.proving.task import Task
from hardwood.certify.proving.walking import Box, Walk

TRIED = 50
"""Nodes at which two rows with different answers are looked for."""


def prove_never_uses(task: Task) -> Result:
    (column,) = task.columns
    name = task.reading.schemas[column].name
    first = None
    for place, (tree, box) in enumerate(_asking(task, column)):
        first = first or (tree, box)
        if place == TRIED:
            break
        cells = bits(task.box[column])
        rows = [task.row(box, {column: cell}) for cell in cells]
        answers = task.reading.ask(rows)
        other = (answers != answers[0]).any(axis=1).nonzero()[0]
        if len(other):
            said, says = (answers[i].round(6).tolist() for i in (0, other[0]))
            why = f"probabilities {said} and {says} for two rows that differ in {name} alone."
            return task.refuted(why, rows[0], rows[int(other[0])])
    if first is None:
        trees = len(task.reading.trees)
        return task.proved(f"no row is asked about {name} by any of {trees} trees.")
    tree, box = first
    why = f"{tree} asks this row about {name}, though no change of it alone was seen to matter."
    return task.refuted(why, task.row(box))


def _asking(task: Task, column: int) -> Iterator[tuple[str, Box]]:
    names = task.reading.names
    for tree in task.reading.trees:
        if column in tree.used_features:
            walk = task.walk(tree)
            for node, box, _ in reached(walk, task.box_of([tree])):
                if walk.columns[node] == column:
                    yield names[id(tree)], box


def prove_never_together(task: Task) -> Result:
    wanted = frozenset(task.columns)
    names = task.reading.names
    for tree in task.reading.trees:
        if len(wanted.intersection(tree.used_features)) < 2:
            continue
        walk = task.walk(tree)
        for node, box, asked in reached(walk, task.box_of([tree])):
            before = (asked & wanted) - {walk.columns[node]}
            if walk.columns[node] in wanted and before:
                both = [walk.columns[node], min(before)]
                told = " and ".join(task.reading.schemas[each].name for each in sorted(both))
                why = f"{names[id(tree)]} asks this row about {told} on one path."
                return task.refuted(why, task.row(box))
    trees = len(task.reading.trees)
    return task.proved(f"no path of {trees} trees that a row can take asks about two of them.")


def reached(walk: Walk, start: Box) -> Iterator[tuple[int, Box, frozenset[int]]]:
    """Every inner node that a row of the box reaches, the box of these rows, and the columns asked
    on the way, the node's own among them."""
    pending: list[tuple[int, Box, frozenset[int]]] = [(0, start, frozenset())]
    while pending:
        node, box, asked = pending.pop()
        column = walk.columns[node]
        if column < 0:
            continue
        asked |= {column}
        yield node, box, asked
        spread = walk.cells[column].missing if walk.parts is not None else 0
        for branch, own in enumerate(walk.masks[node]):
            mask = box[column] & (own | spread)
            if mask:
                child = walk.first_child[node] + branch
                pending.append((child, {**box, column: mask}, asked))
