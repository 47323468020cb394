"""Random tables, labels, weights and parameters as plain Python data, made from one number.

A `Case` prints as source, so that a shrunk one can be pasted into a script.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

Random = np.random.Generator
WORDS = ("", "a", "b", "B", "é", "z z", "'", "0", "nan", "日")
ODD_FLOATS = (0.0, -0.0, 5e-324, -5e-324, 2.2e-308, 1e308, -1e308, 2.0**53, 0.1, 1 / 3, 1.0)


@dataclass(frozen=True)
class Field:
    """A column. kind: float, int, bool, text or category; `listed`: a category's declared list."""

    kind: str
    values: tuple[Any, ...]
    listed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    number: int
    fields: tuple[Field, ...]
    y: tuple[Any, ...]
    weights: tuple[float, ...] | None
    boosted: bool
    parameters: tuple[tuple[str, Any], ...]

    @property
    def rows(self) -> int:
        return len(self.y)

    def taken(self, rows: list[int]) -> Case:
        """The case with these rows alone, or again and again."""
        fields = tuple(
            Field(f.kind, tuple(f.values[i] for i in rows), f.listed) for f in self.fields
        )
        weights = None if self.weights is None else tuple(self.weights[i] for i in rows)
        y = tuple(self.y[i] for i in rows)
        return Case(self.number, fields, y, weights, self.boosted, self.parameters)


def pick(rng: Random, items: Any) -> Any:
    return items[int(rng.integers(len(items)))]


def random_case(number: int, seed: int = 0) -> Case:
    rng = np.random.default_rng([seed, number])
    rows = int(pick(rng, [6, 12, 25, 40, 60, 60, 90, 400]))
    signal = rng.normal(size=rows)
    fields = tuple(_field(rng, rows, signal) for _ in range(int(rng.integers(1, 6))))
    boosted = bool(rng.random() < 0.4)
    y = _labels(rng, rows, signal)
    weights = _weights(rng, rows)
    chosen = _parameters(rng, boosted) | _parameters_of_table(rng, len(fields), y)
    return Case(number, fields, y, weights, boosted, tuple(sorted(chosen.items())))


def _field(rng: Random, rows: int, signal: np.ndarray) -> Field:
    kind = pick(rng, ["float", "float", "float", "int", "int", "bool", "text", "category"])
    values: list[Any] = getattr(_Values(rng, rows, signal), kind)()
    share = pick(rng, [0.0, 0.0, 0.1, 0.5, 1.0]) if rng.random() < 0.6 else 0.0
    values = [None if rng.random() < share else v for v in values]
    listed: tuple[str, ...] = ()
    if kind == "category":
        found = {v for v in values if v is not None} | {f"unused {i}" for i in range(2)}
        listed = tuple(sorted(found))
        if rng.random() < 0.5:
            listed = tuple(rng.permutation(np.array(listed, dtype=object)).tolist())
    return Field(kind, tuple(values), listed)


@dataclass
class _Values:
    rng: Random
    rows: int
    signal: np.ndarray

    def float(self) -> Any:
        form = int(self.rng.integers(7))
        near = self.signal + self.rng.normal(size=self.rows)
        if form == 0:
            return [pick(self.rng, ODD_FLOATS) for _ in range(self.rows)]
        if form == 1:  # zero-inflated
            return np.where(self.rng.random(self.rows) < 0.9, 0.0, near).tolist()
        if form == 2:
            return [pick(self.rng, ODD_FLOATS)] * self.rows
        if form == 3:
            return np.round(near, 1).tolist()
        if form == 4:  # neighbours
            return (1.0 + self.rng.integers(0, 4, self.rows) * 2.0**-52).tolist()
        return (
            (near * 10.0 ** float(self.rng.integers(-300, 300))).tolist()
            if form == 5
            else near.tolist()
        )

    def int(self) -> list[Any]:
        base = pick(
            self.rng, [0, 0, -3, 2**53 - 2, -(2**53) - 2, 2**63 - 5, 2**63, 2**64 - 9, -(2**63)]
        )
        near = np.clip(np.round(self.signal * 2 + 3), 0, 8).astype(np.int64).tolist()
        return [base + v for v in near] if base != 2**63 - 5 else [base + v % 5 for v in near]

    def bool(self) -> Any:
        return (self.signal + self.rng.normal(size=self.rows) > 0).tolist()

    def text(self) -> list[Any]:
        if self.rng.random() < 0.2:
            return [f"c{int(i):03}" for i in self.rng.integers(0, 320, self.rows)]
        shift = np.round(self.signal + 5).astype(int) + self.rng.integers(0, 2, self.rows)
        return [WORDS[int(i) % len(WORDS)] for i in shift]

    category = text


def _labels(rng: Random, rows: int, signal: np.ndarray) -> tuple[Any, ...]:
    classes = int(pick(rng, [2, 2, 2, 3, 4, 7, 40, 1]))
    ranks = np.argsort(np.argsort(signal + rng.normal(size=rows) * 0.7))
    codes = (ranks * classes // max(rows, 1)).tolist()
    name = pick(rng, [lambda c: c, lambda c: f"k{c}", lambda c: c - 2, lambda c: c == 0])
    return tuple(name(c) for c in codes)


def _weights(rng: Random, rows: int) -> tuple[float, ...] | None:
    form = int(rng.integers(9))
    if form < 3:
        return None
    if form in (3, 4):  # whole
        return (*(float(w) for w in rng.integers(0, 4, rows - 1)), 1.0)
    if form == 5:
        return tuple((rng.integers(0, 9, rows) / 8 + 0.125).tolist())
    if form == 6:
        return tuple((rng.random(rows) * 10.0 ** float(rng.integers(-200, 200))).tolist())
    if form == 7:
        return (float(pick(rng, [2.0, 3.0, 0.1, 1e-9, 7e12])),) * rows
    return tuple((10.0 ** rng.uniform(-30, 30, rows)).tolist())


TREE: dict[str, list[Any]] = {
    "criterion": ["km", "gini", "entropy", "error"],
    "max_leaf_nodes": [2, 3, 7, 20],
    "max_depth": [1, 2, 5],
    "min_samples_leaf": [1, 2, 5],
    "min_weight_fraction_leaf": [0.05, 0.2],
    "min_drop": [1e-3, 0.05],
    "leaf_prior": [0.0, 1.0, 1e6],
    "leaf_choice": ["weight"],
    "pruning": [None, None, "error-based", "cost-complexity", "reduced-error"],
    "confidence": [0.05, 0.49],
    "ccp_alpha": [0.01, "cv"],
    "validation_fraction": [0.4],
    "missing": ["fractional"],
    "min_category_size": [1, 3, 50],
    "class_weight": ["balanced"],
    "random_state": [0, 7],
}
BOOSTED: dict[str, list[Any]] = {
    "learning_rate": [0.05, 1.0],
    "max_depth": [1, 2, None],
    "max_leaf_nodes": [2, 5],
    "min_samples_leaf": [2, 5],
    "min_weight_fraction_leaf": [0.05],
    "leaf_prior": [0.0, 1.0],
    "variant": ["logistic", "real", "discrete", "gentle"],
    "criterion": ["km", "gini", "entropy", "error"],
    "multiclass": ["ovr", "samme", "pairs"],
    "chance_rounds": ["skip"],
    "feature_fraction": [0.5],
    "weight_fraction": [0.6, 0.9],
    "early_stopping": [True],
    "refit": [False],
    "n_iter_no_change": [1],
    "min_category_size": [1, 3],
    "class_weight": ["balanced"],
    "random_state": [0, 7],
}


def _parameters(rng: Random, boosted: bool) -> dict[str, Any]:
    choices = BOOSTED if boosted else TREE
    chosen = {name: pick(rng, some) for name, some in choices.items() if rng.random() < 0.3}
    if boosted:
        chosen["n_estimators"] = int(rng.integers(1, 6))
    elif rng.random() < 0.3:
        chosen |= {"branching": "multiway", "max_leaf_nodes": pick(rng, [3, 9, 20])}
        chosen.pop("leaf_choice", None)
        if rng.random() < 0.4:
            chosen |= {"price": "gamma", "gamma": 0.2}
        if rng.random() < 0.4:
            chosen["max_branches"] = 3
    return chosen


def _parameters_of_table(rng: Random, columns: int, y: tuple[Any, ...]) -> dict[str, Any]:
    """Constraints and costs, which must suit the columns and the classes."""
    chosen: dict[str, Any] = {}
    if rng.random() < 0.1:
        chosen["monotonic_cst"] = rng.integers(-1, 2, columns).tolist()
    if rng.random() < 0.1:
        chosen["interaction_cst"] = pick(rng, ["pairwise", "no_interactions", [[0]]])
    if rng.random() < 0.1 and y[0] != y[-1]:
        chosen["costs"] = {(y[0], y[-1]): pick(rng, [0.5, 3.0, 100.0])}
    return chosen


def is_whole(weights: tuple[float, ...] | None) -> bool:
    return weights is not None and all(w == math.floor(w) for w in weights)
