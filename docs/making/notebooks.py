"""Pages as notebooks: what a page says between its blocks, its blocks as cells, its outputs below.

In: the Markdown of a page. Out: a notebook of format 4 as plain data. A link to another page leads
to that page of the site, seen from the folder notebooks/ of the site. Invariant: the cells of code
are the blocks that run, in their order; what a cell shows is what the page shows.
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from making.blocks import blocks

DOCS = Path(__file__).resolve().parent.parent
TASKS = (
    "quick-start.md",
    "how-to/read-a-tree.md",
    "how-to/missing-and-categories.md",
    "how-to/constraints.md",
    "how-to/boosting.md",
    "how-to/explain.md",
    "how-to/save-and-export.md",
)
"""The pages that are notebooks too, in the order people meet them: blocks of Python alone."""
LINK = re.compile(r"(\]\()(?!\w+:)([^)#\s]*)")


def path_of(page: str) -> str:
    """Where the notebook of a page stands in the site."""
    return f"notebooks/{Path(page).stem}.ipynb"


def notebook(page: str) -> dict[str, Any]:
    """The notebook of a page, named as below docs/."""
    text = (DOCS / page).read_text(encoding="utf-8")
    cells: list[dict[str, Any]] = []
    written = 0
    for block in blocks(text):
        fence = text.rindex("```", 0, block.start)
        if block.language == "output":
            cells[-1]["outputs"] = [_printed(block.text)]
        elif block.language == "python" and block.reason is None:
            _say(cells, text[written:fence], page)
            cells.append(_code(block.text, len(cells)))
        else:
            continue
        written = text.index("\n", block.end) + 1
    _say(cells, text[written:], page)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _say(cells: list[dict[str, Any]], text: str, page: str) -> None:
    if text.strip():
        told = LINK.sub(lambda link: link[1] + _from_notebooks(link[2], page), text.strip())
        name = f"cell-{len(cells)}"
        cells.append({"cell_type": "markdown", "id": name, "metadata": {}, "source": told})


def _from_notebooks(link: str, page: str) -> str:
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), link)) if link else page
    return "../" + re.sub(r"\.md$", ".html", path)


def _code(text: str, place: int) -> dict[str, Any]:
    return {"cell_type": "code", "id": f"cell-{place}", "metadata": {}, "source": text.rstrip(),
            "execution_count": None, "outputs": []}  # fmt: skip


def _printed(text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def written(page: str) -> str:
    """The notebook's file."""
    return json.dumps(notebook(page), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for each in TASKS:
        (folder / Path(path_of(each)).name).write_text(written(each), encoding="utf-8")
