"""A step of a fit over parts: events and requests go out, the sum of the parts' answers comes back.

A step carries the events since the last one and some requests; a part that lacks earlier events
says so (`Behind`) and is sent all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardwood.distributed.messages import Event, Request


@dataclass(frozen=True, slots=True)
class Step:
    """`events[i]` is number first + i of the fit."""

    first: int
    events: list[Event[Any]]
    requests: list[Request[Any]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What each event and each request of a step gave, in their order."""

    events: list[Any]
    requests: list[Any]


ABSENT, UNREACHED = -1, -2


@dataclass(frozen=True, slots=True)
class Behind:
    """A part that has seen only `applied` events so far. ABSENT: it is not there. UNREACHED: it
    was not asked."""

    part: int
    applied: int


def merge_answers(step: Step, answers: list[Answer]) -> Answer:
    """The answer of all parts; the first may be changed."""
    merged = answers[0]
    for answer in answers[1:]:
        events = zip(step.events, merged.events, answer.events, strict=True)
        requests = zip(step.requests, merged.requests, answer.requests, strict=True)
        merged = Answer(
            [message.merged(one, other) for message, one, other in events],
            [message.merged(one, other) for message, one, other in requests],
        )
    return merged
