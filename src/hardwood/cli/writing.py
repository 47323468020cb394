"""Output files that are there whole or not at all.

In: a path. Out: a file to write to. Invariant: the bytes go to a temporary name beside the path and
take its place only when all are on disk, so a full disk, an error or Ctrl-C leaves the old file.
Devices such as /dev/null are written to directly.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from hardwood.cli.refusal import InputError


def check_writable(path: Path, *, device_allowed: bool = False) -> None:
    """Refuse an output path before any work is done for it."""
    folder = path.parent
    if path.is_dir():
        raise InputError(f"{path} is a directory; give the name of a file to write.")
    if path.exists() and not path.is_file() and not device_allowed:
        raise InputError(f"{path} is a device or a pipe; give the name of a file to write.")
    if not folder.is_dir():
        raise InputError(f"{path} cannot be written: there is no directory {folder}.")
    if not os.access(folder, os.W_OK) and not path.exists():
        raise InputError(f"{path} cannot be written: the directory {folder} is not writable.")


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file whose content becomes that of `path` when the block ends without an error."""
    target = path.resolve()  # a symbolic link stays one
    if target.exists() and not target.is_file():
        with target.open("wb") as device:
            yield device
        return
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(
                f"{path} could not be written ({error.strerror or error}); "
                "what was there before is unchanged."
            ) from error
        raise
