"""An example of a public name: the shortest statement of a page that uses it.

In: a name as in the reference. Out: Markdown with the statement and a link to its page, or nothing.
The statements are those of the `python` blocks in docs/, which run in the tests.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from making.blocks import blocks

DOCS = Path(__file__).resolve().parent.parent
CALLED_BY = {
    "hardwood.certify.diagnose_tree": "TreeClassifier.diagnose",
    "hardwood.certify.diagnose_rounds": "BoostedTreesClassifier.diagnose",
    "hardwood.certify.history": "TreeClassifier.fit",
    "hardwood.plots.plot_tree": "TreeClassifier.plot",
    "hardwood.dask.DaskBackEnd": "TreeClassifier.fit",
}
"""Names for code that extends hardwood; everybody else calls the method."""


@dataclass(frozen=True)
class Use:
    """A statement, and the names that it has: `export.sql`, or `.fit` of whatever stands before."""

    page: Path
    text: str
    names: frozenset[str]


@cache
def uses() -> tuple[Use, ...]:
    """Every statement of every page, the shortest first, blocks that do not run last."""
    found = [
        (reason is not None, len(use.text), use)
        for page in sorted(DOCS.rglob("*.md"))
        for reason, use in statements(page)
    ]
    return tuple(use for *_, use in sorted(found, key=lambda each: each[:2]))


def statements(page: Path) -> Iterator[tuple[str | None, Use]]:
    """What the blocks of a page consist of, each with the reason if it does not run."""
    ours: set[str] = set()
    for block in blocks(page.read_text(encoding="utf-8")):
        for each in ast.parse(block.text).body if block.language == "python" else ():
            if isinstance(each, ast.ImportFrom) and (each.module or "").startswith("hardwood"):
                ours |= {name.name for name in each.names}
            elif not isinstance(each, ast.Import | ast.ImportFrom):
                text = ast.get_source_segment(block.text, each) or ""
                yield block.reason, Use(page, text, names_in(each, ours))


def names_in(statement: ast.stmt, ours: set[str]) -> frozenset[str]:
    """Names that were imported from hardwood, and all that stand behind a dot."""
    names: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and node.id in ours:
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(f".{node.attr}")
            if isinstance(node.value, ast.Name):
                names.add(f"{node.value.id}.{node.attr}")
    return frozenset(names)


def in_use(name: str) -> str:
    """An example of `hardwood.export.sql` or `hardwood.TreeClassifier.fit`."""
    if name in CALLED_BY:
        kind, method = CALLED_BY[name].split(".")
        link = f"[`{CALLED_BY[name]}`]({kind}.md#hardwood.{kind}.{method})"
        return f"\n**In use**: called by {link}.\n"
    wanted = spellings(name)
    for use in uses():
        if wanted & use.names:
            title = use.page.read_text(encoding="utf-8").split("\n", 1)[0].lstrip("# ")
            link = f"[{title}](../{use.page.relative_to(DOCS).as_posix()})"
            return f"\n**In use** ({link})\n\n```python\n{use.text}\n```\n"
    return ""


def spellings(name: str) -> set[str]:
    """How a page may write it: a method after anything, a function after its module or alone."""
    _, *home, last = name.split(".")
    if home and home[0][0].isupper():
        return {f".{last}"}
    before = home[-1] if home else "hardwood"
    return {f"{before}.{last}", last}
