"""Noisy tables with their trees, grown or random and multi-way, in our form and in the oracle's.

Out: `Case`s. The nodes of the oracle are read from a tree's arrays, and its rows are sent down
them in plain Python, so that the class weights of the arrays are checked on the way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from hardwood import TreeClassifier
from hardwood.encoding import Labels, Weights, read_labels, read_weights
from hardwood.pruning.held_out import class_weights_by_leaf, held_out_mistakes
from hardwood.table import ColumnSchema, Table, read_training_table
from hardwood.tree import Tree, decision_path
from hardwood.tree.route import leaves_of
from tests.hand_built import Node as Built
from tests.hand_built import build, groups, interval, leaf
from tests.oracles import drawing
from tests.oracles.pruning import Data, Node, Rows, class_weights, divide, nodes
from tests.tables.frames import CITIES, noisy_frame

SCHEMAS = (
    ColumnSchema("x", "numeric"),
    ColumnSchema("city", "category", CITIES),
    ColumnSchema("z", "numeric"),
    ColumnSchema("id", "integer"),
)


@dataclass(frozen=True)
class Case:
    """A table of noise over a signal, with missing values, categories and large integers."""

    frame: pd.DataFrame
    y: np.ndarray
    weights: np.ndarray | None
    data: Data

    @property
    def table(self) -> Table:
        return read_training_table(self.frame)

    @property
    def labels(self) -> Labels:
        return read_labels(self.y, len(self.y))

    @property
    def integer_weights(self) -> Weights:
        return read_weights(self.weights, None, self.labels)

    def fit(self, **parameters: Any) -> TreeClassifier:
        return TreeClassifier(**parameters).fit(self.frame, self.y, self.weights)

    def take(self, rows: np.ndarray) -> Case:
        weights = None if self.weights is None else self.weights[rows]
        return _case(self.frame.iloc[rows].reset_index(drop=True), self.y[rows], weights)


def held_out(case: Case, share: float, seed: int) -> np.ndarray:
    return np.array(drawing.held_out(case.labels.codes.tolist(), share, seed))


def mistakes_on(case: Case, tree: Tree, watched: Weights) -> np.ndarray:
    """By node, as a leaf, on the rows with weight."""
    assert watched.weights is not None
    reached = class_weights_by_leaf(tree, case.table, case.labels.codes, watched.weights, 1)
    return held_out_mistakes(tree, reached)


def _case(frame: pd.DataFrame, y: np.ndarray, weights: np.ndarray | None) -> Case:
    columns = [_plain(frame[name]) for name in frame.columns]
    plain = np.ones(len(y)) if weights is None else weights
    return Case(frame, y, weights, Data(columns, y.tolist(), plain.tolist(), int(y.max()) + 1))


def random_case(seed: int, n: int = 80, classes: int = 3, weighted: str | None = None) -> Case:
    return _case(*noisy_frame(seed, n, classes, weighted))


def _plain(series: pd.Series) -> list[Any]:
    if isinstance(series.dtype, pd.CategoricalDtype):
        return [None if code < 0 else int(code) for code in series.cat.codes]
    whole = series.dtype == "Int64"
    return [None if pd.isna(v) else int(v) if whole else float(v) for v in series]


def random_tree(case: Case, seed: int, criterion: Any = "gini", depth: int = 4) -> Tree:
    """Random splits of two to four branches, none of them empty."""
    tree = build(_random_node(np.random.default_rng(seed), case.data, depth), SCHEMAS, criterion)
    leaves = leaves_of(tree, case.table, 1)[list(case.data.all_rows)]
    paths = decision_path(tree, leaves)
    return replace(tree, rows=np.asarray(paths.sum(axis=0)).ravel().astype(np.int64))


def _random_node(rng: np.random.Generator, data: Data, depth: int) -> Built:
    def grow(rows: Rows, left: int) -> Built:
        for _ in range(4 if left and len(rows) > 3 else 0):
            column, cuts, codes, arity, missing = _random_split(rng, data, rows)
            branches = {code: b for b, group in enumerate(codes) for code in group}
            below = [Node(0, {}) for _ in range(arity)]
            node = Node(0, rows, below, column, cuts, branches, -1 if missing is None else missing)
            if any(data.columns[column][i] is not None for i in rows):
                parts, shares = divide(node, rows, data)
                if all(parts) and (all(shares) or not data.fractional):
                    children = [grow(part, left - 1) for part in parts]
                    if cuts is None:
                        return groups(column, codes, *children, missing=missing)
                    return interval(column, cuts, *children, missing=missing)
        return leaf(*class_weights(rows, data))

    return grow(data.all_rows, depth)


Split = tuple[int, list[Any] | None, list[list[int]], int, int | None]


def _random_split(rng: np.random.Generator, data: Data, rows: Rows) -> Split:
    column = int(rng.integers(4))
    values = [data.columns[column][i] for i in rows]
    present = sorted({v for v in values if v is not None})
    some_missing = None in values
    k = int(rng.integers(2, 5))
    alone = (
        some_missing and not data.fractional and rng.random() < 0.3
    )  # the last branch is for missing values
    k -= alone
    missing = k if alone else int(rng.integers(k)) if some_missing else None
    arity = k + alone
    if column == 1:
        codes = rng.permutation(present).tolist() if present else []
        parts = [sorted(codes[j::k]) for j in range(k)]
        return column, None, parts + [[]] * alone, arity, missing
    if len(present) < k:
        return column, [], [], 2, 0 if some_missing else None
    places = sorted(rng.choice(len(present) - 1, size=k - 1, replace=False)) if k > 1 else []
    cuts = [present[p] for p in places]
    return column, cuts, [], arity, missing


def read(tree: Tree, data: Data) -> Node:
    """The tree as the oracle has it, with the rows of positive weight that reach each node."""

    def node_of(number: int, rows: Rows, share: float) -> Node:
        assert class_weights(rows, data) == tree.class_weights[number].tolist()
        assert len(rows) == tree.rows[number]
        assert tree.share is None or tree.share[number] == share
        node = question(tree, number, rows, share)
        if node.children:
            divided = zip(tree.children(number), *divide(node, rows, data), strict=True)
            node.children = [node_of(*each) for each in divided]
        return node

    return node_of(0, data.all_rows, 1.0)


def fractional_tree(data: Data, seed: int, depth: int = 4) -> Tree:
    """A random tree whose missing values go down every branch."""
    tree = build(_random_node(np.random.default_rng(seed), data, depth), SCHEMAS)
    arrays = {
        name: getattr(tree, name).copy()
        for name in ("class_weights", "rows", "default_branch", "missing_branch", "missing_seen")
    }
    share = np.ones(tree.n_nodes)

    def fill(number: int, rows: Rows) -> None:
        arrays["class_weights"][number] = class_weights(rows, data)
        arrays["rows"][number] = len(rows)
        node = question(tree, number, rows, 1.0)
        if node.children:
            parts, shares = divide(node, rows, data)
            share[list(tree.children(number))] = shares
            heaviest = shares.index(max(shares))
            arrays["default_branch"][number] = arrays["missing_branch"][number] = heaviest
            values = data.columns[node.column]
            arrays["missing_seen"][number] = any(values[i] is None for i in rows)
            for child, part in zip(tree.children(number), parts, strict=True):
                fill(child, part)

    fill(0, data.all_rows)
    return replace(tree, share=share, **arrays)


def question(tree: Tree, number: int, rows: Rows, share: float) -> Node:
    """A node without its children: there are as many empty ones."""
    column = int(tree.feature[number])
    cuts: list[Any] | None = None
    if column in (0, 2):
        cuts = tree.thresholds[tree.cuts(number)].tolist()
    elif column == 3:
        cuts = tree.integer_thresholds[tree.cuts(number)].tolist()
    part = tree.groups(number)
    pairs = zip(tree.group_codes[part].tolist(), tree.group_branches[part].tolist(), strict=True)
    below = [Node(child, {}) for child in tree.children(number)]
    return Node(
        number, rows, below, column, cuts, dict(pairs), int(tree.missing_branch[number]),
        bool(tree.missing_seen[number]), int(tree.default_branch[number]), share,
    )  # fmt: skip


def assert_same(tree: Tree, expected: Node, data: Data) -> None:
    """Node by node, in the order of creation; `read` checks weights and rows of the tree itself."""
    pairs = list(zip(_ordered(read(tree, data)), _ordered(expected), strict=True))
    for number, (found, other) in enumerate(pairs):
        assert found.number == number
        assert len(found.children) == len(other.children)
        assert found.rows == other.rows
        assert found.share == other.share
        if other.children:
            assert (found.column, found.cuts) == (other.column, other.cuts)
            assert found.groups == other.groups
            assert (found.missing, found.missing_seen) == (other.missing, other.missing_seen)
            assert found.default == other.default


def _ordered(root: Node) -> list[Node]:
    return sorted(nodes(root), key=lambda node: node.number)


def assert_well_formed(tree: Tree) -> None:
    """What everything that reads a tree relies on."""
    assert tree.parent[0] == -1
    for node in range(tree.n_nodes):
        children = tree.children(node)
        assert all(child > node and tree.parent[child] == node for child in children)
        assert all(tree.depth[child] == tree.depth[node] + 1 for child in children)
        codes = tree.group_codes[tree.groups(node)]
        assert (np.diff(codes) > 0).all()
        heavy = tree.weight if tree.share is None else tree.share
        assert not children or tree.default_branch[node] == np.argmax(heavy[children])
    assert sorted(child for node in range(tree.n_nodes) for child in tree.children(node)) == list(
        range(1, tree.n_nodes)
    )
