"""Dask collections behind the estimators: parts from partitions, lazy predictions.

In: a `FitRequest`. Out: a training whose parts live on the workers, each where its partition
was.
"""

from __future__ import annotations

import importlib.util
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np

from hardwood.dask.partitions import (
    Partition,
    is_array,
    is_collection,
    is_frame,
    partitions_of,
    refuse_other_collections,
)
from hardwood.dask.team import DaskTeam, PartsOnWorkers
from hardwood.distributed.agreement import agree
from hardwood.distributed.training import PartsTraining
from hardwood.errors import MissingExtraError
from hardwood.training import FitRequest

if importlib.util.find_spec("dask") is None or importlib.util.find_spec("distributed") is None:
    raise MissingExtraError("hardwood.dask", "dask.distributed", "dask")


class DaskBackEnd:
    def knows(self, X: Any) -> bool:
        return is_collection(X)

    def training(self, request: FitRequest) -> PartsTraining:
        refuse_other_collections(request.X)
        if request.directory is not None:
            raise ValueError(
                "fit was given directory, which is for data sets; X is a Dask collection, whose "
                "parts stay with the workers. Leave directory out."
            )
        partitions = partitions_of(request.X, request.y, request.sample_weight)
        fit = uuid.uuid4().hex
        parts = PartsOnWorkers(request.client, fit, request.categorical_features, request.progress)
        try:
            return _start(parts, partitions, request)
        except BaseException:
            parts.forget()
            raise

    def predicted(self, X: Any, method: Callable[[Any], Any], name: str, model: Any) -> Any:
        """One block per partition, computed when the result is."""
        del model
        refuse_other_collections(X)
        example = method(_one_row(X))
        none = example[:0]
        if is_frame(X) and example.ndim == 1:
            import pandas as pd

            return X.map_partitions(_series, method, none, name, meta=pd.Series(none, name=name))
        if is_frame(X):
            return X.map_partitions(_array, method, none, meta=none)
        blocks = X.rechunk({1: -1})
        if example.ndim == 1:
            return blocks.map_blocks(_array, method, none, drop_axis=1, dtype=example.dtype)
        chunks = (blocks.chunks[0], (example.shape[1],))
        return blocks.map_blocks(_array, method, none, chunks=chunks, dtype=example.dtype)


def _start(
    parts: PartsOnWorkers, partitions: list[Partition], request: FitRequest
) -> PartsTraining:
    descriptions = parts.describe(partitions)
    present = [i for i, each in enumerate(descriptions) if each is not None]
    places = [f"partition {i}" for i in present]
    agreement = agree(
        [descriptions[i] for i in present],
        places,
        request.class_weight,
        missing=request.missing,
        numbers=present,
    )
    parts.code({i: partitions[i] for i in present}, agreement)
    return PartsTraining(DaskTeam(parts), agreement)


def _one_row(X: Any) -> Any:
    """A row of missing values in the form of X's partitions."""
    if is_array(X):
        return np.full((1, X.shape[1]), np.nan)
    return X._meta.reindex([0]) if hasattr(X, "_meta") else X.head(1)


def _series(block: Any, method: Callable[[Any], Any], none: Any, name: str) -> Any:
    import pandas as pd

    return pd.Series(_array(block, method, none), index=block.index, name=name)


def _array(block: Any, method: Callable[[Any], Any], none: Any) -> Any:
    """none: the result of no rows, which the methods themselves refuse."""
    return method(block) if block.shape[0] else none
