"""Branch and bound: a box is settled by a bound, or halved, until none is left or time is up.

In: pieces, a starting box, and a `Question` that says what a box's bounds mean. Out: an `Outcome`:
no box left (the claim holds everywhere), a witness, or the reason why the search ended. Boxes come
in the order of their urgency, so that a witness is met early. Invariant: a box is dropped only when
its bounds settle it.
"""

from __future__ import annotations

import heapq
import time
from dataclasses import dataclass
from itertools import count
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.proving.pieces import Bools, Floats, Pieces
from hardwood.certify.proving.walking import Box

MOST_BOXES = 200_000
"""Boxes that wait at once; what they hold must fit in memory."""


class TimeUpError(Exception):
    """The walk over a tree's boxes took longer than it may."""


class Clock:
    """The time that a claim may take; None: any."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.start()

    def start(self) -> None:
        self._end = None if self.seconds is None else time.monotonic() + self.seconds

    @property
    def over(self) -> bool:
        return self._end is not None and time.monotonic() > self._end

    def check(self) -> None:
        if self.over:
            raise TimeUpError

    @property
    def reason(self) -> str:
        return f"{self.seconds:g} seconds were not enough"


class Question(Protocol):
    """What is asked of the boxes."""

    avoid: int | None
    """A column that is not split."""

    def urgency(self, low: Floats, high: Floats) -> float | None:
        """None when the bounds of the groups settle the box; larger is looked at sooner."""

    def group(self, low: Floats, high: Floats) -> tuple[int, bool]:
        """The group to split, and whether its least piece (or its largest) is set apart."""

    def settle(self, box: Box) -> Any:
        """A box that nothing splits further: a witness, or None if it is fine."""


@dataclass(frozen=True)
class Outcome:
    witness: Any = None
    stopped: str = ""
    """Why boxes are left, empty if none is."""
    boxes: int = 0
    """Boxes that were settled; they cover all when none is left."""
    urgency: float = -np.inf
    """The largest of the boxes that are left."""


def search(pieces: Pieces, question: Question, clock: Clock) -> Outcome:
    heap: list[tuple[float, int, Box, NDArray[np.uint8], Floats, Floats]] = []
    seen, settled, numbers = 0, 0, count()

    def push(box: Box, alive: Bools) -> None:
        nonlocal settled
        low, high = pieces.extremes(alive)
        urgency = question.urgency(low, high)
        if urgency is None:
            settled += 1
        else:
            heapq.heappush(heap, (-urgency, next(numbers), box, np.packbits(alive), low, high))

    push(pieces.start, np.ones(len(pieces.values), dtype=np.bool_))
    while heap:
        if clock.over or len(heap) > MOST_BOXES:
            why = clock.reason if clock.over else "there are too many boxes"
            return Outcome(None, f"{why}; {seen:,} boxes were looked at", settled, -heap[0][0])
        _, _, box, packed, low, high = heapq.heappop(heap)
        seen += 1
        alive = np.unpackbits(packed, count=len(pieces.values)).astype(np.bool_)
        found = _split(pieces, question, box, alive, (low, high))
        if found is None:
            witness = question.settle(box)
            if witness is not None:
                return Outcome(witness)
            settled += 1
            continue
        column, *sides = found
        for mask in sides:
            push({**box, column: mask}, pieces.narrowed(alive, column, mask))
    return Outcome(boxes=settled)


def _split(
    pieces: Pieces, question: Question, box: Box, alive: Bools, bounds: tuple[Floats, Floats]
) -> tuple[int, int, int] | None:
    """By the group that the question names, else by any that still differs inside the box."""
    low, high = bounds
    if not (low < high).any():
        return None
    first, least = question.group(low, high)
    found = pieces.split(box, alive, first, least, question.avoid)
    if found is not None:
        return found
    for group in np.argsort(low - high, kind="stable").tolist():
        if low[group] == high[group]:
            break
        found = pieces.split(box, alive, group, least, question.avoid)
        if found is not None:
            return found
    return None


def counted(boxes: int) -> str:
    return f"{boxes:,} box" if boxes == 1 else f"{boxes:,} boxes"
