"""A model as an ONNX graph (ai.onnx.ml 5, all in double).

In: a fitted model. Out: a ModelProto with the outputs `label`, `probabilities` and, for boosted
trees, `scores`. Inputs: one matrix `X` when no column is a category; otherwise an input of shape
[rows, 1] per column, named as the column: double for numbers, strings for categories. NaN and
`missing_string` are missing. Labels, shares and scores have the bits of the model: trees give
their leaves' values one by one, and CumSum adds them in order.
"""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from hardwood.errors import MissingExtraError
from hardwood.export.forest import Forest, ScoredTree, category_numbers, forest_of
from hardwood.export.onnx_graph import Graph
from hardwood.export.onnx_scores import cheapest, probabilities, summed
from hardwood.export.onnx_trees import Routes, TreeArrays, route_table

OUTPUTS = ("label", "probabilities", "scores")


def onnx(model: Any, missing_string: str = "") -> Any:
    """The model as an `onnx.ModelProto`; `.SerializeToString()` is what a runtime loads.

    `missing_string` stands for a missing value in columns of strings.
    """
    if find_spec("onnx") is None:
        raise MissingExtraError("Export to ONNX", "onnx", "onnx")
    forest = forest_of(model, "ONNX")
    _check(forest, missing_string)
    graph = Graph()
    names = _inputs(graph, forest)
    routes = Routes({})
    numeric = [j for j in forest.used_columns if forest.schemas[j].kind != "category"]
    if names is None:
        routes.places = {j: j for j in numeric}
    else:
        routes.places, routes.count = {j: place for place, j in enumerate(numeric)}, len(numeric)
    arrays = _arrays(forest, routes)
    features = "X" if names is None else _features(graph, forest, names, routes, missing_string)
    _outputs(graph, forest, graph.tree_ensemble(features, arrays))
    return graph.model()


def _check(forest: Forest, missing_string: str) -> None:
    for j in forest.used_columns:
        schema = forest.schemas[j]
        if schema.kind in ("integer", "unsigned"):
            raise ValueError(
                f"Column {schema.name!r} has integers beyond 2^53, which ONNX's trees would round "
                "to doubles. Drop the column or turn it into smaller numbers before "
                "training, or export to Python, C or SQL."
            )
        if missing_string in schema.categories:
            raise ValueError(
                f"missing_string={missing_string!r} is a category of column {schema.name!r}; give "
                "a string that is none."
            )


def _inputs(graph: Graph, forest: Forest) -> dict[int, str] | None:
    """Declares the inputs; None for one matrix, else the name of each column's input."""
    if all(schema.kind != "category" for schema in forest.schemas):
        graph.input("X", np.float64, len(forest.schemas))
        return None
    names: dict[int, str] = {}
    for j, schema in enumerate(forest.schemas):
        name = schema.name
        while not name or name in OUTPUTS or name in names.values():
            name += f"column {j}"
        names[j] = name
        strings = schema.kind == "category" and category_numbers(schema, "ONNX") is None
        graph.input(name, str if strings else np.float64, 1)
    return names


def _arrays(forest: Forest, routes: Routes) -> TreeArrays:
    """A target per tree; a constant where there is nothing to add."""
    arrays = TreeArrays()
    for scored in forest.trees:
        leaves = {int(leaf): place for place, leaf in enumerate(scored.tree.leaf_ids)}

        def value(node: int, scored: ScoredTree = scored, leaves: dict[int, int] = leaves) -> float:
            if forest.link == "shares":
                return float(leaves[node])
            return float(scored.place(node)) if forest.link == "votes" else scored.addend(node)

        arrays.add(scored.tree, partial(routes.choice, scored.tree, forest.schemas), value)
    if not forest.trees:
        arrays.add_constant(0.0)
    return arrays


def _features(
    graph: Graph, forest: Forest, names: dict[int, str], routes: Routes, missing_string: str
) -> str:
    """[rows, features]: numeric columns, then branch numbers looked up by category."""
    parts = [names[j] for j in routes.places]
    order = list(routes.places.values())
    for column, by_route in routes.by_column.items():
        numbers = category_numbers(forest.schemas[column], "ONNX")
        keys: Any
        if numbers is None:
            keys = [missing_string, *map(str, forest.schemas[column].categories)]
        else:
            keys = np.concatenate([[np.nan], numbers + 0.0])
        codes = graph.codes(names[column], keys)
        table = graph.constant(route_table(by_route))
        parts.append(graph.op("Gather", table, codes, axis=0))
        order += by_route.values()
    if not parts:  # the trees ask nothing; any number per row will do
        first = graph.op("Shape", names[0])
        zero = graph.constant(np.zeros((1, 1)))
        return graph.op("Expand", zero, first)
    joined = graph.op("Concat", *parts, axis=1)
    place = np.argsort(np.array(order, dtype=np.int64), kind="stable")
    return graph.op("Gather", joined, graph.constant(place.astype(np.int64)), axis=1)


def _outputs(graph: Graph, forest: Forest, values: str) -> None:
    classes = graph.constant(graph.class_array(forest.classes))
    if forest.link in ("shares", "one"):
        labels, shares = [0], [[1.0]]
        if forest.link == "shares":
            labels, shares = (
                list(forest.leaf_labels().values()),
                list(forest.leaf_shares().values()),
            )
        leaf = graph.flat(graph.op("Cast", values, to=graph.INT64))
        chosen = graph.op("Gather", graph.constant(np.array(labels, dtype=np.int64)), leaf, axis=0)
        shown = graph.op("Gather", graph.constant(np.array(shares)), leaf, axis=0)
    else:
        scores = summed(graph, forest, values)
        graph.output("scores", scores, np.float64, forest.outputs)
        shown = probabilities(graph, forest, scores)
        if forest.link == "logistic":
            above = graph.op("Greater", scores, graph.constant(np.array([forest.cut])))
            chosen = graph.flat(graph.op("Cast", above, to=graph.INT64))
        elif forest.costs is not None:
            chosen = cheapest(graph, forest.costs, shown)
        else:
            chosen = graph.op("ArgMax", scores, axis=1, keepdims=0)
    label = graph.op("Gather", classes, chosen, axis=0)
    graph.output("label", label, graph.class_kind(forest.classes), None)
    graph.output("probabilities", shown, np.float64, len(forest.classes))
