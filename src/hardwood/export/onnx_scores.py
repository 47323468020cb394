"""From the values of trees to scores and probabilities, as ONNX operators on doubles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hardwood.export.forest import Forest
from hardwood.export.onnx_graph import Graph


def summed(graph: Graph, forest: Forest, values: str) -> str:
    """[rows, outputs] from [rows, trees]: CumSum adds in order, ReduceSum in any."""
    if forest.link == "votes":
        weights = graph.constant(np.array([[scored.weight for scored in forest.trees]]))
        columns = []
        for output in range(forest.outputs):
            voted = graph.op("Equal", values, graph.constant(np.array([float(output)])))
            counted = graph.op("Mul", graph.op("Cast", voted, to=graph.DOUBLE), weights)
            columns.append(_last_sum(graph, counted, len(forest.trees)))
        return graph.op("Concat", *columns, axis=1)
    if forest.link == "logistic":
        return _last_sum(graph, values, max(len(forest.trees), 1))
    columns = []
    for output in range(forest.outputs):
        own = [place for place, scored in enumerate(forest.trees) if scored.output == output]
        # A class without trees: any column times 0.
        chosen = graph.constant(np.array(own or [0], dtype=np.int64))
        column = _last_sum(graph, graph.op("Gather", values, chosen, axis=1), max(len(own), 1))
        if not own:
            column = graph.op("Mul", column, graph.constant(np.zeros(1)))
        columns.append(column)
    return graph.op("Concat", *columns, axis=1)


def _last_sum(graph: Graph, values: str, width: int) -> str:
    axis = graph.constant(np.array(1, dtype=np.int64))
    sums = graph.op("CumSum", values, axis)
    return graph.op("Gather", sums, graph.constant(np.array([width - 1], dtype=np.int64)), axis=1)


def probabilities(graph: Graph, forest: Forest, scores: str) -> str:
    """As `predict_proba`; exp may differ in the last digits."""
    if forest.link == "logistic":
        second = _logistic(graph, scores, forest.slope)
        first = graph.op("Sub", graph.constant(np.ones(1)), second)
        return graph.op("Concat", first, second, axis=1)
    axes = graph.constant(np.array([1], dtype=np.int64))
    if forest.link == "votes":
        others = graph.constant(np.array([len(forest.classes) - 1.0]))
        spread = graph.op("Div", scores, others)
        largest = graph.op("ReduceMax", spread, axes, keepdims=1)
        powers = graph.op("Exp", graph.op("Sub", spread, largest))
    else:
        powers = _logistic(graph, scores, forest.slope)
    return graph.op("Div", powers, graph.op("ReduceSum", powers, axes, keepdims=1))


def cheapest(graph: Graph, costs: Sequence[Sequence[float]], shares: str) -> str:
    """[rows] the class of least expected cost, added class by class as `predict` adds."""
    spent = graph.constant(np.zeros(1))
    for truth, row in enumerate(costs):
        share = graph.op("Gather", shares, graph.constant(np.array([truth])), axis=1)
        spent = graph.op("Add", spent, graph.op("Mul", share, graph.constant(np.array([row]))))
    return graph.op("ArgMin", spent, axis=1, keepdims=0)


def _logistic(graph: Graph, scores: str, slope: int) -> str:
    """Of the log odds, within +-700."""
    one, two = graph.constant(np.ones(1)), graph.constant(np.full(1, float(slope)))
    low, high = graph.constant(np.array(-700.0)), graph.constant(np.array(700.0))
    bounded = graph.op("Clip", graph.op("Mul", scores, two), low, high)
    return graph.op("Div", one, graph.op("Add", one, graph.op("Exp", graph.op("Neg", bounded))))
