"""The fenced blocks of a page, run in order, and the page with what they print.

In: the text of a Markdown page. Out: the same text with fresh outputs. A page has one namespace and
one folder:

    ```python     is run; an ```output block right after it is what it printed
    ```console    each line after "$ " is run in bash; the lines between are what it printed
    ```bash       is run; nothing of what it prints is shown

`<!-- not run: REASON -->` on the line before a fence leaves that block out. Invariant: whatever a
page shows as output was printed by the lines above it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools.ready_command import command as ready_command

FENCE = re.compile(
    r"(?P<mark><!-- not run: (?P<reason>[^\n]*?) -->\n)?"
    r"^```(?P<language>[\w-]*)[^\n]*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
RUN = ("python", "console", "bash")


@dataclass(frozen=True)
class Block:
    """`start` and `end` are where its lines stand in the page."""

    language: str
    text: str
    start: int
    end: int
    reason: str | None


@dataclass
class Session:
    """What the blocks of one page share."""

    folder: Path
    namespace: dict[str, object] = field(default_factory=lambda: {"__name__": "page"})

    def python(self, block: Block, page: str) -> str:
        """Run a block in this process; what it printed."""
        line = page.count("\n", 0, block.start)
        code = compile("\n" * line + block.text, "page", "exec")
        printed = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(printed):
            exec(code, self.namespace)
        return "\n".join(each.rstrip() for each in printed.getvalue().splitlines()) + "\n"

    def shell(self, command: str) -> str:
        """Run a command of bash in which `hardwood` is this Python's; what it printed."""
        done = subprocess.run(
            ["bash", "-c", f'hardwood() {{ {shlex.join(ready_command())} "$@"; }}\n{command}'],
            cwd=self.folder,
            env={**os.environ, "COLUMNS": "100"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"$ {command}\nended with {done.returncode}:\n{done.stdout}")
        return done.stdout

    def console(self, text: str) -> str:
        """The commands of a transcript, each with what it prints now."""
        commands = [line[2:] for line in text.splitlines() if line.startswith("$ ")]
        parts = [f"$ {command}\n{self.shell(command)}" for command in commands]
        return "\n".join(parts).rstrip() + "\n"


def blocks(page: str) -> Iterator[Block]:
    """Every fenced block, in order."""
    for found in FENCE.finditer(page):
        yield Block(found["language"], found["text"], *found.span("text"), found["reason"])


def refreshed(page: str, folder: Path) -> str:
    """The page with the outputs that its blocks have now, run in `folder`."""
    session, parts, written = Session(folder), [], 0
    printed: str | None = None
    for block in blocks(page):
        fresh = block.text
        if block.language == "output":
            if printed is None:
                raise ValueError(f"An output stands after no python block: {block.text[:60]!r}")
            fresh, printed = printed, None
        elif block.reason is None and block.language in RUN:
            printed = None
            if block.language == "python":
                printed = session.python(block, page)
            elif block.language == "console":
                fresh = session.console(block.text)
            else:
                session.shell(block.text)
        parts += [page[written : block.start], fresh]
        written = block.end
    return "".join([*parts, page[written:]])
