"""A number within limits, in a region.

One tree: every box is visited, and its floats are the model's. Sums: rows that break the limit are
climbed for; then branch and bound over the boxes of all trees, by the sums of the trees' extremes
in the order in which prediction adds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hardwood.certify.proving.bounding import Outcome, counted, search
from hardwood.certify.proving.climbing import climb
from hardwood.certify.proving.numbers import RELATIVE, Number, number_of
from hardwood.certify.proving.pieces import Floats, Pieces, summed
from hardwood.certify.proving.results import Result
from hardwood.certify.proving.statements import Within
from hardwood.certify.proving.task import Task
from hardwood.certify.proving.walking import Box, Ends, boxes


def prove_within(task: Task, claim: Within) -> Result:
    number = number_of(task.reading, claim)
    low = -np.inf if claim.at_least is None else claim.at_least
    high = np.inf if claim.at_most is None else claim.at_most
    if task.reading.link in ("shares", "one"):
        return _one_tree(task, number, low, high)
    return _sum(task, number, low, high)


def _refuted(task: Task, number: Number, row: list[Any], low: float, high: float) -> Result | None:
    """When the model itself breaks a limit for the row."""
    said = float(number.ask([row])[0])
    if low <= said <= high:
        return None
    side, limit = ("below", low) if said < low else ("above", high)
    return task.refuted(f"the {number.name} of this row is {said!r}, {side} {limit!r}.", row)


def _one_tree(task: Task, number: Number, low: float, high: float) -> Result:
    if task.reading.link == "one":
        found = _refuted(task, number, task.row({}), low, high)
        return found or task.proved("the model has one class, whose probability is always 1.")
    tree = task.reading.tree
    walk, shares = task.walk(tree), tree.shares[:, number.klass]
    least, most = walk.below(shares)

    def done(ends: Ends) -> bool:
        task.clock.check()
        margin = RELATIVE if len(ends) > 1 else 0.0
        bottom = sum(part * least[node] for node, part in ends) * (1 - margin)
        top = sum(part * most[node] for node, part in ends) * (1 + margin)
        return low <= bottom and top <= high

    for box, _ in boxes(walk, task.box_of([tree]), done):
        found = _refuted(task, number, task.row(box), low, high)
        if found is not None:
            return found
    return task.proved(
        "every leaf that a row of the region can reach keeps the limits, in the floats of "
        "predict_proba."
    )


@dataclass
class _Limits:
    """For `search`: is the number within the limits in a box?"""

    task: Task
    number: Number
    low: float
    high: float
    outputs: np.ndarray[Any, Any]
    avoid: int | None = None

    def bounds(self, low: Floats, high: Floats) -> tuple[float, float]:
        every = range(self.task.reading.outputs)
        lows = np.array([summed(low[self.outputs == each]) for each in every])
        highs = np.array([summed(high[self.outputs == each]) for each in every])
        return self.number.bounds(lows, highs)

    def urgency(self, low: Floats, high: Floats) -> float | None:
        bottom, top = self.bounds(low, high)
        worst = max(top - self.high, self.low - bottom)
        return worst if worst > 0 else None

    def group(self, low: Floats, high: Floats) -> tuple[int, bool]:
        bottom, top = self.bounds(low, high)
        upwards = top - self.high >= self.low - bottom
        group = int(np.argmax(high - low))
        own = self.outputs[group] == self.number.output
        return group, bool(upwards != (own == (self.number.sign > 0)))

    def settle(self, box: Box) -> Result | None:
        return _refuted(self.task, self.number, self.task.row(box), self.low, self.high)


def leaf_pieces(task: Task) -> tuple[Pieces, np.ndarray[Any, Any]]:
    """The leaves of all trees inside the task's box, and the output of each tree."""
    start = task.box_of(task.reading.trees)
    groups = []
    for each in task.reading.added:
        values, own = each.values.tolist(), task.box_of([each.tree])
        groups.append([(box, values[ends[0][0]]) for box, ends in boxes(task.walk(each.tree), own)])
    return Pieces(groups, start), np.array([each.output for each in task.reading.added])


def _sum(task: Task, number: Number, low: float, high: float) -> Result:
    def off(rows: list[Any]) -> Floats:
        said = number.ask(rows)
        return np.maximum(said - high, low - said)

    start = task.box_of(task.reading.trees)
    cells = climb(start, lambda at: task.row({}, at), off, 0.0, task.clock)
    if cells is not None:
        found = _refuted(task, number, task.row({}, cells), low, high)
        if found is not None:
            return found
    if not task.reading.added:
        found = _refuted(task, number, task.row({}), low, high)
        return found or task.proved("no tree has weight, so the answer is always the same.")
    pieces, outputs = leaf_pieces(task)
    outcome = search(pieces, _Limits(task, number, low, high, outputs), task.clock)
    return _told(task, outcome)


def _told(task: Task, outcome: Outcome) -> Result:
    if isinstance(outcome.witness, Result):
        return outcome.witness
    if outcome.stopped:
        return task.not_proved(
            f"{outcome.stopped}. What is left could still break the limit by "
            f"{outcome.urgency:.3g}; no row was found that does."
        )
    return task.proved(
        f"the region in {counted(outcome.boxes)}: the sum of the trees' extremes, added as "
        "prediction adds, keeps the limits everywhere."
    )
