"""The command `hardwood`.

In: the words of the command line. Out: an exit code: 0 done, 1 a claim given to `prove` is not
proved, 2 wrong use or wrong input with one sentence on standard error, 130 after Ctrl-C. Any other
exception is a fault of hardwood and keeps its traceback.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

WRONG = 2
INTERRUPTED = 130
_NEEDED = ("typer", "rich", "pyarrow")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave the process with its exit code."""
    absent = [library for library in _NEEDED if find_spec(library) is None]
    if absent:
        _complain(
            f"The command hardwood needs {', '.join(absent)}, missing here; "
            "install what it needs with: pip install 'hardwood[cli]'"
        )
        sys.exit(WRONG)
    code = _run(arguments)
    if code == INTERRUPTED:
        # Ctrl-C pressed again while Python ends changes nothing.
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
        # `python -m` ends by a signal, not with our code, if Ctrl-C came while text was executed,
        # as making a dataclass does; CPython forgets that when it executes text again.
        exec("")
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        return _answered(arguments)
    except BrokenPipeError:  # the reader, for example head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        what = f"{error.filename}: " if error.filename else "Output could not be written: "
        _complain(f"{what}{error.strerror or error}.")
    except MemoryError:
        _complain("There is not enough memory for this; try a smaller file.")
    except KeyboardInterrupt:
        _complain("Interrupted; no file was changed.")
        return INTERRUPTED
    return WRONG


def _answered(arguments: Sequence[str] | None) -> int:
    """The exit code of the command; wrong use and wrong input are told here."""
    import typer

    from hardwood.cli.app import app
    from hardwood.cli.refusal import InputError

    wrong_use: Any = typer.BadParameter.__mro__[1]  # click's UsageError, wherever typer keeps it
    try:
        code = app(args=arguments, prog_name="hardwood", standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        _complain(str(error))
        return error.code
    except wrong_use as error:
        _complain(_ended(error.format_message()) + " See hardwood --help.")
        return WRONG
    except typer.Abort:
        code = INTERRUPTED
    except SystemExit as end:  # typer's answer to a closed pipe
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        raise
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _ended(text: str) -> str:
    """On one line, with a full stop."""
    line = " ".join(text.split())
    return line if line.endswith((".", "?")) else f"{line}."


def _complain(text: str) -> None:
    from hardwood.cli.plain_text import plain

    sentence = _ended(plain(text))
    red = sys.stderr.isatty() and "NO_COLOR" not in os.environ
    sys.stderr.write(f"\033[31m{sentence}\033[0m\n" if red else f"{sentence}\n")
