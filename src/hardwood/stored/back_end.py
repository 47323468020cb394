"""Data sets and lazy frames behind the estimators.

In: what fit was request, y being a column's name. Out: a training over blocks of memory-mapped
columns. Without a directory they live in a temporary one until the fit ends; in a directory of the
user's they stay, and a later fit of the same data maps them at once.
"""

from __future__ import annotations

import errno
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hardwood.distributed.agreement import Agreement, agree
from hardwood.distributed.codebooks import BUCKETED, UNCODED
from hardwood.distributed.describing import PartData, code, describe, named
from hardwood.distributed.part import PartState
from hardwood.distributed.team import LocalTeam
from hardwood.distributed.training import PartsTraining
from hardwood.stored import code_columns, source
from hardwood.stored.descriptions import Descriptions, load_descriptions, save_descriptions
from hardwood.stored.directory import DAMAGES, OtherDataError, StoreDirectory, damaged
from hardwood.training import FitRequest

CODES = 3  # goes up when the same data get other codes or descriptions: kept ones would not fit


class StoredBackEnd:
    def knows(self, X: Any) -> bool:
        return source.is_dataset(X) or source.is_lazy_frame(X)

    def training(self, request: FitRequest) -> PartsTraining:
        if request.client is not None:
            raise ValueError(
                "fit was given client, which is for Dask collections; X is a data set, which is "
                "read in this process. Leave client out."
            )
        _check_names(request)
        temporary = request.directory is None
        place = Path(tempfile.mkdtemp(prefix="hardwood-") if temporary else request.directory)
        try:
            return _train(request, StoreDirectory(place), temporary)
        except BaseException as error:
            if temporary:
                shutil.rmtree(place, ignore_errors=True)
            cause = error.__cause__ or error
            if isinstance(cause, OSError) and cause.errno == errno.ENOMEM:
                raise MemoryError(
                    f"There is too little memory for the data set ({cause})."
                ) from cause
            raise

    def predicted(self, X: Any, method: Callable[[Any], Any], name: str, model: Any) -> Any:
        del method, model
        batches = "collect_batches" if source.is_lazy_frame(X) else "to_batches"
        raise TypeError(
            f"{name} takes tables in memory, and X is a {type(X).__name__}; go through its "
            f"batches, for example: for batch in X.{batches}(): model.{name}(batch)."
        )


class _StoredTeam(LocalTeam):
    """Removes a temporary directory when the fit ends."""

    def __init__(self, parts: list[PartState], threads: int, temporary: Path | None) -> None:
        super().__init__(parts, threads)
        self._temporary = temporary

    def close(self) -> None:
        super().close()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)


def _check_names(request: FitRequest) -> None:
    names = source.column_names(request.X)
    for what, name in (("y", request.y), ("sample_weight", request.sample_weight)):
        if name is None and what == "sample_weight":
            continue
        if not isinstance(name, str) or name not in names:
            shown = ", ".join(map(repr, names[:8])) or "(it has none)"
            raise ValueError(
                f"{what} must be the name of a column of the data set, such as {shown}; given was "
                f"{repr(name) if isinstance(name, str) else 'a ' + type(name).__name__}."
            )
    if request.sample_weight == request.y:
        raise ValueError(
            f"y and sample_weight are both the column {request.y!r}; give two columns."
        )


def _train(request: FitRequest, store: StoreDirectory, temporary: bool) -> PartsTraining:
    signature = None if temporary else _signature(request)
    descriptions = _kept(store, signature) if store.finished else _described(request)
    agreement = agree(
        [each for _, each in descriptions],
        [name for name, _ in descriptions],
        request.class_weight,
        missing=request.missing,
    )
    if not store.finished:
        _write(request, store, signature, descriptions, agreement)
    classes = max(len(agreement.classes), 2)
    try:
        parts = [
            PartState(i, code_columns.map_block(store.place, i), agreement.plan, classes)
            for i in range(len(descriptions))
        ]
    except DAMAGES as error:
        raise damaged(store.place, error) from error
    team = _StoredTeam(parts, request.threads, store.place if temporary else None)
    return PartsTraining(team, agreement)


def _signature(request: FitRequest) -> Any:
    """As JSON gives it back."""
    features = request.categorical_features
    declared = (
        features if isinstance(features, (str, type(None))) else np.asarray(features).tolist()
    )
    known = [CODES, source.signature(request.X), request.y, request.sample_weight, declared]
    return json.loads(json.dumps(known))


def _kept(store: StoreDirectory, signature: Any) -> Descriptions:
    """The descriptions in the directory of an earlier fit."""
    try:
        store.check(signature)
        return load_descriptions(store.place)
    except OtherDataError:
        raise
    except DAMAGES as error:
        raise damaged(store.place, error) from error


def _data(request: FitRequest, table: Any) -> PartData:
    weights = None
    if request.sample_weight is not None:
        weights = table.column(request.sample_weight).to_numpy()
        table = table.drop_columns([request.sample_weight])
    labels = table.column(request.y).to_numpy()
    return PartData(table.drop_columns([request.y]), labels, weights)


def _described(request: FitRequest) -> Descriptions:
    descriptions: Descriptions = []
    read = 0
    for block in source.blocks(request.X):
        with named(block.place):
            each = describe(
                _data(request, block.table), request.categorical_features, request.threads
            )
        if each is not None:
            descriptions.append((block.place, each))
        read += block.table.num_rows
        request.progress.show("describing row", read)
    return descriptions


def _write(
    request: FitRequest,
    store: StoreDirectory,
    signature: Any,
    descriptions: Descriptions,
    agreement: Agreement,
) -> None:
    """All of the store, or nothing."""
    codes = agreement.plan.codes
    keyed = sum(each.coding in (BUCKETED, UNCODED) for each in codes)
    weighted = request.sample_weight is not None
    code_columns.refuse_small_disk(store.place, agreement.rows, len(codes), keyed, weighted)
    try:
        store.begin(signature)
    except OSError as error:
        raise _unwritten(store, error) from error
    try:
        rows = _write_codes(request, store.place, agreement)
        if rows != agreement.rows or (signature is not None and _signature(request) != signature):
            raise ValueError(
                f"The data set changed while it was read ({agreement.rows} rows at first, then "
                f"{rows}); keep its files as they are during a fit."
            )
        save_descriptions(store.place, descriptions)
        store.finish()
    except OSError as error:
        store.clear()
        raise _unwritten(store, error) from error
    except BaseException:
        store.clear()
        raise


def _unwritten(store: StoreDirectory, error: OSError) -> OSError:
    return OSError(
        f"The coded columns could not be written to {str(store.place)!r} ({error}); give a "
        "directory on a disk with more room."
    )


def _write_codes(request: FitRequest, place: Path, agreement: Agreement) -> int:
    """The number of rows."""
    number = written = 0
    for block in source.blocks(request.X):
        if block.table.num_rows == 0:
            continue
        with named(block.place):
            rows = code(
                _data(request, block.table),
                agreement.plan,
                agreement.classes,
                request.categorical_features,
                request.threads,
            )
        code_columns.write_block(place, number, rows)
        number += 1
        written += block.table.num_rows
        request.progress.show("coding row", written, agreement.rows)
    return written
