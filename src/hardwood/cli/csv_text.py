"""CSV files: the delimiter, the header, all rows as a typed table, or batches of strings.

In: a path and, when given, delimiter and encoding. Out: for training an Arrow table whose types are
guessed from all values; for prediction batches of the wanted columns as strings, because a model
already knows its kinds and a guess from the first rows could contradict the later ones.
Empty cells, NA, NaN, null, None-like spellings and "?" are missing, and what `Cells` adds. Names
lose outer spaces; without a header they are x0, x1, ...
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from hardwood.cli.cells import Cells
from hardwood.cli.formats import address_space, opened
from hardwood.cli.refusal import InputError, one_line

DELIMITERS = (",", ";", "\t", "|", " ")
_SNIFFED_LINES = 200
_BLOCK = 1 << 21
"""Bytes read at a time in prediction, or four times the longest of the first lines; a row must be
shorter. Arrow reads some thirty blocks ahead."""


@dataclass(frozen=True, slots=True)
class CsvFile:
    """A CSV file whose delimiter and column names are known."""

    path: Path
    delimiter: str
    encoding: str
    header: tuple[str, ...]
    """Names as they are in the file, outer spaces included."""
    block: int
    cells: Cells

    @property
    def names(self) -> list[str]:
        return [name.strip() for name in self.header]


def open_csv(path: Path, delimiter: str | None, encoding: str, cells: Cells) -> CsvFile:
    """Look at the first lines."""
    if delimiter is not None:
        delimiter = {"tab": "\t", "\\t": "\t", "space": " "}.get(delimiter, delimiter)
        if len(delimiter.encode()) != 1:
            raise InputError(f"--delimiter is {delimiter!r}; give one ASCII character, or tab.")
    csv.field_size_limit(sys.maxsize)
    try:
        with opened(path) as stream:
            text = io.TextIOWrapper(stream, encoding=_with_mark(encoding), newline="")
            lines = list(islice(text, _SNIFFED_LINES))
    except UnicodeDecodeError as error:
        raise _not_text(path, encoding) from error
    except LookupError:
        raise InputError(
            f"--encoding is {encoding!r}, which Python does not know; try utf-8 or latin-1."
        ) from None
    if not any(line.strip() for line in lines):
        raise InputError(f"{path} holds no text; a file with a header and rows is needed.")
    delimiter = delimiter or _guessed(lines)
    header = next(row for row in csv.reader(lines, delimiter=delimiter) if row)
    if not cells.header:
        header = [f"x{j}" for j in range(len(header))]
    block = max(_BLOCK, 4 * max(len(line) for line in lines))
    return CsvFile(path, delimiter, encoding, tuple(header), block, cells)


def read_all(file: CsvFile) -> Any:
    """Every row as an Arrow table."""
    from pyarrow import csv as arrow_csv

    with _refusing(file), opened(file.path) as stream:
        table = arrow_csv.read_csv(
            stream,
            read_options=arrow_csv.ReadOptions(
                encoding=file.encoding,
                use_threads=address_space() is None,
                column_names=_given_names(file),
            ),
            parse_options=_parsing(file),
            convert_options=arrow_csv.ConvertOptions(
                strings_can_be_null=True,
                null_values=file.cells.nulls,
                decimal_point=file.cells.decimal,
            ),
        )
    for field in table.schema:
        if str(field.type) in ("binary", "large_binary"):
            raise _not_text(file.path, file.encoding, field.name)
    return table.rename_columns([name.strip() for name in table.column_names])


def string_batches(file: CsvFile, wanted: Sequence[str]) -> Iterator[Any]:
    """Record batches of the wanted columns, in their order, as strings."""
    import pyarrow
    from pyarrow import csv as arrow_csv

    columns = [file.header[file.names.index(name)] for name in wanted]
    with _refusing(file), opened(file.path) as stream:
        reader = arrow_csv.open_csv(
            stream,
            read_options=arrow_csv.ReadOptions(
                encoding=file.encoding,
                block_size=file.block,
                use_threads=False,
                column_names=_given_names(file),
            ),
            parse_options=_parsing(file),
            convert_options=arrow_csv.ConvertOptions(
                include_columns=columns,
                column_types=dict.fromkeys(columns, pyarrow.string()),
                strings_can_be_null=True,
                null_values=file.cells.nulls,
            ),
        )
        for batch in reader:
            yield batch.rename_columns(list(wanted))


def _given_names(file: CsvFile) -> list[str] | None:
    """None: they stand in the file's first line."""
    return None if file.cells.header else list(file.header)


def _parsing(file: CsvFile) -> Any:
    from pyarrow import csv as arrow_csv

    return arrow_csv.ParseOptions(delimiter=file.delimiter, newlines_in_values=True)


@contextmanager
def _refusing(file: CsvFile) -> Iterator[None]:
    """Arrow's errors about the file as sentences."""
    try:
        yield
    except MemoryError:
        raise InputError(f"{file.path} needs more memory than there is.") from None
    except ValueError as error:
        text = one_line(error)
        if isinstance(error, UnicodeDecodeError) or "UTF8" in text:
            raise _not_text(file.path, file.encoding) from None
        shown = {"\t": "a tab", " ": "a space"}.get(file.delimiter, repr(file.delimiter))
        raise InputError(
            f"{file.path} is not CSV with {shown} between the columns: {text[:200]}; correct the "
            "file, or give --delimiter."
        ) from None


def _guessed(lines: Sequence[str]) -> str:
    """The delimiter that cuts most lines into as many cells as the header, and more than one."""

    def merit(delimiter: str) -> tuple[bool, float, int]:
        rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
        whole = rows[:-1] if len(lines) == _SNIFFED_LINES else rows
        width = len(rows[0])
        alike = sum(len(row) == width for row in whole) / max(len(whole), 1)
        return width > 1, alike, width

    merits = {delimiter: merit(delimiter) for delimiter in DELIMITERS}
    best = max(DELIMITERS[:-1], key=merits.__getitem__)
    return " " if not merits[best][0] and merits[" "][:2] == (True, 1.0) else best


def _with_mark(encoding: str) -> str:
    return "utf-8-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else encoding


def _not_text(path: Path, encoding: str, column: str | None = None) -> InputError:
    where = f" (column {column!r})" if column else ""
    return InputError(
        f"{path} is not {encoding} text{where}; convert it to UTF-8, or name its encoding, for "
        "example --encoding latin-1."
    )
