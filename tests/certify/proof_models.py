"""Small models of every kind, and values that stand for all values of their columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from hardwood import BoostedTreesClassifier, TreeClassifier
from tests.tables.frames import category

TREES: dict[str, dict[str, Any]] = {
    "plain": {"max_leaf_nodes": 6, "pruning": None},
    "pruned": {},
    "raw shares": {"max_leaf_nodes": 7, "leaf_prior": 0.0, "pruning": None, "criterion": "gini"},
    "multiway": {"branching": "multiway", "max_leaf_nodes": 8, "pruning": None},
    "fractional": {"missing": "fractional", "max_leaf_nodes": 5, "pruning": None},
}
BOOSTED: dict[str, dict[str, Any]] = {
    "logistic": {},
    "real": {"variant": "real"},
    "gentle": {"variant": "gentle"},
    "discrete": {"variant": "discrete"},
    "votes": {"variant": "discrete", "multiclass": "samme"},
    "discrete rest": {"variant": "discrete", "multiclass": "ovr"},
}


def table(seed: int, classes: int, rows: int = 150) -> tuple[pd.DataFrame, Any]:
    """A number with gaps, a large integer, categories with gaps, ordered ones."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 7, rows) / 2
    wide = 2**60 + rng.integers(0, 4, rows)
    city = rng.integers(-1, 3, rows)
    size = rng.integers(0, 3, rows)
    names: Any = ["small", "middle", "large"]
    frame = pd.DataFrame(
        {
            "x": np.where(rng.random(rows) < 0.15, np.nan, x),
            "wide": wide,
            "city": category(city, ("a", "b", "c")),
            "size": pd.Categorical.from_codes(size, names, ordered=True),
        }
    )
    score = x / 2 + (wide % 3 > 1) * (city == 1) + size / 3 + rng.normal(size=rows) * 0.6
    return frame, np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))


def tree(kind: str, seed: int, classes: int) -> TreeClassifier:
    return TreeClassifier(**{"min_category_size": 1, **TREES[kind]}).fit(*table(seed, classes))


def boosted(kind: str, seed: int, classes: int, rounds: int = 4) -> BoostedTreesClassifier:
    given = {
        "n_estimators": rounds,
        "max_depth": 2,
        "feature_fraction": 1.0,
        "min_category_size": 1,
    }
    return BoostedTreesClassifier(**{**given, **BOOSTED[kind]}).fit(*table(seed, classes))


def all_values(model: Any, present: int | None = None) -> list[list[Any]]:
    """Thresholds, and values right above and below them; all categories and an unknown one; None.
    The column `present` has values alone."""
    trees = [model.tree_] if hasattr(model, "tree_") else list(np.ravel(np.array(model.trees_)))
    found: list[list[Any]] = []
    for j, schema in enumerate(model._schemas):
        if schema.categories:
            own = [*schema.categories, *(["elsewhere"] if schema.kind == "category" else [])]
            found.append(own if j == present else [*own, None])
            continue
        cuts: set[Any] = set()
        for each in trees:
            for node in np.flatnonzero(each.feature == j).tolist():
                part = each.cuts(node)
                if schema.kind == "integer":
                    for cut in each.integer_thresholds[part].tolist():
                        cuts |= {cut, cut + 1, cut - 1}
                else:
                    for cut in each.thresholds[part].tolist():
                        cuts |= {cut, math.nextafter(cut, math.inf), math.nextafter(cut, -math.inf)}
        own = sorted(cuts) or [0]
        found.append(own if j == present else [*own, None])
    return found


def asked(model: Any, method: str = "predict_proba") -> Any:
    """A method of the model as a function of rows of values."""

    def ask(rows: list[tuple[Any, ...]]) -> Any:
        columns = list(zip(*rows, strict=True))
        frame = pd.DataFrame(
            {
                schema.name: pd.array(
                    columns[j], dtype="Int64" if schema.kind == "integer" else object
                )
                for j, schema in enumerate(model._schemas)
            }
        )
        return getattr(model, method)(frame)

    return ask
