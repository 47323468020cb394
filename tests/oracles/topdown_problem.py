"""What TopDown's oracle is given and what it makes: columns, rules, groups, splits, nodes;
weights as integers and the criteria."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from tests.oracles.thresholds import all_whole, threshold_between

Vector = tuple[int, ...]
CLOSE = 1e-12


@dataclass(frozen=True)
class Column:
    """Kind numeric (floats), integer (integers beyond 2^53) or category (in sorted order)."""

    kind: Literal["numeric", "integer", "category"]
    values: tuple[Any, ...]

    def threshold(self, low: Any, high: Any) -> Any:
        return threshold_between(low, high, self._whole)

    @cached_property
    def _whole(self) -> bool:
        return self.kind == "integer" or all_whole(self.values)


@dataclass(frozen=True)
class Rules:
    criterion: str = "km"
    leaf_choice: str = "drop"
    max_leaf_nodes: int | None = None
    max_depth: int | None = None
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    min_drop: float = 0.0
    min_category_size: int = 1


@dataclass(frozen=True)
class Problem:
    """A table with its weights made integers; `rows` are those of positive integer weight."""

    columns: tuple[Column, ...]
    labels: tuple[int, ...]
    n_classes: int
    weights: tuple[int, ...]
    exponent: int
    examples: tuple[int, ...]
    rows: tuple[int, ...]
    rules: Rules
    allowed: tuple[int, ...]
    kinds: tuple[Hashable, ...] | None = None
    n_examples: int = 0
    drawn: Callable[[Sequence[Any], Sequence[Vector]], bool] | None = None

    @property
    def total(self) -> int:
        return sum(self.weights)

    def vector(self, rows: Sequence[int]) -> Vector:
        sums = [0] * self.n_classes
        for row in rows:
            sums[self.labels[row]] += self.weights[row]
        return tuple(sums)

    def count(self, rows: Sequence[int]) -> int:
        return sum(self.examples[row] for row in rows)


@dataclass(frozen=True)
class Group:
    """Rows of a node with one value, or the missing ones; no cut separates them."""

    values: tuple[Any, ...]
    vector: Vector
    examples: int


@dataclass(frozen=True)
class Split:
    """A branching function; `threshold` is None for groups and missing-against-the-rest."""

    cost: float
    column: int
    cut: int
    missing: Literal["left", "right"] | None
    threshold: float | int | None
    left_values: tuple[Any, ...]
    right_values: tuple[Any, ...]
    vectors: tuple[Vector, Vector]
    sure: bool = True

    @property
    def order(self) -> tuple[float, int, int, bool]:
        return (self.cost, self.column, self.cut, self.missing == "right")


@dataclass
class Node:
    number: int
    parent: int
    depth: int
    rows: tuple[int, ...]
    vector: Vector
    phi: float
    best: Split | None = None
    undecided: bool = False
    split: Split | None = None
    children: tuple[int, int] | None = None
    default_branch: int = -1

    @property
    def drop(self) -> float:
        assert self.best is not None
        return self.phi - self.best.cost


@dataclass
class Growth:
    problem: Problem
    nodes: list[Node]
    split_nodes: list[int] = field(default_factory=list)
    potential: list[float] = field(default_factory=list)
    error: list[float] = field(default_factory=list)
    undecided: str | None = None

    def class_weights(self, node: Node) -> list[float]:
        """The node's class weights in the user's units."""
        return [math.ldexp(a, -self.problem.exponent) for a in node.vector]


def integer_weights(weights: Sequence[float]) -> tuple[tuple[int, ...], int]:
    """w_i = round(2^e w_i), half to even, and e: the largest integer with 2^e total <= 2^52."""
    total = Fraction(math.fsum(weights))
    exponent = 52 - math.frexp(float(total))[1]
    while Fraction(2) ** (exponent + 1) * total <= 2**52:
        exponent += 1
    while Fraction(2) ** exponent * total > 2**52:
        exponent -= 1
    unit = Fraction(2) ** exponent
    return tuple(round(Fraction(w) * unit) for w in weights), exponent


def count_examples(whole: Sequence[int], counted: Sequence[float]) -> int:
    """The sum of whole sample weights, else the number of rows, of those of positive weight."""
    here = [float(w) for units, w in zip(whole, counted, strict=True) if units > 0]
    return int(sum(here)) if all(float(w).is_integer() for w in counted) else len(here)


def is_rare(weight: int, node: int, total: int, n_examples: int, rules: Rules) -> bool:
    """Of a category of that weight: too few examples, and less than a twentieth of the node."""
    size = rules.min_category_size
    return size > 1 and weight * n_examples < size * total and 20 * weight < node


def phi(criterion: str, vector: Vector) -> float:
    """|a| G(a/|a|), class by class in order; a power-of-two scale changes no decision."""
    weight = sum(vector)
    if weight == 0:
        return 0.0
    if criterion in ("error", "stump"):
        return 2.0 * (weight - max(vector))
    total = 0.0
    for a in vector:
        total += _term(criterion, float(a), float(weight))
    return total


def _term(criterion: str, a: float, weight: float) -> float:
    if criterion == "gini":
        return 2.0 * a * (weight - a) / weight
    if criterion == "km":
        return math.sqrt(a * (weight - a))
    return a * math.log1p((weight - a) / a) / math.log(2.0) if a > 0.0 else 0.0


def split_cost(criterion: str, left: Vector, right: Vector) -> float:
    """phi of both sides; for a stump the weight of its mistakes."""
    if criterion == "stump":
        return float(min(left[0] + right[1], left[1] + right[0]))
    return phi(criterion, left) + phi(criterion, right)


def drop_is_positive(criterion: str, parent: Vector, left: Vector, right: Vector) -> bool:
    """In integers: error by its costs, the others unless the children look like the parent."""
    if criterion == "stump":
        return min(parent) > 0
    if criterion == "error":
        return max(left) + max(right) > max(parent)
    weight, left_weight = sum(parent), sum(left)
    return any(a * weight != b * left_weight for a, b in zip(left, parent, strict=True))


def shifted(weight: int, sign: int, rows: int) -> float:
    return max(weight + sign * (CLOSE * weight + rows), 0.0) if weight else 0.0
