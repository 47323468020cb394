"""What the command line refuses, and how it says so.

In: what went wrong, as an exception. Out: one sentence on one line. `InputError` is for wrong input
that the command line sees itself; `refusing` gives the errors of the libraries below a subject.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class InputError(Exception):
    """Wrong use or wrong input: exit code 2 and this one sentence."""

    code = 2


class StoppedError(InputError):
    """Ctrl-C in work that keeps what it has: exit code 130 and this one sentence."""

    code = 130


def one_line(error: BaseException) -> str:
    """The message of an error without line breaks."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(str(error).split()) or type(error).__name__


@contextmanager
def refusing(subject: str = "") -> Iterator[None]:
    """ValueError and TypeError (also Arrow's) become an InputError about the subject."""
    try:
        yield
    except MemoryError:
        raise InputError(f"{subject or 'The data'} needs more memory than there is.") from None
    except (ValueError, TypeError, NotImplementedError) as error:
        text = one_line(error)
        raise InputError(f"{subject}: {text}" if subject else text) from error


def size_text(size: float) -> str:
    """Bytes in a unit that people read."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"
