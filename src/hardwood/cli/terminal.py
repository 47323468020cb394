"""Progress messages on standard error while a command works.

They disappear when the work is done, and are absent when standard error is no terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress


@contextmanager
def busy(what: str, *, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """A spinner while the block runs, which may change its words."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield lambda _: None
        return
    with console.status(f"{what} ...") as status:
        yield lambda words: status.update(f"{what} {words} ...")


@contextmanager
def progress(what: str, steps: int, *, quiet: bool = False) -> Iterator[Callable[[], None]]:
    """A bar; the block calls what it gets after each step."""
    console = Console(stderr=True)
    hidden = quiet or not console.is_terminal
    with Progress(console=console, transient=True, disable=hidden) as bar:
        task = bar.add_task(what, total=steps)
        yield lambda: bar.advance(task)
