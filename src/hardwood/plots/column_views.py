"""What columns do: partial dependence, importances, and what a split sees.

In: a fitted model, rows and, where classes are counted, their labels. Out: the axes. The numbers
are those of the report page (`hardwood.judging`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hardwood.judging import partial_dependence
from hardwood.judging.split_bars import SplitBars, SplitViews, rows_by_depth
from hardwood.plots.fitted import class_numbers, class_place, history_of, splits_of
from hardwood.plots.short_words import shortened_apart
from hardwood.plots.style import PALETTE, axes_for, finish, refuse
from hardwood.plots.tree_plot import class_colour
from hardwood.table.sampled import SampledTable, spaced_rows
from hardwood.tree.numbers import value_text
from hardwood.tree.route import leaves_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 8
SPLIT_ROWS = 3_000


def plot_partial_dependence(
    model: Any, X: Any, column: int | str, ax: Axes | None = None, *, positive: Any = None
) -> Axes:
    """The mean probability when every row of X (at most 500 of them, at even distances) gets the
    same value of the column and keeps its others: of the second of two classes, else of the
    classes that the column moves most, unless `positive` names one."""
    history_of(model)
    table = model._table(X)
    found = partial_dependence(model, table, _column_number(model, column))
    ax = axes_for(ax, (5.6, 3.8))
    if not found.values:
        return refuse(ax, "The column has no value in X.")
    moved = np.argsort(-np.ptp(found.mean, axis=0), kind="stable")[:MOST_LINES]
    shown = [1] if len(model.classes_) == 2 else np.sort(moved).tolist()
    if positive is not None:
        shown = [class_place(model, positive)]
    names = shortened_apart([value_text(each) for each in model.classes_.tolist()])
    numbers = not found.schema.categories
    x = found.values if numbers else list(range(len(found.values)))
    for place, c in enumerate(shown):
        style: dict[str, Any] = {} if numbers else {"marker": "o", "linestyle": ""}
        ax.plot(x, found.mean[:, c], color=PALETTE[place % 8], lw=1.8, label=names[c], **style)
    if not numbers:
        texts = shortened_apart([value_text(value) for value in found.values])
        ax.set_xticks(x, texts, rotation=90 if len(texts) > 5 else 0)
    of = f" of {names[shown[0]]}" if len(shown) == 1 else ""
    return finish(
        ax, xlabel=found.schema.name, ylabel=f"mean probability{of}", legend=len(shown) > 1
    )


def plot_importances(model: Any, ax: Axes | None = None, *, most: int = 15) -> Axes:
    """The columns with the largest gain: their share of the drop of the potential in training."""
    history_of(model)
    gain = np.asarray(model.feature_importances_)
    shown = np.argsort(-gain, kind="stable")[:most]
    shown = shown[gain[shown] > 0]
    ax = axes_for(ax, (5.6, 0.8 + 0.28 * max(len(shown), 1)))
    if not len(shown):
        return refuse(ax, "The model asks about no column.")
    names = shortened_apart([model._schemas[j].name for j in shown])
    places = np.arange(len(shown))
    ax.barh(places, 100 * gain[shown], color=PALETTE[0], height=0.7)
    ax.set_yticks(places, names)
    ax.invert_yaxis()
    finish(ax, xlabel="gain, % of all")
    ax.grid(False, axis="y")
    return ax


def plot_split(model: Any, X: Any, y: Any = None, ax: Axes | None = None, *, node: int = 0) -> Axes:
    """The column that a node of a tree asks about, among the rows of X that reach it (of at most
    3,000, at even distances), by class if y is given, with the node's cuts."""
    splits_of(model, "What a split sees")
    tree = model.tree_
    if not 0 <= node < tree.n_nodes or not tree.branches[node] or tree.share is not None:
        raise ValueError(
            f"node must be a split of the tree, which sends each row one way; given was {node!r}."
        )
    table = model._table(X)
    rows = spaced_rows(table.n_rows, SPLIT_ROWS)
    sample = SampledTable(table, rows)
    labels = np.zeros(len(rows), dtype=np.intp)
    classes = 1 if y is None else len(model.classes_)
    if y is not None:
        labels = class_numbers(model, y, table.n_rows)[rows]
    here = rows_by_depth(tree, leaves_of(tree, sample, 1))[tree.depth[node]] == node
    found = SplitViews(tree, model._schemas, sample).bars(node, here, labels, classes)
    names = shortened_apart([value_text(each) for each in model.classes_.tolist()])
    return _bars(axes_for(ax, (5.0, 3.4)), found, names if classes > 1 else ["rows"])


def _bars(ax: Axes, found: SplitBars, names: list[str]) -> Axes:
    count = found.counts.shape[1]
    step = (found.high - found.low) / count or 1.0
    x, width = found.low + step * (np.arange(count) + 0.5), 0.94 * step
    if found.codes is not None:
        x, width = np.arange(count, dtype=np.float64), 0.8
        texts = shortened_apart([value_text(found.schema.categories[c]) for c in found.codes])
        ax.set_xticks(range(len(texts)), texts, rotation=90 if len(texts) > 5 else 0)
    bottom = np.zeros(count)
    for c, rows in enumerate(found.counts):
        if rows.any():
            ax.bar(x, rows, width, bottom=bottom, color=class_colour(c), label=names[c])
        bottom += rows
    for cut in found.cuts:
        ax.axvline(cut, color="#222222", linewidth=1.4)
    return finish(ax, xlabel=found.schema.name, ylabel="rows", legend=len(names) > 1)


def _column_number(model: Any, column: int | str) -> int:
    names = [schema.name for schema in model._schemas]
    if isinstance(column, str) and column in names:
        return names.index(column)
    if isinstance(column, int | np.integer) and 0 <= column < len(names):
        return int(column)
    raise ValueError(
        f"column must be a name of the model's columns or a number below {len(names)}; given was "
        f"{column!r}."
    )
