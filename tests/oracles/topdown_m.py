"""TOPDOWN-M as Hatano (2004, Fig. 2) and Mansour & McAllester (2002) describe it: slow and obvious.

In: what `oracles.topdown` takes, and the price. Out: the nodes in order of creation, each with its
branching function, and potential and error after every split. Every cut of a numeric column into k
intervals and every grouping of a category column into k groups is tried, for every acceptable k.

Rules beyond those of `oracles.topdown` (docs/theory/rules.md#multiway):
- the leaf of largest w(l)G(l) is next; of its acceptable functions the one with the largest
  gain/price(k) is taken; ties: smaller arity, smaller column, smaller cut vector, missing values in
  an earlier branch;
- the cost of k > 2 branches is phi_1 + (phi_2 + (... + phi_k)) in float64;
- the cut vector of k intervals: the last value's place below each cut; of groups, two classes: the
  number of merged shares below each cut in order of share (and costs are added in that order); of
  groups, more classes: the bit masks of the branches in order;
- missing values join one of the branches; missing-against-the-rest is binary;
- with limits on the branches a category column of two classes is searched by rules of thumb, and
  the oracle does not speak of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Any

from tests.oracles import topdown, topdown_candidates, topdown_problem
from tests.oracles.topdown_problem import CLOSE, Group, Problem, Rules, Vector


@dataclass(frozen=True)
class Price:
    budget: int
    gamma: float | None = None
    max_branches: int | None = None

    def e(self, branches: int) -> float:
        assert self.gamma is not None
        out = 1.0
        for i in range(1, branches):
            out *= 1 - self.gamma / i
        return out

    def price(self, branches: int) -> float:
        if self.gamma is None:
            return float(math.ceil(math.log2(branches)))
        return (1 - self.e(branches)) / self.gamma

    def acceptable(self, branches: int, leaves: int) -> bool:
        if branches == 2:
            return True
        if self.max_branches is not None and branches > self.max_branches:
            return False
        if self.gamma is None:
            return branches * leaves <= self.budget
        return branches <= self.budget / leaves * (self.gamma * self.e(branches) / 2)


@dataclass(frozen=True)
class Function:
    """`branches` are the values of each branch; `thresholds` stay empty for groups."""

    merit: float
    arity: int
    column: int
    cut: tuple[int, ...]
    missing_branch: int | None
    branches: tuple[tuple[Any, ...], ...]
    vectors: tuple[Vector, ...]
    thresholds: tuple[Any, ...]

    @property
    def order(self) -> Any:
        way = -1 if self.missing_branch is None else self.missing_branch
        return (-self.merit, self.arity, self.column, self.cut, way)


@dataclass
class Node:
    number: int
    parent: int
    depth: int
    rows: tuple[int, ...]
    vector: Vector
    phi: float
    passed_over: bool = False
    function: Function | None = None
    first_child: int = -1

    @property
    def default_branch(self) -> int:
        assert self.function is not None
        weights = [sum(vector) for vector in self.function.vectors]
        return weights.index(max(weights))


@dataclass
class Growth:
    problem: Problem
    nodes: list[Node] = field(default_factory=list)
    split_nodes: list[int] = field(default_factory=list)
    potential: list[float] = field(default_factory=list)
    error: list[float] = field(default_factory=list)
    undecided: bool = False

    @property
    def leaves(self) -> list[Node]:
        return [node for node in self.nodes if node.function is None]


def grow(problem: Problem, price: Price) -> Growth:
    growth = Growth(problem)
    _open(growth, -1, 0, problem.rows)
    while len(growth.leaves) < price.budget:
        willing = [leaf for leaf in growth.leaves if not leaf.passed_over]
        if not willing:
            break
        leaf = max(willing, key=lambda leaf: (leaf.phi, -leaf.number))
        if problem.rules.criterion == "entropy" and _close_leaves(leaf, willing):
            growth.undecided = True
            break
        options = list(functions(problem, leaf, price, len(growth.leaves)))
        if not options:
            leaf.passed_over = True
            continue
        best = min(options, key=lambda function: function.order)
        if problem.rules.criterion == "entropy" and _close_functions(leaf, best, options):
            growth.undecided = True
            break
        _divide(growth, leaf, best)
    return growth


def problem_of(columns: Any, labels: Any, weights: Any, rules: Rules, n_classes: int) -> Problem:
    """A table as the binary oracle reads it."""
    return topdown.grow(
        columns, labels, weights, rules, n_classes=n_classes, search=lambda *_: (None, False)
    ).problem


def _open(growth: Growth, parent: int, depth: int, rows: tuple[int, ...]) -> None:
    problem = growth.problem
    vector = problem.vector(rows)
    cost = topdown_problem.phi(problem.rules.criterion, vector)
    growth.nodes.append(Node(len(growth.nodes), parent, depth, rows, vector, cost))


def _divide(growth: Growth, leaf: Node, function: Function) -> None:
    problem, values = growth.problem, growth.problem.columns[function.column].values
    place = {value: b for b, branch in enumerate(function.branches) for value in branch}
    leaf.function, leaf.first_child = function, len(growth.nodes)
    for branch in range(function.arity):
        rows = tuple(
            row
            for row in leaf.rows
            if (function.missing_branch if values[row] is None else place[values[row]]) == branch
        )
        _open(growth, leaf.number, leaf.depth + 1, rows)
    growth.split_nodes.append(leaf.number)
    leaves = growth.leaves
    growth.potential.append(math.fsum(node.phi for node in leaves) / problem.total)
    mistakes = sum(sum(node.vector) - max(node.vector) for node in leaves)
    growth.error.append(mistakes / problem.total)


def functions(problem: Problem, leaf: Node, price: Price, leaves: int) -> Iterator[Function]:
    """Every acceptable, admissible function of positive drop."""
    if problem.rules.max_depth is not None and leaf.depth >= problem.rules.max_depth:
        return
    for column in problem.allowed:
        yield from _binary(problem, leaf, column)
        groups, missing = topdown_candidates.group_rows(problem, leaf.rows, column)
        for arity in range(3, len(groups) + 1):
            if price.acceptable(arity, leaves):
                for cut, branches in _branchings(problem, leaf, column, groups, arity):
                    for way in [None] if missing is None else range(arity):
                        key = (column, cut, way, price.price(arity))
                        found = _function(problem, leaf, key, branches, missing)
                        if found is not None:
                            yield found


def _binary(problem: Problem, leaf: Node, column: int) -> Iterator[Function]:
    node = topdown_problem.Node(
        leaf.number, leaf.parent, leaf.depth, leaf.rows, leaf.vector, leaf.phi
    )
    for split in topdown_candidates.candidates(problem, node, column):
        yield Function(
            merit=leaf.phi - split.cost,
            arity=2,
            column=column,
            cut=(split.cut,),
            missing_branch={None: None, "left": 0, "right": 1}[split.missing],
            branches=(split.left_values, split.right_values),
            vectors=split.vectors,
            thresholds=() if split.threshold is None else (split.threshold,),
        )


def _branchings(
    problem: Problem, leaf: Node, column: int, groups: list[Group], arity: int
) -> Iterator[tuple[tuple[int, ...], list[list[Group]]]]:
    """(cut vector, branches in the order in which their costs are added)"""
    classes = [c for c, weight in enumerate(leaf.vector) if weight > 0]
    if problem.columns[column].kind != "category":
        yield from runs([[group] for group in groups], arity)
    elif len(classes) <= 2:
        merged = topdown_candidates.shares_in_order(groups, classes[-1])
        yield from runs([[groups[i] for i in same] for same in merged], arity)
    else:
        for blocks in partitions(list(range(len(groups))), arity):
            masks = tuple(sum(1 << i for i in block) for block in blocks)
            yield masks, [[groups[i] for i in block] for block in blocks]


def runs(places: list[list[Group]], arity: int) -> Iterator[tuple[Any, list[list[Group]]]]:
    """Adjacent places together in `arity` branches."""
    for cuts in combinations(range(1, len(places)), arity - 1):
        ends = (0, *cuts, len(places))
        parts = [places[i:j] for i, j in pairwise(ends)]
        yield cuts, [[group for place in part for group in place] for part in parts]


def partitions(items: list[int], count: int) -> Iterator[list[list[int]]]:
    """Groupings into `count` blocks, ordered by first item."""
    if count == 1:
        yield [items]
        return
    first, others = items[0], items[1:]
    for size in range(len(others) - count + 2):
        for chosen in combinations(others, size):
            rest = [item for item in others if item not in chosen]
            for blocks in partitions(rest, count - 1):
                yield [[first, *chosen], *blocks]


def _function(
    problem: Problem, leaf: Node, key: Any, branches: list[list[Group]], missing: Group | None
) -> Function | None:
    (column, cut, way, price), rules = key, problem.rules
    full = [list(branch) for branch in branches]
    if way is not None:
        assert missing is not None
        full[way].append(missing)
    vectors = [tuple(map(sum, zip(*(g.vector for g in b), strict=True))) for b in full]
    if any(sum(group.examples for group in branch) < rules.min_samples_leaf for branch in full):
        return None
    if any(float(sum(v)) < rules.min_weight_fraction_leaf * float(problem.total) for v in vectors):
        return None
    if not drop_is_positive(rules.criterion, leaf.vector, vectors):
        return None
    cost = topdown_problem.phi(rules.criterion, vectors[-1])
    for vector in vectors[-2::-1]:
        cost = topdown_problem.phi(rules.criterion, vector) + cost
    drop = leaf.phi - cost
    if rules.min_drop > 0.0 and max(drop, 0.0) / problem.total < rules.min_drop:
        return None
    values = [tuple(value for group in branch for value in group.values) for branch in branches]
    numeric = problem.columns[column].kind != "category"
    order = list(range(len(values)))
    if not numeric:
        order.sort(key=lambda b: min(values[b]))
    return Function(
        merit=drop / price,
        arity=len(values),
        column=column,
        cut=cut,
        missing_branch=None if way is None else order.index(way),
        branches=tuple(values[b] for b in order),
        vectors=tuple(vectors[b] for b in order),
        thresholds=tuple(
            problem.columns[column].threshold(low[-1], high[0])
            for low, high in pairwise(values)
            if numeric
        ),
    )


def drop_is_positive(criterion: str, parent: Vector, vectors: list[Vector]) -> bool:
    if criterion == "error":
        return sum(max(vector) for vector in vectors) > max(parent)
    weight = sum(parent)
    return any(
        a * weight != b * sum(vector)
        for vector in vectors
        for a, b in zip(vector, parent, strict=True)
    )


def _close_leaves(leaf: Node, willing: list[Node]) -> bool:
    own = topdown.signature((leaf.vector,))
    return any(
        leaf.phi - rival.phi <= CLOSE * leaf.phi and topdown.signature((rival.vector,)) != own
        for rival in willing
    )


def _close_functions(leaf: Node, best: Function, options: list[Function]) -> bool:
    """Entropies are the core's own to the last bit, and so are ties between them."""
    near = CLOSE * max(leaf.phi, 1.0)
    shape = _shape(best)
    return any(best.merit - o.merit <= near and _shape(o) != shape for o in options)


def _shape(function: Function) -> Any:
    return function.arity, tuple(topdown.signature((v,)) for v in function.vectors)
