"""The same answer whatever a column says.

One tree: it is asked twice with any two values of the column, and the labels of every pair of
leaves are compared. Sums: branch and bound over the other columns; a box is settled when one class
is ahead whatever the column says, and what nothing else splits is asked with every value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.proving.bounding import counted, search
from hardwood.certify.proving.cells import bits
from hardwood.certify.proving.limits import leaf_pieces
from hardwood.certify.proving.numbers import Number
from hardwood.certify.proving.pieces import Floats, summed
from hardwood.certify.proving.results import Result
from hardwood.certify.proving.task import Task
from hardwood.certify.proving.walking import Box, Pair, pairs

MARGIN = 2.0**-40
"""Relative; expected costs are rounded."""
DRAWN = 64
"""Rows drawn in search of a counterexample, each with every value of the column."""


def prove_same_answer(task: Task) -> Result:
    (column,) = task.columns
    name = task.reading.schemas[column].name
    if task.box[column].bit_count() < 2 or not any(
        column in tree.used_features for tree in task.reading.trees
    ):
        return task.proved(f"no tree tells two values of {name} apart here.")
    if task.reading.link == "shares":
        return _one_tree(task, column)
    return _sum(task, column)


def _refuted(task: Task, rows: list[list[Any]]) -> Result | None:
    """When the model itself answers two of the rows differently."""
    answers = task.reading.answers(rows)
    for place, answer in enumerate(answers):
        if answer != answers[0]:
            why = f"the answer is {answers[0]} to the first row and {answer} to the second."
            return task.refuted(why, rows[0], rows[place])
    return None


def _one_tree(task: Task, column: int) -> Result:
    tree = task.reading.tree
    walk, asks = task.walk(tree), task.walk(tree).asks_below(column)
    below = _labels_below(tree.label.tolist(), walk.first_child, tree.branches.tolist())

    def done(pair: Pair) -> bool:
        task.clock.check()
        first, second = pair.ends
        if first == second and not any(asks[node] for node, _ in first):
            return True
        if len(first) != 1 or len(second) != 1:
            return False
        labels = below[first[0][0]] | below[second[0][0]]
        return labels.bit_count() == 1

    sets = (task.box[column], task.box[column])
    for pair in pairs(walk, task.box_of([tree]), column, sets, done):
        rows = [task.row(pair.box, {column: bits(own)[0]}) for own in (pair.first, pair.second)]
        found = _refuted(task, rows)
        if found is not None:
            return found
    return task.proved("all pairs of leaves that two such rows can reach have the same label.")


def _labels_below(labels: list[int], first: list[int], count: list[int]) -> list[int]:
    """The labels of the leaves at or below each node, as sets."""
    found = [1 << label for label in labels]
    for node in range(len(labels) - 1, -1, -1):
        if first[node] >= 0:
            found[node] = 0
            for child in range(first[node], first[node] + count[node]):
                found[node] |= found[child]
    return found


@dataclass
class _Ahead:
    """For `search`: is one class ahead in the whole box?"""

    task: Task
    outputs: NDArray[np.intp]
    avoid: int | None

    def urgency(self, low: Floats, high: Floats) -> float | None:
        every = range(self.task.reading.outputs)
        lows = [summed(low[self.outputs == each]) for each in every]
        highs = [summed(high[self.outputs == each]) for each in every]
        if self.task.reading.costs is not None:
            return self._by_cost(np.array(lows), np.array(highs))
        if len(lows) == 1:  # a score above 0 is the second class
            return None if highs[0] <= 0 or lows[0] > 0 else min(highs[0], -lows[0])
        ahead = int(np.argmax(lows))
        others = [each for each in every if each != ahead]
        # The first of equally high scores is the answer.
        if all(highs[i] < lows[ahead] or (highs[i] == lows[ahead] and ahead < i) for i in others):
            return None
        return max(highs[i] for i in others) - lows[ahead]

    def _by_cost(self, lows: Floats, highs: Floats) -> float | None:
        """By bounds on what saying each class costs, which allow for rounding."""
        reading = self.task.reading
        assert reading.costs is not None
        classes = range(len(reading.classes))
        bounds = np.array(
            [Number(reading, each, score=False).bounds(lows, highs) for each in classes]
        )
        least, most = bounds[:, 0] @ reading.costs, bounds[:, 1] @ reading.costs
        ahead = int(np.argmin(most))
        others = [each for each in classes if each != ahead]
        off = float(most[ahead] - min(least[each] for each in others))
        return None if off < -MARGIN * float(most.max()) else off

    def group(self, low: Floats, high: Floats) -> tuple[int, bool]:
        return int(np.argmax(high - low)), False

    def settle(self, box: Box) -> Result | None:
        assert self.avoid is not None
        cells = bits(self.task.box[self.avoid])
        return _refuted(self.task, [self.task.row(box, {self.avoid: cell}) for cell in cells])


def _sum(task: Task, column: int) -> Result:
    found = _drawn(task, column)
    if found is not None:
        return found
    pieces, outputs = leaf_pieces(task)
    outcome = search(pieces, _Ahead(task, outputs, column), task.clock)
    if isinstance(outcome.witness, Result):
        return outcome.witness
    if outcome.stopped:
        return task.not_proved(f"{outcome.stopped}; no two rows were found that differ.")
    return task.proved(
        f"the region in {counted(outcome.boxes)}: one class is ahead in each, whatever the column "
        "says."
    )


def _drawn(task: Task, column: int) -> Result | None:
    draw = np.random.default_rng(0)
    choices = {each: bits(mask) for each, mask in task.box_of(task.reading.trees).items()}
    for _ in range(DRAWN):
        at = {each: int(draw.choice(own)) for each, own in choices.items()}
        rows = [task.row({}, {**at, column: cell}) for cell in choices[column]]
        found = _refuted(task, rows)
        if found is not None:
            return found
    return None
