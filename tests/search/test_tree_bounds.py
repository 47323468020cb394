"""The bound of a search that remembers, against every set of rows of tiny trees."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings

from hardwood.search import remembered_bound, rows_needed
from tests.effort import trials
from tests.search.test_bounds import Problem, problems


def part_of(problem: Problem, rows: list[int]) -> Problem:
    """The same with the other rows absent."""
    weights = tuple(w if i in rows else 0 for i, w in enumerate(problem.weights))
    return replace(problem, weights=weights)


def winner_of(problem: Problem) -> int | None:
    labels = {problem.labels[i] for i in problem.order()}
    errors = problem.errors() if len(labels) == 2 else {}
    return min(errors, key=lambda j: (errors[j], j), default=None)


def tree_of(problem: Problem, depth: int) -> tuple[list[Problem], list[list[int]]]:
    """Its nodes that are split, and of each those right below it."""
    nodes: list[Problem] = []
    children: list[list[int]] = []

    def grow(node: Problem, left: int) -> int | None:
        winner = winner_of(node)
        if winner is None or left == 0:
            return None
        rows = node.order()
        said = min(
            node.stumps(winner),
            key=lambda says: sum(node.weights[i] for i in rows if says[i] != node.labels[i]),
        )
        place = len(nodes)
        nodes.append(node)
        children.append([])
        for side in (0, 1):
            below = grow(part_of(node, [i for i in rows if said[i] == side]), left - 1)
            if below is not None:
                children[place].append(below)
        return place

    grow(problem, depth)
    return nodes, children


def suffice(nodes: list[Problem], column: int, seen: tuple[int, ...]) -> bool:
    """Whether these rows of a column are enough at every node."""
    for node in nodes:
        here, rows = [i for i in node.order() if i in seen], node.order()
        winner = winner_of(node)
        if winner == column:
            if len(here) < len(rows):
                return False
        elif column in node.errors() and node.least(column, here) < node.errors()[winner]:
            return False
    return True


def fewest(nodes: list[Problem], column: int) -> int:
    rows = nodes[0].order()
    return next(
        m
        for m in range(len(rows) + 1)
        if any(suffice(nodes, column, seen) for seen in combinations(rows, m))
    )


@settings(max_examples=trials(60), deadline=None)
@given(problem=problems())
def test_no_search_that_remembers_can_do_with_less(problem):
    nodes, children = tree_of(problem, 3)
    if not nodes:
        return
    needed = np.array([rows_needed(v.table(), v.labels, v.weights)[0] for v in nodes])
    bound = remembered_bound(needed, children)
    columns = range(len(problem.columns))
    assert bound <= sum(fewest(nodes, column) for column in columns)
    assert needed.sum(axis=1).max() <= bound <= needed.sum()
    assert bound <= len(problem.order()) * len(problem.columns)


def test_nodes_beside_each_other_add_up_and_nodes_above_do_not():
    needed = np.array([[10, 4], [3, 1], [4, 4]])
    assert remembered_bound(needed, [[1, 2], [], []]) == max(10, 3 + 4) + max(4, 1 + 4)
    assert remembered_bound(needed[:1], [[]]) == 14
    assert remembered_bound(np.zeros((0, 2), int), []) == 0


def test_a_tree_whose_numbers_do_not_fit_gets_a_sentence():
    needed = np.ones((2, 3), int)
    with pytest.raises(ValueError, match="2 nodes and children 1"):
        remembered_bound(needed, [[1]])
    with pytest.raises(ValueError, match="larger than its parent"):
        remembered_bound(needed, [[], [0]])
    with pytest.raises(ValueError, match="below 2, the number of nodes"):
        remembered_bound(needed, [[5], []])
