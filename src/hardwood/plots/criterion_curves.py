"""The criteria G(q) for two classes (Kearns & Mansour 1996, Figures 2 and 3).

In: nothing, or a fitted tree, whose criterion is then drawn strongly with a mark for every split at
the share q it was made at. Out: the axes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hardwood.criteria import impurity
from hardwood.plots.fitted import splits_of
from hardwood.plots.style import PALETTE, axes_for, finish

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ORDER = ("km", "entropy", "gini", "error")
_FORMULA = {
    "km": r"km  $2\sqrt{q(1-q)}$",
    "entropy": "entropy  $H(q)$",
    "gini": "gini  $4q(1-q)$",
    "error": r"error  $2\,\min(q, 1-q)$",
}


def plot_criteria(model: Any = None, ax: Axes | None = None, *, largest_q: float = 1.0) -> Axes:
    """All four curves for q from 0 to `largest_q`; .05 shows what Figure 3 shows."""
    if not isinstance(largest_q, (int, float)) or not 0.0 < largest_q <= 1.0:
        raise ValueError(
            f"largest_q must be a number above 0 and at most 1; given was {largest_q!r}."
        )
    history = None if model is None else splits_of(model, "The mark of a split on its criterion")
    ax = axes_for(ax, (5.6, 4.0))
    q = np.linspace(0.0, largest_q, 801)
    for name, colour in zip(_ORDER, PALETTE, strict=False):
        strong = model is None or model.criterion == name
        ax.plot(
            q,
            impurity(np.column_stack([1 - q, q]), name),  # type: ignore[arg-type]
            color=colour,
            linewidth=2.0 if strong else 1.0,
            alpha=1.0 if strong else 0.55,
            label=_FORMULA[name],
        )
    if history is not None and len(model.classes_) == 2:
        _mark_splits(ax, model.criterion, history, largest_q)
    ax.set_xlim(0, largest_q)
    ax.set_ylim(bottom=0)
    return finish(ax, xlabel="q, the share of one class", ylabel="G(q)", legend=True)


def _mark_splits(ax: Axes, criterion: Any, history: Any, largest_q: float) -> None:
    q = np.asarray(history["q"])[np.asarray(history["q"]) <= largest_q]
    colour = PALETTE[_ORDER.index(criterion)]
    height = impurity(np.column_stack([1 - q, q]), criterion)
    ax.plot(q, height, "o", color=colour, markersize=4, alpha=0.6, markeredgewidth=0)
