"""What all plots share: colours, the axes they draw on, and how axes are finished.

Colours are Okabe and Ito's, which people with any colour vision tell apart. matplotlib is imported
on use; its absence is a `MissingExtraError`.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from hardwood.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#666666", "#000000")
GREY = "#888888"


def axes_for(ax: Axes | None, size: tuple[float, float] = (6.4, 3.8)) -> Axes:
    """`ax`, or the axes of a new figure."""
    if find_spec("matplotlib") is None:
        raise MissingExtraError("Drawing", "matplotlib", "plots")
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=size, layout="constrained")
    return figure.add_subplot()


def finish(
    ax: Axes, *, xlabel: str = "", ylabel: str = "", title: str = "", legend: bool = False
) -> Axes:
    """Names, a light grid behind the data, and no frame where it says nothing."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.grid(True, color="#E6E6E6", linewidth=0.6)
    ax.set_axisbelow(True)
    if xlabel:
        ax.set_xlabel(xlabel)
    if ylabel:
        ax.set_ylabel(ylabel)
    if title:
        ax.set_title(title, fontsize=11)
    if legend:
        ax.legend(frameon=False, fontsize=9)
    return ax


def refuse(ax: Axes, sentence: str) -> Axes:
    """Say inside the axes why there is nothing to draw."""
    ax.text(0.5, 0.5, sentence, ha="center", va="center", wrap=True, transform=ax.transAxes)
    ax.set_axis_off()
    return ax
