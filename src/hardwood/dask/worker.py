"""What runs on a Dask worker: plain functions, and the parts that they keep between calls.

The kept parts are a cache: a part that is not there is made again from its partition, and catches
up by the list of events. Keys are (fit, part), so fits do not meet.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import socket
import threading
from collections import deque
from typing import Any

from distributed import get_worker
from distributed.core import Status

from hardwood.dask.cluster import LOST, asked_directly
from hardwood.dask.connections import OPERATION, accepted, receive, send
from hardwood.dask.relay import Call
from hardwood.distributed.agreement import Agreement
from hardwood.distributed.describing import PartData, PartDescription, code, describe, named
from hardwood.distributed.packing import pack_answer, unpack_answer
from hardwood.distributed.part import PartState
from hardwood.distributed.steps import ABSENT, UNREACHED, Answer, Behind, merge_answers
from hardwood.distributed.team import run_parts

_PARTS: dict[tuple[str, int], PartState] = {}
_ENDED: deque[str] = deque(maxlen=1000)  # fits whose late tasks must leave nothing behind


def describe_partition(
    number: int, categorical_features: Any, sample: int, X: Any, y: Any, sample_weight: Any
) -> PartDescription | None:
    with named(f"partition {number}"):
        data = PartData(X, _flat(y), _flat(sample_weight))
        return describe(data, categorical_features, _threads(), sample)


def code_partition(
    fit: str,
    number: int,
    agreed: bytes,
    categorical_features: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
) -> str:
    """Make a part here; the address of the worker that has it."""
    agreement: Agreement = pickle.loads(agreed)
    plan, classes = agreement.plan, agreement.classes
    with named(f"partition {number}"):
        data = PartData(X, _flat(y), _flat(sample_weight))
        rows = code(data, plan, classes, categorical_features, _threads())
        _PARTS[fit, number] = PartState(number, rows, plan, max(len(classes), 2))
    if fit in _ENDED:
        forget(fit)
    return str(get_worker().address)


def accept_connections(dask_worker: Any = None) -> None:
    """From now on a coordinator may open connections for its steps here."""

    async def handler(comm: Any) -> Status:
        connection = await accepted(comm)
        if connection is not None:
            own = (connection, dask_worker)
            threading.Thread(target=_serve, args=own, name="hardwood steps").start()
        return Status.dont_reply

    dask_worker.handlers.setdefault(OPERATION, handler)


def _serve(connection: socket.socket, dask_worker: Any) -> None:
    """Answers steps until the coordinator, or an error, closes the connection."""
    with connection, contextlib.suppress(Exception):
        while True:
            fit, call = pickle.loads(receive(connection))
            if call.below:
                passing = answer(fit, call, dask_worker)
                loop = dask_worker.loop.asyncio_loop
                send(connection, asyncio.run_coroutine_threadsafe(passing, loop).result())
            else:
                send(connection, _packed(fit, call, int(dask_worker.state.nthreads)))


async def answer(fit: str, call: Call, dask_worker: Any = None) -> bytes:
    """The answer of the parts that are here and of those that the call is passed on to, in one;
    those that are not there or do not answer say so."""
    threads = int(dask_worker.state.nthreads)
    if not call.below:  # one change of threads: a step costs little beside it
        return await asyncio.to_thread(_packed, fit, call, threads)
    own = asyncio.to_thread(_answer, fit, call, threads)
    others = [_passed_on(fit, each, dask_worker) for each in call.below]
    answered = await asyncio.gather(own, *others)
    return await asyncio.to_thread(_merged, call, answered)


PartsAnswer = tuple[Answer | None, list[Behind]]


def _answer(fit: str, call: Call, threads: int) -> PartsAnswer:
    parts = [_PARTS[fit, number] for number in call.numbers if (fit, number) in _PARTS]
    absent = [Behind(number, ABSENT) for number in call.numbers if (fit, number) not in _PARTS]
    merged, behind = run_parts(parts, pickle.loads(call.message), threads)
    return merged, absent + behind


def _packed(fit: str, call: Call, threads: int) -> bytes:
    return pack_answer(*_answer(fit, call, threads))


async def _passed_on(fit: str, call: Call, dask_worker: Any) -> PartsAnswer:
    unreached = [Behind(number, UNREACHED) for number in call.all_numbers]
    try:
        reply = await asked_directly(dask_worker, call.address, answer, fit, call)
    except LOST:
        return None, unreached
    if isinstance(reply, BaseException):  # asked again without a neighbour, it says why itself
        return None, unreached
    return unpack_answer(reply)


def _merged(call: Call, answered: list[PartsAnswer]) -> bytes:
    answers = [answer for answer, _ in answered if answer is not None]
    behind = [each for _, listed in answered for each in listed]
    merged = merge_answers(pickle.loads(call.message), answers) if answers else None
    return pack_answer(merged, behind)


def forget(fit: str) -> None:
    if fit not in _ENDED:
        _ENDED.append(fit)
    for key in [key for key in list(_PARTS) if key[0] == fit]:
        _PARTS.pop(key, None)


def _threads() -> int:
    return int(get_worker().state.nthreads)


def _flat(values: Any) -> Any:
    """Labels or weights of a partition, one dimension."""
    if values is not None and getattr(values, "ndim", 1) == 2 and values.shape[1] == 1:
        return values[:, 0] if hasattr(values, "dtype") else values.iloc[:, 0]
    return values
