"""Advantage sequences, and advantage against weight and gain.

In: a fitted model of two classes. Out: the axes. The advantage of a split is half the total
variation distance between the branch distributions of the two classes, that of a round 1/2 minus
its weighted error (Dietterich, Kearns & Mansour 1996, section 4, Figures 8 to 12).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hardwood.plots.fitted import history_of, is_tree, running_mean, splits_of, steps
from hardwood.plots.style import GREY, PALETTE, axes_for, finish, refuse

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TWO_CLASSES = "Advantages are defined for two classes;\nthis model has {} classes."
_NO_SPLIT = "The tree is a single leaf:\nthere is no split to show."


def plot_advantages(model: Any, ax: Axes | None = None, label: str | None = None) -> Axes:
    """The advantage of every split or round, in order, with its running mean.

    Call it again with the same `ax` and another model, and a `label` for each, to compare them."""
    advantage = np.asarray(history_of(model)["advantage"], dtype=np.float64)
    ax = axes_for(ax)
    reason = _nothing(model, advantage)
    if reason:
        return refuse(ax, reason)
    colour = PALETTE[sum(line.get_gid() == "advantage" for line in ax.lines) % len(PALETTE)]
    x, known = steps(advantage), ~np.isnan(advantage)
    x, advantage = x[known], advantage[known]
    ax.plot(x, advantage, ".", color=colour, alpha=0.35, markersize=5, markeredgewidth=0)
    (line,) = ax.plot(x, running_mean(advantage), color=colour, linewidth=1.8, label=label)
    line.set_gid("advantage")
    ax.axhline(0.0, color=GREY, linewidth=0.8)
    ax.set_ylim(min(-0.02, advantage.min() - 0.02), 0.52)
    step = "split" if is_tree(model) else "round"
    if ax.get_xlabel() not in ("", step):
        step = "split or round"
    return finish(ax, xlabel=step, ylabel="advantage over guessing", legend=label is not None)


def plot_advantage_against_weight(model: Any, ax: Axes | None = None) -> Axes:
    """Each split's advantage against the share of the weight that reaches it (DKM96, Fig. 11)."""
    return _scatter(model, ax, "weight", "weight of the leaf that was split", log=True)


def plot_advantage_against_gain(model: Any, ax: Axes | None = None) -> Axes:
    """Each split's advantage against its gain (DKM96, Fig. 12)."""
    return _scatter(model, ax, "gain", "gain within the leaf", log=False)


def _scatter(model: Any, ax: Axes | None, name: str, ylabel: str, *, log: bool) -> Axes:
    history = splits_of(model, "Advantage against " + name)
    advantage = np.asarray(history["advantage"], dtype=np.float64)
    ax = axes_for(ax, (5.0, 4.2))
    reason = _nothing(model, advantage)
    if reason:
        return refuse(ax, reason)
    order = steps(advantage)
    marks = ax.scatter(
        advantage, history[name], c=order, cmap="viridis_r", s=18, alpha=0.85, linewidths=0
    )
    if len(advantage) > 1:
        bar = ax.figure.colorbar(marks, ax=ax, pad=0.02)
        bar.set_label("split")
        bar.outline.set_visible(False)
    if log:
        ax.set_yscale("log")
    ax.set_xlim(-0.01, 0.51)
    return finish(ax, xlabel="advantage over guessing", ylabel=ylabel)


def _nothing(model: Any, advantage: Any) -> str:
    """Why there is nothing to draw; "" when there is something."""
    if len(model.classes_) > 2:
        return _TWO_CLASSES.format(len(model.classes_))
    if not len(advantage) or np.isnan(advantage).all():
        return _NO_SPLIT if is_tree(model) else "No round has an advantage to show."
    return ""
