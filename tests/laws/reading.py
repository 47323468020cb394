"""A fitted `tree_` read node by node, for laws that compare it with an oracle or follow it by hand.

In: the arrays of `hardwood.tree.Tree`. Out: one `ReadNode` a node, in the oracle's words, and the
leaf that a row reaches when its conditions are followed in plain Python. Invariant: nothing here
calls the library; only the layout of the arrays is taken from it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hardwood import TreeClassifier
from tests.oracles import topdown, topdown_problem
from tests.oracles.topdown_problem import Column, Rules
from tests.tables.small import LETTERS, SmallTable


@dataclass(frozen=True)
class ReadNode:
    feature: int
    first_child: int
    threshold: float | int | None
    branch_of: dict[Any, int]
    missing_branch: int
    missing_seen: bool
    default_branch: int


def fit(table: SmallTable, rules: Rules, **more: Any) -> TreeClassifier:
    """A tree under the oracle's rules: every parameter that shapes it is given, nothing pruned."""
    model = TreeClassifier(**{"leaf_prior": 0.0, **asdict(rules), "pruning": None, **more})
    return model.fit(table.X, table.y, sample_weight=table.sample_weight)


def oracle(table: SmallTable, rules: Rules, search: Any = None) -> topdown_problem.Growth:
    weights = (1.0,) * table.n_rows if table.weights is None else table.weights
    return topdown.grow(
        table.columns, table.labels, weights, rules, n_classes=table.n_classes, search=search
    )


def read(tree: Any, columns: tuple[Column, ...]) -> list[ReadNode]:
    """Every node in order of creation."""
    return [_read_node(tree, columns, number) for number in range(len(tree.feature))]


def _read_node(tree: Any, columns: tuple[Column, ...], number: int) -> ReadNode:
    feature = int(tree.feature[number])
    threshold: float | int | None = None
    if tree.cut_count[number]:
        at = tree.cut_begin[number]
        threshold = float(tree.thresholds[at])
        if columns[feature].kind == "integer":
            threshold = int(tree.integer_thresholds[at])
            if any(v is not None and v >= 2**63 for v in columns[feature].values):
                threshold %= 2**64
    begin = int(tree.group_begin[number])
    entries = slice(begin, begin + int(tree.group_count[number]))
    codes, branches = tree.group_codes[entries], tree.group_branches[entries]
    return ReadNode(
        feature=feature,
        first_child=int(tree.first_child[number]),
        threshold=threshold,
        branch_of={LETTERS[c]: int(b) for c, b in zip(codes, branches, strict=True)},
        missing_branch=int(tree.missing_branch[number]),
        missing_seen=bool(tree.missing_seen[number]),
        default_branch=int(tree.default_branch[number]),
    )


def route(nodes: list[ReadNode], columns: tuple[Column, ...], values: list[Any]) -> int:
    """The leaf that a row of plain values reaches: x <= threshold goes left."""
    number = 0
    while nodes[number].feature >= 0:
        node = nodes[number]
        number = node.first_child + _branch(node, columns[node.feature], values[node.feature])
    return number


def _branch(node: ReadNode, column: Column, value: Any) -> int:
    if value is None:
        return node.missing_branch
    if column.kind == "category":
        return node.branch_of.get(value, node.default_branch)
    return 0 if node.threshold is None else int(value > node.threshold)


def assert_same_growth(model: TreeClassifier, growth: topdown_problem.Growth) -> None:
    """The model's tree is the oracle's: splits, class weights, potentials and errors."""
    columns, tree = growth.problem.columns, model.tree_
    nodes = read(tree, columns)
    if growth.undecided is None:
        assert len(nodes) == len(growth.nodes)
    count = len(growth.split_nodes)
    assert list(model.history_["node"][:count]) == growth.split_nodes
    for expected in growth.nodes:
        number = expected.number
        assert tree.class_weights[number].tolist() == growth.class_weights(expected)
        assert tree.parent[number] == expected.parent
        assert tree.depth[number] == expected.depth
        assert tree.rows[number] == len(expected.rows)
        np.testing.assert_allclose(
            tree.cost[number], expected.phi / growth.problem.total, rtol=1e-12, atol=1e-15
        )
        if expected.split is not None:
            _assert_same_split(nodes[number], expected)
    np.testing.assert_allclose(
        model.history_["potential"][:count], growth.potential, rtol=1e-11, atol=1e-13
    )
    np.testing.assert_allclose(model.history_["error"][:count], growth.error, atol=1e-13)


def _assert_same_split(node: ReadNode, expected: topdown_problem.Node) -> None:
    split = expected.split
    assert split is not None
    assert expected.children is not None
    assert node.feature == split.column
    assert node.first_child == expected.children[0]
    assert node.threshold == split.threshold
    if isinstance(split.left_values[0], str):
        sides = dict.fromkeys(split.left_values, 0) | dict.fromkeys(split.right_values, 1)
        assert node.branch_of == sides
    assert node.missing_seen == (split.missing is not None)
    assert node.default_branch == expected.default_branch
    way = {"left": 0, "right": 1, None: expected.default_branch}[split.missing]
    assert node.missing_branch == way
