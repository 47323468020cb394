"""A docstring in NumPy's form as Markdown.

In: the text of a docstring. Out: its prose and its sections (Parameters, Attributes) as tables.
Invariant: every name that a section lists has a row.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

SECTION = re.compile(r"^(?P<title>[A-Z][a-z]+)\n-{3,}\n", re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    """One line of a section: `names : kind`, and the indented text below it."""

    names: str
    kind: str
    text: str


def markdown(docstring: str | None) -> str:
    """The whole docstring."""
    prose, sections = parts(docstring)
    tables = [f"**{title}**\n\n{table(entries)}" for title, entries in sections.items()]
    return "\n\n".join([escaped(prose), *tables]).strip() + "\n"


def parts(docstring: str | None) -> tuple[str, dict[str, list[Entry]]]:
    """The prose before the first section, and the sections by title."""
    text = inspect.cleandoc(docstring or "")
    found = list(SECTION.finditer(text))
    ends = [*(each.start() for each in found[1:]), len(text)][: len(found)]
    sections = {
        each["title"]: entries(text[each.end() : end])
        for each, end in zip(found, ends, strict=True)
    }
    return text[: found[0].start()].strip() if found else text, sections


def entries(section: str) -> list[Entry]:
    """The entries of a section's text."""
    made: list[Entry] = []
    for line in section.strip().splitlines():
        if line.strip() and not line.startswith(" "):
            names, _, kind = line.partition(" : ")
            made.append(Entry(names.strip(), kind.strip(), ""))
        elif made:
            last = made[-1]
            made[-1] = Entry(last.names, last.kind, f"{last.text} {line.strip()}".strip())
    return made


def table(rows: list[Entry]) -> str:
    """Entries as a Markdown table."""
    lines = ["| name | values | meaning |", "|---|---|---|"]
    for row in rows:
        names = ", ".join(f"`{name.strip()}`" for name in row.names.split(","))
        lines.append("| " + " | ".join(map(cell, (names, row.kind, row.text))) + " |")
    return "\n".join(lines)


def cell(text: str) -> str:
    """Text for a table, in which a bar outside of code would begin a new cell."""
    pieces = re.split(r"(`[^`]*`)", escaped(text))
    return "".join(
        piece if at % 2 else piece.replace("|", "\\|") for at, piece in enumerate(pieces)
    )


def summary(docstring: str | None) -> str:
    """The first sentence."""
    first = parts(docstring)[0].split("\n\n")[0].replace("\n", " ")
    end = re.search(r"(?<!\bet al)(?<!\beq)(?<!\bsec)(?<!\bFig)\.(?= [A-Z])|[:;](?= )", first)
    return (first[: end.start()] if end else first).rstrip(".")


def escaped(text: str) -> str:
    """Stars and angle brackets outside of code are themselves."""
    pieces = re.split(r"(`[^`]*`|^ {4}.*$)", text, flags=re.MULTILINE)
    return "".join(
        piece if at % 2 else re.sub(r"([*\[])", r"\\\1", piece).replace("<", "&lt;")
        for at, piece in enumerate(pieces)
    )
