"""The forms of figure that studies share; each draws on a new matplotlib figure.

In: a figure and plain numbers. Out: nothing; the figure is drawn on. Colours are those of the plots
of fitted models, and every series is named beside its line or in a legend.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hardwood.plots.style import PALETTE, finish

_DASHES = ("-", (0, (4, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), "-", (0, (4, 2)))
Series = Mapping[str, tuple[Sequence[float], Sequence[float]]]


def paired_points(
    figure: Any, names: Sequence[str], ratios: Mapping[str, Sequence[float]], label: str
) -> None:
    """One line per name, one point per series; 1 is marked."""
    figure.set_size_inches(6.4, 0.9 + 0.34 * len(names))
    ax = figure.subplots()
    places = np.arange(len(names))[::-1]
    ax.axvline(1.0, color="#888888", linewidth=0.8)
    for (name, values), colour, marker in zip(ratios.items(), PALETTE, "osD^", strict=False):
        ax.plot(values, places, marker, color=colour, label=name, markersize=6)
    ax.set_yticks(places, names)
    finish(ax, xlabel=label, legend=len(ratios) > 1)


def panels(
    figure: Any,
    series: Mapping[str, Series],
    *,
    xlabel: str,
    ylabel: str,
    doubling: bool = False,
    points: bool = False,
    height: float = 3.2,
) -> None:
    """One panel per name side by side, at most three in a row, with shared colours; `doubling`: x
    by powers of two. Lines that lie on each other show by their dashes."""
    across = min(len(series), 3)
    down = -(-len(series) // across)
    figure.set_size_inches(max(4.0 * across, 6.0), height * down)
    axes = figure.subplots(down, across, squeeze=False)
    for ax in axes.ravel()[len(series) :]:
        ax.set_axis_off()
    for place, (ax, (title, lines)) in enumerate(zip(axes.ravel(), series.items(), strict=False)):
        for (name, (x, y)), colour, dashes in zip(lines.items(), PALETTE, _DASHES, strict=False):
            style = {"marker": ".", "linestyle": "none"} if points else {"linestyle": dashes}
            ax.plot(x, y, color=colour, label=name, **style)
        if doubling:
            ax.set_xscale("log", base=2)
            ax.xaxis.set_major_formatter("{x:g}")
        if not points:
            ax.set_ylim(bottom=0)
        ax.set_title(title, fontsize=10)
        finish(
            ax,
            xlabel=xlabel,
            ylabel=ylabel if place % across == 0 else "",
            legend=place == 0 and len(lines) > 1,
        )


def bars(
    figure: Any, names: Sequence[str], series: Mapping[str, Sequence[float]], label: str
) -> None:
    """Groups of horizontal bars, one group per name."""
    height = 0.8 / max(len(series), 1)
    figure.set_size_inches(6.4, 1.0 + 0.22 * len(names) * max(len(series), 2))
    ax = figure.subplots()
    places = np.arange(len(names))[::-1]
    for i, ((name, values), colour) in enumerate(zip(series.items(), PALETTE, strict=False)):
        ax.barh(places + 0.4 - (i + 0.5) * height, values, height, color=colour, label=name)
    ax.set_yticks(places, names)
    finish(ax, xlabel=label)
    if len(series) > 1:  # above the bars, where it covers none
        ax.legend(frameon=False, fontsize=9, ncols=4, loc="lower left", bbox_to_anchor=(0, 1))
