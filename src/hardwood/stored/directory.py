"""The directory of a data set's codes: whose it is, whether it is whole, and how it is cleared.

    directory/
      store.part            as store.json, while the codes are being written
      store.json            which data and options the codes are of; renamed at the end
      descriptions.json, descriptions.npz
      block-00000/ ...

Invariant: a directory with store.json is whole; one with store.part is ours and unfinished, left by
a process that was killed, and is cleared; anything else that is not empty is the user's and is
refused untouched.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from pathlib import Path
from typing import Any, TextIO
from zipfile import BadZipFile

_FINISHED, _UNFINISHED = "store.json", "store.part"
DAMAGES = (OSError, ValueError, LookupError, TypeError, EOFError, BadZipFile)
_OURS = re.compile(r"block-\d{5,}|descriptions\.(json|npz)|store\.(json|part)")


class StoreDirectory:
    def __init__(self, place: Path) -> None:
        self.place = place
        try:
            place.mkdir(parents=True, exist_ok=True)
            names = sorted(path.name for path in place.iterdir())
        except OSError as error:
            raise ValueError(
                f"directory={str(place)!r} cannot be used ({error}); give a directory that is "
                "empty, new, or of an earlier fit of the same data."
            ) from error
        unknown = [name for name in names if not _OURS.fullmatch(name)]
        if _FINISHED not in names and names and (_UNFINISHED not in names or unknown):
            raise ValueError(
                f"directory={str(place)!r} is not empty ({(unknown or names)[0]!r}), and not a "
                "finished store of coded columns; give an empty or new directory."
            )

    @property
    def finished(self) -> bool:
        return (self.place / _FINISHED).exists()

    def check(self, signature: Any) -> None:
        """Refuse the codes of other data."""
        if json.loads((self.place / _FINISHED).read_text()) != signature:
            raise OtherDataError(
                f"directory={str(self.place)!r} holds the coded columns of other data, or of other "
                "options; give a new directory, or remove this one."
            )

    def begin(self, signature: Any) -> None:
        """Nothing but a note whose it will be, locked as long as this process writes."""
        self._note = (self.place / _UNFINISHED).open("a")
        if self.finished or not _locked(self._note):
            self._note.close()
            raise ValueError(
                f"Another fit writes its coded columns to directory={str(self.place)!r} at this "
                "moment; wait for it, or give another directory."
            )
        self._remove(note=False)
        try:
            self._note.truncate(0)
            self._note.write(json.dumps(signature))
            self._note.flush()
        except OSError:
            self.clear()
            raise

    def finish(self) -> None:
        (self.place / _UNFINISHED).replace(self.place / _FINISHED)
        self._note.close()

    def clear(self) -> None:
        """Remove what is ours; the note goes last, so that an unfinished store stays known."""
        self._remove(note=True)
        with contextlib.suppress(OSError):  # what a full disk did not take
            self._note.close()

    def _remove(self, *, note: bool) -> None:
        ours = [path for path in self.place.iterdir() if _OURS.fullmatch(path.name)]
        for path in sorted(ours, key=lambda path: path.name == _UNFINISHED):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            elif note or path.name != _UNFINISHED:
                path.unlink(missing_ok=True)


def _locked(file: TextIO) -> bool:
    """Whether the file is ours now; where there are no locks it always is."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


class OtherDataError(ValueError):
    """A kept directory is of other data."""


def damaged(place: Path, error: Exception) -> ValueError:
    return ValueError(f"directory={str(place)!r} is damaged ({error}); remove it and fit again.")
