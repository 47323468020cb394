"""The workshop's page: the report's components, scripts and a style of its own, and the state.

In: the session's state. Out: HTML that loads nothing; its script and style are allowed by their
hashes, and requests go to the server it came from alone.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from hardwood.report.assembly import page_file, source_hash
from hardwood.report.plain import script_json

COMPONENTS = (
    "elements.js", "number_text.js", "conditions.js", "trees.js", "prediction.js",
    "charts.js", "shares.js", "distributions.js", "node_details.js", "tree_zoom.js", "tree_view.js",
)  # fmt: skip
OWN = (
    "asking.js",
    "constraints.js",
    "trials.js",
    "node_columns.js",
    "comparison.js",
    "workshop.js",
)


def _page_file(name: str) -> str:
    text = files("hardwood.workshop").joinpath("page", name).read_text(encoding="ascii")
    return text.replace("\r\n", "\n")


_STYLE = page_file("report.css") + _page_file("workshop.css")
_SCRIPT = "".join(
    ['"use strict";\n(() => {\n', *map(page_file, COMPONENTS), *map(_page_file, OWN), "})();\n"]
)
POLICY = (
    f"default-src 'none'; script-src '{source_hash(_SCRIPT)}'; style-src '{source_hash(_STYLE)}'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def page(state: dict[str, Any] | None) -> str:
    """Without a state the page asks for it."""
    frame = _page_file("workshop.html")
    frame = frame.replace("{{style}}", _STYLE).replace("{{script}}", _SCRIPT)
    return frame.replace("{{data}}", script_json(state))
