"""Answers as few bytes: whole numbers in the narrowest type, histograms by their filled cells.

Invariant: unpack(pack(x)) equals x, as int64.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.distributed.messages import Answer, Behind, Message, Step

_PLACES = np.dtype(np.uint32)


def pack_answer(step: Step, answer: Answer | None, behind: list[Behind]) -> bytes:
    packed = None
    if answer is not None:
        requests = [
            _pack(message, each)
            for message, each in zip(step.requests, answer.requests, strict=True)
        ]
        packed = answer.events, requests
    return pickle.dumps((packed, behind), protocol=5)


def unpack_answer(step: Step, data: bytes) -> tuple[Answer | None, list[Behind]]:
    packed, behind = pickle.loads(data)
    if packed is None:
        return None, behind
    events, listed = packed
    requests = [_unpack(message, each) for message, each in zip(step.requests, listed, strict=True)]
    return Answer(events, requests), behind


def _pack(message: Message, answer: Any) -> Any:
    if message[0] == "histogram":
        return _pack_cells(answer)
    if message[0] == "open":
        return answer[0], _narrow(answer[1]), answer[2]
    return answer


def _unpack(message: Message, packed: Any) -> Any:
    if message[0] == "histogram":
        return _unpack_cells(packed)
    if message[0] == "open":
        return packed[0], packed[1].astype(np.int64), packed[2]
    return packed


def _narrow(values: NDArray[np.int64]) -> NDArray[Any]:
    largest = int(values.max(initial=0))
    for kind in (np.uint8, np.uint16, np.uint32):
        if largest <= np.iinfo(kind).max:
            return values.astype(kind)
    return values


def _pack_cells(cells: NDArray[np.int64]) -> tuple[int, NDArray[Any] | None, NDArray[Any]]:
    places = np.flatnonzero(cells)
    values = _narrow(cells[places])
    size = values.dtype.itemsize
    if len(places) * (_PLACES.itemsize + size) < len(cells) * size:
        return len(cells), places.astype(_PLACES), values
    return len(cells), None, cells.astype(values.dtype)


def _unpack_cells(packed: tuple[int, NDArray[Any] | None, NDArray[Any]]) -> NDArray[np.int64]:
    length, places, values = packed
    if places is None:
        return values.astype(np.int64)
    cells = np.zeros(length, dtype=np.int64)
    cells[places] = values
    return cells
