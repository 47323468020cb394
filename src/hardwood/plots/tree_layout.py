"""Where the cards of a drawn tree stand, in points, without any drawing.

In: a tree, the text of every card and a measure of text width. Out: `Layout`, the tree from left to
right: a card begins where that of its parent ends, one slot per leaf from top to bottom; a split
stands midway between its first and last child. Conditions of splits are wrapped where that makes a
tree of few leaves larger on a slide. Invariant: a card stays within the slots of its own leaves (a
leaf has two lines, a split at most what two slots hold) and right of the cards above it, so no two
cards overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.plots.short_words import digits_needed, shortened_apart, with_short_numbers
from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import Tree
from hardwood.tree.conditions import Condition, lines_of, short_text
from hardwood.tree.numbers import value_text
from hardwood.tree.paths import Step, walk
from hardwood.tree.rules import row_share_of
from hardwood.tree.text import FRACTIONAL

FONT_SIZE = 8.5
LINE = 10.5
BAR = 3.5
PADDING = 3.0
CARD = 2 * LINE + BAR + 2 * PADDING
"""The height of a card of two lines."""
SLOT = CARD + 3.5
GAP = 20.0
MARGIN = 10.0
LONGEST_LIST = 30
"""Characters of categories on a card before the rest is counted, and listed below the tree."""
NOTE_WIDTH = 60
"""Characters of a line of notes, at least."""
SLIDE = (960.0, 520.0)
"""A slide of 13.3 x 7.5 inches, less a line for the legend."""
SLIDE_LEAVES = 15
WRAPPED = (24, 18, 14, 11)
"""Characters of a line of a split's condition to try, where the unbroken ones do not fit."""
MOST_LINES = 4


@dataclass(frozen=True, eq=False)
class Layout:
    """x and y of each node's card: its left edge and its middle, y growing upwards."""

    order: list[int]
    """Nodes in reading order."""
    lines: dict[int, tuple[str, str]]
    """The condition, in one line or several, and what the node says."""
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    card_width: NDArray[np.float64]
    card_height: NDArray[np.float64]
    width: float
    height: float
    notes: list[str]
    """Lines below the tree, with the lists that did not fit on cards."""

    @property
    def notes_height(self) -> float:
        return len(self.notes) * LINE + MARGIN if self.notes else 0.0

    @property
    def on_a_slide(self) -> float:
        """By how much it can grow on a slide, or must shrink."""
        return min(SLIDE[0] / self.width, SLIDE[1] / self.height)


def lay_out(
    tree: Tree,
    schemas: Sequence[ColumnSchema],
    classes: Sequence[object],
    text_width: Callable[[str], float],
) -> Layout:
    names = shortened_apart([value_text(label) for label in classes])
    digits = digits_needed(tree, schemas)
    steps = list(walk(tree, _with_short_names(schemas)))
    lines = {
        step.node: (_first_line(tree, step, digits), _second_line(tree, step.node, names))
        for step in steps
    }
    folded = _marked(lines, steps, walk(tree, schemas))
    width_of = cache(text_width)
    best = _placed(tree, lines, width_of)
    for most in WRAPPED if tree.n_leaves <= SLIDE_LEAVES else ():
        if best.on_a_slide >= 1.0:
            break
        other = _placed(tree, _wrapped(tree, lines, most), width_of)
        best = max(best, other, key=lambda each: each.on_a_slide)
    characters = int((best.width - 2 * MARGIN) / (0.6 * FONT_SIZE))
    notes = _note_lines(folded, max(NOTE_WIDTH, characters))
    width = max(best.width, *(width_of(note) + 2 * MARGIN for note in notes), 0.0)
    return replace(best, notes=notes, width=width)


def _wrapped(
    tree: Tree, lines: dict[int, tuple[str, str]], most: int
) -> dict[int, tuple[str, str]]:
    """Conditions of splits in lines of about `most` characters, broken between words but not
    between a sign and its number."""

    def broken(text: str) -> str:
        bound = text.replace("<= ", "<=\xa0").replace("> ", ">\xa0")
        pieces = wrap(bound, most, break_long_words=False, break_on_hyphens=False)
        if len(pieces) > MOST_LINES:
            return text
        return "\n".join(pieces).replace("\xa0", " ")

    return {
        node: (broken(first) if tree.branches[node] else first, second)
        for node, (first, second) in lines.items()
    }


def _placed(
    tree: Tree, lines: dict[int, tuple[str, str]], text_width: Callable[[str], float]
) -> Layout:
    """`lines` is in reading order: parents before their children."""
    order = list(lines)
    x, widths, heights = (np.zeros(tree.n_nodes) for _ in range(3))
    for node, (first, second) in lines.items():
        parts = first.split("\n")
        widths[node] = max(text_width(part) for part in (*parts, second)) + 2 * PADDING
        heights[node] = CARD + LINE * (len(parts) - 1)
        above = int(tree.parent[node])
        x[node] = MARGIN if above < 0 else x[above] + widths[above] + GAP
    height = tree.n_leaves * SLOT + 2 * MARGIN
    return Layout(
        order=order,
        lines=lines,
        x=x,
        y=height - MARGIN - SLOT * (_slots(tree, order) + 0.5),
        card_width=widths,
        card_height=heights,
        width=float((x + widths).max() + MARGIN),
        height=height,
        notes=[],
    )


def _marked(
    lines: dict[int, tuple[str, str]], steps: Iterable[Step], full: Iterable[Step]
) -> list[Condition]:
    """Conditions whose card counts categories instead of naming them; the cards get the numbers
    of these conditions."""
    folded: list[Condition] = []
    for short, step in zip(steps, full, strict=True):
        if short.branch is None or short_text(short.branch, LONGEST_LIST) == str(short.branch):
            continue
        assert step.branch is not None
        folded.append(step.branch)
        first, second = lines[step.node]
        lines[step.node] = f"{first} [{len(folded)}]", second
    return folded


def _note_lines(folded: Sequence[Condition], width: int) -> list[str]:
    notes = []
    for number, condition in enumerate(folded, 1):
        first, *rest = lines_of(condition, width)
        notes += [f"[{number}] {first}", *(f"     {line}" for line in rest)]
    return notes


def _with_short_names(schemas: Sequence[ColumnSchema]) -> list[ColumnSchema]:
    names = shortened_apart([schema.name for schema in schemas])
    return [
        replace(schema, name=name, categories=_short_categories(schema.categories))
        for name, schema in zip(names, schemas, strict=True)
    ]


def _short_categories(categories: Sequence[Any]) -> tuple[Any, ...]:
    words = [value for value in categories if isinstance(value, str)]
    short = dict(zip(words, shortened_apart(words), strict=True))
    return tuple(short[value] if isinstance(value, str) else value for value in categories)


def _first_line(tree: Tree, step: Step, digits: dict[int, int]) -> str:
    if step.branch is None:
        return "all rows" if tree.share is None else f"all rows; missing: {FRACTIONAL}"
    column = int(tree.feature[tree.parent[step.node]])
    return short_text(with_short_numbers(step.branch, digits.get(column, 17)), LONGEST_LIST)


def _second_line(tree: Tree, node: int, names: Sequence[str]) -> str:
    rows = "1 row" if tree.rows[node] == 1 else f"{tree.rows[node]:,} rows"
    label = int(tree.label[node])
    if tree.branches[node]:
        return rows
    seen = _seen(tree, node, rows)
    if tree.is_raw:
        return f"{names[label]}  {seen}"
    return f"{names[label]}  {_percent(float(tree.shares[node, label]))}; {seen}"


def _seen(tree: Tree, node: int, rows: str) -> str:
    """As `hardwood.tree.rules.said_share`, with fewer digits."""
    weighted, of_rows = tree.raw_shares[node, tree.label[node]], row_share_of(tree, node)
    if of_rows is None:
        return f"{_percent(float(weighted))} of the weight of {rows}"
    if of_rows == weighted:
        return f"{_percent(of_rows)} of {rows}"
    return f"{_percent(of_rows)} of {rows}, {_percent(float(weighted))} of their weight"


def _percent(share: float) -> str:
    """100% only when nothing else is there."""
    if share == 1.0:
        return "100%"
    return f"{min(100 * share, 99.9):.1f}%" if share > 0.99 else f"{100 * share:.0f}%"


def _slots(tree: Tree, order: Sequence[int]) -> NDArray[np.float64]:
    """[N] the row of each node in slots, from the top."""
    slots = np.zeros(tree.n_nodes)
    leaves = [node for node in order if not tree.branches[node]]
    slots[leaves] = np.arange(len(leaves))
    for node in reversed(order):
        children = tree.children(node)
        if children:
            slots[node] = (slots[children[0]] + slots[children[-1]]) / 2.0
    return slots
