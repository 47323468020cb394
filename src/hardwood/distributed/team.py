"""All parts of a fit as one: a step goes to every part, the answers come back as their sum.

`Team` keeps the list of events; where the parts are is its subclass's affair. `LocalTeam` has
them in this process and runs them on threads (the core releases the GIL).
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hardwood.distributed.messages import Event, Request, T
from hardwood.distributed.part import PartState
from hardwood.distributed.requests import HistogramsOf, OpenBuckets
from hardwood.distributed.steps import Answer, Behind, Step, merge_answers


@dataclass
class Traffic:
    """What a fit moved. histograms and keys: how many of either were asked for and came, summed
    over the parts. bytes_sent and bytes_received are the coordinator's, without what Dask adds;
    parts_rebuilt counts parts that were made anew after a loss."""

    round_trips: int = 0
    histograms: int = 0
    keys: int = 0
    bytes_sent: int = 0
    bytes_received: int = 0
    parts_rebuilt: int = 0
    workers: int = 0


class Team:
    def __init__(self) -> None:
        self.log: list[Event[Any]] = []
        self.traffic = Traffic()

    def ask(self, events: Sequence[Event[Any]], requests: Sequence[Request[Any]]) -> Answer:
        """One round trip."""
        step = Step(len(self.log), list(events), list(requests))
        self.log.extend(events)
        answer = self._send(step)
        self.traffic.round_trips += 1
        for request, each in zip(requests, answer.requests, strict=True):
            self.traffic.histograms += len(each) if isinstance(request, HistogramsOf) else 0
            self.traffic.keys += each.keys if isinstance(request, OpenBuckets) else 0
        return answer

    def tell(self, event: Event[T]) -> T:
        """One event, and what it gave."""
        answer: T = self.ask([event], []).events[0]
        return answer

    def learn(self, request: Request[T]) -> T:
        """One request's answer."""
        answer: T = self.ask([], [request]).requests[0]
        return answer

    def _send(self, step: Step) -> Answer:
        raise NotImplementedError

    def close(self) -> None:
        """Forget the parts."""


class LocalTeam(Team):
    def __init__(self, parts: list[PartState], threads: int) -> None:
        super().__init__()
        self._parts = parts
        self._threads = min(threads, len(parts))

    def _send(self, step: Step) -> Answer:
        answer, behind = run_parts(self._parts, step, self._threads)
        assert answer is not None
        assert not behind
        return answer

    def close(self) -> None:
        self._parts = []


def run_parts(
    parts: list[PartState], step: Step, threads: int
) -> tuple[Answer | None, list[Behind]]:
    """The parts' answers in one, and those that lack events; every thread keeps one sum.

    The calling thread takes part, so threads that the system does not give are only missed."""
    left = list(parts)
    done: list[tuple[Answer | None, list[Behind]]] = []
    failures: list[BaseException] = []

    def take() -> None:
        try:
            done.append(_in_turn(_popped(left), step))
        except BaseException as error:
            left.clear()
            failures.append(error)

    helpers: list[threading.Thread] = []
    with contextlib.suppress(RuntimeError):  # no more threads
        for _ in range(1, min(threads, len(parts))):
            helper = threading.Thread(target=take)
            helper.start()
            helpers.append(helper)
    take()
    for helper in helpers:
        helper.join()
    if failures:
        raise failures[0]
    answers = [answer for answer, _ in done if answer is not None]
    behind = [each for _, listed in done for each in listed]
    return merge_answers(step, answers) if answers else None, behind


def _popped(left: list[PartState]) -> Iterator[PartState]:
    """The parts that nobody else has taken; to pop from a list is one step for all threads."""
    while True:
        try:
            part = left.pop()
        except IndexError:
            return
        yield part


def _in_turn(parts: Iterable[PartState], step: Step) -> tuple[Answer | None, list[Behind]]:
    merged: Answer | None = None
    behind: list[Behind] = []
    for part in parts:
        answer = part.run(step)
        if isinstance(answer, Behind):
            behind.append(answer)
        else:
            merged = answer if merged is None else merge_answers(step, [merged, answer])
    return merged, behind
