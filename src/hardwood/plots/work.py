"""What a search looked at, round by round.

In: a fitted boosted model. Out: the axes with assessments per round beside those of exhaustive
search (Aziz, Anderton & Aslam 2018, Figure 2, not summed up).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardwood.plots.fitted import rounds_of, steps
from hardwood.plots.style import GREY, PALETTE, axes_for, finish

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_assessments(model: Any, ax: Axes | None = None, *, total: bool = False) -> Axes:
    """Assessments per round, or with `total` up to each round."""
    history = rounds_of(model, "A plot of assessments")
    seen, everything = history["assessments"], history["exhaustive_assessments"]
    if total:
        seen, everything = seen.cumsum(), everything.cumsum()
    ax = axes_for(ax)
    name = getattr(model.search, "name", model.search)
    ax.plot(steps(everything), everything, color=GREY, linewidth=1.2, label="exhaustive")
    ax.plot(steps(seen), seen, color=PALETTE[0], linewidth=1.8, label=str(name))
    ax.fill_between(steps(seen), 0, seen, color=PALETTE[0], alpha=0.12, linewidth=0)
    ax.set_ylim(0, 1.18 * max(float(everything.max(initial=0)), 1.0))
    share = float(history["assessments"].sum()) / max(
        float(history["exhaustive_assessments"].sum()), 1.0
    )
    ylabel = "assessments so far" if total else "assessments"
    ax = finish(ax, xlabel="round", ylabel=ylabel, title=f"{share:.1%} of everything looked at")
    ax.legend(frameon=False, fontsize=9, ncols=2, loc="upper left")
    return ax
