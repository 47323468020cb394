"""Numbers that claims are about: a probability or a score, and what bounds on scores say of it.

In: the least and largest score of each output inside a box. Out: bounds on the number that hold for
the floats that the model gives. Scores are bounded to the bit (see `pieces`); a probability comes
from scores by an exponential, a sum and a quotient, whose rounding the bounds allow for by a
relative 2^-40 and an absolute 2^-50. Leaf shares of a single tree are the model's own floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardwood.certify.proving.pieces import Floats
from hardwood.certify.proving.reading import Reading
from hardwood.certify.proving.statements import OfClass

RELATIVE, ABSOLUTE = 2.0**-40, 2.0**-50
LARGEST = 700.0
"""Beyond it the library cuts off exponents."""


@dataclass(frozen=True)
class Number:
    """The probability of a class, or its score."""

    reading: Reading
    klass: int
    score: bool

    @property
    def name(self) -> str:
        return "score" if self.score else "probability"

    @property
    def output(self) -> int:
        return 0 if self.reading.outputs == 1 else self.klass

    @property
    def sign(self) -> int:
        """-1 where the number falls as its output rises: the first of two classes."""
        return -1 if self.reading.outputs == 1 and self.klass == 0 else 1

    def ask(self, rows: Sequence[Sequence[Any]]) -> Floats:
        """What the model says."""
        if not self.score:
            return self.reading.ask(rows)[:, self.klass]
        return np.asarray(self.sign * self.reading.scores(rows)[:, self.output])

    def bounds(self, low: Floats, high: Floats) -> tuple[float, float]:
        """From bounds of every output."""
        own, sign = self.output, self.sign
        ends = (low[own], high[own]) if sign > 0 else (-high[own], -low[own])
        if self.score:
            return float(ends[0]), float(ends[1])
        if self.reading.link == "logistic":
            slope = self.reading.slope
            return _widened(_logistic(slope * ends[0]), _logistic(slope * ends[1]))
        others = np.arange(len(low)) != own
        return _widened(
            self._share(float(ends[0]), high[others]), self._share(float(ends[1]), low[others])
        )

    def _share(self, own: float, others: Floats) -> float:
        """Of the class's power among all."""
        if self.reading.link == "votes":
            powers = np.exp(np.minimum((others - own) / (len(self.reading.classes) - 1), LARGEST))
            return float(1 / (1 + powers.sum()))
        slope = self.reading.slope
        mine = _logistic(slope * own)
        return float(mine / (mine + sum(_logistic(slope * float(each)) for each in others)))


def number_of(reading: Reading, claim: OfClass) -> Number:
    """What the claim is about; a ValueError where the model has no such number."""
    if claim.of == "score" and reading.link in ("shares", "one"):
        raise ValueError(
            "A score is a boosted model's decision_function; this model has probabilities only."
        )
    return Number(reading, reading.class_number(claim.label), claim.of == "score")


def _logistic(x: float) -> float:
    return float(1 / (1 + np.exp(min(max(-x, -LARGEST), LARGEST))))


def _widened(low: float, high: float) -> tuple[float, float]:
    return (
        max(0.0, low * (1 - RELATIVE) - ABSOLUTE),
        min(1.0, high * (1 + RELATIVE) + ABSOLUTE),
    )
