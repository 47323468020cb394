"""How the best split of a node is sought; every way gives the same split.

exhaustive  every column on every row
quick       Appel et al. 2013, as Aziz, Anderton & Aslam (2018, sec. 3) describe it
adaptive    Aziz, Anderton & Aslam (2018), Algorithm 1 with its swap corrected
auto        the fastest exact way, chosen per round from counts
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardwood._core import Search


@dataclass(frozen=True, slots=True)
class Exhaustive:
    """Every column on every row."""

    name = "exhaustive"


@dataclass(frozen=True, slots=True)
class Auto:
    """The fastest exact way, chosen per round from counts."""

    name = "auto"


@dataclass(frozen=True, slots=True)
class Adaptive:
    """Aziz, Anderton & Aslam (2018), Algorithm 1 with its swap corrected."""

    name = "adaptive"


@dataclass(frozen=True, slots=True)
class Quick:
    """Quick Boost (Appel et al. 2013)."""

    name = "quick"
    start: float = 0.5
    """Share of the weight that all columns see first."""
    batches: int = 10
    """Equal shares of the rest, after each of which a column may be dropped."""

    def __post_init__(self) -> None:
        if not 0 < self.start < 1:
            raise ValueError(f"start must lie between 0 and 1; given was {self.start!r}.")
        if not (isinstance(self.batches, int) and self.batches >= 1):
            raise ValueError(f"batches must be a whole number >= 1; given was {self.batches!r}.")


@dataclass(frozen=True, slots=True)
class PaperRun:
    """The runs of Aziz, Anderton & Aslam (2018) by their own rules, for studies.

    Alone among the searches this one gives other trees: a stump that calls all rows alike competes
    in every column and wins ties, so a node may stay whole, and is counted again at each level
    below; weight trimming cuts through rows of equal weight, in the order of the rows. For tables
    in memory, two classes or pairs, `variant="discrete"` and `criterion="error"`.
    """

    name = "paper"
    search: str = "adaptive"
    """Or "quick"."""
    start: float = 0.9
    batches: int = 20
    """As of `Quick`; the values that come nearest to the paper's counts."""

    def __post_init__(self) -> None:
        if self.search not in ("adaptive", "quick"):
            raise ValueError(f'search must be "adaptive" or "quick"; given was {self.search!r}.')
        Quick(self.start, self.batches)


Strategy = Exhaustive | Auto | Adaptive | Quick | PaperRun

_BY_NAME: dict[str, Strategy] = {
    "exhaustive": Exhaustive(),
    "auto": Auto(),
    "adaptive": Adaptive(),
    "quick": Quick(),
}


def strategy_of(search: Any) -> Strategy:
    """The strategy that a name or an object stands for."""
    if isinstance(search, (Exhaustive, Auto, Adaptive, Quick, PaperRun)):
        return search
    if isinstance(search, str) and search in _BY_NAME:
        return _BY_NAME[search]
    names = ", ".join(f'"{name}"' for name in _BY_NAME)
    raise ValueError(
        f"search must be one of {names}, or an object such as hardwood.search.Quick(start=0.5, "
        f"batches=10); given was {search!r}."
    )


def set_search(options: Any, strategy: Strategy) -> None:
    """Tell the core's options."""
    name = strategy.name
    if isinstance(strategy, PaperRun):
        name = strategy.search
        options.paper_rules = True
    options.search = Search[name]
    if isinstance(strategy, (Quick, PaperRun)):
        options.quick_start = strategy.start
        options.quick_batches = strategy.batches
