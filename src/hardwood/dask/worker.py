"""What runs on a Dask worker: plain functions, and the parts that they keep between calls.

The kept parts are a cache: a part that is not there is made again from its partition, and catches
up by the list of events. Keys are (fit, part), so fits do not meet.
"""

from __future__ import annotations

import pickle
from typing import Any

from distributed import get_worker
from hardwood.distributed.agreement import Agreement
from hardwood.distributed.describing import PartData, PartDescription, code, describe
from hardwood.distributed.messages import Behind
from hardwood.distributed.packing import pack_answer
from hardwood.distributed.part import PartState
from hardwood.distributed.team import run_parts

_PARTS: dict[tuple[str, int], PartState] = {}


def describe_partition(
    number: int, categorical_features: Any, X: Any, y: Any, sample_weight: Any
) -> PartDescription | None:
    with _Named(number):
        data = PartData(X, _flat(y), _flat(sample_weight))
        return describe(data, categorical_features, _threads())


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
    with _Named(number):
        data = PartData(X, _flat(y), _flat(sample_weight))
        rows = code(data, plan, classes, categorical_features, _threads())
        _PARTS[fit, number] = PartState(number, rows, plan, max(len(classes), 2))
    return str(get_worker().address)


def answer(fit: str, numbers: list[int], message: bytes) -> bytes:
    """The answer of the parts that are here, in one; those that are not say so."""
    step = pickle.loads(message)
    parts = [_PARTS[fit, number] for number in numbers if (fit, number) in _PARTS]
    absent = [Behind(number, -1) for number in numbers if (fit, number) not in _PARTS]
    merged, behind = run_parts(parts, step, _threads())
    return pack_answer(step, merged, absent + behind)


def forget(fit: str) -> None:
    for key in [key for key in _PARTS if key[0] == fit]:
        del _PARTS[key]


class _Named:
    """Wrong input is refused with the partition's number."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, (ValueError, TypeError)):
            raise type(error)(f"In partition {self._number}: {error}") from error


def _threads() -> int:
    return int(get_worker().state.nthreads)


def _flat(values: Any) -> Any:
    """Labels or weights of a partition, one dimension."""
    if values is not None and getattr(values, "ndim", 1) == 2 and values.shape[1] == 1:
        return values[:, 0] if hasattr(values, "dtype") else values.iloc[:, 0]
    return values
