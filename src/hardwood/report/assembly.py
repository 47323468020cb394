"""Styles, scripts and data -> one HTML file.

In: the page's content as plain data. Out: HTML that loads nothing: the scripts of page/ in the
order of SCRIPTS inside one function, the style sheet, and the data as JSON. Invariant: the text is
ASCII; names of the data stand in the JSON only; the content security policy allows the page's own
script and style by their hashes and nothing else, so that no request can leave the page.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from hardwood.report.plain import packed, script_json

SCRIPTS = (
    "elements.js", "number_text.js", "conditions.js", "trees.js", "prediction.js", "charts.js",
    "shares.js", "distributions.js", "node_details.js", "tree_zoom.js", "tree_view.js",
    "tree_section.js", "moves.js", "tree_change.js", "cells.js", "box_bound.js", "forest_change.js",
    "row_change.js", "change_panel.js", "what_if.js", "importances.js", "effects.js",
    "thresholds.js", "curves.js", "quality.js", "growth.js", "theory.js", "claims.js",
    "data_table.js", "start.js",
)  # fmt: skip


PLAIN_TREES = 100_000
"""Characters of the trees' JSON; more are compressed, which the page undoes."""


def page(content: dict[str, Any]) -> str:
    model = content["model"]
    content = content | {"model": model | {"trees": _packed(model["trees"])}}
    return _frame().replace("{{data}}", script_json(content))


def _packed(trees: Any) -> Any:
    return trees if len(script_json(trees)) <= PLAIN_TREES else packed(trees)


@cache
def _frame() -> str:
    """The page without its data."""
    style = page_file("report.css")
    script = "".join(['"use strict";\n(() => {\n', *map(page_file, SCRIPTS), "})();\n"])
    policy = (
        f"default-src 'none'; script-src '{source_hash(script)}'; "
        f"style-src '{source_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    frame = page_file("frame.html")
    for name, text in (("policy", policy), ("style", style), ("script", script)):
        frame = frame.replace("{{" + name + "}}", text)
    return frame


def page_file(name: str) -> str:
    """A file of page/."""
    text = files("hardwood.report").joinpath("page", name).read_text(encoding="ascii")
    return text.replace("\r\n", "\n")


def source_hash(text: str) -> str:
    """By which a content security policy knows a script or a style."""
    return "sha256-" + b64encode(sha256(text.encode("ascii")).digest()).decode("ascii")
