"""Parquet and Arrow (Feather) files: their names, all rows, or batches of some columns.

In: a path. Out: Arrow data with the types that the file declares. Batches are read from the file as
they are asked for, without mapping it into memory, so that its size does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hardwood.cli.refusal import InputError, one_line

_ROWS = 1 << 16
"""Rows of a batch."""


def names_of(path: Path, kind: str) -> list[str]:
    """The names of the columns."""
    with _refusing(path), _reader(path, kind) as reader:
        schema = reader.schema_arrow if kind == "parquet" else reader.schema
        return [str(name) for name in schema.names]


def read_all(path: Path, kind: str) -> Any:
    """Every row as an Arrow table."""
    with _refusing(path), _reader(path, kind) as reader:
        return reader.read() if kind == "parquet" else reader.read_all()


def batches(path: Path, kind: str, wanted: Sequence[str]) -> Iterator[Any]:
    """Record batches of the wanted columns, in their order."""
    with _refusing(path), _reader(path, kind) as reader:
        if kind == "parquet":
            each: Iterator[Any] = reader.iter_batches(_ROWS, columns=list(wanted))
        elif hasattr(reader, "get_batch"):
            each = map(reader.get_batch, range(reader.num_record_batches))
        else:
            each = iter(reader)
        for batch in each:
            yield batch.select(list(wanted))


@contextmanager
def _reader(path: Path, kind: str) -> Iterator[Any]:
    import pyarrow

    with pyarrow.OSFile(str(path)) as file:
        if kind == "parquet":
            from pyarrow import parquet

            yield parquet.ParquetFile(file, pre_buffer=False, buffer_size=1 << 20)
            return
        start = file.read(6)
        file.seek(0)
        if start == b"ARROW1":
            yield pyarrow.ipc.open_file(file)
        else:
            yield pyarrow.ipc.open_stream(file)


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    try:
        yield
    except MemoryError:
        raise InputError(f"{path} needs more memory than there is.") from None
    except (ValueError, OSError, NotImplementedError) as error:
        raise InputError(f"{path} is damaged or cannot be read: {one_line(error)[:200]}") from error
