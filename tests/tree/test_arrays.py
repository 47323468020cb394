"""The cheap properties of a tree, importances and decision paths, against slow loops."""

import pickle

import numpy as np
import pytest

from hardwood.tree import decision_path, feature_importances
from tests.hand_built import SCHEMAS, build, grow, interval, leaf, random_node


def test_properties_of_a_small_tree():
    tree = build(interval(0, [1.0], leaf(3, 1), interval(0, [2.0], leaf(2, 2), leaf(0, 4))))
    assert (tree.n_nodes, tree.n_leaves, tree.max_depth, tree.n_classes) == (5, 3, 2, 2)
    assert tree.leaf_ids.tolist() == [1, 3, 4]
    assert tree.is_leaf.tolist() == [False, True, False, True, True]
    assert list(tree.children(0)) == [1, 2]
    assert list(tree.children(1)) == []
    assert tree.label.tolist() == [1, 0, 1, 0, 1]
    np.testing.assert_array_equal(tree.shares[1], [0.75, 0.25])
    assert repr(tree) == "<Tree: 5 nodes, 3 leaves, depth 2>"


def test_a_tree_survives_pickling():
    tree = build(interval(0, [1.0], leaf(3, 1), leaf(2, 2)))
    assert tree.n_leaves == 2
    again = pickle.loads(pickle.dumps(tree))
    np.testing.assert_array_equal(again.class_weights, tree.class_weights)


@pytest.mark.parametrize("seed", range(5))
def test_importances_are_the_drops_per_column(seed):
    tree = grow(random_node(np.random.default_rng(seed), 20, 3), SCHEMAS, "km").tree
    totals = np.zeros(len(SCHEMAS))
    for node in range(tree.n_nodes):
        if tree.branches[node]:
            below = sum(tree.cost[child] for child in tree.children(node))
            totals[tree.feature[node]] += tree.cost[node] - below
    np.testing.assert_allclose(
        feature_importances(tree, len(SCHEMAS)), totals / totals.sum(), rtol=1e-12
    )


def test_a_leaf_has_no_important_column():
    assert feature_importances(build(leaf(1, 2)), 3).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("leaves", [1, 2, 17])
def test_a_decision_path_holds_the_leaf_and_its_ancestors(leaves):
    rng = np.random.default_rng(leaves)
    tree = build(random_node(rng, leaves, 2), SCHEMAS)
    ends = rng.choice(tree.leaf_ids, size=40)
    expected = np.zeros((40, tree.n_nodes), dtype=int)
    for row, node in enumerate(ends):
        while node >= 0:
            expected[row, node] = 1
            node = tree.parent[node]
    path = decision_path(tree, ends)
    np.testing.assert_array_equal(path.toarray(), expected)
    assert path.has_canonical_format


def test_no_rows_have_no_path():
    tree = build(interval(0, [1.0], leaf(3, 1), leaf(2, 2)))
    assert decision_path(tree, np.array([], dtype=np.int64)).shape == (0, 3)
