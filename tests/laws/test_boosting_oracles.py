"""The plain boosters against each other and against scikit-learn's AdaBoost."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.laws.boosters import every_booster, every_two_class_booster, oracle, some_table
from tests.oracles import adaboost, stump_search
from tests.oracles.boosting_records import Setting
from tests.oracles.topdown_problem import Column

pytestmark = [pytest.mark.grid, pytest.mark.filterwarnings("ignore:.*weight_fraction")]


# The oracles themselves.


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_oracle_agrees_with_the_adaboost_of_scikit_learn(criterion, n_classes):
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(60, 3)).astype(np.float32).astype(float)
    score = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=60) / 2
    y = np.digitize(score, np.linspace(-0.6, 0.6, n_classes - 1) if n_classes > 2 else [0.0])
    weights = rng.gamma(3.0, size=60)
    tree = DecisionTreeClassifier(max_depth=2, criterion=criterion, random_state=0)
    peer = AdaBoostClassifier(tree, n_estimators=6, random_state=0).fit(X, y, weights)
    columns = [Column("numeric", tuple(map(float, column))) for column in X.T]
    setting = Setting("discrete", criterion, n_estimators=6, max_depth=2)
    ours = adaboost.boost(columns, list(map(int, y)), list(weights), setting)
    assert ours.undecided is None
    assert [r.error for r in ours.rounds] == pytest.approx(peer.estimator_errors_, rel=1e-9)
    scale = 2 if n_classes == 2 else 1
    assert [scale * r.tree_weight for r in ours.rounds] == pytest.approx(peer.estimator_weights_)
    assert ours.predictions(6) == peer.predict(X).tolist()


@every_two_class_booster
@given(data=st.data())
def test_the_plain_bound_holds_in_every_round(name, data):
    table = data.draw(some_table(name))
    rate = data.draw(st.sampled_from([1.0, 1.0, 0.5]))
    fraction = data.draw(st.sampled_from([1.0, 0.7]))
    (boosting,) = oracle(table, name, learning_rate=rate, weight_fraction=fraction)
    weights = table.weights or (1.0,) * table.n_rows
    for number, this in enumerate(boosting.rounds, 1):
        said = boosting.predictions(number)
        wrong = [
            w for w, s, y in zip(weights, said, table.labels, strict=True) if s not in (y, None)
        ]
        if not math.isnan(this.bound):
            assert math.fsum(wrong) / math.fsum(weights) <= this.bound * (1 + 1e-9)


@given(data=st.data())
def test_the_plain_normaliser_of_a_real_round_is_the_potential_of_its_tree(data):
    table = data.draw(some_table("real", weights=("none", "whole")))
    (boosting,) = oracle(table, "real")
    before = 1.0
    for this in boosting.rounds:
        leaves = [node for node in this.growth.nodes if node.split is None]
        capped = {adaboost.leaf_ratio(Setting(), leaf.vector) for leaf in leaves} & {2**12, 2**-12}
        if capped or math.isnan(this.bound):
            break
        potential = math.fsum(leaf.phi for leaf in leaves) / this.growth.problem.total
        assert this.bound / before == pytest.approx(potential, rel=1e-9)
        before = this.bound


@given(data=st.data())
def test_a_plain_stump_of_depth_one_is_the_one_that_every_search_finds(data):
    table = data.draw(some_table("discrete", max_rows=12, weights=("whole", "any")))
    (boosting,) = oracle(table, "discrete", max_depth=1, n_estimators=3)
    for this in boosting.rounds:
        root = this.growth.nodes[0]
        if min(root.vector) > 0:
            found = stump_search.exhaustive(
                stump_search.prepare(table.columns, table.labels, this.integers)
            )
            best = root.best
            assert (None if best is None else best.column) == found.column
            if best is not None:
                assert best.cost == found.error
                if best.threshold is not None:
                    key = found.stump.threshold, found.stump.missing
                    assert key == (best.threshold, best.missing)


@every_booster
@given(data=st.data())
def test_the_plain_booster_counts_a_weight_of_two_as_the_row_twice(name, data):
    table = data.draw(some_table(name, weights=("whole",), max_rows=12))
    rows = [i for i, w in enumerate(table.weights) for _ in range(int(w))]
    assume({table.labels[i] for i in rows} == set(table.labels))
    repeated = replace(table.take(rows), weights=None)
    for one, other in zip(oracle(table, name), oracle(repeated, name), strict=True):
        unfinished = one.undecided is not None or other.undecided is not None
        assert unfinished or one.stopped == other.stopped
        for a, b in zip(one.rounds, other.rounds, strict=not unfinished):
            splits = [[n.split for n in r.growth.nodes] for r in (a, b)]
            assert splits[0] == splits[1]
            assert a.tree_weight == b.tree_weight
