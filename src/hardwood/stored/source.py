"""Rows of a data set or lazy frame, block by block.

In: a `pyarrow.dataset.Dataset` or a polars `LazyFrame`. Out: Arrow tables of at most `BLOCK_ROWS`
rows, each with a name for messages, in the same order on every pass. A file that cannot be read, or
that has other columns, is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BLOCK_ROWS = 1 << 19


@dataclass(frozen=True)
class Block:
    place: str
    table: Any  # a pyarrow.Table


def is_dataset(X: Any) -> bool:
    return type(X).__module__.startswith("pyarrow.") and hasattr(X, "get_fragments")


def is_lazy_frame(X: Any) -> bool:
    return type(X).__module__.startswith("polars.") and type(X).__name__ == "LazyFrame"


def column_names(X: Any) -> list[str]:
    return list(X.schema.names) if is_dataset(X) else list(X.collect_schema().names())


def blocks(X: Any) -> Iterator[Block]:
    """All rows."""
    return _dataset_blocks(X) if is_dataset(X) else _frame_blocks(X)


def _dataset_blocks(X: Any) -> Iterator[Block]:
    import pyarrow

    pending: list[Any] = []
    places: list[str] = []
    rows = 0
    for fragment in X.get_fragments():
        place = str(getattr(fragment, "path", "") or "the data set")
        for batch in _fragment_batches(X, fragment, place):
            pending.append(batch)
            rows += batch.num_rows
            if place not in places:
                places.append(place)
            if rows >= BLOCK_ROWS:
                yield Block(_named(places), pyarrow.Table.from_batches(pending))
                pending, places, rows = [], [], 0
    if pending:
        yield Block(_named(places), pyarrow.Table.from_batches(pending))
    del pending
    pyarrow.default_memory_pool().release_unused()


def _fragment_batches(X: Any, fragment: Any, place: str) -> Iterator[Any]:
    try:
        known, given = set(X.schema.names), set(fragment.physical_schema.names)
        if known - given - _partition_fields(X):
            _refuse_columns(place, given, known)
        yield from fragment.to_batches(
            schema=X.schema, batch_size=BLOCK_ROWS // 8, batch_readahead=2, fragment_readahead=1
        )
    except (OSError, RuntimeError) as error:
        raise _unreadable(place, error) from error
    except ValueError as error:  # Arrow's own are ValueErrors
        if type(error).__module__.startswith("pyarrow"):
            raise _unreadable(place, error) from error
        raise


def _partition_fields(X: Any) -> set[str]:
    partitioning = getattr(X, "partitioning", None)
    return set() if partitioning is None else set(partitioning.schema.names)


def _refuse_columns(place: str, given: set[str], known: set[str]) -> None:
    missing = ", ".join(map(repr, sorted(known - given)[:5]))
    raise ValueError(
        f"{place} lacks the columns {missing}, which other files of the data set have; all files "
        "must have the same columns."
    )


def _unreadable(place: str, error: Exception) -> ValueError:
    return ValueError(
        f"{place} could not be read ({error}); repair the file, or take it out of the data set."
    )


def _frame_blocks(X: Any) -> Iterator[Block]:
    first = 0
    for frame in X.collect_batches(chunk_size=BLOCK_ROWS, maintain_order=True):
        table = frame.to_arrow()
        for start in range(0, table.num_rows, BLOCK_ROWS):
            piece = table.slice(start, BLOCK_ROWS)
            yield Block(f"rows {first} to {first + piece.num_rows - 1}", piece)
            first += piece.num_rows


def _named(places: list[str]) -> str:
    if len(places) == 1:
        return places[0]
    return f"{places[0]} to {places[-1]}"


def signature(X: Any) -> list[Any]:
    """What a kept directory is recognised by: columns, files, their sizes and times."""
    if is_dataset(X):
        files = [Path(str(name)) for name in getattr(X, "files", [])]
        known = [
            [str(file), file.stat().st_size, file.stat().st_mtime_ns]
            for file in files
            if file.exists()
        ]
        return ["dataset", str(X.schema), known, [str(file) for file in files]]
    return ["lazy frame", str(X.collect_schema()), X.explain(optimized=False)]
