"""The model as the page knows it: columns, classes, and every tree as flat lists.

In: a fitted model. Out: plain data for JSON. Invariant: what decides a row's way and its answer is
there to the last bit (cuts of integer columns as decimal strings, leaf addends rounded once as in
prediction), so the page's what-if is `predict`; class weights of boosted trees are for reading only
and have four digits. Of a very large boosted model the first rounds can be read, the others only
answer, from rounded addends where exact ones do not fit the page (`bare_trees`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hardwood.boosting.ensemble import leaf_scores
from hardwood.boosting.scores import cut_of, slope_of
from hardwood.estimators import TreeClassifier
from hardwood.export.forest import forest_of
from hardwood.report.answers import trees_of
from hardwood.report.bare_trees import Scored, bare_trees
from hardwood.report.plain import plain_floats
from hardwood.table import ColumnSchema
from hardwood.tree import Tree
from hardwood.tree.arrays import INTERVAL
from hardwood.tree.costs import decides
from hardwood.tree.numbers import value_text
from hardwood.tree.packed import spread
from hardwood.tree.paths import node_cuts
from hardwood.tree.ranked import as_categories, in_sets

WORTH_SAYING = 200
"""Characters of one parameter's value."""
READABLE_NODES = 20_000
"""Of a boosted model whose trees can all be read; a node takes about 21 characters of the page."""
READABLE_OF_MORE = 3_000
"""Of larger models."""


def model_part(model: Any) -> dict[str, Any]:
    """Everything that the page's own prediction, pictures and words need."""
    boosted = not isinstance(model, TreeClassifier)
    trees, bare = _rounds(model) if boosted else ([_single(model)], None)
    used = sorted({column for tree in trees_of(model) for column in tree.used_features})
    schemas = as_categories(model._schemas)
    return {
        "kind": "boosted" if boosted else "tree",
        "name": type(model).__name__,
        "target": getattr(model, "target_name_", None),
        "classes": [value_text(label) for label in model.classes_.tolist()],
        "columns": {str(j): _column(schemas[j], model._schemas[j].ordered) for j in used},
        "n_columns": len(model._schemas),
        "link": forest_of(model, "The report").link if boosted else "shares",
        "slope": slope_of(model._run.plan.rules.variant) if boosted else 1,
        "outputs": model._ensemble.outputs if boosted else 1,
        "rounds": len(model._ensemble.rounds) if boosted else 0,
        "readable_rounds": trees[-1]["round"] + 1 if boosted and trees else 0,
        "n_trees": len(trees_of(model)),
        "parameters": _parameters(model),
        **_deciding(model),
        "trees": trees,
        "bare": bare,
    }


def _deciding(model: Any) -> dict[str, Any]:
    """Costs of mistakes, and the score above which the second of two classes is said."""
    costs = decides(model.costs_)
    if costs is None:
        return {"costs": None, "cut": 0}
    boosted = not isinstance(model, TreeClassifier)
    slope = slope_of(model._run.plan.rules.variant) if boosted else 1
    cut = cut_of(costs, slope) if len(costs) == 2 else 0.0
    largest = float(np.finfo(np.float64).max)
    return {"costs": costs.tolist(), "cut": max(-largest, min(cut, largest))}


def _parameters(model: Any) -> list[list[str]]:
    """Those that differ from their defaults."""
    usual = type(model)().get_params()
    given = model.get_params()
    return [
        [name, repr(value)[:WORTH_SAYING]]
        for name, value in given.items()
        if repr(value) != repr(usual[name])
    ]


def _column(schema: ColumnSchema, ordered: bool) -> dict[str, Any]:
    column: dict[str, Any] = {"name": schema.name, "kind": schema.kind}
    if schema.boolean:
        column["boolean"] = True
    if schema.kind == "category":
        column["categories"] = [value_text(value) for value in schema.categories]
    if ordered:
        column["ordered"] = True
    return column


def _single(model: TreeClassifier) -> dict[str, Any]:
    tree = model.tree_
    part = _arrays(tree, model._schemas)
    part["weights"] = plain_floats(tree.class_weights.ravel())
    if tree.class_rows is not None:
        part["class_rows"] = tree.class_rows.ravel().tolist()
    part["rows_known"] = tree.row_shares is not None
    if not tree.is_raw or tree.costs is not None:
        part["probabilities"] = plain_floats(tree.shares.ravel())
    if tree.share is not None:
        part["share"] = plain_floats(tree.share)
    return part


def _rounds(model: Any) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """Trees that can be read, and the others."""
    ensemble = model._ensemble
    items = [
        Scored(tree, *leaf_scores(tree, weight, output), number, int(output))
        for number, each in enumerate(ensemble.rounds)
        for tree, weight, output in each
    ]
    nodes = np.cumsum([item.tree.n_nodes for item in items])
    most = len(items)
    if most and nodes[-1] > READABLE_NODES:
        fitting = int(np.searchsorted(nodes, READABLE_OF_MORE, side="right"))
        end = max(items[fitting].round, 1)  # whole rounds, at least the first
        most = sum(item.round < end for item in items)
    readable = [_readable(item, model._schemas) for item in items[:most]]
    if most == len(items):
        return readable, None
    votes = any(item.own < 0 for item in items)
    slope = 1.0 if votes else slope_of(model._run.plan.rules.variant)
    return readable, bare_trees(items[most:], model._schemas, ensemble.outputs, slope)


def _readable(item: Scored, schemas: Sequence[ColumnSchema]) -> dict[str, Any]:
    tree = item.tree
    return _arrays(tree, schemas) | {
        "weights": plain_floats(tree.class_weights.ravel(), digits=4),
        "round": item.round,
        "output": item.own,
        "add": plain_floats(np.where(tree.is_leaf, item.addend, 0.0)),
        "place": np.where(tree.is_leaf, item.place, 0).tolist() if item.own < 0 else None,
    }


def _arrays(tree: Tree, schemas: Sequence[ColumnSchema]) -> dict[str, Any]:
    """One entry per node, except `cuts` and `codes`, which lie one after the other."""
    tree, schemas = in_sets(tree, schemas), as_categories(schemas)
    grouped = spread(tree.group_begin, tree.group_count)
    return {
        "arity": tree.branches.tolist(),
        "first": tree.first_child.tolist(),
        "column": tree.feature.tolist(),
        "missing": tree.missing_branch.tolist(),
        "seen": tree.missing_seen.tolist(),
        "default": tree.default_branch.tolist(),
        "rows": tree.rows.tolist(),
        "cut_count": tree.cut_count.tolist(),
        "cuts": _cuts(tree, schemas),
        "group_count": tree.group_count.tolist(),
        "codes": tree.group_codes[grouped].tolist(),
        "code_branches": tree.group_branches[grouped].tolist(),
    }


def _cuts(tree: Tree, schemas: Sequence[ColumnSchema]) -> list[float | str]:
    cuts: list[float | str] = []
    for node in np.flatnonzero(tree.kind == INTERVAL).tolist():
        own = node_cuts(tree, schemas[tree.feature[node]], node)
        cuts += [str(cut) if isinstance(cut, int) else cut + 0.0 for cut in own]
    return cuts
