"""Counterfactuals by trying everything: every value that could matter, in every combination.

In: a fitted model and a row as a dict. Out: the least cost of a row with a wanted answer. A value
matters beside the model's cuts alone: at a cut, and just above it. Nothing but the model's rules
and its `predict` is asked.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd

from hardwood.tree.conditions import Interval

LEVELS = ("low", "middle", "high", "top")


def customers(rows: int, seed: int, classes: int = 2) -> tuple[pd.DataFrame, Any]:
    """Every kind of column."""
    rng = np.random.default_rng(seed)
    amount = rng.normal(size=rows).round(2)
    amount[rng.random(rows) < 0.1] = np.nan
    age = rng.integers(18, 30, rows)
    flag = rng.random(rows) < 0.5
    city = rng.choice(["Oslo", "Rome", "Lille", "Bonn"], rows).astype(object)
    city[rng.random(rows) < 0.1] = None
    level = rng.integers(0, 4, rows)
    account = 2**60 + rng.integers(0, 6, rows)
    score = np.nan_to_num(amount) + (age > 24) + flag + (city == "Oslo") + level / 2
    score = score + (account % 3) / 2 + rng.normal(size=rows) * 0.5
    frame = pd.DataFrame({"amount": amount, "age": age, "flag": flag, "city": city})
    names: Any = list(LEVELS)
    frame["level"] = pd.Categorical.from_codes(level, names, ordered=True)
    frame["account"] = account
    edges = np.quantile(score, np.arange(1, classes) / classes)
    return frame, np.array(list("nyz"))[np.digitize(score, edges)]


def as_row(frame: pd.DataFrame, number: int) -> dict[str, Any]:
    """A row of the frame in plain values."""
    row = frame.iloc[number].to_dict()
    return {
        str(name): None
        if pd.isna(value)
        else value.item()
        if isinstance(value, np.generic)
        else value
        for name, value in row.items()
    }


def least_cost(
    model: Any,
    row: Mapping[str, Any],
    wanted: Collection[Any],
    *,
    frozen: Collection[str] = (),
    only_up: Collection[str] = (),
    only_down: Collection[str] = (),
    costs: Mapping[str, float] | None = None,
) -> float:
    """Infinite: no row that may be reached has the answer."""
    options: dict[str, list[tuple[Any, float]]] = {}
    for name, (schema, cuts) in _used(model).items():
        unit = (costs or {}).get(name)
        own = (row[name], 0.0)
        if name in frozen:
            options[name] = [own]
        elif schema.kind == "category":
            moved = [(value, unit or 1.0) for value in schema.categories if value != row[name]]
            options[name] = [own, *moved]
        else:
            numbers = _numbers(row[name], schema, cuts, unit)
            up = [each for each in numbers if each[2] >= 0 or name not in only_up]
            options[name] = [own, *((v, c) for v, c, d in up if d <= 0 or name not in only_down)]
    names = list(options)
    rows, prices = [], []
    for combination in itertools.product(*options.values()):
        rows.append({**row, **{n: v for n, (v, _) in zip(names, combination, strict=True)}})
        prices.append(math.fsum(cost for _, cost in combination))
    table = pd.DataFrame(rows, columns=list(row), dtype=object)
    right = np.isin(model.predict(table), list(wanted))
    return float(np.min(np.array(prices), where=right, initial=math.inf))


def _used(model: Any) -> dict[str, tuple[Any, list[Any]]]:
    found: dict[str, tuple[Any, set[Any]]] = {}
    for rule in model.rules():
        for condition in rule.conditions:
            _, cuts = found.setdefault(condition.schema.name, (condition.schema, set()))
            if isinstance(condition, Interval):
                cuts |= {condition.lower, condition.upper} - {None}
    return {name: (schema, sorted(cuts)) for name, (schema, cuts) in found.items()}


def _numbers(old: Any, schema: Any, cuts: list[Any], unit: float | None) -> list[Any]:
    """Values to try, with cost and direction."""
    if schema.ordered:
        last = len(schema.categories) - 1
        at = None if old is None else schema.categories.index(old)
        unit = unit or 1 / last
        return [
            (value, unit * last if at is None else unit * abs(k - at), 0 if at is None else k - at)
            for k, value in enumerate(schema.categories)
        ]
    scale = float(cuts[-1] - cuts[0]) or abs(float(cuts[0])) or 1.0
    unit = unit or 1 / scale
    whole = all(float(cut).is_integer() for cut in cuts)
    whole = whole and (old is None or float(old).is_integer())
    tried = []
    for cut in cuts:
        tried += [int(cut), int(cut) + 1] if whole else [cut, math.nextafter(cut, math.inf)]
    if isinstance(old, bool):
        tried = [value for value in (False, True) if value != old]
    if old is None:
        return [(value, unit * scale, 0) for value in tried]
    return [(value, unit * abs(float(value - old)), float(value - old)) for value in tried]
