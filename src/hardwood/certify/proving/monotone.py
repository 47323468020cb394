"""A number that never falls (or never rises) as a column's value rises.

One tree: it is asked twice, with a lower and a higher value of the column, and every pair of leaves
that two such rows can reach is compared. Sums: if no tree ever goes the wrong way, neither does the
sum of floats, because rounding keeps the order. Otherwise only neighbouring cells of the column
need to be compared, and between two of these only the trees that part them change: branch and bound
over the differences of these trees. Several classes: a normalised probability is proved by the
scores (the class's own never falls, no other rises), or refuted by rows; otherwise it stays open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from hardwood.certify.proving.bounding import search
from hardwood.certify.proving.cells import bits, lowest
from hardwood.certify.proving.numbers import Number, number_of
from hardwood.certify.proving.pieces import Floats, Piece, Pieces, summed
from hardwood.certify.proving.reading import Added
from hardwood.certify.proving.results import Result
from hardwood.certify.proving.statements import Monotone
from hardwood.certify.proving.task import Task
from hardwood.certify.proving.walking import Box, Ends, Pair, Walk, pairs
from hardwood.tree.arrays import Tree

Wrong = tuple[Box, int, int]
"""A box of the other columns, a lower and a higher cell between which a number goes wrong."""

DRAWN = 40_000
"""Rows drawn in search of a counterexample about a normalised probability."""


def prove_monotone(task: Task, claim: Monotone) -> Result:
    (column,) = task.columns
    own = task.cells[column]
    if not own.ordered:
        raise ValueError(
            f"The categories of {own.schema.name!r} have no order, so nothing rises with them."
        )
    number = number_of(task.reading, claim)
    sign = 1 if claim.direction == "increasing" else -1
    task.box[column] &= own.known
    name = own.schema.name
    if task.box[column].bit_count() < 2 or not any(
        column in tree.used_features for tree in task.reading.trees
    ):
        return task.proved(f"no tree tells two values of {name} apart here.")
    if task.reading.link == "shares":
        return _one_tree(task, number, sign)
    return _sums(task, number, sign)


def _one_tree(task: Task, number: Number, sign: int) -> Result:
    tree = task.reading.tree
    wrong = wrong_way(task, tree, sign * tree.shares[:, number.klass])
    if wrong is None:
        return task.proved(
            "of two rows that differ in this column alone, the leaf of the higher value is never "
            "on the wrong side; compared were all pairs of leaves, in the floats of predict_proba."
        )
    return _told(task, number, wrong, sign) or _unconfirmed(task)


def _sums(task: Task, number: Number, sign: int) -> Result:
    """The class's own score must go with `sign`, those of other classes against it."""
    reading, own = task.reading, number.output
    alone = number.score or reading.outputs == 1
    for output in range(reading.outputs):
        if alone and output != own:
            continue
        way = sign * number.sign if output == own else -sign
        verdict = _one_sum(task, output, way)
        if isinstance(verdict, str):
            if alone:
                return task.not_proved(verdict)
            return _drawn(task, number, sign, output)
        if verdict is not None:
            found = _told(task, number, verdict, sign)
            if found is not None:
                return found
            return _unconfirmed(task) if alone else _drawn(task, number, sign, output)
    return task.proved(_why(task, alone))


def _why(task: Task, alone: bool) -> str:
    trees = len(task.reading.added)
    if alone:
        return (
            f"the sum of {trees} trees never goes the wrong way, rounding included; a probability "
            "follows its score, but for the rounding of its last place."
        )
    return (
        "the score of the class never goes the wrong way, and that of no other class goes with it; "
        "so the normalised probability does not either, but for the rounding of its last place."
    )


def wrong_way(task: Task, tree: Tree, values: Floats) -> Wrong | None:
    """Where a tree falls as the column rises."""
    (column,) = task.columns
    if column not in tree.used_features:
        return None
    walk = task.walk(tree)
    least, most = walk.below(values)
    asks = walk.asks_below(column)

    def done(pair: Pair) -> bool:
        task.clock.check()
        first, second = pair.ends
        if lowest(pair.first) >= pair.second.bit_length() - 1:
            return True
        if first == second and not any(asks[node] for node, _ in first):
            return True
        return len(first) == len(second) == 1 and most[first[0][0]] <= least[second[0][0]]

    sets = (task.box[column], task.box[column])
    for pair in pairs(walk, task.box_of([tree]), column, sets, done):
        if _mixed(values, pair.ends[0]) > _mixed(values, pair.ends[1]):
            return pair.box, lowest(pair.first), pair.second.bit_length() - 1
    return None


def _mixed(values: Floats, ends: Ends) -> float:
    """In the order in which prediction adds; for one leaf its value."""
    total = 0.0
    for node, part in ends:
        total += part * float(values[node])
    return total


def _told(task: Task, number: Number, wrong: Wrong, sign: int) -> Result | None:
    """Refuted, if the model itself says so."""
    box, low, high = wrong
    (column,) = task.columns
    rows = [task.row(box, {column: cell}) for cell in (low, high)]
    for each in (number, Number(number.reading, number.klass, score=True)):
        if each.score and task.reading.link == "shares":
            break
        before, after = each.ask(rows).tolist()
        if sign * before > sign * after:
            word = "falls" if before > after else "rises"
            why = f"the {each.name} {word} from {before!r} to {after!r} between these two rows."
            return task.refuted(why, *rows)
        if not number.score and task.reading.outputs > 1:
            break  # the scores of one class say nothing of a normalised probability
    return None


def _unconfirmed(task: Task) -> Result:
    return task.not_proved(
        "two boxes differ the wrong way by no more than rounding, and the model gave rows of them "
        "equal answers."
    )


def _one_sum(task: Task, output: int, sign: int) -> Wrong | str | None:
    """None: it never goes the wrong way; else where it does, or why that is not known."""
    added = task.reading.of_output(output)
    bad = [each for each in added if wrong_way(task, each.tree, sign * each.values) is not None]
    if not bad:
        return None
    (column,) = task.columns
    edges = {id(each.tree): _edges(task.walk(each.tree), column) for each in added}
    cells = bits(task.box[column])
    unclear = ""
    for low, high in pairwise(cells):
        between = range(low, high)
        here = [each for each in added if not edges[id(each.tree)].isdisjoint(between)]
        if not any(each in here for each in bad):
            continue
        verdict = _between(task, added, here, (low, high), sign)
        if isinstance(verdict, str):
            unclear = unclear or verdict
        elif verdict is not None:
            return verdict
    return unclear or None


def _edges(walk: Walk, column: int) -> set[int]:
    """The cells after which some node of the tree parts the column."""
    return {
        mask.bit_length() - 1
        for node, asked in enumerate(walk.columns)
        if asked == column
        for mask in (each & walk.cells[column].known for each in walk.masks[node])
        if mask
    }


@dataclass
class _Differences:
    """For `search`: does the sum of the differences fall below 0?"""

    task: Task
    number: Number
    cells: tuple[int, int]
    sign: int
    margin: float
    avoid: int | None = None
    unclear: list[Box] = field(default_factory=list)

    def urgency(self, low: Floats, high: Floats) -> float | None:  # noqa: ARG002
        if (low >= 0).all():
            return None
        total = summed(low)
        return None if total >= self.margin else -total

    def group(self, low: Floats, high: Floats) -> tuple[int, bool]:
        return int(np.argmax(high - low)), True

    def settle(self, box: Box) -> Wrong | None:
        (column,) = self.task.columns
        rows = [self.task.row(box, {column: cell}) for cell in self.cells]
        before, after = (self.sign * self.number.ask(rows)).tolist()
        if before > after:
            return box, *self.cells
        self.unclear.append(box)
        return None


def _between(
    task: Task, added: list[Added], here: list[Added], cells: tuple[int, int], sign: int
) -> Wrong | str | None:
    (column,) = task.columns
    start = task.box_of([each.tree for each in here])
    start.pop(column, None)
    groups = [_difference(task, each, cells, sign) for each in here]
    size = sum(float(np.abs(each.values).max()) for each in added)
    margin = len(added) * size * 2.0**-50  # twice the rounding of both sums, and more
    klass = 1 if task.reading.outputs == 1 else added[0].output
    number = Number(task.reading, klass, score=True)
    question = _Differences(task, number, cells, sign, margin)
    outcome = search(Pieces(groups, start), question, task.clock)
    if outcome.witness is not None:
        wrong: Wrong = outcome.witness
        return wrong
    if outcome.stopped:
        return (
            f"{len(here)} trees part the column at one place, going both ways; {outcome.stopped}."
        )
    if question.unclear:
        return "trees that go different ways cancel to within rounding, where nothing is proved."
    return None


def _difference(task: Task, each: Added, cells: tuple[int, int], sign: int) -> list[Piece]:
    """What a tree adds more at the higher cell than at the lower, box by box."""
    (column,) = task.columns
    walk, values = task.walk(each.tree), sign * each.values
    asks = walk.asks_below(column)
    found: list[Piece] = []

    def done(pair: Pair) -> bool:
        task.clock.check()
        first, second = pair.ends
        same = first == second and not asks[first[0][0]]
        if same:
            found.append((pair.box, 0.0))
        return same

    sets = (1 << cells[0], 1 << cells[1])
    for pair in pairs(walk, task.box_of([each.tree]), column, sets, done):
        (first, _), (second, _) = pair.ends[0][0], pair.ends[1][0]
        found.append((pair.box, float(values[second] - values[first])))
    return found


def _drawn(task: Task, number: Number, sign: int, output: int) -> Result:
    """Rows drawn at random, each with every value of the column: a counterexample, or nothing."""
    (column,) = task.columns
    cells = bits(task.box[column])
    draw = np.random.default_rng(0)
    box = task.box_of(task.reading.trees)
    choices = {each: bits(mask) for each, mask in box.items() if each != column}
    for _ in range(max(1, DRAWN // len(cells))):
        at: dict[int, Any] = {each: int(draw.choice(own)) for each, own in choices.items()}
        rows = [task.row({}, {**at, column: cell}) for cell in cells]
        falls = np.flatnonzero(np.diff(sign * number.ask(rows)) < 0)
        if len(falls):
            place = int(falls[0])
            wrong = ({each: 1 << cell for each, cell in at.items()}, cells[place], cells[place + 1])
            found = _told(task, number, wrong, sign)
            if found is not None:
                return found
        if task.clock.over:
            break
    other = task.reading.classes[output]
    which = (
        "of the class goes the wrong way" if output == number.output else f"of {other} goes with it"
    )
    return task.not_proved(
        f"the score {which} somewhere, so scores alone do not prove the normalised probability, "
        'and no row was found that refutes it. With of="score" each class is decided by itself.'
    )
