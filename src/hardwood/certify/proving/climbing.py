"""A row for which a number is large, by changing one column at a time.

In: a box of cells and a function of rows. Out: a row of cells; nothing is proved by it, but a claim
that is false is mostly refuted here, before any bound is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hardwood.certify.proving.bounding import Clock
from hardwood.certify.proving.cells import bits
from hardwood.certify.proving.walking import Box

STARTS = 4
SWEEPS = 8
ASKED = 4096
"""Rows of one question to the model."""


def climb(
    box: Box,
    row_of: Callable[[dict[int, int]], Sequence[Any]],
    height: Callable[[list[Sequence[Any]]], Any],
    enough: float,
    clock: Clock,
) -> dict[int, int] | None:
    """Cells whose row is higher than `enough`, or None."""
    draw = np.random.default_rng(0)
    choices = {column: bits(mask) for column, mask in box.items()}
    for start in range(STARTS):
        at = {
            column: cells[0] if start == 0 else int(draw.choice(cells))
            for column, cells in choices.items()
        }
        best = float(height([row_of(at)])[0])
        for _ in range(SWEEPS):
            if best > enough:
                return at
            before = best
            for column, cells in choices.items():
                if clock.over:
                    return None
                some = cells if len(cells) <= ASKED else draw.choice(cells, ASKED).tolist()
                heights = np.asarray(height([row_of({**at, column: cell}) for cell in some]))
                place = int(heights.argmax())
                if heights[place] > best:
                    best = float(heights[place])
                    at = {**at, column: some[place]}
            if best == before:
                break
        if best > enough:
            return at
    return None
