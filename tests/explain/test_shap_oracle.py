"""Shapley values are those of the definition, for every kind of node."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hardwood.explain.shap import ScoredTree, expected, shap_values
from hardwood.table import read_prediction_table
from tests import hand_built
from tests.explain.by_hand import frame, leaves, oracle_tree, random_rows, repeats_a_column
from tests.hand_built import SCHEMAS, build, groups, interval, leaf, random_node
from tests.oracles.shapley import expectation, shapley_values


def scored(
    root: hand_built.Node, rng: np.random.Generator, outputs: int
) -> tuple[ScoredTree, dict[int, tuple[float, ...]]]:
    """Our tree with random leaf scores, and the scores by leaf for the oracle."""
    tree = build(root, SCHEMAS)
    numbers = numbers_of(root)
    scores = np.zeros((outputs, tree.n_nodes))
    by_leaf = {}
    for each in leaves(root):
        drawn = rng.normal(size=outputs)
        scores[:, numbers[id(each)]] = drawn
        by_leaf[id(each)] = tuple(drawn.tolist())
    return ScoredTree(tree, scores, np.arange(outputs, dtype=np.int32)), by_leaf


def numbers_of(root: hand_built.Node) -> dict[int, int]:
    """Node numbers as `build` gives them: the leaf split next is the first of the frontier."""
    numbers, frontier = {id(root): 0}, [root]
    while frontier:
        node = frontier.pop(0)
        for child in node.children:
            numbers[id(child)] = len(numbers)
            if child.children:
                frontier.append(child)
    return numbers


def assert_as_defined(root: hand_built.Node, seed: int, rows: int, outputs: int = 2) -> None:
    rng = np.random.default_rng(seed)
    ours, by_leaf = scored(root, rng, outputs)
    oracle = oracle_tree(root, by_leaf)
    asked: list[list[Any]] = random_rows(rng, root, rows)
    table = read_prediction_table(frame(asked), SCHEMAS, True)
    values = shap_values([ours], table, outputs, 1)
    for row, found in zip(asked, values, strict=True):
        np.testing.assert_allclose(found, shapley_values(oracle, row), rtol=1e-10, atol=1e-12)
    start = [float(value) for value in expectation(oracle, asked[0], set())]
    np.testing.assert_allclose(expected([ours], outputs), start, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("seed", range(30))
def test_random_trees_of_intervals_groups_and_missing_branches(seed):
    rng = np.random.default_rng(seed)
    root = random_node(rng, int(rng.integers(1, 16)), classes=2)
    assert_as_defined(root, seed, rows=4)


def test_the_random_trees_repeat_columns_on_a_path():
    trees = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        trees.append(random_node(rng, int(rng.integers(1, 16)), classes=2))
    assert sum(map(repeats_a_column, trees)) > 10


def test_a_column_asked_again_and_again():
    deep = leaf(1, 2)
    for cut in (10.0, -40.0, 35.0, -5.0, 60.0, 0.0):
        deep = interval(0, [cut], deep, interval(4, [cut / 2], leaf(3, 1), leaf(1, 0)), missing=1)
        deep = groups(1, [[0, 2], [1, 4]], leaf(5, 0), deep)
    assert_as_defined(deep, seed=3, rows=12)


def test_many_branches_and_one_for_missing_values_alone():
    inner = groups(1, [[0], [3, 5], [1], [2]], *(leaf(k, 2) for k in range(4)), missing=2)
    root = interval(
        0, [-90, -20, 20, 90], *(leaf(2, k) for k in range(4)), inner, leaf(0, 7), missing=5
    )
    assert_as_defined(root, seed=5, rows=30, outputs=1)


def test_nodes_without_weight_do_no_harm():
    empty = interval(0, [1.0], leaf(0, 0), leaf(0, 0))
    root = interval(4, [0.0], interval(0, [5.0], empty, leaf(2, 1)), leaf(1, 4))
    assert_as_defined(root, seed=7, rows=12)
