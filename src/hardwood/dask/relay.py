"""Calls to many workers as a tree: each passes its call on to some others and adds their answers to
its own, so that the coordinator receives a few sums however many workers there are.

    coordinator -> 0, 1, ..., 7         (FAN_OUT)
    worker k    -> 8 (k + 1), ..., 8 (k + 1) + 7
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

FAN_OUT = 8


@dataclass(frozen=True)
class Call:
    """A step for the parts that one worker has, and the calls that it passes on."""

    address: str
    numbers: list[int]
    message: bytes
    below: tuple[Call, ...] = ()

    def everyone(self) -> Iterator[Call]:
        yield self
        for call in self.below:
            yield from call.everyone()

    @property
    def all_numbers(self) -> list[int]:
        return [number for call in self.everyone() for number in call.numbers]


def arranged(calls: Sequence[Call]) -> list[Call]:
    """The calls that the coordinator makes itself; all must carry the same message."""
    made: dict[int, Call] = {}
    for k in reversed(range(len(calls))):
        first = FAN_OUT * (k + 1)
        below = tuple(made[i] for i in range(first, min(first + FAN_OUT, len(calls))))
        made[k] = replace(calls[k], below=below)
    return [made[k] for k in range(min(FAN_OUT, len(calls)))]
