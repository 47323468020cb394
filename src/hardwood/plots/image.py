"""A drawing as a PNG file, without any window system."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hardwood.errors import MissingExtraError


def save_png(path: Path, draw: Callable[[Any], None], dpi: int = 110) -> None:
    """Let `draw` fill a new figure, and write it."""
    if find_spec("matplotlib") is None:
        raise MissingExtraError("Drawing", "matplotlib", "studies")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained", dpi=dpi)
    FigureCanvasAgg(figure)
    draw(figure)
    # Without the name and version of the program the same drawing is the same file.
    figure.savefig(path, format="png", metadata={"Software": None})
