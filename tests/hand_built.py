"""Trees written by hand, as nested nodes, for tests of everything that reads a tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from hardwood.criteria import Criterion, cost
from hardwood.growing.growth import Growth
from hardwood.table.schema import ColumnSchema
from hardwood.tree import GROUPS, INTERVAL, LEAF, Tree


@dataclass
class Node:
    """A leaf has `weights`; a split has children and the weights of a split are their sum."""

    weights: np.ndarray
    children: list[Node] = field(default_factory=list)
    column: int = -1
    cuts: Sequence[float] | None = None
    groups: Sequence[Sequence[int]] = ()
    missing: int | None = None
    """The branch of missing values that were seen; None: none were seen."""


def leaf(*weights: float) -> Node:
    return Node(np.array(weights, dtype=np.float64))


def interval(
    column: int, cuts: Sequence[float], *children: Node, missing: int | None = None
) -> Node:
    total = np.sum([child.weights for child in children], axis=0)
    return Node(total, list(children), column, cuts, missing=missing)


def groups(
    column: int, codes: Sequence[Sequence[int]], *children: Node, missing: int | None = None
) -> Node:
    total = np.sum([child.weights for child in children], axis=0)
    return Node(total, list(children), column, groups=codes, missing=missing)


SCHEMAS = [
    ColumnSchema("age", "numeric"),
    ColumnSchema("city", "category", ("Oslo", "Bergen", "Rome", "Turin", "Paris, Texas", "Lille")),
    ColumnSchema("account", "unsigned"),
    ColumnSchema("balance", "integer"),
    ColumnSchema("mean concave points (worst of three measurements, mm)", "numeric"),
]


def random_node(rng: np.random.Generator, leaves: int, classes: int, widest: int = 4) -> Node:
    """Over SCHEMAS; conditions need not make sense together, but weights add up."""
    if leaves == 1:
        weights = np.floor(rng.dirichlet(np.full(classes, 0.4)) * rng.integers(1, 400))
        weights[rng.integers(classes)] += 1
        return leaf(*weights)
    arity = int(rng.integers(2, min(leaves, widest) + 1))
    sizes = 1 + rng.multinomial(leaves - arity, np.full(arity, 1 / arity))
    children = [random_node(rng, int(size), classes, widest) for size in sizes]
    missing = int(rng.integers(arity)) if rng.random() < 0.4 else None
    column = int(rng.integers(len(SCHEMAS)))
    if SCHEMAS[column].kind == "category":
        codes = rng.permutation(6).tolist()
        kept = codes[: int(rng.integers(arity, 7))]
        return groups(column, [kept[j::arity] for j in range(arity)], *children, missing=missing)
    cuts: list[float] = sorted((100 * rng.normal(size=arity - 1)).round(3).tolist())
    if SCHEMAS[column].kind != "numeric":
        offset = 2**63 if SCHEMAS[column].kind == "unsigned" else 2**60
        cuts = sorted({offset + int(cut * 1000) for cut in cuts})
    if missing is not None and arity > 2 and rng.random() < 0.5:
        return interval(column, cuts[:-1], *children, missing=arity - 1)
    return interval(column, cuts, *children, missing=missing)


Frontier = list[tuple[int, Node, float]]
"""Leaves that can be split: node number, node, w(l)G(l)."""


def heaviest(frontier: Frontier) -> int:
    return max(range(len(frontier)), key=lambda i: frontier[i][2])


def first(frontier: Frontier) -> int:
    return 0


def grow(
    root: Node,
    schemas: Sequence[ColumnSchema] = (),
    criterion: Criterion = "gini",
    choose: Callable[[Frontier], int] = first,
) -> Growth:
    """Numbers the nodes as a grower that splits `choose(frontier)` next would."""
    total = root.weights.sum()
    nodes, parents, first_child = [root], [-1], [-1]
    split_nodes: list[int] = []
    frontier: Frontier = [(0, root, 0.0)] if root.children else []
    while frontier:
        number, node, _ = frontier.pop(choose(frontier))
        split_nodes.append(number)
        first_child[number] = len(nodes)
        for child in node.children:
            if child.children:
                frontier.append((len(nodes), child, float(cost(child.weights, criterion))))
            nodes.append(child)
            parents.append(number)
            first_child.append(-1)
    tree = _arrays(nodes, parents, first_child, schemas, criterion)
    return _growth(tree, split_nodes, total)


def build(root: Node, schemas: Sequence[ColumnSchema] = (), criterion: Criterion = "gini") -> Tree:
    return grow(root, schemas, criterion).tree


def _growth(tree: Tree, split_nodes: list[int], total: float) -> Growth:
    present = {0}
    potential, error = [], []
    for node in split_nodes:
        present = (present - {node}) | set(tree.children(node))
        potential.append(sum(tree.cost[v] for v in present))
        wrong = [tree.class_weights[v].sum() - tree.class_weights[v].max() for v in present]
        error.append(sum(wrong) / total)
    root = tree.class_weights[0]
    return Growth(
        tree=tree,
        split_nodes=np.array(split_nodes, dtype=np.int32),
        exact=np.ones(len(split_nodes), dtype=bool),
        potential=np.array(potential, dtype=np.float64),
        error=np.array(error, dtype=np.float64),
        root_potential=float(tree.cost[0]),
        root_error=float((root.sum() - root.max()) / total),
    )


def _arrays(
    nodes: list[Node],
    parents: list[int],
    first_child: list[int],
    schemas: Sequence[ColumnSchema],
    criterion: Criterion,
) -> Tree:
    thresholds: list[float] = []
    integers: list[int] = []
    codes: list[int] = []
    branches_of_codes: list[int] = []
    ranges = []
    depth = [0]
    for number, node in enumerate(nodes):
        ranges.append(
            (len(thresholds), len(node.cuts or ()), len(codes), sum(map(len, node.groups)))
        )
        for cut in node.cuts or ():
            whole = bool(schemas) and schemas[node.column].kind in ("integer", "unsigned")
            thresholds.append(np.nan if whole else cut)
            integers.append((int(cut) - (2**64 if cut >= 2**63 else 0)) if whole else 0)
        pairs = sorted((code, b) for b, group in enumerate(node.groups) for code in group)
        codes.extend(code for code, _ in pairs)
        branches_of_codes.extend(b for _, b in pairs)
        if number:
            depth.append(depth[parents[number]] + 1)
    cut_begin, cut_count, group_begin, group_count = np.array(ranges).T
    default = [
        int(np.argmax([c.weights.sum() for c in n.children])) if n.children else -1 for n in nodes
    ]
    missing = [d if n.missing is None else n.missing for n, d in zip(nodes, default, strict=True)]
    weights = np.array([node.weights for node in nodes])
    kinds = [LEAF if not n.children else GROUPS if n.cuts is None else INTERVAL for n in nodes]
    return Tree(
        parent=np.array(parents, dtype=np.int32),
        first_child=np.array(first_child, dtype=np.int32),
        branches=np.array([len(n.children) for n in nodes], dtype=np.int32),
        feature=np.array([n.column for n in nodes], dtype=np.int32),
        kind=np.array(kinds, dtype=np.uint8),
        cut_begin=cut_begin.astype(np.int64),
        cut_count=cut_count.astype(np.int32),
        thresholds=np.array(thresholds, dtype=np.float64),
        integer_thresholds=np.array(integers, dtype=np.int64),
        group_begin=group_begin.astype(np.int64),
        group_count=group_count.astype(np.int32),
        group_codes=np.array(codes, dtype=np.int32),
        group_branches=np.array(branches_of_codes, dtype=np.int32),
        missing_branch=np.array(missing, dtype=np.int32),
        missing_seen=np.array([n.missing is not None for n in nodes], dtype=np.uint8),
        default_branch=np.array(default, dtype=np.int32),
        depth=np.array(depth, dtype=np.int32),
        rows=np.ceil(weights.sum(axis=1)).astype(np.int64),
        class_weights=weights,
        cost=cost(weights, criterion) / weights[0].sum(),
    )
