"""Reading a file whole, and replacing one so that it is never half written.

A new file gets a temporary name in the same folder, is flushed to the disk and then renamed.
Invariant: whatever happens on the way (a full disk, Ctrl-C), the old file stays as it was and no
temporary file stays behind.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from secrets import token_hex

from hardwood.errors import ModelFileError, not_written
from hardwood.model_file.container import PREFIX, check_prefix

_BYTES: int = getattr(os, "O_BINARY", 0)
"""Windows writes two bytes for a line's end where this is not asked for."""


def read(path: Path) -> bytes:
    """The file's bytes, when it begins like a model file and has the length that it says."""
    with path.open("rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise ModelFileError("it is no ordinary file but a device, a pipe or a socket.")
        prefix = file.read(PREFIX.size)
        check_prefix(prefix, about.st_size)
        return prefix + file.read(about.st_size - len(prefix) + 1)


def replace(path: Path, content: bytes) -> None:
    """Write `content` under this name; permissions of an older file are kept."""
    target = Path(os.path.realpath(path))
    mode = _older_mode(target)
    temporary = target.with_name(f".{target.name[:100]}.{token_hex(8)}.tmp")
    try:
        with _opened(temporary) as descriptor:
            if mode is not None:
                temporary.chmod(mode)
            descriptor.write(content)
        temporary.replace(target)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise not_written(path, error) from error
        raise
    _flush_folder(target.parent)


class _opened:  # noqa: N801
    """A new file, on the disk when the block ends."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> _opened:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BYTES
        self.number = os.open(self._path, flags, 0o666)
        return self

    def write(self, content: bytes) -> None:
        left = memoryview(content)
        while left:
            left = left[os.write(self.number, left) :]

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                os.fsync(self.number)
        finally:
            os.close(self.number)


def _older_mode(target: Path) -> int | None:
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(f"{target} is a directory; give the name of a file.")
    if not stat.S_ISREG(mode):
        raise ValueError(f"{target} is a device, a pipe or a socket; give the name of a file.")
    return stat.S_IMODE(mode)


def _flush_folder(folder: Path) -> None:
    """So that the new name is on the disk too; not every file system can."""
    try:
        number = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(number)
    except OSError:
        pass
    finally:
        os.close(number)
