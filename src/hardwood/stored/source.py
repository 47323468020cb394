"""Rows of a data set or lazy frame, block by block.

In: a `pyarrow.dataset.Dataset` or a polars `LazyFrame`. Out: Arrow tables of at most `BLOCK_ROWS`
rows, each with a name for messages, in the same order on every pass. A file that cannot be read, or
that has other columns, is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardwood.stored.row_hash import hash_of_rows

BLOCK_ROWS = 1 << 19


def _reading() -> dict[str, int]:
    return {"batch_size": BLOCK_ROWS // 8, "batch_readahead": 2, "fragment_readahead": 1}


@dataclass(frozen=True)
class Block:
    place: str
    table: Any  # a pyarrow.Table


def is_dataset(X: Any) -> bool:
    return type(X).__module__.startswith("pyarrow.") and hasattr(X, "get_fragments")


def is_lazy_frame(X: Any) -> bool:
    return type(X).__module__.startswith("polars.") and type(X).__name__ == "LazyFrame"


def column_names(X: Any) -> list[str]:
    return list(X.schema.names) if is_dataset(X) else list(_schema(X).names())


def blocks(X: Any) -> Iterator[Block]:
    """All rows."""
    return _dataset_blocks(X) if is_dataset(X) else _frame_blocks(X)


def _dataset_blocks(X: Any) -> Iterator[Block]:
    import pyarrow

    pending: list[Any] = []
    places: list[str] = []
    rows = 0
    for place, batches in _places(X):
        for batch in batches:
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


def _places(X: Any) -> Iterator[tuple[str, Iterator[Any]]]:
    """Files, or the whole where a filter hides them, with their batches."""
    if _is_filtered(X):
        yield "the data set", _readable("the data set", lambda: X.to_batches(**_reading()))
        return
    for fragment in X.get_fragments():
        place = str(getattr(fragment, "path", "") or "the data set")
        yield place, _fragment_batches(X, fragment, place)


def _fragment_batches(X: Any, fragment: Any, place: str) -> Iterator[Any]:
    def batches() -> Iterator[Any]:
        known, given = set(X.schema.names), set(fragment.physical_schema.names)
        if known - given - _partition_fields(X):
            _refuse_columns(place, given, known)
        yield from fragment.to_batches(schema=X.schema, **_reading())

    return _readable(place, batches)


def _readable(place: str, batches: Callable[[], Iterator[Any]]) -> Iterator[Any]:
    """The batches; what the reading library cannot read is refused by name."""
    try:
        yield from batches()
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
    if not hasattr(X, "collect_batches"):
        raise TypeError(
            "X is a LazyFrame of a polars that cannot compute it batch by batch (before 1.34); "
            "update polars, or compute it in memory: X.collect()."
        )
    first = 0
    batches = iter(X.collect_batches(chunk_size=BLOCK_ROWS, maintain_order=True))
    while True:
        try:
            table = next(batches).to_arrow()
        except StopIteration:
            return
        except Exception as error:
            raise _not_computed(error, f" after row {first}" if first else "") from error
        for start in range(0, table.num_rows, BLOCK_ROWS):
            piece = table.slice(start, BLOCK_ROWS)
            yield Block(f"rows {first} to {first + piece.num_rows - 1}", piece)
            first += piece.num_rows


def _schema(X: Any) -> Any:
    try:
        return X.collect_schema()
    except Exception as error:
        raise _not_computed(error, "") from error


def _not_computed(error: Exception, where: str) -> ValueError:
    return ValueError(
        f"The lazy frame could not be computed{where} ({type(error).__name__}: {error}); repair "
        "its files, or what is computed of them."
    )


def _named(places: list[str]) -> str:
    if len(places) == 1:
        return places[0]
    return f"{places[0]} to {places[-1]}"


def signature(X: Any) -> list[Any]:
    """What a kept directory is recognised by: the columns, and the files with their sizes and
    times; where they are not known, all rows, which are read for it."""
    schema = str(X.schema) if is_dataset(X) else str(_schema(X))
    files = _files(X)
    if not files or not all(file.exists() for file in files):
        return ["rows", schema, hash_of_rows(block.table for block in blocks(X))]
    known = [(file, file.stat()) for file in files]
    return ["files", schema, [[str(file), stat.st_size, stat.st_mtime_ns] for file, stat in known]]


def _files(X: Any) -> list[Path]:
    """Of a data set that is all of its files, on this machine's disks."""
    if not is_dataset(X) or _is_filtered(X):
        return []
    return [Path(str(name)) for name in getattr(X, "files", [])]


def _is_filtered(X: Any) -> bool:
    try:
        X.get_fragments()
    except ValueError:
        return True
    return False
