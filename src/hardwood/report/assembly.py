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

from hardwood.report.plain import script_json

SCRIPTS = (
    "elements.js", "number_text.js", "conditions.js", "trees.js", "prediction.js", "charts.js",
    "shares.js", "node_details.js", "tree_view.js", "tree_section.js", "what_if.js",
    "importances.js", "quality.js", "growth.js", "data_table.js", "start.js",
)  # fmt: skip


def page(content: dict[str, Any]) -> str:
    return _frame().replace("{{data}}", script_json(content))


@cache
def _frame() -> str:
    """The page without its data."""
    style = own_text("report.css")
    script = "".join(['"use strict";\n(() => {\n', *map(own_text, SCRIPTS), "})();\n"])
    policy = (
        f"default-src 'none'; script-src '{text_hash(script)}'; style-src '{text_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    frame = own_text("frame.html")
    for name, text in (("policy", policy), ("style", style), ("script", script)):
        frame = frame.replace("{{" + name + "}}", text)
    return frame


def own_text(name: str) -> str:
    """A file of page/."""
    text = files("hardwood.report").joinpath("page", name).read_text(encoding="ascii")
    return text.replace("\r\n", "\n")


def text_hash(text: str) -> str:
    """As a content security policy names a script or a style."""
    return "sha256-" + b64encode(sha256(text.encode("ascii")).digest()).decode("ascii")
