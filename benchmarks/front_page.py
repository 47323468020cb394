"""The table of ratios on the first pages: README.md and docs/index.md, between two marks.

In: ratios by name, each as it was measured last. Out: the pages with the table that these make.
Invariant: every number of the table is one of these ratios, and the pages agree.
"""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.kept_ratios import Figure

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


def table(figures: dict[str, Figure]) -> str:
    """The lines between the marks."""
    lines = [
        "Time of hardwood divided by the other library's in the same run, with 2 threads",
        "(scikit-learn's tree has one): below 1 hardwood is faster.",
        "",
        "| job | data | " + " | ".join(f"{peer} = 1" for peer in PEERS) + " |",
        "|---|---|" + "---:|" * len(PEERS),
    ]
    used: list[Figure] = []
    for (job, data), name in JOBS.items():
        named = [f"{name} / {peer}" for peer in PEERS]
        cells = [f"{figures[each].ratio:.2f}" if each in figures else "" for each in named]
        if not any(cells):
            raise ValueError(f"No record has a ratio {named[0]!r}.")
        lines.append(f"| {job} | {data} | {' | '.join(cells)} |")
        used += [figures[each] for each in named if each in figures]
    return "\n".join([*lines, "", measured(used)])


def measured(figures: list[Figure]) -> str:
    """When, and on which machines."""
    days = sorted({figure.date for figure in figures})
    when = f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[-1]}"
    machines = " and ".join(dict.fromkeys(figure.machine for figure in figures))
    return f"Measured {when} on {machines}."


def with_table(page: str, text: str) -> str:
    """The page with these lines between its marks."""
    marks = re.compile(f"{re.escape(START)}.*?{re.escape(END)}", re.DOTALL)
    if len(marks.findall(page)) != 1:
        raise ValueError(f"A page needs {START!r} and {END!r} once.")
    return marks.sub(lambda _: f"{START}\n{text}\n{END}", page)


def write(figures: dict[str, Figure]) -> None:
    """Both pages."""
    text = table(figures)
    for page in PAGES:
        page.write_text(with_table(page.read_text(encoding="utf-8"), text), encoding="utf-8")
