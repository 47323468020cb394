"""The three prunings as their papers tell them: slow, obvious, recursive. Imports nothing of ours.

In: nested `Node`s that hold their training rows, and `Data`, columns of plain values (None is
missing, categories are codes). Out: nested nodes again. `number` is the node's place in the order
of creation; a node that a branch was raised into keeps its own number and takes the branch's
question.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Any

Rows = dict[int, float]
"""The rows, or parts of rows, at a node, and their weights."""


@dataclass(frozen=True)
class Data:
    columns: Sequence[Sequence[Any]]
    labels: Sequence[int]
    weights: Sequence[float]
    n_classes: int
    fractional: bool = False
    """C4.5's: a row whose value is missing goes down every branch with a part of its weight."""
    unit: float = 1.0
    """What a weight of 1 is for the user."""
    counted: float | None = None
    """With class weights: what whole sample weights add up to."""

    @property
    def examples(self) -> float:
        """Whole weights count examples; others are multiplied until their mean is 1."""
        weights = [w * self.unit for w in self.weights if w > 0]
        if self.counted is None and all(w == int(w) for w in weights):
            return 1.0
        return (len(weights) if self.counted is None else self.counted) / math.fsum(weights)

    @property
    def all_rows(self) -> Rows:
        return {i: w for i, w in enumerate(self.weights) if w > 0}


@dataclass
class Node:
    """`cuts` of a number column, or `groups`, from category to branch; a leaf has no children."""

    number: int
    rows: Rows
    children: list[Node] = field(default_factory=list)
    column: int = -1
    cuts: list[Any] | None = None
    groups: dict[int, int] = field(default_factory=dict)
    missing: int = -1
    missing_seen: bool = False
    default: int = -1
    share: float = 1.0


def class_weights(rows: Rows, data: Data) -> list[float]:
    sums = [0.0] * data.n_classes
    for i, weight in rows.items():
        sums[data.labels[i]] += weight * data.unit
    return sums


def mistakes(node: Node, data: Data) -> float:
    weights = class_weights(node.rows, data)
    return sum(weights) - max(weights)


def leaves(node: Node) -> list[Node]:
    return [leaf for child in node.children for leaf in leaves(child)] or [node]


def nodes(node: Node) -> list[Node]:
    return [node, *(below for child in node.children for below in nodes(child))]


def as_leaf(node: Node) -> Node:
    return Node(node.number, node.rows, share=node.share)


# Error-based (Quinlan 1993, chapter 4; C4.5 release 8)


def added_errors(n: float, e: float, confidence: float) -> float:
    """What the upper confidence limit adds to e errors among n."""
    if e < 1.0:
        none = n * (1.0 - math.pow(confidence, 1.0 / n))
        return none if e == 0.0 else none + e * (added_errors(n, 1.0, confidence) - none)
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    z = -NormalDist().inv_cdf(confidence)
    f = (e + 0.5) / n
    root = math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return (f + z * z / (2 * n) + z * root) / (1 + z * z / n) * n - e


def estimated(node: Node, data: Data, confidence: float) -> float:
    """Errors expected of the node as a leaf."""
    weight = sum(class_weights(node.rows, data))
    n, e = weight * data.examples, mistakes(node, data) * data.examples
    return e + added_errors(n, e, confidence) if n > 0 else 0.0


def error_based(root: Node, data: Data, confidence: float, raises: list[int]) -> Node:
    """`raises` collects the numbers of the nodes into which a branch was raised."""
    return _pruned(_collapsed(root, data), data, confidence, raises)


def _collapsed(node: Node, data: Data) -> Node:
    if sum(mistakes(leaf, data) for leaf in leaves(node)) >= mistakes(node, data):
        return as_leaf(node)
    return replace(node, children=[_collapsed(child, data) for child in node.children])


def _pruned(node: Node, data: Data, confidence: float, raises: list[int]) -> Node:
    if not node.children:
        return node
    children = [_pruned(child, data, confidence, raises) for child in node.children]
    node = replace(node, children=children)
    heaviest = max(children, key=lambda child: sum(class_weights(child.rows, data)))
    raised = _sent_down(heaviest, node.rows, data)
    raised = replace(raised, number=node.number, share=node.share)
    leaf_errors = estimated(node, data, confidence)
    tree_errors = sum(estimated(leaf, data, confidence) for leaf in leaves(node))
    raised_errors = sum(estimated(leaf, data, confidence) for leaf in leaves(raised))
    if leaf_errors <= tree_errors + 0.1 and leaf_errors <= raised_errors + 0.1:
        return as_leaf(node)
    if raised_errors <= tree_errors + 0.1:
        raises.append(node.number)
        return _pruned(raised, data, confidence, raises)
    return node


def _sent_down(node: Node, rows: Rows, data: Data) -> Node:
    """The subtree when these rows reach it."""
    if not node.children:
        return Node(node.number, rows, share=node.share)
    groups, missing_seen = dict(node.groups), node.missing_seen
    for i in rows:
        value = data.columns[node.column][i]
        if value is None:
            missing_seen = True
        elif node.cuts is None:
            groups.setdefault(value, node.default)
    parts, shares = divide(node, rows, data)
    children = [
        replace(_sent_down(child, part, data), share=share)
        for child, part, share in zip(node.children, parts, shares, strict=True)
    ]
    weights = shares if data.fractional else [sum(part.values()) for part in parts]
    default = weights.index(max(weights))
    missing = node.missing if missing_seen and not data.fractional else default
    return Node(
        node.number, rows, children, node.column, node.cuts, groups, missing, missing_seen,
        default, node.share,
    )  # fmt: skip


def divide(node: Node, rows: Rows, data: Data) -> tuple[list[Rows], list[float]]:
    """The rows of each branch, and its share of those that have a value. Parts of whole weights
    are rounded down; what is left goes to the heaviest branch."""
    values = data.columns[node.column]
    parts: list[Rows] = [{} for _ in node.children]
    for i, weight in rows.items():
        if values[i] is not None or not data.fractional:
            parts[branch_of(node, values[i])][i] = weight
    known = [sum(part.values()) for part in parts]
    for i, weight in rows.items():
        if values[i] is None and data.fractional:
            pieces = [weight * each // sum(known) for each in known]
            pieces[known.index(max(known))] += weight - sum(pieces)
            for part, piece in zip(parts, pieces, strict=True):
                if piece:
                    part[i] = piece
    return parts, [each / sum(known) for each in known]


def branch_of(node: Node, value: Any) -> int:
    if value is None:
        return node.missing
    if node.cuts is None:
        return node.groups.get(value, node.default)
    return sum(cut < value for cut in node.cuts)


# Cost-complexity (Breiman, Friedman, Olshen & Stone 1984, chapter 3)


def cut_path(root: Node, cost: dict[int, float]) -> list[tuple[float, float, Node]]:
    """(alpha, R(T), T) of the whole tree and after each cut of the weakest link, the first in the
    order of creation on a tie; `cost` is R of each node as a leaf."""
    total = sum(cost[leaf.number] for leaf in leaves(root))
    path = [(0.0, total, root)]
    while root.children:
        links = [(_strength(node, cost), node.number) for node in nodes(root) if node.children]
        alpha, weakest = min(links)
        root = _cut(root, weakest)
        path.append((alpha, sum(cost[leaf.number] for leaf in leaves(root)), root))
    return path


def _strength(node: Node, cost: dict[int, float]) -> float:
    below = leaves(node)
    return (cost[node.number] - sum(cost[leaf.number] for leaf in below)) / (len(below) - 1)


def _cut(node: Node, number: int) -> Node:
    if node.number == number:
        return as_leaf(node)
    return replace(node, children=[_cut(child, number) for child in node.children])


# Reduced-error (Quinlan 1987)


def reduced_error(node: Node, held: list[int], data: Data) -> Node:
    """`held`: the held-out rows that reach the node."""
    parts: list[list[int]] = [[] for _ in node.children]
    for i in held:
        if node.children:
            parts[branch_of(node, data.columns[node.column][i])].append(i)
    children = [
        reduced_error(child, part, data) for child, part in zip(node.children, parts, strict=True)
    ]
    pruned = replace(node, children=children)
    if held_out_mistakes(as_leaf(node), held, data) <= held_out_mistakes(pruned, held, data):
        return as_leaf(node)
    return pruned


def held_out_mistakes(node: Node, held: list[int], data: Data) -> float:
    wrong = 0.0
    for i in held:
        at = node
        while at.children:
            at = at.children[branch_of(at, data.columns[at.column][i])]
        weights = class_weights(at.rows, data)
        if data.labels[i] != weights.index(max(weights)):
            wrong += data.weights[i] * data.unit
    return wrong
