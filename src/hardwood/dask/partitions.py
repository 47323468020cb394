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


def is_collection(X: Any) -> bool:
    """Anything of Dask's, also what `refuse_other_collections` refuses."""
    return type(X).__module__.partition(".")[0] in ("dask", "dask_expr")


def refuse_other_collections(X: Any) -> None:
    """Only frames, and arrays of two dimensions, are tables."""
    if is_array(X) and X.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {X.ndim}D array instead: X is a Dask array of {X.ndim} "
            "dimensions, and must have rows and columns. Reshape it."
        )
    if not is_array(X) and not is_frame(X):
        raise TypeError(
            f"X is a Dask {type(X).__name__}; of Dask's collections hardwood takes DataFrames and "
            "arrays of rows and columns. Make one of it, for example with to_frame() or "
            "to_dataframe()."
        )


def partitions_of(X: Any, y: Any, sample_weight: Any) -> list[Partition]:
    """X's partitions with their labels and weights."""
    if y is None:
        raise ValueError("A classifier requires y to be passed, but the target y is None.")
    X, y, sample_weight = _columns_by_name(X, y, sample_weight)
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


def _columns_by_name(X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """Names of columns become the columns, which leave X."""
    given = {"y": y, "sample_weight": sample_weight}
    named = {what: name for what, name in given.items() if isinstance(name, str)}
    if not is_frame(X) or not named:
        return X, y, sample_weight
    for what, name in named.items():
        if name not in X.columns:
            shown = ", ".join(map(repr, list(X.columns)[:8]))
            raise ValueError(
                f"{what} is {name!r}, but X has no such column; its columns are {shown}. Give one "
                "of them, or a Dask collection."
            )
    if len(named) == 2 and len(set(named.values())) == 1:
        raise ValueError(f"y and sample_weight are both the column {y!r}; give two columns.")
    columns = [X[name] if isinstance(name, str) else name for name in given.values()]
    return X.drop(columns=list(named.values())), columns[0], columns[1]


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
    if is_array(collection):
        return list(collection.to_delayed().ravel())
    delayed = list(collection.to_delayed())
    if len(delayed) != collection.npartitions:  # Dask joined small files, by the columns asked for
        delayed = list(collection.to_delayed(optimize_graph=False))
    return delayed
