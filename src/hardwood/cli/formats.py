"""Which format a data file has, by its first bytes and its name.

In: a path. Out: "csv", "parquet", "arrow" or "libsvm"; what cannot be read is refused here. Parquet
and Arrow files say what they are; a text file is LIBSVM when its name or its first line says so,
and CSV otherwise. Text may be compressed (.gz, .bz2, .zst, ...).
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Literal

from hardwood.cli.refusal import InputError, one_line, size_text

Format = Literal["csv", "parquet", "arrow", "libsvm"]

_LIBSVM_NAMES = {".libsvm", ".svm", ".svmlight"}
_LIBSVM_LINE = re.compile(rb"^[-+0-9.eE]+(\s+qid:\d+)?(\s+\d+:[-+0-9.eE]+)+\s*(#.*)?$")
_SIGNS = {
    b"\x1f\x8b": ".gz",
    b"BZh": ".bz2",
    b"\x28\xb5\x2f\xfd": ".zst",
    b"\x04\x22\x4d\x18": ".lz4",
}
"""First bytes of compressed files."""
_COMPRESSED = {".gz", ".bz2", ".zst", ".lz4"}
_SAMPLE = 1 << 16
_EXPANDED = 4
"""Training takes about so many times the size of a text file."""
_PROGRAM = 600_000_000
"""Address space of Python and the libraries."""


def file_of(path: Path) -> Path:
    """The path itself, or for - a file that holds standard input until the process ends: a file is
    read more than once."""
    if str(path) != "-":
        return path
    folder = tempfile.TemporaryDirectory(prefix="hardwood-")
    atexit.register(folder.cleanup)
    kept = Path(folder.name) / "standard-input"
    with kept.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    with kept.open("rb") as file:
        start = file.read(4)
    suffix = next((end for sign, end in _SIGNS.items() if start.startswith(sign)), "")
    return kept.rename(kept.with_suffix(suffix)) if suffix else kept


def check_file(path: Path) -> None:
    """A file that exists, is no directory and is not empty."""
    if not path.exists():
        raise InputError(f"{path} does not exist; check the name of the file.")
    if path.is_dir():
        raise InputError(f"{path} is a directory; give one file.")
    if not path.is_file():
        raise InputError(f"{path} is a pipe or a device, which can be read only once; give a file.")
    if path.stat().st_size == 0:
        raise InputError(f"{path} is empty; a file with a header and rows is needed.")


def format_of(path: Path) -> Format:
    """The format of an existing file."""
    check_file(path)
    try:
        with opened(path) as stream:
            start: bytes = stream.read(_SAMPLE)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {one_line(error)}.") from error
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith((b"ARROW1", b"\xff\xff\xff\xff")):  # a file, or a stream
        return "arrow"
    if path.suffix in (".parquet", ".pq", ".arrow", ".feather"):
        raise InputError(f"{path} is not a {path.suffix[1:]} file: its first bytes are others.")
    name = path.with_suffix("") if path.suffix in _COMPRESSED else path
    if name.suffix in _LIBSVM_NAMES or _LIBSVM_LINE.match(start.split(b"\n", 1)[0].strip()):
        return "libsvm"
    return "csv"


def opened(path: Path) -> Any:
    """The file's bytes as an Arrow stream, decompressed when its name says it is compressed."""
    import pyarrow

    if address_space() is not None:
        pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    return pyarrow.input_stream(str(path), compression="detect")


def check_fits_in_memory(path: Path) -> None:
    """Training needs all rows at once; a file that cannot fit is refused before it is read."""
    size, limit = path.stat().st_size, address_space()
    needed = size if limit is None else _EXPANDED * size + _PROGRAM
    memory = _machine() if limit is None else limit
    if needed > memory:
        raise InputError(
            f"{path} has {size_text(size)}, too much for the {size_text(memory)} of memory that "
            "this process may use; train on a sample of its rows."
        )


def address_space() -> int | None:
    """The limit that `ulimit -v` sets, in bytes.

    Under one Arrow is asked to read in one thread with the system's allocator: its own reserves a
    gigabyte, and an allocation that fails in a thread of Arrow's ends the process.
    """
    if sys.platform == "win32":
        return None
    import resource

    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if allowed == resource.RLIM_INFINITY else allowed


def _machine() -> float:
    if sys.platform == "win32":
        return float("inf")
    return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
