"""What AdaBoost's oracle is given and makes: a setting, the data, rounds and why they end."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from tests.oracles.drawing import cut_is_drawn, cut_seed
from tests.oracles.topdown_problem import Column, Growth, Rules

NO_ERROR, CHANCE = "error 0", "no better than chance"
NOTHING_LEFT = "nothing left to learn"
EXACT_AT_RATE_ONE = ("discrete",)
SMALLEST_ERROR = 2.0**-53
RESCALED = 2.0**200


@dataclass(frozen=True)
class Setting:
    """`columns`: those that each round's tree may use; `error_over`: the rows that count in err."""

    variant: Literal["discrete", "real", "gentle", "logistic"] = "real"
    criterion: str = "km"
    n_estimators: int = 5
    learning_rate: float = 1.0
    max_depth: int | None = 3
    max_leaf_nodes: int | None = None
    min_samples_leaf: int = 1
    min_category_size: int = 1
    min_weight_fraction_leaf: float = 0.0
    weight_fraction: float = 1.0
    cut_fraction: float = 1.0
    seed: int = 0
    columns: Sequence[Collection[int]] | None = None
    cap_bits: int = 12
    leaf_prior: float = 0.0
    chance_rounds: Literal["stop", "skip"] = "stop"
    error_over: Literal["kept", "all"] = "all"

    @property
    def exact(self) -> bool:
        return self.learning_rate == 1.0 and self.variant in EXACT_AT_RATE_ONE

    def rules(self, n_classes: int) -> Rules:
        stump = self.variant == "discrete" and self.criterion == "error" and n_classes == 2
        return Rules(
            criterion="stump" if stump else self.criterion,
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_leaf=self.min_samples_leaf,
            min_weight_fraction_leaf=self.min_weight_fraction_leaf,
            min_category_size=self.min_category_size,
        )

    def draws_cuts(self, columns: Sequence[Column]) -> bool:
        """Whether a tree looks at some columns in part."""
        numeric = (set(each.values) - {None} for each in columns if each.kind != "category")
        return self.cut_fraction < 1.0 and any(len(values) > 2 for values in numeric)

    def drawn(self, number: int) -> Callable[[Sequence[Any], Sequence[Sequence[int]]], bool] | None:
        """Which cuts the tree of a round may use; None: all of them."""
        if self.cut_fraction >= 1.0:
            return None
        return partial(cut_is_drawn, cut_seed(self.seed, number), self.cut_fraction)


@dataclass(frozen=True)
class Data:
    columns: tuple[Column, ...]
    labels: tuple[int, ...]
    n_classes: int
    weights: tuple[float, ...]
    counted: tuple[float, ...]

    @property
    def n_rows(self) -> int:
        return len(self.labels)


@dataclass
class Round:
    """`leaves`: of every row; `says`: each leaf's class; `values`: its score (two classes)."""

    integers: tuple[int, ...]
    kept: tuple[int, ...]
    growth: Growth
    leaves: list[int]
    says: dict[int, int]
    values: dict[int, float]
    error: float
    tree_weight: float
    scores: list[list[float]] = field(default_factory=list)
    bound: float = math.nan


@dataclass
class Boosting:
    data: Data
    rounds: list[Round] = field(default_factory=list)
    stopped: str = ""
    undecided: str | None = None
    factors: list[float] = field(default_factory=list)
    paths: list[tuple[float, ...]] = field(default_factory=list)

    def predictions(self, number: int) -> list[int | None]:
        """The class of every row after so many rounds; None where scores are too close to say."""
        return [_heaviest(scores) for scores in self.rounds[number - 1].scores]


def _heaviest(scores: Sequence[float]) -> int | None:
    """The first class of largest score; None where another comes within 1e-9 of it."""
    first = max(range(len(scores)), key=lambda c: (scores[c], -c))
    near = [s for s in scores if scores[first] - s <= 1e-9 * (1 + abs(scores[first]))]
    return first if len(near) == 1 or all(s == 0.0 for s in scores) else None
