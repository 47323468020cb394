"""Data sets and lazy frames behind the estimators.

In: what fit was given, y being a column's name. Out: a training over blocks of memory-mapped
columns. Without a directory they live in a temporary one until the fit ends; in a directory of the
user's they stay, and a later fit of the same data maps them at once.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hardwood.distributed.agreement import Agreement, agree
from hardwood.distributed.back_ends import Given
from hardwood.distributed.codebooks import BUCKETED, LISTED
from hardwood.distributed.describing import PartData, code, describe, named
from hardwood.distributed.part import PartState
from hardwood.distributed.team import LocalTeam
from hardwood.distributed.training import PartsTraining
from hardwood.stored import code_columns, source
from hardwood.stored.descriptions import Told, load_descriptions, save_descriptions
from hardwood.stored.directory import DAMAGES, OtherDataError, StoreDirectory, damaged

CODES = 2  # goes up when the same data get other codes: kept ones would not fit their codebooks


class StoredBackEnd:
    def knows(self, X: Any) -> bool:
        return source.is_dataset(X) or source.is_lazy_frame(X)

    def training(self, given: Given) -> PartsTraining:
        if given.client is not None:
            raise ValueError(
                "fit was given client, which is for Dask collections; X is a data set, which is "
                "read in this process. Leave client out."
            )
        _check_names(given)
        temporary = given.directory is None
        place = Path(tempfile.mkdtemp(prefix="hardwood-") if temporary else given.directory)
        try:
            return _train(given, StoreDirectory(place), temporary)
        except BaseException:
            if temporary:
                shutil.rmtree(place, ignore_errors=True)
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


def _check_names(given: Given) -> None:
    names = source.column_names(given.X)
    for what, name in (("y", given.y), ("sample_weight", given.sample_weight)):
        if name is None and what == "sample_weight":
            continue
        if not isinstance(name, str) or name not in names:
            shown = ", ".join(map(repr, names[:8])) or "(it has none)"
            raise ValueError(
                f"{what} must be the name of a column of the data set, such as {shown}; given was "
                f"{repr(name) if isinstance(name, str) else 'a ' + type(name).__name__}."
            )
    if given.sample_weight == given.y:
        raise ValueError(f"y and sample_weight are both the column {given.y!r}; give two columns.")


def _train(given: Given, store: StoreDirectory, temporary: bool) -> PartsTraining:
    signature = None if temporary else _signature(given)
    told = _kept(store, signature) if store.finished else _described(given)
    agreement = agree([each for _, each in told], [name for name, _ in told], given.class_weight)
    if not store.finished:
        _write(given, store, signature, told, agreement)
    classes = max(len(agreement.classes), 2)
    try:
        parts = [
            PartState(i, code_columns.map_block(store.place, i), agreement.plan, classes)
            for i in range(len(told))
        ]
    except DAMAGES as error:
        raise damaged(store.place, error) from error
    team = _StoredTeam(parts, given.threads, store.place if temporary else None)
    return PartsTraining(team, agreement)


def _signature(given: Given) -> Any:
    """As JSON gives it back."""
    features = given.categorical_features
    listed = features if isinstance(features, (str, type(None))) else np.asarray(features).tolist()
    known = [CODES, source.signature(given.X), given.y, given.sample_weight, listed]
    return json.loads(json.dumps(known))


def _kept(store: StoreDirectory, signature: Any) -> Told:
    """The descriptions in the directory of an earlier fit."""
    try:
        store.check(signature)
        return load_descriptions(store.place)
    except OtherDataError:
        raise
    except DAMAGES as error:
        raise damaged(store.place, error) from error


def _data(given: Given, table: Any) -> PartData:
    weights = None
    if given.sample_weight is not None:
        weights = table.column(given.sample_weight).to_numpy()
        table = table.drop_columns([given.sample_weight])
    labels = table.column(given.y).to_numpy()
    return PartData(table.drop_columns([given.y]), labels, weights)


def _described(given: Given) -> Told:
    told: Told = []
    read = 0
    for block in source.blocks(given.X):
        with named(block.place):
            each = describe(_data(given, block.table), given.categorical_features, given.threads)
        if each is not None:
            told.append((block.place, each))
        read += block.table.num_rows
        given.progress.show("describing row", read)
    return told


def _write(
    given: Given, store: StoreDirectory, signature: Any, told: Told, agreement: Agreement
) -> None:
    """All of the store, or nothing."""
    codes = agreement.plan.codes
    keyed = sum(each.coding in (BUCKETED, LISTED) for each in codes)
    weighted = given.sample_weight is not None
    code_columns.refuse_small_disk(store.place, agreement.rows, len(codes), keyed, weighted)
    store.begin(signature)
    try:
        rows = _write_codes(given, store.place, agreement)
        if rows != agreement.rows or (signature is not None and _signature(given) != signature):
            raise ValueError(
                f"The data set changed while it was read ({agreement.rows} rows at first, then "
                f"{rows}); keep its files as they are during a fit."
            )
        save_descriptions(store.place, told)
        store.finish()
    except OSError as error:
        store.clear()
        raise OSError(
            f"The coded columns could not be written to {str(store.place)!r} ({error}); give a "
            "directory on a disk with more room."
        ) from error
    except BaseException:
        store.clear()
        raise


def _write_codes(given: Given, place: Path, agreement: Agreement) -> int:
    """The number of rows."""
    number = written = 0
    for block in source.blocks(given.X):
        if block.table.num_rows == 0:
            continue
        with named(block.place):
            rows = code(
                _data(given, block.table),
                agreement.plan,
                agreement.classes,
                given.categorical_features,
                given.threads,
            )
        code_columns.write_block(place, number, rows)
        number += 1
        written += block.table.num_rows
        given.progress.show("coding row", written, agreement.rows)
    return written
