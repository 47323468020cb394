"""TopDown with C4.5's fractional examples: slow, obvious, and the oracle of `missing="fractional"`.

In: columns of plain Python values (None is missing), labels, weights and the stop rules of
`topdown`. Out: the nodes in order of creation, each with its split and its examples, and the tree's
potential and error after every split. Nothing of hardwood is imported.

Invariants, which are the rules the core is held to:
- weights are integers as in `topdown`; an example is a row with as much of its weight as is here;
- at a split on column c the examples with a value in c go down their branch; one without goes
  down every branch j with floor(w A_j / A), A_j the weight of the examples with a value there, A of
  all these; the rest of w goes to the branch of largest A_j, the first on a tie; a part of weight 0
  vanishes;
- a candidate costs the sum over its branches of phi(a_j + (A_j/A) m), a_j the class weights of the
  examples with a value, m of those without, in float64 in this very order of operations; a leaf's
  own phi is of its integers;
- a drop is positive by Fractions: by those costs for error, for the others when some a_j is
  not (A_j/A) a;
- limits on branches are on the examples with a value, parts as parts;
- candidates in order of cost, column, cut; cuts as in `topdown`, without missing against the rest.

The logarithm is the core's own series, so that entropy too agrees to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.oracles.fractional_costs import Vector, branch_parts, drop_is_positive, phi
from tests.oracles.topdown_candidates import shares_in_order
from tests.oracles.topdown_problem import (
    Column,
    Group,
    Rules,
    count_examples,
    integer_weights,
    is_rare,
)


@dataclass(frozen=True)
class Item:
    row: int
    weight: int
    examples: int


@dataclass(frozen=True)
class Problem:
    """`examples` are counted in units, `per_example` of them an example."""

    columns: tuple[Column, ...]
    labels: tuple[int, ...]
    n_classes: int
    items: tuple[Item, ...]
    exponent: int
    per_example: Fraction
    rules: Rules
    n_examples: int

    @property
    def total(self) -> int:
        return sum(item.weight for item in self.items)

    def vector(self, items: Sequence[Item]) -> Vector:
        sums = [0] * self.n_classes
        for item in items:
            sums[self.labels[item.row]] += item.weight
        return tuple(sums)


@dataclass(frozen=True)
class Split:
    cost: float
    column: int
    cut: int
    branch_of: dict[Any, int]
    threshold: float | int | None

    @property
    def order(self) -> tuple[float, int, int]:
        return (self.cost, self.column, self.cut)


@dataclass
class Node:
    number: int
    parent: int
    depth: int
    items: tuple[Item, ...]
    vector: Vector
    phi: float
    share: float
    best: Split | None = None
    split: Split | None = None
    first_child: int = -1
    heaviest: int = -1
    missing_seen: bool = False


@dataclass
class Growth:
    problem: Problem
    nodes: list[Node] = field(default_factory=list)
    split_nodes: list[int] = field(default_factory=list)
    potential: list[float] = field(default_factory=list)
    error: list[float] = field(default_factory=list)


def problem_of(
    columns: Sequence[Column], labels: Sequence[int], weights: Sequence[float], rules: Rules
) -> Problem:
    """Rows of these weights as whole numbers."""
    whole, exponent = integer_weights(weights)
    if all(float(w).is_integer() for w in weights):
        units, per_example = whole, Fraction(2) ** exponent
    else:
        counts = [int(w) if float(w).is_integer() else 1 for w in weights]
        scale = 1 << (52 - sum(counts).bit_length())
        units, per_example = tuple(count * scale for count in counts), Fraction(scale)
    items = tuple(Item(i, w, units[i]) for i, w in enumerate(whole) if w > 0)
    number = count_examples(whole, weights)
    return Problem(
        tuple(columns), tuple(labels), max(labels) + 1, items, exponent, per_example, rules, number
    )


def grow(
    columns: Sequence[Column], labels: Sequence[int], weights: Sequence[float], rules: Rules
) -> Growth:
    """Grow a tree on rows of these weights."""
    growth = Growth(problem_of(columns, labels, weights, rules))
    open_node(growth, -1, 0, growth.problem.items, 1.0)
    budget = rules.max_leaf_nodes
    while budget is None or len(growth.split_nodes) + 1 < budget:
        willing = [node for node in growth.nodes if node.split is None and node.best is not None]
        if not willing:
            break
        divide(growth, max(willing, key=lambda node: (_merit(rules, node), -node.number)))
    return growth


def _merit(rules: Rules, node: Node) -> float:
    assert node.best is not None
    return max(0.0, node.phi - node.best.cost) if rules.leaf_choice == "drop" else node.phi


def open_node(
    growth: Growth, parent: int, depth: int, items: tuple[Item, ...], share: float
) -> None:
    problem, rules = growth.problem, growth.problem.rules
    vector = problem.vector(items)
    cost = phi(rules.criterion, [float(a) for a in vector])
    node = Node(len(growth.nodes), parent, depth, items, vector, cost, share)
    if rules.max_depth is None or depth < rules.max_depth:
        splits = [s for j in range(len(problem.columns)) for s in candidates(problem, node, j)]
        best = min(splits, key=lambda split: split.order, default=None)
        if best is not None and max(0.0, cost - best.cost) / problem.total >= rules.min_drop:
            node.best = best
    growth.nodes.append(node)


def candidates(problem: Problem, node: Node, column: int) -> Iterator[Split]:
    """Every admissible split of positive drop that the column offers at the node."""
    values, kind = problem.columns[column].values, problem.columns[column].kind
    by_value: dict[Any, list[Item]] = {}
    absent = [item for item in node.items if values[item.row] is None]
    for item in node.items:
        if values[item.row] is not None:
            by_value.setdefault(values[item.row], []).append(item)
    present = sorted(by_value)
    missing = problem.vector(absent)
    places = [((value,), by_value[value]) for value in present]
    if kind == "category":
        places = _pooled(problem, node, places)
    for cut, left in _sides(problem, node, kind, places):
        branch_of = {value: 0 if value in left else 1 for value in present}
        branches = [
            [item for value in present if branch_of[value] == j for item in by_value[value]]
            for j in (0, 1)
        ]
        vectors = [problem.vector(branch) for branch in branches]
        if not admissible(problem, branches, vectors, missing):
            continue
        known = tuple(map(sum, zip(*vectors, strict=True)))
        criterion = problem.rules.criterion
        costs = [phi(criterion, branch_parts(vector, known, missing)) for vector in vectors]
        threshold = None
        if kind != "category":
            threshold = problem.columns[column].threshold(present[cut], present[cut + 1])
        yield Split(costs[0] + costs[1], column, cut, branch_of, threshold)


def _sides(
    problem: Problem, node: Node, kind: str, groups: list[Place]
) -> Iterator[tuple[int, set[Any]]]:
    """(cut, values on the left) in order."""
    values = [values[0] for values, _ in groups]
    classes = [c for c, weight in enumerate(node.vector) if weight > 0]
    if kind != "category":
        for cut in range(len(values) - 1):
            yield cut, set(values[: cut + 1])
    elif len(classes) <= 2:
        vectors = [Group(own, problem.vector(items), 0) for own, items in groups]
        merged = shares_in_order(vectors, classes[-1])
        for cut in range(1, len(merged)):
            low = {i for same in merged[:cut] for i in same}
            yield cut, _values(groups, low if 0 in low else set(range(len(groups))) - low)
    else:
        for mask in range(1, (1 << len(values)) - 1, 2):
            yield mask, _values(groups, {i for i in range(len(values)) if mask >> i & 1})


Place = tuple[tuple[Any, ...], list[Item]]


def _values(groups: list[Place], chosen: set[int]) -> set[Any]:
    return {value for i in chosen for value in groups[i][0]}


def _pooled(problem: Problem, node: Node, groups: list[Place]) -> list[Place]:
    """Rare categories as one, where the first of them stood."""
    weight, count = sum(node.vector), problem.n_examples
    rare = [
        i
        for i, (_, items) in enumerate(groups)
        if is_rare(sum(problem.vector(items)), weight, problem.total, count, problem.rules)
    ]
    if len(rare) < 2:
        return groups
    together = (
        tuple(value for i in rare for value in groups[i][0]),
        [item for i in rare for item in groups[i][1]],
    )
    return [
        together if i == rare[0] else group
        for i, group in enumerate(groups)
        if i == rare[0] or i not in rare
    ]


def admissible(
    problem: Problem, branches: Sequence[Sequence[Item]], vectors: list[Vector], missing: Vector
) -> bool:
    rules = problem.rules
    for branch, vector in zip(branches, vectors, strict=True):
        if sum(item.examples for item in branch) < rules.min_samples_leaf * problem.per_example:
            return False
        if float(sum(vector)) < rules.min_weight_fraction_leaf * float(problem.total):
            return False
    return drop_is_positive(rules.criterion, vectors, missing)


def parts_of(amount: int, known: Sequence[int]) -> list[int]:
    """floor(amount A_j / A), and the rest to the heaviest branch, the first on a tie."""
    parts = [amount * weight // sum(known) for weight in known]
    parts[list(known).index(max(known))] += amount - sum(parts)
    return parts


def divide(growth: Growth, node: Node) -> None:
    problem, split = growth.problem, node.best
    assert split is not None
    values = problem.columns[split.column].values
    k = max(split.branch_of.values()) + 1
    known = [0] * k
    for item in node.items:
        if values[item.row] is not None:
            known[split.branch_of[values[item.row]]] += item.weight
    branches: list[list[Item]] = [[] for _ in range(k)]
    for item in node.items:
        value = values[item.row]
        if value is not None:
            branches[split.branch_of[value]].append(item)
            continue
        both = zip(parts_of(item.weight, known), parts_of(item.examples, known), strict=True)
        for branch, (weight, examples) in zip(branches, both, strict=True):
            if weight > 0:
                branch.append(Item(item.row, weight, examples))
    node.split, node.first_child = split, len(growth.nodes)
    node.heaviest = known.index(max(known))
    node.missing_seen = any(values[item.row] is None for item in node.items)
    for branch, weight in zip(branches, known, strict=True):
        open_node(growth, node.number, node.depth + 1, tuple(branch), weight / sum(known))
    leaves = [leaf for leaf in growth.nodes if leaf.split is None]
    growth.split_nodes.append(node.number)
    growth.potential.append(math.fsum(leaf.phi for leaf in leaves) / problem.total)
    growth.error.append(sum(sum(leaf.vector) - max(leaf.vector) for leaf in leaves) / problem.total)


def class_shares(growth: Growth, values: Sequence[Any], node: int = 0) -> list[Fraction]:
    """What the tree says of a row of plain values: missing ones go down every branch by the shares,
    categories that the node did not see down the heaviest."""
    at = growth.nodes[node]
    if at.split is None:
        return [Fraction(a, sum(at.vector)) for a in at.vector]
    value, split = values[at.split.column], at.split
    below = range(at.first_child, at.first_child + max(split.branch_of.values()) + 1)
    if value is None:
        answers = [
            (Fraction(growth.nodes[n].share), class_shares(growth, values, n)) for n in below
        ]
        return [
            sum((s * p[c] for s, p in answers), Fraction(0))
            for c in range(growth.problem.n_classes)
        ]
    if split.threshold is None:
        branch = split.branch_of.get(value, at.heaviest)
    else:
        branch = int(value > split.threshold)
    return class_shares(growth, values, below[branch])
