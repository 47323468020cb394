"""Models to export, and rows that lie exactly where exports could go wrong.

`hand_made` and `hand_boosted` have multi-way nodes, branches for missing values alone, integers
beyond 2^53, and names that every target must quote. `edge_rows` are Python values, None for
missing; `frame_of` is the same table as `predict` takes it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.boosting import Rounds
from hardwood.boosting.run import BoostingRun
from hardwood.estimators.boosting_plan import checked_plan
from hardwood.table.schema import ColumnSchema
from hardwood.tree.paths import node_cuts
from hardwood.tree.ranked import as_categories
from tests.hand_built import Node, build, groups, interval, leaf

NAMES = (
    "it's", 'say "hi"', "back\\slash", "two\nlines", "*/ x /*", "-- drop", "é😀",
    "%s {0} $1 ??/ \\N", "&amp;", " ", "'; DROP TABLE data; --",
)  # fmt: skip
LAST = math.nextafter(math.inf, 0)
CUTS = (
    -LAST,
    -1.5,
    0.0,
    5e-324,
    1e-310,
    0.1,
    2.45,
    1e22,
    2.0**53,
    1e300,
    1 / 3,
    123456.789,
    1e-300,
)
CLASSES = {
    "strings": ['no "way"', "it's", "\\d\n", "?", "é😀*/"],
    "integers": [-3, 0, 7, 2**40, 2**62],
    "floats": [-1.0, 0.0, 2.0, 3.0, 1e15],
    "booleans": [False, True],
}

SCHEMAS = (
    ColumnSchema('a "quoted" column', "numeric"),
    ColumnSchema("select", "category", NAMES),
    ColumnSchema("x`[y]; --", "numeric"),
    ColumnSchema("it's */ /* big\\\n", "integer"),
    ColumnSchema("unsigned ??/", "unsigned"),
    ColumnSchema("code", "category", (3, 1, 2.5, -7)),
    ColumnSchema("étage", "numeric"),
)


def random_node(
    rng: np.random.Generator, leaves: int, classes: int, schemas: tuple[ColumnSchema, ...]
) -> Node:
    """As in hand_built, with cuts at the extremes of float64 and integers."""
    if leaves == 1:
        weights = rng.integers(0, 50, classes).astype(float)
        weights[rng.integers(classes)] += 1
        return leaf(*weights)
    arity = int(rng.integers(2, min(leaves, 4) + 1))
    sizes = 1 + rng.multinomial(leaves - arity, np.full(arity, 1 / arity))
    children = [random_node(rng, int(size), classes, schemas) for size in sizes]
    missing = int(rng.integers(arity)) if rng.random() < 0.6 else None
    column = int(rng.integers(len(schemas)))
    schema = schemas[column]
    if schema.kind == "category":
        codes = rng.permutation(len(schema.categories)).tolist()
        kept = codes[: int(rng.integers(arity, len(codes) + 1))]
        parts = [kept[j::arity] for j in range(arity)]
        if missing is not None and rng.random() < 0.3:  # a branch for missing values alone
            parts[missing] = []
        return groups(column, parts, *children, missing=missing)
    alone = missing is not None and rng.random() < 0.4
    cuts: list[Any] = sorted(rng.choice(_cuts(schema), arity - 1 - alone, replace=False).tolist())
    return interval(column, cuts, *children, missing=arity - 1 if alone else missing)


def _cuts(schema: ColumnSchema) -> Any:
    if schema.kind == "numeric":
        return np.array(CUTS)
    if schema.kind == "integer":
        return np.array(
            [-(2**63), -(2**53) - 1, -1, 0, 2**53 + 1, 2**53 + 2, 2**63 - 2], dtype=object
        )
    return np.array([0, 5, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 2], dtype=object)


def hand_made(
    seed: int, leaves: int, labels: list[Any], schemas: tuple[ColumnSchema, ...] = SCHEMAS
) -> TreeClassifier:
    """A TreeClassifier around a random tree."""
    rng = np.random.default_rng(seed)
    tree = build(random_node(rng, leaves, len(labels), schemas), schemas)
    return as_model(tree, labels, schemas)


def as_model(tree: Any, labels: list[Any], schemas: tuple[ColumnSchema, ...]) -> TreeClassifier:
    model = TreeClassifier(pruning=None, min_samples_leaf=1, n_jobs=1)
    model.tree_ = model.grown_tree_ = tree
    _describe(model, labels, schemas)
    return model


def hand_boosted(
    seed: int,
    multiclass: str,
    labels: list[Any],
    schemas: tuple[ColumnSchema, ...] = SCHEMAS,
    rounds: int = 7,
) -> BoostedTreesClassifier:
    """A BoostedTreesClassifier around random trees, weights and leaf values."""
    rng = np.random.default_rng(seed)
    model = BoostedTreesClassifier(variant="discrete", multiclass=multiclass, n_jobs=1)
    classes = len(labels)
    votes = classes > 2 and multiclass == "samme"
    each = classes if votes else 2
    boosters = []
    for _ in range(classes if classes > 2 and not votes else 1):
        trees = []
        for _ in range(rounds):
            tree = build(random_node(rng, int(rng.integers(1, 8)), each, schemas), schemas)
            value = rng.normal(size=tree.n_nodes)
            if votes:
                value = rng.integers(0, classes, tree.n_nodes).astype(float)
            trees.append(replace(tree, value=np.where(tree.is_leaf, value, 0.0)))
        boosters.append(Rounds(None, each, trees, rng.normal(size=rounds).tolist(), []))
    boosters[-1].trees = boosters[-1].trees[: rounds - 2]  # a class whose rounds ended early
    boosters[-1].tree_weights = boosters[-1].tree_weights[: rounds - 2]
    run = BoostingRun(checked_plan(model), boosters, classes, len(schemas))
    model._run, model._ensemble = run, run.ensemble()
    model.trees_, model.tree_weights_ = run.trees(), run.tree_weights()
    model.n_estimators_ = len(model.trees_)
    _describe(model, labels, schemas)
    return model


def _describe(model: Any, labels: list[Any], schemas: tuple[ColumnSchema, ...]) -> None:
    model.classes_ = np.array(labels)
    model._schemas = schemas
    model.n_features_in_ = len(schemas)
    model.feature_names_in_ = np.array([schema.name for schema in schemas], dtype=object)


def all_trees(model: Any) -> list[Any]:
    return [model.tree_] if isinstance(model, TreeClassifier) else model._run.all_trees()


def edge_values(model: Any, column: int) -> list[Any]:
    """On every cut of the column and one step beside it; every category and one never seen."""
    schema = model._schemas[column]
    if schema.kind == "category":
        strings = not schema.categories or isinstance(schema.categories[0], str)
        other = ["never seen", "NULL", "OSLO"] if strings else [99.5, -0.0, 2.0]
        return [None, *schema.categories, *other]
    cuts: set[Any] = {0}
    for tree in all_trees(model):
        for node in np.flatnonzero(tree.feature == column):
            cuts.update(node_cuts(tree, schema, int(node)))
    if schema.kind == "numeric":
        near = [math.nextafter(cut, end) for cut in cuts for end in (-math.inf, math.inf)]
        extra = [0.0, -0.0, 1.0, -5e-324, 5e-324, LAST, -LAST, True, 2.0**53]
        return [None, *(v for v in [*map(float, cuts), *near, *extra] if math.isfinite(v))]
    low, high = (-(2**63), 2**63 - 1) if schema.kind == "integer" else (0, 2**64 - 1)
    near = [min(max(cut + step, low), high) for cut in cuts for step in (-1, 0, 1)]
    return [None, low, high, *near]


def edge_rows(model: Any, count: int = 60, seed: int = 0) -> list[list[Any]]:
    """Each value of each column in some row, the others drawn."""
    rng = np.random.default_rng(seed)
    values = [edge_values(model, j) for j in range(len(model._schemas))]
    rows = [[v[rng.integers(len(v))] for v in values] for _ in range(count)]
    for j, column in enumerate(values):
        for value in column:
            row = [v[rng.integers(len(v))] for v in values]
            row[j] = value
            rows.append(row)
    return rows


def frame_of(model: Any, rows: list[list[Any]]) -> pd.DataFrame:
    """The rows as users have them."""
    data = {}
    for schema, values in zip(as_categories(model._schemas), zip(*rows, strict=True), strict=True):
        if schema.kind in ("integer", "unsigned"):
            dtype: Any = "Int64" if schema.kind == "integer" else "UInt64"
            data[schema.name] = pd.array(list(values), dtype=dtype)
        elif schema.kind == "category" and isinstance((*schema.categories, "")[0], str):
            data[schema.name] = pd.Series(list(values), dtype=object)
        else:
            data[schema.name] = np.array([np.nan if v is None else float(v) for v in values])
    return pd.DataFrame(data)
