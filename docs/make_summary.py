"""Writes docs/studies/summary.md: what became of every figure and table of the five papers.

In: the tables in docs/studies/*/README.md, which the studies wrote. Out: one page. A row of a
verdict table whose cells "paper" and "ours" hold equally many numbers is compared number by number;
every other row is a statement, counted by its verdict. `ITEMS` in docs/making/papers.py says which
figures and tables there are and which study has them: a new study needs a line there and nothing
else. A number of AAA18 that was also computed by the rules of the paper's runs (`BY_RULES`) is
taken from there. `CAUSES`, there too, says why numbers differ, by rules over a row's text.

python docs/make_summary.py
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS)]
from making.papers import (  # noqa: E402
    BY_RULES,
    BY_RULES_MNIST,
    CAUSES,
    DRAWS,
    ITEMS,
    ORDERS,
    ORDERS_MNIST,
    UNKNOWN,
    Cause,
    Item,
    link,
)

STUDIES = DOCS / "studies"
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?![\w])")
WORDS = re.compile(r"within|below|almost|<|\bof\b|\bmost\b|holds|quarter|p =|never|[:\[]")
"""What marks a cell of the paper as a statement, not as numbers to meet."""
DIGIT, CLOSE, FAR = "to the printed digit", "within 3 %", "differ"
NOT_RUN, STAND_IN, NO_EVIDENCE = "not run", "stand-in", "no evidence"
REPLACED = ("aziz-table2", "aziz-table3", "aziz-mnist", "aziz-table6")
Row = tuple[str, str, str, str]


def tables(page: str) -> list[list[list[str]]]:
    """The tables of a Markdown page, rows of cells without the rule."""
    found: list[list[list[str]]] = [[]]
    for line in page.splitlines():
        if not line.startswith("|"):
            found.append([])
        elif not set(line) <= set("|- "):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            found[-1].append([cell.strip() for cell in cells])
    return [table for table in found if table]


def verdict_rows(study: str, pattern: str) -> list[Row]:
    """(what, paper, ours, verdict) of the study's last verdict table."""
    page = (STUDIES / study / "README.md").read_text(encoding="utf-8")
    table = next(t for t in reversed(tables(page)) if t[0][1:] == ["paper", "ours", "verdict"])
    return [(r[0], r[1], r[2], r[3]) for r in table[1:] if re.search(pattern, r[0])]


def rows_of(item: Item) -> list[tuple[str, Row]]:
    """Each with its study; those of runs by the paper's rules in the place of others."""
    if item.study is None:
        return []
    rows = verdict_rows(item.study, item.rows)
    if item.study not in REPLACED:
        return [(item.study, row) for row in rows]
    instead = {
        _key(row): (study, row)
        for study in (BY_RULES, BY_RULES_MNIST)
        for row in verdict_rows(study, item.rows)
    }
    found: dict[tuple[str, Row], None] = {}
    for row in rows:
        better = instead.get(_key(row))
        found[better or (item.study, row)] = None
    return list(found)


def _key(row: Row) -> str:
    return row[0].partition(":")[0]


def causes_of(study: str, row: Row, classes: list[str]) -> list[Cause]:
    """Of each number that differs."""
    what, _, parts = row[0].partition(": ")
    names = parts.split("; ")
    found = []
    for i, kind in enumerate(classes):
        part = names[i] if len(names) == len(classes) else parts
        text = f"{study}, {part}: {what}"
        if word := in_other_runs().get((what, part)):
            text += f", {word}"
        if kind == FAR:
            found.append(next((c for c in CAUSES if re.search(c.pattern, text)), UNKNOWN))
    return found


@cache
def in_other_runs() -> dict[tuple[str, str], str]:
    """Per row and part of it, whether the printed number is "within" the range of other orders,
    draws and divisions or "outside"; counts are adaptive's alone."""
    found = {}
    others = [row for study in (ORDERS, ORDERS_MNIST, DRAWS) for row in verdict_rows(study, "")]
    for row in [*others, *verdict_rows("dkm-table1", "test error by km")]:
        what, _, parts = row[0].partition(": ")
        for part, word in zip(parts.split("; "), row[3].split("; "), strict=True):
            found[what, part] = word
    return found


def compared(paper: str, ours: str) -> list[str] | None:
    """A class for each number, or None for a statement."""
    if WORDS.search(paper):
        return None
    theirs, found = NUMBER.findall(paper), NUMBER.findall(ours)
    if not theirs or len(theirs) != len(found):
        return None
    return [_class(one, float(other)) for one, other in zip(theirs, found, strict=True)]


def _class(printed: str, ours: float) -> str:
    mantissa, _, exponent = printed.partition("e")
    digits = len(mantissa.partition(".")[2])
    half = 0.5 * 10.0 ** (int(exponent or 0) - digits)
    value = float(printed)
    if abs(ours - value) <= half * (1 + 1e-6):
        return DIGIT
    return CLOSE if abs(ours - value) <= 0.03 * abs(value) else FAR


def _judged(verdict: str) -> str:
    """Of a statement; "no evidence" anywhere in a verdict outweighs the rest of it."""
    if NO_EVIDENCE in verdict:
        return NO_EVIDENCE
    return "hold" if verdict.startswith(("agrees", "same conclusion")) else "do not hold"


def summary() -> str:
    total: Counter[str] = Counter()
    causes: Counter[Cause] = Counter()
    lines = []
    for item in ITEMS:
        numbers, statements = _counts(item)
        causes.update(_causes(item))
        total.update(numbers)
        total.update({f"{kind}, statements": count for kind, count in statements.items()})
        had = bool(numbers or statements)
        total["had" if had else "not had"] += 1
        kinds = (DIGIT, CLOSE, FAR, STAND_IN, NOT_RUN, NO_EVIDENCE)
        cells = [str(numbers[kind] + statements[kind] or "") for kind in kinds]
        held = f"{statements['hold']} of {sum(statements.values())}" if statements else ""
        page = link(item.study) if item.study else ""
        row = [item.paper, item.what, *cells, held, page, item.reason]
        lines.append(f"| {' | '.join(row)} |")
    count = total[DIGIT] + total[CLOSE] + total[FAR]
    said = [total[f"{kind}, statements"] for kind in ("hold", "do not hold", NO_EVIDENCE)]
    return PAGE.format(
        items=len(ITEMS),
        had=total["had"],
        not_had=total["not had"],
        count=count,
        digit=total[DIGIT],
        close=total[CLOSE],
        far=total[FAR],
        absent=total[NOT_RUN],
        stand_in=total[STAND_IN],
        empty=total[NO_EVIDENCE],
        statements=sum(said),
        hold=said[0],
        not_held=said[1],
        empty_statements=said[2],
        rules=f"{link(BY_RULES)} and {link(BY_RULES_MNIST)}",
        lines="\n".join(lines),
        causes="\n".join(
            f"| {causes[cause]} | {cause.words} | {cause.shown} |"
            for cause in [*CAUSES, UNKNOWN]
            if causes[cause]
        ),
    )


def _counts(item: Item) -> tuple[Counter[str], Counter[str]]:
    numbers: Counter[str] = Counter()
    statements: Counter[str] = Counter()
    for _, (_, paper, ours, verdict) in rows_of(item):
        if ours == NOT_RUN or verdict.startswith(STAND_IN):
            kind = NOT_RUN if ours == NOT_RUN else STAND_IN
            numbers[kind] += len(NUMBER.findall(paper))
            continue
        found = compared(paper, ours)
        if found is None:
            statements[_judged(verdict)] += 1
        elif NO_EVIDENCE in verdict:
            numbers[NO_EVIDENCE] += len(found)
        else:
            numbers.update(found)
    return numbers, statements


def _causes(item: Item) -> list[Cause]:
    found = []
    for study, row in rows_of(item):
        if row[2] != NOT_RUN and not row[3].startswith(STAND_IN) and NO_EVIDENCE not in row[3]:
            found += causes_of(study, row, compared(row[1], row[2]) or [])
    return found


PAGE = """# All figures and tables of the five papers

What became of each, counted from the pages of the studies by `docs/make_summary.py`. A number
agrees *to the printed digit* if it is within half of the paper's last digit (ours as printed on the
study's page), *within 3 %* if its relative difference is at most that, and else differs. A
*statement* is what a paper says in words, or with an inequality; it holds if the study's verdict
says that it agrees, or that both find the same. Numbers and statements are *no evidence* if the
verdict says so: the data or the form of the algorithm were chosen with the paper's result in view,
or a test could not tell. What has neither has its reason in the last column.
A number of AAA18's Tables 2 to 9 is taken from {rules}
where they have it, which go by the rules of the paper's runs, and else from the run by the
library's rules.

Of {items} entries {had} have rows and {not_had} have a reason. Of {count} printed numbers that
were computed **{digit} agree to the printed digit, {close} more within 3 %, and {far} differ**.
Another {stand_in} *cannot be had*: the data are not at hand and other rows stand in; {empty} are no
evidence, since the data were chosen; {absent} have a row without a number of ours.
Of {statements} statements {hold} hold, {not_held} do not, and for {empty_statements} there is no
evidence.

## Why numbers differ

Each number that differs is put under the first of these causes that fits its study, its run and
what it counts; the rules are `CAUSES` in
`docs/making/papers.py`. A cause is what is known to differ
between the two runs, not a proof that nothing else does.

| numbers | cause | what shows it |
|---|---|---|
{causes}

## Figure by figure, table by table

| paper | what | digit | 3 % | differ | not to be had | not run | no evidence | held | study | why |
|---|---|---|---|---|---|---|---|---|---|---|
{lines}
"""


if __name__ == "__main__":
    (STUDIES.parents[1] / "docs/studies/summary.md").write_text(summary(), encoding="utf-8")
