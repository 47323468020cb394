"""Dask DataFrames and arrays as partitions: delayed X, y and weights that belong together.

In: collections in any mixture of frames and arrays, divisions known or not. Out: one `Partition`
per block of rows. Nothing is computed here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Partition:
    """Delayed values; a partition's number names it in messages."""

    number: int
    X: Any
    y: Any
    sample_weight: Any

    def given(self) -> tuple[Any, Any, Any]:
        return self.X, self.y, self.sample_weight


def is_frame(X: Any) -> bool:
    try:
        import dask.dataframe as dd
    except ImportError:
        return False
    return isinstance(X, dd.DataFrame)


def is_array(X: Any) -> bool:
    try:
        import dask.array as da
    except ImportError:
        return False
    return isinstance(X, da.Array)


def partitions_of(X: Any, y: Any, sample_weight: Any) -> list[Partition]:
    """X's partitions with their labels and weights."""
    if y is None:
        raise ValueError("A classifier requires y to be passed, but the target y is None.")
    if isinstance(y, str) and is_frame(X):
        y, X = X[y], X.drop(columns=y)
    if isinstance(sample_weight, str) and is_frame(X):
        sample_weight, X = X[sample_weight], X.drop(columns=sample_weight)
    blocks = _rows_of(X, "X", None)
    sizes = X.chunks[0] if is_array(X) else None
    labels = _rows_of(y, "y", sizes)
    weights = [None] * len(blocks)
    if sample_weight is not None:
        weights = _rows_of(sample_weight, "sample_weight", sizes)
    for name, other in (("y", labels), ("sample_weight", weights)):
        if len(other) != len(blocks):
            raise ValueError(
                f"X has {len(blocks)} partitions and {name} has {len(other)}; they must be cut at "
                "the same rows. Take both from one collection, or repartition them alike."
            )
    return [Partition(i, *each) for i, each in enumerate(zip(blocks, labels, weights, strict=True))]


def _rows_of(collection: Any, name: str, sizes: tuple[int, ...] | None) -> list[Any]:
    if not hasattr(collection, "to_delayed"):
        raise TypeError(
            f"X is a Dask collection, but {name} is a {type(collection).__name__}; give {name} as "
            "a Dask collection with the same partitions."
        )
    if is_array(collection):
        if collection.ndim == 2:
            collection = collection.rechunk({1: -1})
        known = not any(size != size for size in collection.chunks[0])
        if sizes is not None and known and not any(size != size for size in sizes):
            if sum(sizes) != collection.shape[0]:
                raise ValueError(
                    "Found input variables with inconsistent numbers of samples: X has "
                    f"{sum(sizes)} rows and {name} has {collection.shape[0]}."
                )
            collection = collection.rechunk({0: sizes})
    delayed = collection.to_delayed()
    return list(delayed.ravel()) if is_array(collection) else list(delayed)
