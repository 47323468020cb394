"""Error-based pruning over parts: the tree of the recursion, and of the rows in one place."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwood import TreeClassifier
from hardwood._core import splits_of_tree
from hardwood.distributed.describing import PartData
from hardwood.distributed.events import ChangeNodes, SetWeights, SplitNodes, StartRows
from hardwood.distributed.in_process import train_in_process
from hardwood.distributed.pruning import PartLocations, PartsPruning
from hardwood.distributed.requests import SendTrials
from hardwood.distributed.team import Team
from tests.distributed.splitting import cut
from tests.effort import trials
from tests.oracles import pruning as oracle
from tests.pruning.cases import assert_same, random_case, random_tree
from tests.pruning.cases import read as read_nodes
from tests.tables.frames import mixed_frame

pytestmark = pytest.mark.grid


def pruned_over_parts(case, tree, confidence, places):
    """Rows are sent down a given tree by the parts' own splits; then the tree is pruned."""
    weights = case.weights
    parts = cut(case.frame, pd.Series(case.y), weights, places)
    training = train_in_process(parts, "from_dtype", None, 1)
    team, agreement = training._team, training._agreement
    grid, plan = agreement.grid, agreement.plan
    weights_event = SetWeights(grid.exponent, grid.factors, 0)
    split = SplitNodes(splits_of_tree(tree, plan.core))
    answer = team.ask([weights_event, StartRows(-1, 1), split], [])
    total = grid.weights(float(tree.class_weights[0].sum()) / grid.unit, answer.events[0])
    leaves = np.flatnonzero(tree.is_leaf).astype(np.int32)
    pruning = PartsPruning(team, plan, PartLocations(leaves, leaves), total)
    return pruning.error_based(tree, criterion="gini", confidence=confidence, raising=True)


@pytest.mark.parametrize("confidence", [1e-5, 0.05, 0.25, 0.5])
@pytest.mark.parametrize("weighted", [None, "whole", "dyadic"])
def test_a_multiway_tree_is_pruned_as_the_recursion_says(confidence, weighted):
    raises: list[int] = []
    for seed in range(10):
        case = random_case(seed, 40 + 12 * seed, 2 + seed % 2, weighted)
        tree = random_tree(case, seed, depth=5)
        expected = oracle.error_based(read_nodes(tree, case.data), case.data, confidence, raises)
        places = np.random.default_rng(seed).integers(0, len(case.y), [0, 1, 5][seed % 3])
        pruned = pruned_over_parts(case, tree, confidence, places.tolist())
        assert_same(pruned, expected, case.data)
    assert raises or confidence < 0.05


def test_categories_and_missing_values_that_raising_brings_are_known_afterwards():
    new = {"category": 0, "missing": 0}
    for seed in range(40):
        case = random_case(seed, 160, 2)
        tree = random_tree(case, seed, depth=6)
        # So many parts that some have not met what others have, when it comes to them later.
        pruned = pruned_over_parts(case, tree, 0.5, [30, 60, 90, 120])
        expected = oracle.error_based(read_nodes(tree, case.data), case.data, 0.5, [])
        assert_same(pruned, expected, case.data)
        seen = {question(tree, node): tree.missing_seen[node] for node in range(tree.n_nodes)}
        for node in np.flatnonzero(~pruned.is_leaf).tolist():
            asked = question(pruned, node)
            new["category"] += asked not in seen
            new["missing"] += bool(pruned.missing_seen[node] > seen.get(asked, 1))
    assert new["category"] > 0
    assert new["missing"] > 0


def question(tree, node):
    cuts, groups = tree.cuts(node), tree.groups(node)
    values = (*tree.thresholds[cuts], *tree.integer_thresholds[cuts], *tree.group_codes[groups])
    return str((tree.feature[node], *values))


def noisy(seed, rows, classes, weights, parts):
    rng = np.random.default_rng(seed)
    frame, y = mixed_frame(rng, rows, classes)
    y = y.where(rng.random(rows) < 0.8, rng.integers(0, classes, rows))
    given = {"whole": rng.integers(0, 4, rows).astype(float), "any": rng.random(rows)}.get(weights)
    places = rng.integers(0, rows + 1, parts - 1).tolist()
    return frame, y, given, cut(frame, y, given, places)


def was_raised(model):
    """Whether some node has rows that no node of the grown tree has together."""
    grown = set(map(tuple, model.grown_tree_.class_weights.tolist()))
    return not set(map(tuple, model.tree_.class_weights.tolist())) <= grown


def assert_same_model(there, here):
    assert there.digest() == here.digest()
    for name in ("rows", "class_weights", "cost", "missing_branch", "missing_seen"):
        assert np.array_equal(getattr(there.tree_, name), getattr(here.tree_, name)), name
    assert np.array_equal(there.grown_tree_.rows, here.grown_tree_.rows)
    assert str(there.certificate_) == str(here.certificate_)


tables = st.tuples(
    st.integers(0, 10**6),
    st.sampled_from([60, 300, 900, 2500]),
    st.sampled_from([1, 2, 2, 3]),
    st.sampled_from([None, "whole", "any"]),
    st.sampled_from([1, 2, 7]),
)
trees = st.fixed_dictionaries(
    {
        "criterion": st.sampled_from(["km", "gini", "entropy", "error"]),
        "min_samples_leaf": st.sampled_from([1, 3]),
        "confidence": st.sampled_from([1e-5, 0.05, 0.25, 0.5]),
        "class_weight": st.sampled_from([None, "balanced", {0: 3.0}]),
        "max_leaf_nodes": st.sampled_from([None, 30]),
    }
)
branchings = st.sampled_from([{}, {}, {"branching": "multiway", "max_leaf_nodes": 40}])


@settings(max_examples=trials(50), deadline=None)
@given(table=tables, options=trees, wide=branchings)
def test_a_tree_pruned_over_parts_is_the_tree_pruned_in_one_place(pieces_of, table, options, wide):
    frame, y, weights, parts = noisy(*table)
    here = TreeClassifier(**{**options, **wide}).fit(frame, y, sample_weight=weights)
    there = TreeClassifier(**{**options, **wide}).fit(pieces_of(parts), None)
    assert_same_model(there, here)


def test_trees_that_raise_branches_are_the_same_with_all_defaults(pieces_of):
    raised = new_names = 0
    for seed in range(12):
        frame, y, _, parts = noisy(seed, 900, 2 + seed % 2, None, 3)
        here = TreeClassifier().fit(frame, y)
        assert_same_model(TreeClassifier().fit(pieces_of(parts), None), here)
        raised += was_raised(here)
        seen = {question(here.grown_tree_, node) for node in range(here.grown_tree_.n_nodes)}
        by_name = np.flatnonzero(here.tree_.feature == list(frame).index("name")).tolist()
        new_names += sum(question(here.tree_, node) not in seen for node in by_name)
    assert raised > 3
    assert new_names > 3  # of 400, uncoded categories


@pytest.fixture
def asked(monkeypatch):
    """(place, rows) of every raising that was tried, by round trip, and the places that raised."""
    tried, raised = [], []
    ask = Team.ask

    def watched(team, events, requests):
        for event in events:
            if isinstance(event, ChangeNodes):
                raised.extend(change[0] for change in event.changes if len(change) > 1)
        for request in requests:
            if isinstance(request, SendTrials):
                pairs = zip(request.nodes.tolist(), request.rows.tolist(), strict=True)
                tried.append(list(pairs))
        return ask(team, events, requests)

    monkeypatch.setattr(Team, "ask", watched)
    return tried, raised


def test_a_branch_is_raised_over_as_many_rows_as_it_takes(pieces_of, asked):
    # Only a and b together say what y is, so that c is asked first, in vain.
    tried, raised = asked
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 2, (40_000, 3)), columns=list("abc"))
    likely = 0.1 + 0.7 * (frame["a"] != frame["b"]) + 0.1 * frame["c"]
    y = pd.Series((rng.random(len(frame)) < likely).astype(int))
    here = TreeClassifier().fit(frame, y)
    assert here.grown_tree_.feature[0] == 2
    assert 2 not in here.tree_.feature
    parts = cut(frame, y, None, [3000])
    assert_same_model(TreeClassifier().fit(pieces_of(parts), None), here)
    assert raised == [0]
    assert [rows for trip in tried for place, rows in trip if place == 0][:3] == [
        1024,
        16384,
        262144,
    ]


def test_raisings_side_by_side_share_round_trips_and_most_end_with_the_first_rows(pieces_of, asked):
    tried, _ = asked
    columns = ["many", "few", "word", "tenths", "holes"]
    frame, y, _, parts = noisy(5, 30_000, 2, None, 2)
    parts = [PartData(part.X[columns], part.y, None) for part in parts]
    here = TreeClassifier(max_leaf_nodes=400).fit(frame[columns], y)
    assert_same_model(TreeClassifier(max_leaf_nodes=400).fit(pieces_of(parts), None), here)
    first = sum(rows == 1024 for trip in tried for _, rows in trip)
    more = sum(rows > 1024 for trip in tried for _, rows in trip)
    assert first > more > 0
    assert len(tried) < first / 3
