"""MkDocs' hook: adds the reference to the site, and pages that other parts of the project write.

In: the configuration and files of mkdocs.yml. Out: the same with more pages and a longer
navigation. Invariant: the navigation names only pages that exist.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

DOCS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(DOCS))
from making import notebooks, reference  # noqa: E402


def on_config(config: Any) -> Any:
    """Adds the studies, every other page that the navigation does not name, and the reference."""
    named = set(_paths(config.nav))
    found = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    studies = [path for path in found if path.startswith("studies/") and path not in named]
    others = [path for path in found if path not in named.union(studies)]
    for title, paths in (("Studies", studies), ("More", others)):
        if paths:
            order = sorted(paths, key=lambda path: (not path.endswith("index.md"), path))
            config.nav.append({title: order})
    config.nav.append({"API reference": list(reference.pages())})
    return config


def _paths(nav: Any) -> Iterator[str]:
    """Every page that a navigation names."""
    if isinstance(nav, str):
        yield nav
    else:
        for part in nav.values() if isinstance(nav, dict) else nav:
            yield from _paths(part)


def on_files(files: Any, config: Any) -> Any:
    """Adds the pages of the reference and the notebooks, which are nowhere on disk."""
    for path, text in reference.pages().items():
        files.append(File.generated(config, path, content=text))
    for page in notebooks.TASKS:
        path = notebooks.path_of(page)
        files.append(File.generated(config, path, content=notebooks.written(page)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """A page that is a notebook too says so below its title."""
    path = page.file.src_uri
    if path not in notebooks.TASKS:
        return markdown
    title, rest = markdown.split("\n", 1)
    up = "../" * path.count("/")
    return f"{title}\n\n[This page as a notebook]({up}{notebooks.path_of(path)})\n{rest}"
