"""Comparing what a model says with what was found, and collecting the sentences about it.

In: pairs of arrays, claimed and found. Out: a `Report`. Invariant: one sentence per array that
differs, which names the first place, so that a report stays readable for a large model.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

CLOSE = 1e-12
"""Relative difference that rounding may explain; nothing a model says is given more exactly."""


@dataclass(frozen=True)
class Report:
    """True when nothing differs."""

    differences: tuple[str, ...]
    """A sentence for each array that differs."""
    unchecked: tuple[str, ...] = ()
    """What could not be derived from the data and the model, and why."""
    compared: int = 0
    """Numbers compared."""

    def __bool__(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        verdict = "agree with the data" if self else f"{len(self.differences)} differences"
        lines = [f"{self.compared} numbers compared: {verdict}"]
        lines += [f"  differs: {each}" for each in self.differences]
        lines += [f"  not checked: {each}" for each in self.unchecked]
        return "\n".join(lines)


@dataclass
class Ledger:
    """`about` names what the next comparisons concern, such as "round 3: "."""

    differences: list[str] = field(default_factory=list)
    unchecked: dict[str, None] = field(default_factory=dict)
    compared: int = 0
    about: str = ""

    def report(self) -> Report:
        return Report(tuple(self.differences), tuple(self.unchecked), self.compared)

    def differs(self, sentence: str) -> None:
        self.differences.append(self.about + sentence)

    def skip(self, sentence: str) -> None:
        """What cannot be derived from the data and the model, said once."""
        self.unchecked[sentence] = None

    def true(self, holds: Any, sentence: str) -> bool:
        self.compared += 1
        if not holds:
            self.differs(sentence)
        return bool(holds)

    def equal(self, name: str, claimed: ArrayLike, found: ArrayLike, where: str = "node") -> bool:
        """The same shape and the same values."""
        one, two = np.asarray(claimed), np.asarray(found)
        if one.shape != two.shape:
            self.differs(f"{name} has shape {one.shape}; expected is {two.shape}.")
            return False
        return self._same(name, one, two, one == two, where)

    def close(
        self,
        name: str,
        claimed: ArrayLike,
        found: ArrayLike,
        scale: ArrayLike | None = None,
        where: str = "node",
    ) -> bool:
        """The same shape, and values within CLOSE of `scale` (of the larger value, if None); NaN
        where NaN is found."""
        one, two = np.asarray(claimed, dtype=np.float64), np.asarray(found, dtype=np.float64)
        if one.shape != two.shape:
            self.differs(f"{name} has shape {one.shape}; expected is {two.shape}.")
            return False
        size = np.maximum(np.abs(one), np.abs(two)) if scale is None else np.asarray(scale)
        with np.errstate(invalid="ignore"):
            same = np.abs(one - two) <= CLOSE * size
        same |= (one == two) | (np.isnan(one) & np.isnan(two))
        return self._same(name, one, two, same, where)

    def _same(
        self, name: str, claimed: NDArray[Any], found: NDArray[Any], same: Any, where: str
    ) -> bool:
        agree = np.asarray(same)
        self.compared += agree.size
        if agree.all():
            return True
        at = tuple(int(i) for i in np.argwhere(~agree)[0])
        place = f" of {where} {at[0]}" if at else ""
        more = int(agree.size - np.count_nonzero(agree)) - 1
        others = f" ({more} more differ)" if more else ""
        self.differs(f"{name}{place} is {claimed[at]!s}; the data say {found[at]!s}{others}.")
        return False
