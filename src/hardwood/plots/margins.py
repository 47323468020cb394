"""Margins of a boosted model: how clearly it votes, row by row.

In: a fitted boosted model and rows with their labels. Out: the axes with the cumulative
distribution of the margins. A row's margin is the score of its class minus that of the best other
class, over the largest difference that the trees could make; it lies in [-1, 1] and is negative for
a mistake. For two classes this is y F(x) / sum of the trees' largest scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hardwood.plots.fitted import class_numbers, rounds_of
from hardwood.plots.style import GREY, PALETTE, axes_for, finish

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def margins(model: Any, X: Any, y: Any) -> NDArray[np.float64]:
    """The margin of every row."""
    rounds_of(model, "A margin")
    scores = np.asarray(model.decision_function(X))
    codes = class_numbers(model, y, len(scores))
    scale = _scale(model) or 1.0
    if scores.ndim == 1:
        return np.asarray(np.where(codes == 1, 1.0, -1.0) * scores / scale)
    rows = np.arange(len(codes))
    own = scores[rows, codes].copy()
    others = scores.copy()
    others[rows, codes] = -np.inf
    return np.asarray((own - others.max(axis=1)) / scale)


def _scale(model: Any) -> float:
    """The largest difference between two scores (two classes: the largest |F|) that the trees could
    make."""
    total = 0.0
    votes = model.tree_weights_.ndim == 1 and len(model.classes_) > 2
    for trees, weights in zip(model.trees_, model.tree_weights_, strict=True):
        if votes:
            total += abs(float(weights))
            continue
        pairs = zip(np.ravel(trees), np.ravel(weights), strict=True)
        largest = sorted(abs(float(w)) * float(np.abs(t.value).max()) for t, w in pairs)
        total += sum(largest[-2:])
    return total


def plot_margins(
    model: Any, X: Any, y: Any, ax: Axes | None = None, label: str | None = None
) -> Axes:
    """The share of the rows whose margin is at most x. Call it again with the same `ax` for other
    rows or models, with a `label` for each."""
    found = np.sort(margins(model, X, y))
    ax = axes_for(ax)
    number = sum(line.get_gid() == "margins" for line in ax.lines)
    x = np.concatenate(([-1.0], found, [1.0]))
    share = np.concatenate(([0.0], np.arange(1, len(found) + 1) / len(found), [1.0]))
    colour = PALETTE[number % len(PALETTE)]
    (line,) = ax.step(x, share, where="post", color=colour, linewidth=1.8, label=label)
    line.set_gid("margins")
    if number == 0:
        ax.axvline(0.0, color=GREY, linewidth=0.8)
        wrong = float(np.mean(found < 0))
        if label is None:
            ax.text(-0.03, 0.97, f"{wrong:.1%} wrong", ha="right", va="top", color=GREY, fontsize=9)
    ax.set_xlim(-1, 1)
    ax.set_ylim(0, 1.02)
    return finish(ax, xlabel="margin", ylabel="share of the rows", legend=label is not None)
