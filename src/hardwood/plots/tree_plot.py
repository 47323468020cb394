"""A tree drawn from left to right.

In: a tree, the schemas of its columns, its classes. Out: a matplotlib Axes with one card per node:
the condition that leads to it, its rows (a leaf's label with its share too) and a bar of the class
shares of its rows (of their weight where only that is known); a card is tinted with its label's
colour, the paler the closer its classes are to even, and a line is as thick as the share of all
weight that flows through it. Categories that do not fit on a card are counted there and listed
below the tree. The axes are measured in points, so that text and cards keep their
proportions; in a given `ax` everything shrinks together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from hardwood.errors import MissingExtraError
from hardwood.plots.short_words import shortened_apart
from hardwood.plots.style import axes_for, refuse
from hardwood.plots.tree_layout import (
    BAR,
    FONT_SIZE,
    GAP,
    LINE,
    MARGIN,
    PADDING,
    Layout,
    lay_out,
)
from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import Tree
from hardwood.tree.numbers import value_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Colour = tuple[float, float, float]
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
"""Okabe and Ito's colours, which people with any colour vision tell apart."""
SHADES = ((0.0, 0.0), (0.0, 0.5), (1.0, 0.55))
"""Black (0) or white (1), and how much of it, for each turn through the palette."""
LARGEST_FIGURE = 60.0
"""Inches; beyond it a figure shrinks its text instead of growing."""
MOST_NODES = 4000
"""Of more nobody could read one, and drawing them takes minutes."""
INK = "#222222"


def plot_tree(
    tree: Tree,
    schemas: Sequence[ColumnSchema] | None = None,
    classes: Sequence[object] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draws into `ax`, or into a new figure that is as large as the tree needs. A tree's columns
    and classes must be given; that they can be left out is for those who pass a model."""
    if not isinstance(tree, Tree) or schemas is None or classes is None:
        raise TypeError(
            "plot_tree draws the arrays of one tree, such as tree_, with its columns' schemas and "
            f"its classes; given was a {type(tree).__name__}. A fitted model draws itself: "
            "model.plot(), or of boosted trees model.plot(tree=0, label=None), the number of a "
            "round and a class."
        )
    _require_matplotlib()
    if tree.n_nodes > MOST_NODES:
        return refuse(
            axes_for(ax),
            f"The tree has {tree.n_leaves} leaves, too many to draw: at most {MOST_NODES} nodes "
            "are drawn. to_text(), rules() and the report show all of them.",
        )
    layout = lay_out(tree, schemas, classes, _text_width)
    legend = _legend_entries(classes)
    places, legend_height = _legend_places([name for name, _ in legend], layout.width)
    layout = replace(layout, y=layout.y + layout.notes_height)
    height = layout.notes_height + layout.height + legend_height
    if ax is None:
        ax = _new_axes(layout.width, height)
    scale = _prepare(ax, layout.width, height)
    _draw_lines(ax, tree, layout, scale)
    for node in layout.order:
        _draw_card(ax, tree, layout, node, scale)
    for (name, colour), (x, row) in zip(legend, places, strict=True):
        y = height - MARGIN - LINE * (row + 0.5)
        ax.plot([x + 3.5], [y], "s", color=colour, markersize=7 * scale, zorder=3)
        _write(ax, x + 11, y, name, scale)
    for row, note in enumerate(reversed(layout.notes)):
        _write(ax, MARGIN, MARGIN + LINE * (row + 0.5), note, scale)
    return ax


def _require_matplotlib() -> None:
    if find_spec("matplotlib") is None:
        raise MissingExtraError("Drawing a tree", "matplotlib", "plots")


def _text_width(text: str) -> float:
    """In points, as wide as bold text, and a little more since small text is set on whole pixels.
    A dollar sign would start a formula in this measure."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    font = FontProperties(weight="bold", size=FONT_SIZE)
    path = TextPath((0, 0), text.replace("$", "S"), prop=font)
    return 1.03 * float(path.get_extents().width) if len(path.vertices) else 0.0


def _new_axes(width: float, height: float) -> Axes:
    import matplotlib.pyplot as plt

    shrink = min(1.0, 72.0 * LARGEST_FIGURE / max(width, height))
    figure = plt.figure(figsize=(width * shrink / 72.0, height * shrink / 72.0))
    return figure.add_axes((0.0, 0.0, 1.0, 1.0))


def _prepare(ax: Axes, width: float, height: float) -> float:
    """Makes one unit of both axes `scale` points, and returns that scale."""
    box = ax.get_window_extent()
    dots = 72.0 / ax.figure.dpi
    scale = min(1.0, box.width * dots / width, box.height * dots / height)
    spare_x, spare_y = box.width * dots / scale - width, box.height * dots / scale - height
    ax.set_xlim(-spare_x / 2.0, width + spare_x / 2.0)
    ax.set_ylim(-spare_y / 2.0, height + spare_y / 2.0)
    ax.set_axis_off()
    return float(scale)


def _write(ax: Axes, x: float, y: float, text: str, scale: float, *, bold: bool = False) -> None:
    ax.text(
        x,
        y,
        text,
        fontsize=FONT_SIZE * scale,
        color=INK,
        va="center" if "\n" in text else "center_baseline",
        linespacing=1.1,
        fontweight="bold" if bold else "normal",
        parse_math=False,
        zorder=4,
    )


def _draw_lines(ax: Axes, tree: Tree, layout: Layout, scale: float) -> None:
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    curve = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
    paths, thickness = [], []
    for node in layout.order[1:]:
        parent = int(tree.parent[node])
        start, end = layout.x[parent] + layout.card_width[parent], layout.x[node]
        y0, y1 = layout.y[parent], layout.y[node]
        bend = GAP * 0.55
        paths.append(Path([(start, y0), (start + bend, y0), (end - bend, y1), (end, y1)], curve))
        thickness.append((0.7 + 7.0 * tree.weight[node] / tree.weight[0]) * scale)
    lines = PathCollection(paths, facecolors="none", edgecolors="#C4C4C4", linewidths=thickness)
    lines.set_zorder(1)
    ax.add_collection(lines, autolim=False)


def _draw_card(ax: Axes, tree: Tree, layout: Layout, node: int, scale: float) -> None:
    from matplotlib.patches import FancyBboxPatch, Rectangle

    x, width, height = layout.x[node], layout.card_width[node], layout.card_height[node]
    bottom = layout.y[node] - height / 2.0
    is_leaf = not tree.branches[node]
    label, shares = int(tree.label[node]), tree.raw_shares[node]
    card = FancyBboxPatch(
        (x, bottom),
        width,
        height,
        boxstyle="round,pad=0,rounding_size=3",
        facecolor=_tint(class_colour(label), _purity(shares)),
        edgecolor=INK if is_leaf else "#8A8A8A",
        linewidth=(1.0 if is_leaf else 0.6) * scale,
        zorder=2,
    )
    ax.add_patch(card)
    first, second = layout.lines[node]
    told = bottom + PADDING + BAR + LINE / 2.0
    _write(ax, x + PADDING, told, second, scale, bold=is_leaf)
    _write(ax, x + PADDING, told + LINE * (first.count("\n") + 2) / 2.0, first, scale)
    left = x + PADDING
    drawn = shares if tree.row_shares is None else tree.row_shares[node]
    for position in np.flatnonzero(drawn).tolist():
        part = float(drawn[position]) * (width - 2 * PADDING)
        bar = Rectangle((left, bottom + PADDING - 1), part, BAR, color=class_colour(position), lw=0)
        ax.add_patch(bar).set_zorder(3)
        left += part


def class_colour(position: int) -> Colour:
    """The palette, then the same colours darker, then paler."""
    from matplotlib.colors import to_rgb

    colour = to_rgb(PALETTE[position % len(PALETTE)])
    towards, part = SHADES[position // len(PALETTE) % len(SHADES)]
    red, green, blue = (part * towards + (1.0 - part) * each for each in colour)
    return red, green, blue


def _purity(shares: np.ndarray) -> float:
    """0 when all classes are even, 1 when there is only one."""
    even = 1.0 / max(len(shares), 2)
    return float(np.clip((shares.max() - even) / (1.0 - even), 0.0, 1.0))


def _tint(colour: Colour, purity: float) -> Colour:
    """The colour thinned with white; pale enough for dark text at any purity."""
    strength = 0.04 + 0.30 * purity
    red, green, blue = (1.0 - strength * (1.0 - part) for part in colour)
    return red, green, blue


def _legend_entries(classes: Sequence[object]) -> list[tuple[str, Colour]]:
    """Names and colours of all classes."""
    names = shortened_apart([value_text(label) for label in classes])
    return [(name, class_colour(position)) for position, name in enumerate(names)]


def _legend_places(names: Sequence[str], width: float) -> tuple[list[tuple[float, int]], float]:
    """Left edge and row of each entry, and the height of all rows."""
    places: list[tuple[float, int]] = []
    x, row = MARGIN, 0
    for name in names:
        needed = 11.0 + _text_width(name) + 14.0
        if x > MARGIN and x + needed > width:
            x, row = MARGIN, row + 1
        places.append((x, row))
        x += needed
    return places, (row + 1) * LINE + MARGIN
