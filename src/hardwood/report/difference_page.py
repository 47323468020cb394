"""A difference as one HTML file in the report's style: no script, nothing loaded.

Invariant: names of the data are escaped text; the content security policy allows the style alone.
"""

from __future__ import annotations

from html import escape
from typing import Any

from hardwood.report.assembly import page_file, source_hash

_HEADINGS = {
    "models": "The models",
    "parameters": "Parameters",
    "columns": "Columns",
    "classes": "Classes",
    "size": "Size",
    "splits": "Where the trees part",
    "answers": "Rows that get another answer",
}


def difference_page(difference: Any) -> str:
    style = page_file("report.css")
    policy = (
        f"default-src 'none'; style-src '{source_hash(style)}'; base-uri 'none'; form-action 'none'"
    )
    parts = list(difference.parts())
    sections = "\n".join(_section(name, lines) for name, lines in parts)
    links = "".join(f'<li><a href="#{name}">{_HEADINGS[name]}</a></li>' for name, _ in parts)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>hardwood diff</title>
<style>{style}</style>
</head>
<body>
<header><h1>What changed between two models</h1></header>
<nav aria-label="Sections"><ul>{links}</ul></nav>
<main>
{sections}
</main>
</body>
</html>
"""


def _section(name: str, lines: list[str]) -> str:
    items = "\n".join(f"<li>{_text(line)}</li>" for line in lines)
    return f'<section id="{name}"><h2>{_HEADINGS[name]}</h2>\n<ul>\n{items}\n</ul>\n</section>'


def _text(line: str) -> str:
    return escape(line).encode("ascii", "xmlcharrefreplace").decode("ascii")
