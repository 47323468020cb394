"""TOPDOWN-M with fractional examples: whether a grown tree took a best function at every step.

In: what `oracles.fractional` takes, the price of `oracles.topdown_m`, and the splits that were
taken, in order. Every cut of a numeric column into k intervals and every grouping of a category
column into k groups is tried, for every acceptable k; the split taken must be one of them, and none
may be better beyond rounding. Then the examples are divided by the split taken. Nothing of hardwood
is imported.

Rules beyond those of the two oracles (docs/theory/rules.md#fractional-examples):
- a function costs sum_j phi(a_j + (A_j/A) m), whatever its arity;
- limits on branches are on the examples with a value;
- missing values go down every branch: no function sends them to one.

The core rounds a + (A'/A) m prefix by prefix to whole numbers where it looks at more than two
branches, so the choice among functions whose merits agree up to rounding is its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tests.oracles import fractional, fractional_costs, topdown_m
from tests.oracles.fractional import Growth, Item, Node, Problem, Split
from tests.oracles.fractional_costs import Vector
from tests.oracles.topdown_candidates import shares_in_order
from tests.oracles.topdown_m import Price
from tests.oracles.topdown_problem import Group

CLOSE = 1e-11


@dataclass(frozen=True)
class Taken:
    """A split as it was made: of an interval split the thresholds, of groups the branches."""

    node: int
    column: int
    thresholds: tuple[Any, ...]
    branch_of: dict[Any, int]


@dataclass(frozen=True)
class Function:
    merit: float
    column: int
    branch_of: dict[Any, int]
    thresholds: tuple[Any, ...]

    @property
    def arity(self) -> int:
        return max(self.branch_of.values()) + 1


def follow(problem: Problem, price: Price, splits: Sequence[Taken]) -> Growth:
    """The growth that takes these splits; AssertionError where a better one was there."""
    growth = Growth(problem)
    fractional.open_node(growth, -1, 0, problem.items, 1.0)
    for taken in splits:
        leaves = [node for node in growth.nodes if node.split is None]
        assert len(leaves) < price.budget, "the budget is spent"
        node, options = _next(problem, price, growth)
        assert node is not None, "no leaf can be split"
        assert node.number == taken.node, f"node {node.number} is next, {taken.node} was split"
        own = [f for f in options if f.column == taken.column and _is(f, taken)]
        assert own, f"the split of node {taken.node} is no function of its column"
        best = max(options, key=lambda function: function.merit)
        near = CLOSE * node.phi
        assert own[0].merit >= best.merit - near, f"{best} is better than {own[0]}"
        node.best = Split(0.0, taken.column, 0, own[0].branch_of, None)
        fractional.divide(growth, node)
    if sum(node.split is None for node in growth.nodes) < price.budget:
        node, options = _next(problem, price, growth)
        assert all(f.merit <= CLOSE * node.phi for f in options), "a leaf could still be split"
    return growth


def _is(function: Function, taken: Taken) -> bool:
    if function.thresholds:
        return function.thresholds == taken.thresholds
    return function.branch_of == taken.branch_of


def _next(problem: Problem, price: Price, growth: Growth) -> tuple[Any, list[Function]]:
    """The leaf of largest w(l)G(l) that offers a function, and its functions."""
    leaves = [node for node in growth.nodes if node.split is None]
    for node in sorted(leaves, key=lambda node: (-node.phi, node.number)):
        options = list(functions(problem, node, price, len(leaves)))
        if options:
            return node, options
    return None, []


def functions(problem: Problem, node: Node, price: Price, leaves: int) -> Iterator[Function]:
    """Every acceptable, admissible function of positive drop."""
    rules = problem.rules
    if rules.max_depth is not None and node.depth >= rules.max_depth:
        return
    for column in range(len(problem.columns)):
        for split in fractional.candidates(problem, node, column):
            if max(0.0, node.phi - split.cost) / problem.total >= rules.min_drop:
                cut = () if split.threshold is None else (split.threshold,)
                yield Function(node.phi - split.cost, column, split.branch_of, cut)
        by_value, missing = _by_value(problem, node, column)
        for arity in range(3, len(by_value) + 1):
            if price.acceptable(arity, leaves):
                for values in _branchings(problem, node, column, by_value, arity):
                    branches = [[i for v in some for i in by_value[v]] for some in values]
                    drop = _drop(problem, node, branches, missing)
                    if drop is not None:
                        yield _function(problem, column, values, drop / price.price(arity))


def _by_value(problem: Problem, node: Node, column: int) -> tuple[dict[Any, list[Item]], Vector]:
    values = problem.columns[column].values
    present: dict[Any, list[Item]] = {}
    for item in node.items:
        present.setdefault(values[item.row], []).append(item)
    missing = problem.vector(present.pop(None, []))
    return {value: present[value] for value in sorted(present)}, missing


def _branchings(
    problem: Problem, node: Node, column: int, by_value: dict[Any, list[Item]], arity: int
) -> Iterator[list[list[Any]]]:
    groups = [Group((v,), problem.vector(items), 0) for v, items in by_value.items()]
    classes = sum(weight > 0 for weight in node.vector)
    if problem.columns[column].kind != "category" or classes <= 2:
        runs = [[group] for group in groups]
        if problem.columns[column].kind == "category":
            label = max(c for c, weight in enumerate(node.vector) if weight > 0)
            merged = shares_in_order(groups, label)
            runs = [[groups[i] for i in same] for same in merged]
        parted = (branches for _, branches in topdown_m.runs(runs, arity))
    else:
        blocks = topdown_m.partitions(list(range(len(groups))), arity)
        parted = ([[groups[i] for i in block] for block in each] for each in blocks)
    for branches in parted:
        yield [[group.values[0] for group in branch] for branch in branches]


def _drop(
    problem: Problem, node: Node, branches: list[list[Item]], missing: Vector
) -> float | None:
    """phi of the node less the cost, or None where the function is not admissible."""
    vectors = [problem.vector(branch) for branch in branches]
    if not fractional.admissible(problem, branches, vectors, missing):
        return None
    known: Vector = tuple(map(sum, zip(*vectors, strict=True)))
    parts = [fractional_costs.branch_parts(vector, known, missing) for vector in vectors]
    drop = node.phi - math.fsum(
        fractional_costs.phi(problem.rules.criterion, part) for part in parts
    )
    return drop if max(drop, 0.0) / problem.total >= problem.rules.min_drop else None


def _function(problem: Problem, column: int, values: list[list[Any]], merit: float) -> Function:
    made_of = problem.columns[column]
    if made_of.kind == "category":
        values = sorted(values, key=min)
        thresholds: tuple[Any, ...] = ()
    else:
        thresholds = tuple(made_of.threshold(low[-1], high[0]) for low, high in pairwise(values))
    branch_of = {value: b for b, some in enumerate(values) for value in some}
    return Function(merit, column, branch_of, thresholds)
