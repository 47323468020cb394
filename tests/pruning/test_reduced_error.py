"""Reduced-error pruning against its recursion, and that its tree is the best of the prunings."""

from __future__ import annotations

import numpy as np
import pytest

from hardwood.pruning.held_out import weights_of
from hardwood.pruning.reduced_error import reduced_error
from tests.oracles import pruning as oracle
from tests.pruning.cases import (
    assert_same,
    assert_well_formed,
    held_out,
    mistakes_on,
    random_case,
    random_tree,
)
from tests.pruning.cases import read as read_nodes
from tests.tables.small import CRITERIA


@pytest.mark.parametrize("weighted", [None, "whole", "dyadic"])
def test_a_multiway_tree_is_pruned_as_the_recursion_says(weighted):
    for seed in range(12):
        case = random_case(seed, 150, 3, weighted)
        held = held_out(case, 0.3, seed)
        grown_on = case.take(np.flatnonzero(~held))
        tree = random_tree(grown_on, seed)
        watched = weights_of(case.integer_weights, held)
        mistakes = mistakes_on(case, tree, watched)
        found = reduced_error(tree, mistakes)
        root = read_nodes(tree, grown_on.data)
        expected = _pruned(root, case, grown_on, held)
        assert_same(found, expected, grown_on.data)
        assert_well_formed(found)


def _pruned(root, case, grown_on, held):
    """The oracle wants all rows in one `Data`: those of growth first, then the held-out ones."""
    rest, kept = np.flatnonzero(~held), np.flatnonzero(held)
    both = case.take(np.concatenate([rest, kept]))
    return oracle.reduced_error(root, list(range(len(rest), len(case.y))), both.data)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_estimator_grows_on_the_rows_that_are_not_held_out(criterion):
    case = random_case(7, 300, 3, "whole")
    model = case.fit(
        criterion=criterion, pruning="reduced-error", validation_fraction=0.3, random_state=4
    )
    held = held_out(case, 0.3, 4)
    rest = case.take(np.flatnonzero(~held))
    assert model.grown_tree_.n_nodes == rest.fit(criterion=criterion).grown_tree_.n_nodes
    root = read_nodes(model.grown_tree_, rest.data)
    assert_same(model.tree_, _pruned(root, case, rest, held), rest.data)
    assert model.get_n_leaves() < model.grown_tree_.n_leaves
    assert f"After pruning: {model.get_n_leaves()} lea" in str(model.certificate_)


def test_no_other_pruning_makes_fewer_held_out_mistakes():
    case = random_case(10, 200, 2)
    tree = random_tree(case, 1, depth=2)
    watched = weights_of(case.integer_weights, held_out(case, 0.4, 0))
    mistakes = mistakes_on(case, tree, watched).tolist()

    def all_prunings(node):
        """(mistakes, leaves) of every way to prune below a node."""
        found = {(mistakes[node], 1)}
        ways = [{(0.0, 0)}]
        for child in tree.children(node):
            below = all_prunings(child)
            ways.append({(m + a, n + b) for m, n in ways[-1] for a, b in below})
        return found | (ways[-1] if len(tree.children(node)) else set())

    best = min(all_prunings(0))
    found = reduced_error(tree, np.array(mistakes))
    wrong = mistakes_on(case, found, watched)[found.is_leaf].sum()
    assert (wrong, found.n_leaves) == best


def test_pruning_again_on_the_same_rows_changes_nothing():
    case = random_case(3, 200, 3)
    tree = random_tree(case, 2)
    watched = weights_of(case.integer_weights, held_out(case, 0.5, 0))

    def prune(tree):
        mistakes = mistakes_on(case, tree, watched)
        return reduced_error(tree, mistakes)

    once = prune(tree)
    assert once.n_leaves < tree.n_leaves
    assert prune(once) is once
