"""A part's state: its coded rows, and how events change what it answers.

In: stored columns, class numbers, weights. Out: answers to steps. Invariant: the state is a
function of the rows and of the events applied, which are counted; the last step's results are
kept, so that a step may be sent twice.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import Part, exact_addends
from hardwood.distributed.codebooks import CodePlan
from hardwood.distributed.decoding import decoded_rows
from hardwood.distributed.events import SetFactors
from hardwood.distributed.part_held_out import HashRanges, PartHeldOut
from hardwood.distributed.steps import Answer, Behind, Step
from hardwood.encoding.weights import examples_of
from hardwood.pruning.held_out import class_weights_by_leaf
from hardwood.tree import Tree

DECODED_ROWS = 1 << 16


@dataclass(frozen=True)
class PartRows:
    """What a part is made of. sample_weight: the user's, or None."""

    stored: dict[str, Any]
    labels: NDArray[np.int32]
    sample_weight: NDArray[np.float64] | None


class PartState:
    def __init__(self, number: int, rows: PartRows, plan: CodePlan, classes: int) -> None:
        self.number = number
        self._rows = rows
        self._plan = plan
        self._classes = classes
        self._lock = threading.Lock()
        self._begin()

    def _begin(self) -> None:
        self.applied = 0
        self._results: dict[int, Any] = {}
        self._kept: list[Any] = []  # arrays that the core points to
        self._held: PartHeldOut | None = None
        rows = self._rows
        self.core = Part(rows.stored, self._plan.core, rows.labels, self._classes)

    def run(self, step: Step) -> Answer | Behind:
        """Apply what is new of the step's events and answer its requests."""
        with self._lock:
            if self.applied < step.first:
                return Behind(self.number, self.applied)
            if any(i < self.applied and i not in self._results for i in _numbers(step)):
                self._begin()  # a step from long ago: start over
                if step.first > 0:
                    return Behind(self.number, 0)
            for number, event in zip(_numbers(step), step.events, strict=True):
                if number == self.applied:
                    self._results[number] = event.run(self)
                    self.applied += 1
            for number in [old for old in self._results if old < step.first]:
                del self._results[number]
            requests = [request.run(self) for request in step.requests]
            return Answer([self._results[i] for i in _numbers(step)], requests)

    @property
    def labels(self) -> NDArray[np.int32]:
        return self._rows.labels

    @property
    def held(self) -> PartHeldOut:
        if self._held is None:
            raise ValueError("this part holds no rows out")
        return self._held

    def keep(self, arrays: Any) -> None:
        """The core points to them for the rest of the fit."""
        self._kept.append(arrays)

    def count_examples(self) -> int:
        return int(self._without_held_out(self._examples(), np.int64).sum())

    def leaf_class_rows(self, tree: Tree) -> NDArray[np.int64]:
        """Rows by leaf and class, decoded some at a time."""
        weights, labels = self._kept[0], self._rows.labels
        rows = np.arange(len(labels)) if weights is None else np.flatnonzero(weights > 0)
        reached = np.zeros((tree.n_nodes, tree.n_classes), dtype=np.int64)
        for begin in range(0, len(rows), DECODED_ROWS):
            some = rows[begin : begin + DECODED_ROWS]
            table = decoded_rows(self._rows.stored, self._plan, some)
            ones = np.ones(len(some), dtype=np.int64)
            found = class_weights_by_leaf(tree, table, np.asarray(labels[some]), ones, 1)
            reached += found.astype(np.int64)
        return reached

    def products(self, factors: NDArray[np.float64]) -> tuple[NDArray[np.float64], float, bool]:
        values = self._values(factors)
        assert values is not None
        whole = bool((values == np.floor(values)).all())
        return exact_addends(values), float(values.max()), whole

    def _values(self, factors: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
        given = self._rows.sample_weight
        if factors is None:
            return given
        own = factors[self._rows.labels]
        return own if given is None else given * own

    def _examples(self) -> NDArray[np.int64]:
        given = self._rows.sample_weight
        if given is None:
            return np.ones(len(self._rows.labels), dtype=np.int64)
        return examples_of(given)

    def hold(
        self, ranges: HashRanges, exponent: int | None, factors: NDArray[np.float64] | None
    ) -> NDArray[np.int64]:
        labels, weights = self._rows.labels, self._whole(exponent, factors)
        if weights is None:
            weights = np.ones(len(labels), dtype=np.int64)
        mask = ranges.mask(self.number, labels)
        stored = self._rows.stored
        self._held = PartHeldOut(stored, self._plan, labels, self._classes, mask, weights)
        return self._held.weight

    def _without_held_out(self, values: NDArray[Any] | None, kind: type) -> Any:
        """The rows' weights or examples, 0 for held-out rows; None: each row has 1."""
        if self._held is None:
            return values
        here = ~self._held.mask
        return here.astype(kind) if values is None else np.where(here, values, kind(0))

    def _whole(
        self, exponent: int | None, factors: NDArray[np.float64] | None
    ) -> NDArray[np.int64] | None:
        """The rows' weights on the grid; None where each counts 1."""
        if exponent is None:
            return None
        values = self._values(factors)
        if values is None:
            values = np.ones(len(self._rows.labels))
        return np.rint(np.ldexp(values, exponent)).astype(np.int64)

    def set_weights(
        self, exponent: int | None, factors: NDArray[np.float64] | None, units: int
    ) -> NDArray[np.int64]:
        """units: of an example; 0 where examples are not counted apart."""
        weights = self._without_held_out(self._whole(exponent, factors), np.int64)
        counted = self._without_held_out(self._examples(), np.int64)
        self._kept = [weights, counted * units if units else None]
        self.core.set_weights(*self._kept)
        return self._counts(counted, weights)

    def set_factors(self, told: SetFactors) -> NDArray[np.int64]:
        values = self._without_held_out(self._values(told.factors), np.float64)
        if values is not None:
            values = np.ascontiguousarray(values)
        if told.whole and told.factors is None and values is not None:
            counted = examples_of(values)
        else:
            counted = self._without_held_out(self._examples(), np.int64)
        self._kept = [values, counted if told.examples else None]
        self.core.set_factors(
            values, told.whole, self._kept[1], told.logistic, told.boosters, told.pairs
        )
        return self._counts(counted, values)

    def _counts(
        self, examples: NDArray[np.int64], weights: NDArray[Any] | None
    ) -> NDArray[np.int64]:
        """The examples and the number of the rows of positive weight."""
        if weights is not None:
            examples = examples[weights > 0]
        return np.array([examples.sum(), len(examples)], dtype=np.int64)


def _numbers(step: Step) -> range:
    return range(step.first, step.first + len(step.events))
