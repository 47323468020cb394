"""The oracles among themselves: subsets against sorted scans, loops against cumulative sums."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import exhaustive, topdown, topdown_candidates, topdown_problem
from tests.oracles.thresholds import threshold_between
from tests.oracles.topdown_problem import Rules
from tests.tables.small import CRITERIA, SmallTable, stop_rules, tables


def _grow(table: SmallTable, rules: Rules, search=None) -> topdown_problem.Growth:
    weights = table.weights or (1.0,) * table.n_rows
    return topdown.grow(table.columns, table.labels, weights, rules, search=search)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(table=tables(kinds=("category",), max_classes=2, max_columns=1))
def test_no_subset_of_categories_beats_the_cuts_in_order_of_share(criterion, table):
    growth = _grow(table, Rules(criterion, max_leaf_nodes=1))
    problem, root = growth.problem, growth.nodes[0]
    groups, missing = topdown_candidates.group_rows(problem, root.rows, 0)
    if missing is not None:
        groups.append(missing)
    best = root.phi if root.best is None else root.best.cost
    for size in range(1, len(groups)):
        for side in combinations(groups, size):
            left = tuple(map(sum, zip(*(group.vector for group in side), strict=True)))
            right = tuple(a - b for a, b in zip(root.vector, left, strict=True))
            cost = topdown_problem.phi(criterion, left) + topdown_problem.phi(criterion, right)
            assert best <= cost * (1 + 1e-12)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(table=tables(kinds=("numeric", "numeric", "category")), data=st.data())
def test_the_cumulative_sums_grow_the_same_tree_as_the_plain_loops(criterion, table, data):
    rules = data.draw(stop_rules(criterion, "drop"))
    plain, fast = _grow(table, rules), _grow(table, rules, exhaustive.best_split)
    both = list(zip(plain.split_nodes, fast.split_nodes, strict=False))
    for i, j in both:
        one, other = plain.nodes[i].split, fast.nodes[j].split
        if criterion == "entropy":  # the library's logarithm may round a tie either way
            assert one.cost == pytest.approx(other.cost, rel=1e-12, abs=1e-12)
            one, other = replace(one, cost=0.0), replace(other, cost=0.0)
            if one != other:
                return
        assert one == other
    if plain.undecided is None and fast.undecided is None:
        assert plain.split_nodes == fast.split_nodes


@given(weights=st.lists(st.floats(0, 1e12), min_size=1).filter(lambda ws: max(ws) > 0))
def test_integer_weights_use_the_whole_of_52_bits_and_no_more(weights):
    whole, exponent = topdown_problem.integer_weights(weights)
    total = math.fsum(weights)
    assert math.ldexp(total, exponent) <= 2.0**52 < math.ldexp(total, exponent + 1)
    assert all(abs(w - math.ldexp(x, exponent)) <= 0.5 for w, x in zip(whole, weights, strict=True))


def test_a_threshold_never_reaches_the_upper_value():
    one = math.nextafter(1.0, 2.0)
    assert threshold_between(1.0, one, False) == 1.0
    assert threshold_between(one, math.nextafter(one, 2.0), False) == one
    assert threshold_between(-1.7e308, 1.7e308, False) == 0.0
    assert threshold_between(1.5e308, 1.7e308, False) == 1.6e308
    assert threshold_between(2**60, 2**60 + 1, True) == 2**60
    assert threshold_between(-3, -2, True) == -3


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.04891, 0.04893, 0.04892),
        (2.0, 3.0, 2.5),
        (1.0, 1.3, 1.1),  # 1.2 is as near to the midpoint of the decimals, not of the float64s
        (0.9, 1.2, 1.0),
        (-1.0, 3.0, 0.0),
        (-0.9, -0.5, -0.7),
        (99.0, 103.0, 100.0),
        (76.0, 108.0, 90.0),
        (1.0, 1e6, 500000.0),
        (0.0, 5e-324, 0.0),
        (0.0, 1e-323, 5e-324),
    ],
)
def test_thresholds_are_the_decimals_that_a_person_would_write(low, high, expected):
    assert threshold_between(low, high, False) == expected


def test_a_leaf_that_ties_with_another_is_taken_in_order_of_creation():
    columns = (topdown_problem.Column("numeric", (0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0)),)
    labels = (0, 0, 1, 1, 0, 0, 1, 1)
    for choice in ("drop", "weight"):
        growth = topdown.grow(columns, labels, [1.0] * 8, Rules("gini", choice))
        assert growth.potential[-1] == 0.0
        assert growth.split_nodes == sorted(growth.split_nodes)
