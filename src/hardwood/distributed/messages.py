"""What coordinator and parts say to each other: events (`events.py`) and requests (`requests.py`).

A message says what a part does when it gets it (`run`), and how the answers of two parts become one
(`merged`; most add up). The core makes its own messages by the same names (`cpp/bind/team.cpp`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from hardwood._core import Arrivals, HistogramBatch, KeySumsBatch, RowBatch

if TYPE_CHECKING:
    from hardwood.distributed.part import PartState

T = TypeVar("T")
Batch = TypeVar("Batch", HistogramBatch, KeySumsBatch, Arrivals, RowBatch)
Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]


class Message(Generic[T]):
    def run(self, part: PartState) -> T:
        raise NotImplementedError

    def merged(self, one: Any, other: Any) -> T:
        """The answer of two sets of parts together; the first may be changed."""
        result: T = one + other
        return result


class Event(Message[T]):
    """Changes a part; its number in the fit is counted."""


class Request(Message[T]):
    """Leaves a part as it was."""


def joined(one: Batch, other: Batch) -> Batch:
    one.merge(other)
    return one
