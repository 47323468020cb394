"""Random tables, labels, weights and parameters, made from one number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.laws.fuzzing.cases import Case, Field, Random, pick
from tests.laws.fuzzing.parameters import draft_lines, parameters_of_table, random_parameters

WORDS = ("", "a", "b", "B", "é", "z z", "'", "0", "nan", "日")
ODD_FLOATS = (0.0, -0.0, 5e-324, -5e-324, 2.2e-308, 1e308, -1e308, 2.0**53, 0.1, 1 / 3, 1.0)


def random_case(number: int, seed: int = 0) -> Case:
    rng = np.random.default_rng([seed, number])
    rows = int(pick(rng, [6, 12, 25, 40, 60, 60, 90, 400]))
    signal = rng.normal(size=rows)
    fields = _fields(rng, rows, signal)
    boosted = bool(rng.random() < 0.4)
    y = _labels(rng, rows, signal)
    weights = _weights(rng, rows)
    chosen = random_parameters(rng, boosted) | parameters_of_table(rng, fields, y)
    draft = () if boosted or rng.random() < 0.8 else draft_lines(rng, len(fields))
    return Case(number, fields, y, weights, boosted, tuple(sorted(chosen.items())), draft)


def _fields(rng: Random, rows: int, signal: np.ndarray) -> tuple[Field, ...]:
    columns = int(rng.integers(1, 6))
    if rng.random() < 0.8:
        return tuple(_field(rng, rows, signal) for _ in range(columns))
    kind = pick(rng, ["bool", "small", "wide", "float32"])  # what a sparse matrix of one type holds
    made = (getattr(_Values(rng, rows, signal), kind)() for _ in range(columns))
    named = {"bool": "bool", "float32": "float"}.get(kind, "int")
    return tuple(Field(named, tuple(values)) for values in made)


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

    def small(self) -> list[Any]:
        return [int(v) if self.rng.random() < 0.4 else 0 for v in np.round(self.signal * 20)]

    def wide(self) -> list[Any]:
        base = pick(self.rng, [2**31 - 3, 2**32 - 3, 2**53 - 2, 2**63 - 9, 2**64 - 9])
        return [base + int(self.rng.integers(8)) if v > 0 else 0 for v in self.signal]

    def float32(self) -> list[Any]:
        near = self.signal + self.rng.normal(size=self.rows)
        return [float(np.float32(v)) if self.rng.random() < 0.4 else 0.0 for v in near]

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
