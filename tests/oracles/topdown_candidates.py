"""The candidates of a node in TopDown's oracle, in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Literal

from tests.oracles.topdown_problem import (
    CLOSE,
    Group,
    Node,
    Problem,
    Split,
    Vector,
    drop_is_positive,
    is_rare,
    shifted,
    split_cost,
)


def candidates(problem: Problem, node: Node, column: int) -> Iterator[Split]:
    """Every admissible split of positive drop that the column offers at the node."""
    groups, missing = group_rows(problem, node.rows, column)
    if not groups:
        return
    for cut, chosen in _sides(problem, column, node.vector, groups):
        left = [group for i, group in enumerate(groups) if i in chosen]
        right = [group for i, group in enumerate(groups) if i not in chosen]
        for way in _ways(missing, right):
            split = _split(problem, node, (column, cut, way), (left, right, missing))
            if split is not None:
                yield split


def group_rows(
    problem: Problem, rows: Sequence[int], column: int
) -> tuple[list[Group], Group | None]:
    """The rows by value in code order, and the missing ones (None where there are none)."""
    by_value: dict[Any, list[int]] = {}
    absent: list[int] = []
    for row in rows:
        value = problem.columns[column].values[row]
        (absent if value is None else by_value.setdefault(value, [])).append(row)
    groups = [_group(problem, (value,), by_value[value]) for value in sorted(by_value)]
    if problem.columns[column].kind == "category":
        groups = _pooled(problem, rows, groups)
    return groups, _group(problem, (), absent) if absent else None


def _pooled(problem: Problem, rows: Sequence[int], groups: list[Group]) -> list[Group]:
    """Rare categories as one group, where the first of them stood."""
    node, count = sum(problem.weights[row] for row in rows), problem.n_examples
    rare = [g for g in groups if is_rare(sum(g.vector), node, problem.total, count, problem.rules)]
    if len(rare) < 2:
        return groups
    together = Group(
        tuple(value for group in rare for value in group.values),
        tuple(map(sum, zip(*(group.vector for group in rare), strict=True))),
        sum(group.examples for group in rare),
    )
    return [together if g is rare[0] else g for g in groups if g is rare[0] or g not in rare]


def _group(problem: Problem, values: tuple[Any, ...], rows: list[int]) -> Group:
    return Group(values, problem.vector(rows), problem.count(rows))


def _sides(
    problem: Problem, column: int, vector: Vector, groups: list[Group]
) -> Iterator[tuple[int, set[int]]]:
    """(cut, groups on the left) in order; the last leaves the right to the missing rows alone."""
    everything, kind = set(range(len(groups))), problem.columns[column].kind
    classes = [c for c, weight in enumerate(vector) if weight > 0]
    if kind != "category":
        for cut in everything:
            yield cut, set(range(cut + 1))
    elif problem.rules.criterion == "stump":
        if len(groups) > 1:
            yield 0, _heavier_sides(groups)
        yield 1, everything
    elif len(classes) <= 2:
        merged = shares_in_order(groups, classes[-1])
        for cut in range(len(merged)):
            low = {i for same in merged[: cut + 1] for i in same}
            yield cut, low if 0 in low else everything - low
    else:
        if len(groups) > 10:
            raise ValueError(f"{len(groups)} categories are too many to enumerate; at most 10")
        for mask in range(1, 1 << len(groups), 2):
            yield mask, {bit for bit in everything if mask >> bit & 1}


def _heavier_sides(groups: list[Group]) -> set[int]:
    """The side of the first category when each goes with its heavier class, class 0 on a tie."""
    says = [int(group.vector[1] > group.vector[0]) for group in groups]
    if len(set(says)) == 1:
        gaps = [abs(group.vector[0] - group.vector[1]) for group in groups]
        says[gaps.index(min(gaps))] ^= 1
    return {i for i, label in enumerate(says) if label == says[0]}


def shares_in_order(groups: list[Group], label: int) -> list[list[int]]:
    """Categories by share of a class, equal shares together: exact for two classes."""
    by_share: dict[Fraction, list[int]] = {}
    for i, group in enumerate(groups):
        by_share.setdefault(Fraction(group.vector[label], sum(group.vector)), []).append(i)
    return [by_share[share] for share in sorted(by_share)]


def _ways(missing: Group | None, right: list[Group]) -> list[Literal["left", "right"] | None]:
    if missing is None:
        return [None] if right else []
    return ["left", "right"] if right else ["right"]


def _split(problem: Problem, node: Node, key: Any, sides: Any) -> Split | None:
    (column, cut, way), (left, right, missing), rules = key, sides, problem.rules
    joining = {"left": ([missing], []), "right": ([], [missing]), None: ([], [])}[way]
    branches = [left + joining[0], right + joining[1]]
    vectors = [tuple(map(sum, zip(*(g.vector for g in b), strict=True))) for b in branches]
    if any(sum(group.examples for group in branch) < rules.min_samples_leaf for branch in branches):
        return None
    if any(float(sum(v)) < rules.min_weight_fraction_leaf * float(problem.total) for v in vectors):
        return None
    numeric = problem.columns[column].kind != "category"
    values, drawn = problem.columns[column].values, problem.drawn
    if numeric and right and drawn is not None and not drawn(values, vectors):
        return None
    positive = _drop_is_positive(problem, node, vectors[0], vectors[1])
    if positive is False:
        return None
    cost = split_cost(rules.criterion, vectors[0], vectors[1])
    if (node.phi - cost) / problem.total < rules.min_drop and rules.min_drop > 0.0:
        return None
    interval = numeric and bool(right)
    return Split(
        cost=cost,
        column=column,
        cut=cut,
        missing=way,
        threshold=(
            problem.columns[column].threshold(left[-1].values[0], right[0].values[0])
            if interval
            else None
        ),
        left_values=tuple(value for group in left for value in group.values),
        right_values=tuple(value for group in right for value in group.values),
        vectors=(vectors[0], vectors[1]),
        sure=positive is True,
    )


def _drop_is_positive(problem: Problem, node: Node, left: Vector, right: Vector) -> bool | None:
    """None where rounded weights leave it open."""
    criterion, rows = problem.rules.criterion, len(node.rows)
    if problem.kinds is None or criterion == "stump":
        return drop_is_positive(criterion, node.vector, left, right)
    if sum(a > 0 for a in node.vector) == 1:
        return False
    if criterion == "error":
        heaviest = [_surely_heaviest(side, rows) for side in (left, right)]
        if None in heaviest:
            return None
        return heaviest[0] != heaviest[1]
    weight, left_weight = sum(node.vector), sum(left)
    for a, b in zip(left, node.vector, strict=True):
        doubt = 4 * CLOSE * a * weight + 4 * rows * (a + weight)
        if abs(a * weight - b * left_weight) > doubt:
            return True
    return None


def _surely_heaviest(side: Vector, rows: int) -> int | None:
    first = side.index(max(side))
    others = [shifted(a, 1, rows) for c, a in enumerate(side) if c != first]
    return first if all(shifted(side[first], -1, rows) > other for other in others) else None
