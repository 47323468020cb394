"""A line on stderr that says how far a fit is.

In: what is being done, how much of it is done, and of how much where that is known. Out: text that
overwrites itself. A fit without progress calls the same methods and writes nothing.
"""

from __future__ import annotations

import sys
import time

_WIDTH = 30  # of a bar
_PAUSE = 0.1  # seconds between two lines


class Progress:
    def __init__(self, wanted: bool = False) -> None:
        self._wanted = wanted
        self._length = 0  # of the line as it stands
        self._text = ""  # the latest, which may not be written yet
        self._next = 0.0

    def show(self, what: str, done: int, total: int | None = None) -> None:
        """`what` is the unit, as in "round 3 of 50" or "leaf 17"."""
        if not self._wanted:
            return
        text = f"{what} {done}"
        if total:
            filled = _WIDTH * min(done, total) // total
            text = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {text} of {total}"
        self._text = text
        if time.monotonic() >= self._next:
            self._write()
            self._next = time.monotonic() + _PAUSE

    def end(self) -> None:
        """End the line, if there is one."""
        if not self._text:
            return
        self._write()
        sys.stderr.write("\n")
        sys.stderr.flush()
        self._length, self._text, self._next = 0, "", 0.0

    def _write(self) -> None:
        sys.stderr.write("\r" + self._text.ljust(self._length))
        sys.stderr.flush()
        self._length = len(self._text)
