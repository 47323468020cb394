"""A scorecard as CSV and as one HTML page.

CSV has the columns list, condition and points, the base points first with the scale as their
condition. The page loads nothing; names from the data are escaped.
"""

from __future__ import annotations

import csv
import html
import io
from typing import TYPE_CHECKING

from hardwood.tree.numbers import value_text

if TYPE_CHECKING:
    from hardwood.export.scorecard import Line, Scorecard

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.4 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; }
tbody { border-top: 1px solid GrayText; }
td:last-child, thead th:last-child { text-align: right; font-variant-numeric: tabular-nums; }
"""


def as_csv(card: Scorecard) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["list", "condition", "points"])
    writer.writerow(["base points", card.scale, points_text(card, card.base)])
    for name, lines in card.lists.items():
        for line in lines:
            writer.writerow([name, condition_text(line), points_text(card, line.points)])
    return out.getvalue()


def as_html(card: Scorecard) -> str:
    title = html.escape(f"Scorecard of {value_text(card.label)}")
    bodies = []
    for name, lines in card.lists.items():
        rows = []
        for place, line in enumerate(lines):
            head = f'<th scope="rowgroup" rowspan="{len(lines)}">{html.escape(name)}</th>'
            rows.append(
                f"<tr>{'' if place else head}<td>{html.escape(condition_text(line))}</td>"
                f"<td>{points_text(card, line.points)}</td></tr>"
            )
        bodies.append("<tbody>\n" + "\n".join(rows) + "\n</tbody>")
    base = points_text(card, card.base)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}'
        '</title>\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        f"<p>{html.escape(card.scale)}</p>\n<table>\n<thead>\n"
        '<tr><th scope="col">List</th><th scope="col">Condition</th><th scope="col">Points</th>'
        f'</tr>\n</thead>\n<tbody><tr><th scope="row">base points</th><td>every row</td>'
        f"<td>{base}</td></tr></tbody>\n" + "\n".join(bodies) + "\n</table>\n</body>\n</html>\n"
    )


def condition_text(line: Line) -> str:
    parts = [str(condition) for condition in line.conditions]
    if len(parts) > 1:
        parts = [f"({part})" if part.endswith(" or missing") else part for part in parts]
    return " and ".join(parts) or "anything"


def points_text(card: Scorecard, points: float) -> str:
    return f"{points:.{card.digits}f}"
