"""The table of ratios on the first pages: README.md and docs/index.md, between two marks.

In: a record's ratios and machines by name (`benchmarks.record`). Out: the pages with the table that
these make. Invariant: every number of the table is one of the record's, and the pages agree.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", ROOT / "docs" / "index.md")
START, END = "<!-- ratios: made by make bench-record -->", "<!-- end of ratios -->"
PEERS = ("LightGBM", "scikit-learn")
JOBS = {
    ("one tree of 1,000 leaves", "covtype, 7 classes"): (
        "tree: Fit time: covtype, 7 classes: hardwood km 2"
    ),
    ("100 boosted trees of 31 leaves", "covtype, class 2 or not"): (
        "boosting-tables: Fit time: covtype, 2 or not"
    ),
    ("100 boosted trees of 31 leaves", "500,000 rows, 28 continuous columns"): (
        "boosting-continuous: 500,000 x 28, 2 classes, 100 rounds, 31 leaves: hardwood 2"
    ),
    ("10 rounds of 31 leaves, 26 classes", "isolet, 617 columns"): (
        "boosting-tables: Fit time: isolet, 26 classes"
    ),
    ("Shapley values of 500 trees", "a6a"): "shap: a6a, depth 3: hardwood 2",
}
"""What is done and on which data, and how the record names it, without the peer."""


def table(date: str, ratios: dict[str, float], machines: dict[str, str]) -> str:
    """The lines between the marks."""
    lines = [
        "Time of hardwood divided by the peer's in the same run, with 2 threads (scikit-learn's",
        "tree has one); below 1 hardwood is faster:",
        "",
        "| job | data | " + " | ".join(f"/ {peer}" for peer in PEERS) + " |",
        "|---|---|" + "---:|" * len(PEERS),
    ]
    used = []
    for (job, data), name in JOBS.items():
        named = [f"{name} / {peer}" for peer in PEERS]
        cells = [f"{ratios[each]:.2f}" if each in ratios else "" for each in named]
        if not any(cells):
            raise ValueError(f"The record has no ratio {named[0]!r}.")
        lines.append(f"| {job} | {data} | {' | '.join(cells)} |")
        used += [machines[each] for each in named if each in machines]
    kinds = " and ".join(dict.fromkeys(used))
    return "\n".join([*lines, "", f"Recorded on {date}; the machines: {kinds}."])


def with_table(page: str, text: str) -> str:
    """The page with these lines between its marks."""
    marks = re.compile(f"{re.escape(START)}.*?{re.escape(END)}", re.DOTALL)
    if len(marks.findall(page)) != 1:
        raise ValueError(f"A page needs {START!r} and {END!r} once.")
    return marks.sub(lambda _: f"{START}\n{text}\n{END}", page)


def write(date: str, ratios: dict[str, float], machines: dict[str, str]) -> None:
    """Both pages."""
    text = table(date, ratios, machines)
    for page in PAGES:
        page.write_text(with_table(page.read_text(encoding="utf-8"), text), encoding="utf-8")
