"""Answers as bytes.

Batches of sums pack themselves: whole numbers in the narrowest type, histograms by filled cells.
"""

from __future__ import annotations

import pickle

from hardwood.distributed.steps import Answer, Behind


def pack_answer(answer: Answer | None, behind: list[Behind]) -> bytes:
    return pickle.dumps((answer, behind), protocol=5)


def unpack_answer(data: bytes | bytearray) -> tuple[Answer | None, list[Behind]]:
    answer, behind = pickle.loads(data)
    return answer, behind
