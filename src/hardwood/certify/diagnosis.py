"""What a sequence of splits or rounds shows, in plain words.

In: findings from a tree's or a boosted model's history. Out: a `Diagnosis`, which prints itself.
Invariant: every number in a sentence comes from the model's history or certificate; where nothing
is known, the sentence says so.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WEAK = 0.05
"""An advantage below this is called weak, as in Dietterich, Kearns & Mansour 1996, section 4.2."""
WIDTH = 88
NEW_DATA = "It bounds the error on the training rows and says nothing of new data."

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Finding:
    """One question and its answer."""

    topic: str
    text: str


@dataclass(frozen=True)
class Diagnosis:
    """`weak_from`: the number (from 1) of the first split or round whose advantage is below .05,
    None when there is none or advantages are not defined; `more_can_help`: whether further splits
    or rounds can lower the training error, None when the history cannot tell; `bound`: what the
    training error is proved to be at most, NaN when nothing is."""

    subject: str
    findings: tuple[Finding, ...]
    weak_from: int | None
    more_can_help: bool | None
    bound: float

    def __str__(self) -> str:
        lines = [self.subject]
        for finding in self.findings:
            lines.append(f"{finding.topic}:")
            lines += textwrap.wrap(finding.text, WIDTH, initial_indent="  ", subsequent_indent="  ")
        return "\n".join(lines)

    __repr__ = __str__


def counted(number: int, what: str) -> str:
    """1 split, 2 splits; of leaf, leaves."""
    if number == 1:
        return f"1 {what}"
    return f"{number} leaves" if what == "leaf" else f"{number} {what}s"


def first_weak(advantage: Floats) -> int | None:
    """The number, from 1, of the first weak one."""
    weak = np.flatnonzero(advantage < WEAK)
    return int(weak[0]) + 1 if len(weak) else None


def quarters(values: Floats) -> tuple[float, float]:
    """Means of the first and of the last quarter."""
    part = max(len(values) // 4, 1)
    return float(values[:part].mean()), float(values[-part:].mean())


def trend_text(advantage: Floats, what: str) -> str:
    """How the advantages go, where there are enough of them to tell; a fifth more or less is
    holding."""
    if len(advantage) < 8:
        return f"Too short to speak of a trend ({counted(len(advantage), what)})."
    first, last = quarters(advantage)
    if last > 1.2 * first:
        word = "rise"
    elif last < 0.8 * first:
        word = "fall"
    else:
        word = "hold"
    return (
        f"The advantages {word}: {first:.3f} on average over the first quarter of the {what}s, "
        f"{last:.3f} over the last."
    )
