"""Boosted trees against plain AdaBoost, and what must not change them.

The oracles are first held against each other and against scikit-learn's AdaBoost. A booster is
named by its variant, criterion and way with more than two classes; every law runs over all of them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

import hardwood
from tests.laws.reading import _assert_same_split, read
from tests.oracles import adaboost, stump_search, topdown
from tests.oracles.adaboost import Boosting, Round, Setting
from tests.oracles.topdown import Column
from tests.tables.frames import mixed_frame
from tests.tables.small import SmallTable, tables

pytestmark = pytest.mark.filterwarnings("ignore:.*weight_fraction")

SEARCHES = ("exhaustive", "quick", "adaptive", "auto")

TWO_CLASSES: dict[str, dict[str, Any]] = {
    "logistic": {"variant": "logistic", "criterion": "km", "leaf_prior": 0.75},
    "logistic without prior": {"variant": "logistic", "criterion": "gini", "leaf_prior": 0.0},
    "real with prior": {"variant": "real", "criterion": "km", "leaf_prior": 2.0},
    "gentle with prior": {"variant": "gentle", "criterion": "gini", "leaf_prior": 0.5},
    "real": {"variant": "real", "criterion": "km"},
    "real gini": {"variant": "real", "criterion": "gini"},
    "real error": {"variant": "real", "criterion": "error"},
    "gentle": {"variant": "gentle", "criterion": "gini"},
    "gentle entropy": {"variant": "gentle", "criterion": "entropy"},
    "discrete": {"variant": "discrete", "criterion": "error"},
    "discrete km": {"variant": "discrete", "criterion": "km"},
    "discrete entropy": {"variant": "discrete", "criterion": "entropy"},
}
MORE_CLASSES: dict[str, dict[str, Any]] = {
    "samme": {"variant": "discrete", "criterion": "error", "multiclass": "samme"},
    "samme km": {"variant": "discrete", "criterion": "km", "multiclass": "samme"},
    "samme gini": {"variant": "discrete", "criterion": "gini", "multiclass": "samme"},
    "discrete ovr": {"variant": "discrete", "criterion": "error", "multiclass": "ovr"},
    "logistic ovr": {
        "variant": "logistic",
        "criterion": "km",
        "leaf_prior": 0.5,
        "multiclass": "ovr",
    },
    "real ovr": {"variant": "real", "criterion": "km", "multiclass": "ovr"},
    "gentle ovr": {"variant": "gentle", "criterion": "gini", "multiclass": "ovr"},
}
BOOSTERS = {**TWO_CLASSES, **MORE_CLASSES}
every_booster = pytest.mark.parametrize("name", BOOSTERS)
every_two_class_booster = pytest.mark.parametrize("name", TWO_CLASSES)


def booster(name: str, **more: Any) -> Any:
    shape = {"n_estimators": 4, "max_depth": 2, "min_samples_leaf": 1, "learning_rate": 1.0}
    shape |= {"min_category_size": 1}  # as the plain booster, which knows no rare categories
    return hardwood.BoostedTreesClassifier(**{**shape, **BOOSTERS[name], **more})


def fit(table: SmallTable, name: str, **more: Any) -> Any:
    return booster(name, **more).fit(table.X, table.y, sample_weight=table.sample_weight)


@st.composite
def some_table(draw: st.DrawFn, name: str, **limits: Any) -> SmallTable:
    """Two classes, or three and more, as the booster wants them."""
    table = draw(tables(max_classes=1, **limits))
    classes = 2 if name in TWO_CLASSES else draw(st.integers(3, 4))
    n = max(table.n_rows, classes)
    labels = draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n))
    rows = [i % table.n_rows for i in range(n)]
    table = replace(table.take(rows), labels=tuple(labels))
    last = dict(zip(range(n - classes, n), range(classes), strict=True))
    return replace(table, labels=tuple(last.get(i, y) for i, y in enumerate(labels)))


def oracle(table: SmallTable, name: str, **more: Any) -> list[Boosting]:
    """A plain booster per class for one-versus-rest, otherwise one."""
    shape = {"n_estimators": 4, "max_depth": 2, **BOOSTERS[name], **more}
    one_versus_rest = shape.pop("multiclass", None) == "ovr"
    weights = (1.0,) * table.n_rows if table.weights is None else table.weights
    boost: Any = adaboost.one_versus_rest if one_versus_rest else adaboost.boost
    made = boost(table.columns, table.labels, weights, Setting(**shape), n_classes=table.n_classes)
    return made if one_versus_rest else [made]


def trees_of_class(model: Any, c: int) -> tuple[list[Any], list[float]]:
    """One-versus-rest keeps a list of trees per round; a class that has ended adds weight 0."""
    if not isinstance(model.trees_[0], (list, tuple)):
        return list(model.trees_), [float(w) for w in model.tree_weights_]
    pairs = [
        (trees[c], float(np.asarray(weights)[c]))
        for trees, weights in zip(model.trees_, model.tree_weights_, strict=True)
        if np.asarray(weights)[c] != 0.0
    ]
    return [tree for tree, _ in pairs], [weight for _, weight in pairs]


def assert_same_tree(tree: Any, growth: topdown.Growth) -> None:
    nodes = read(tree, growth.problem.columns)
    assert len(nodes) == len(growth.nodes)
    for expected in growth.nodes:
        if expected.split is None:
            assert nodes[expected.number].feature == -1
            shares = np.array(expected.vector) / sum(expected.vector)
            np.testing.assert_allclose(tree.shares[expected.number], shares, atol=1e-11)
        else:
            _assert_same_split(nodes[expected.number], expected)


def assert_same_boosting(model: Any, boosting: Boosting, c: int = 0) -> None:
    """Tree by tree, and no more trees than the plain booster made."""
    trees, weights = trees_of_class(model, c)
    for tree, weight, expected in zip(trees, weights, boosting.rounds, strict=False):
        assert_same_tree(tree, expected.growth)
        assert weight == pytest.approx(expected.tree_weight, rel=1e-9, abs=1e-9)
    assert len(trees) >= len(boosting.rounds)
    if boosting.undecided is None:
        assert len(trees) == len(boosting.rounds)


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


# The estimator against the oracle.


@every_booster
@given(data=st.data())
def test_the_boosted_trees_equal_the_plain_ones(name, data):
    table = data.draw(some_table(name))
    more = {"min_samples_leaf": data.draw(st.sampled_from([1, 1, 2]))}
    if name not in ("discrete", "discrete ovr"):
        more["max_leaf_nodes"] = data.draw(st.sampled_from([None, 3]))
    more["min_weight_fraction_leaf"] = data.draw(st.sampled_from([0.0, 0.0, 0.11]))
    more["weight_fraction"] = data.draw(st.sampled_from([1.0, 1.0, 0.83]))
    more["learning_rate"] = data.draw(st.sampled_from([1.0, 1.0, 0.3]))
    model = fit(table, name, **more)
    for c, boosting in enumerate(oracle(table, name, **more)):
        assert_same_boosting(model, boosting, c)


@every_two_class_booster
@given(data=st.data())
def test_the_scores_and_the_history_are_those_of_the_plain_booster(name, data):
    table = data.draw(some_table(name))
    rate = data.draw(st.sampled_from([1.0, 0.3]))
    model = fit(table, name, learning_rate=rate)
    (boosting,) = oracle(table, name, learning_rate=rate)
    history, staged = model.history_, model.staged_decision_function(table.X)
    for t, (this, scores) in enumerate(zip(boosting.rounds, staged, strict=False)):
        np.testing.assert_allclose(scores, [s[1] for s in this.scores], rtol=1e-9, atol=1e-9)
        if this.bound == this.bound:
            assert history["error"][t] == pytest.approx(this.error, abs=1e-11)
            assert history["advantage"][t] == pytest.approx(0.5 - this.error, abs=1e-11)
            assert history["bound"][t] == pytest.approx(this.bound, rel=1e-9)
    if boosting.undecided is None:
        assert history["stopped"][-1] == boosting.stopped or not boosting.stopped


@pytest.mark.parametrize("name", ["samme", "samme km", "samme gini"])
@given(data=st.data())
def test_the_votes_of_samme_are_those_of_the_plain_booster(name, data):
    table = data.draw(some_table(name))
    model, (boosting,) = fit(table, name), oracle(table, name)
    staged = list(model.staged_predict(table.X))
    for number in range(1, len(boosting.rounds) + 1):
        for said, expected in zip(staged[number - 1], boosting.predictions(number), strict=True):
            assert expected is None or said == expected


@pytest.mark.parametrize("name", ["discrete ovr", "real ovr", "gentle ovr"])
@given(data=st.data())
def test_one_versus_rest_says_the_class_of_largest_score(name, data):
    table = data.draw(some_table(name))
    model, boosters = fit(table, name), oracle(table, name)
    assume(all(b.undecided is None for b in boosters))
    scores = np.array([[s[1] for s in b.rounds[-1].scores] for b in boosters]).T
    np.testing.assert_allclose(model.decision_function(table.X), scores, rtol=1e-9, atol=1e-9)
    assert np.array_equal(model.predict(table.X), model.decision_function(table.X).argmax(axis=1))


@every_two_class_booster
@given(data=st.data())
def test_a_tree_that_may_use_one_column_is_the_plain_one_of_that_column(name, data):
    table = data.draw(some_table(name))
    k = len(table.columns)
    model = fit(table, name, feature_fraction=1 / k, random_state=data.draw(st.integers(0, 9)))
    used = [set(tree.feature[tree.feature >= 0].tolist()) for tree in model.trees_]
    assert all(len(columns) <= 1 for columns in used)
    known = next((t for t, columns in enumerate(used) if not columns), len(used))
    assume(known > 0)
    (boosting,) = oracle(table, name, columns=used[:known], n_estimators=known)
    for tree, this in zip(model.trees_, boosting.rounds, strict=False):
        assert_same_tree(tree, this.growth)


@pytest.mark.parametrize("name", ["real", "discrete", "gentle", "samme", "real ovr"])
@given(data=st.data())
def test_class_weights_multiply_the_sample_weights(name, data):
    table = data.draw(some_table(name))
    factors = [data.draw(st.sampled_from([1.0, 2.0, 0.5])) for _ in range(table.n_classes)]
    given_weights = table.weights or (1.0,) * table.n_rows
    product = [w * factors[y] for w, y in zip(given_weights, table.labels, strict=True)]
    model = fit(table, name, class_weight=dict(enumerate(factors)))
    for c, boosting in enumerate(oracle(replace(table, weights=tuple(product)), name)):
        assert_same_boosting(model, boosting, c)


# Assessments.


def counted(this: Round, max_depth: int, search: Any) -> int:
    """What a search costs over the nodes where a split was sought."""
    problem = this.growth.problem
    total = 0
    for node in this.growth.nodes:
        if node.depth < max_depth and min(node.vector) > 0:
            weights = [0] * len(problem.labels)
            for row in node.rows:
                weights[row] = problem.weights[row]
            total += search(
                stump_search.prepare(problem.columns, problem.labels, weights)
            ).assessments
    return total


@pytest.mark.parametrize("search", ["exhaustive", "adaptive", "quick"])
@given(data=st.data())
def test_every_assessment_is_counted_as_the_plain_search_counts_it(search, data):
    table = data.draw(some_table("discrete", max_rows=14, max_columns=3))
    chosen: Any = search
    if search == "quick":
        start, batches = data.draw(st.sampled_from([(0.5, 10), (0.2, 3)]))
        chosen = hardwood.search.Quick(start=start, batches=batches)
    model = fit(table, "discrete", search=chosen, n_estimators=3)
    (boosting,) = oracle(table, "discrete", n_estimators=3)
    plain = {
        "exhaustive": stump_search.exhaustive,
        "adaptive": stump_search.adaptive,
        "quick": lambda problem: stump_search.quick(problem, start, batches),
    }[search]
    kept = [this for this in boosting.rounds if this.bound == this.bound]
    for t, this in enumerate(kept):
        assert model.history_["assessments"][t] == counted(this, 2, plain)
        every = counted(this, 2, stump_search.exhaustive)
        assert model.history_["exhaustive_assessments"][t] == every


@every_booster
@pytest.mark.parametrize("search", SEARCHES)
@given(data=st.data())
def test_no_search_asks_for_more_than_everything(name, search, data):
    table = data.draw(some_table(name))
    model = fit(table, name, search=search)
    history = model.history_
    assert np.all(history["assessments"] <= history["exhaustive_assessments"])
    assert model.assessments_ == history["assessments"].sum()
    if search == "exhaustive":
        assert np.array_equal(history["assessments"], history["exhaustive_assessments"])


# What must not change the model.


def quick_object() -> Any:
    return hardwood.search.Quick(start=0.25, batches=3)


@every_booster
@given(data=st.data())
def test_all_searches_give_the_same_digest(name, data):
    table = data.draw(some_table(name))
    shape = {
        "max_depth": data.draw(st.sampled_from([1, 2, 3])),
        "min_samples_leaf": data.draw(st.sampled_from([1, 1, 2])),
        "feature_fraction": data.draw(st.sampled_from([1.0, 1.0, 0.5])),
        "weight_fraction": data.draw(st.sampled_from([1.0, 1.0, 0.8])),
        "learning_rate": data.draw(st.sampled_from([1.0, 0.4])),
        "random_state": 3,
    }
    models = [fit(table, name, search=search, **shape) for search in SEARCHES]
    models.append(fit(table, name, search=quick_object(), **shape))
    assert len({model.digest() for model in models}) == 1
    scores = [model.decision_function(table.X) for model in models]
    assert all(np.array_equal(scores[0], other) for other in scores)


@pytest.mark.threads
@every_booster
@given(data=st.data())
def test_threads_and_row_order_do_not_change_the_digest(name, data):
    table = data.draw(some_table(name))
    search = data.draw(st.sampled_from(SEARCHES))
    order = list(data.draw(st.permutations(range(table.n_rows))))
    digests = {fit(table, name, search=search, n_jobs=n).digest() for n in (1, 2, 3)}
    digests.add(fit(table.take(order), name, search=search).digest())
    assert len(digests) == 1


@every_booster
@given(data=st.data())
def test_dense_and_sparse_tables_give_the_same_digest(name, data):
    table = data.draw(some_table(name, kinds=("numeric",)))
    search = data.draw(st.sampled_from(SEARCHES))
    dense = fit(table, name, search=search)
    for form in (sp.csr_array, sp.csc_matrix):
        model = booster(name, search=search).fit(form(table.X), table.y, table.sample_weight)
        assert model.digest() == dense.digest()
        assert np.array_equal(
            model.decision_function(form(table.X)), dense.decision_function(table.X)
        )


@every_booster
@given(data=st.data())
def test_a_weight_of_two_equals_the_row_twice(name, data):
    table = data.draw(some_table(name, weights=("whole",), kinds=("numeric", "category")))
    rows = [i for i, w in enumerate(table.weights) for _ in range(int(w))]
    assume({table.labels[i] for i in rows} == set(table.labels))
    repeated = replace(table.take(rows), weights=None)
    assert fit(repeated, name).digest() == fit(table, name).digest()


@every_booster
@given(data=st.data())
def test_five_rounds_and_then_ten_equal_ten_at_once(name, data):
    table = data.draw(some_table(name))
    more = {
        "weight_fraction": data.draw(st.sampled_from([1.0, 0.8])),
        "feature_fraction": data.draw(st.sampled_from([1.0, 0.5])),
        "learning_rate": data.draw(st.sampled_from([1.0, 0.4])),
        "random_state": 5,
    }
    at_once = fit(table, name, n_estimators=10, **more)
    model = fit(table, name, n_estimators=5, warm_start=True, **more)
    model.set_params(n_estimators=10)
    model.fit(table.X, table.y, sample_weight=table.sample_weight)
    assert model.digest() == at_once.digest()
    assert model.history_.keys() == at_once.history_.keys()
    for key, values in at_once.history_.items():
        np.testing.assert_array_equal(model.history_[key], values, err_msg=key)
    assert model.assessments_ == at_once.assessments_


@every_two_class_booster
@given(data=st.data())
def test_the_bound_holds_in_every_round(name, data):
    table = data.draw(some_table(name))
    model = fit(
        table,
        name,
        n_estimators=8,
        learning_rate=data.draw(st.sampled_from([1.0, 1.0, 0.3])),
        weight_fraction=data.draw(st.sampled_from([1.0, 0.7])),
    )
    weights = np.ones(table.n_rows) if table.weights is None else np.array(table.weights)
    assert_bounds_hold(model, table.X, table.y, weights)


def assert_bounds_hold(model: Any, X: Any, y: Any, weights: Any) -> None:
    bounds = model.history_["bound"]
    for bound, said in zip(bounds, model.staged_predict(X), strict=False):
        assert np.sum(weights * (said != y)) / np.sum(weights) <= bound


@every_booster
@given(data=st.data())
def test_the_last_stage_is_the_model(name, data):
    table = data.draw(some_table(name))
    model = fit(table, name)
    said = list(model.staged_predict(table.X))
    scores = list(model.staged_decision_function(table.X))
    assert len(said) == len(scores) == model.n_estimators_ == len(model.trees_)
    assert np.array_equal(said[-1], model.predict(table.X))
    assert np.array_equal(scores[-1], model.decision_function(table.X))
    for stage, score in zip(said, scores, strict=True):
        best = score.argmax(axis=1) if score.ndim == 2 else (score > 0).astype(int)
        assert np.array_equal(stage, model.classes_[best])


# Larger tables, where searches have something to skip.


def larger(seed: int, n_classes: int) -> tuple[pd.DataFrame, Any, Any]:
    rng = np.random.default_rng(seed)
    frame, y = mixed_frame(rng, 1200, n_classes)
    return frame, y.to_numpy(), rng.gamma(1.0, size=1200)


@pytest.mark.threads
@every_booster
@pytest.mark.parametrize("weighted", [False, True])
def test_a_larger_model_is_the_same_for_every_search_thread_count_and_row_order(name, weighted):
    frame, y, w = larger(4, 2 if name in TWO_CLASSES else 4)
    w = w if weighted else np.ones(len(y))
    shape = {"n_estimators": 12, "max_depth": 3, "random_state": 0}
    expected = booster(name, search="exhaustive", **shape).fit(frame, y, w)
    for fractions in ({}, {"feature_fraction": 0.6, "weight_fraction": 0.9}):
        digests = {
            booster(name, search=search, n_jobs=n, **shape, **fractions).fit(frame, y, w).digest()
            for search, n in zip((*SEARCHES, quick_object()), (1, 2, 3, 2, 1), strict=True)
        }
        order = np.random.default_rng(1).permutation(len(y))
        model = booster(name, **shape, **fractions).fit(frame.iloc[order], y[order], w[order])
        assert digests == {model.digest()}
        assert (model.digest() == expected.digest()) == (not fractions)


@every_two_class_booster
@pytest.mark.parametrize("rate", [1.0, 0.2])
def test_the_bound_of_a_larger_model_holds_and_falls(name, rate):
    frame, y, w = larger(8, 2)
    model = booster(name, n_estimators=40, max_depth=2, learning_rate=rate).fit(frame, y, w)
    assert_bounds_hold(model, frame, y, w)
    errors, bounds = model.history_["error"], model.history_["bound"]
    assert np.all(np.diff(bounds) <= 1e-11)
    if rate == 1.0 and BOOSTERS[name]["variant"] == "discrete":
        expected = np.cumprod(2 * np.sqrt(errors * (1 - errors)))
        np.testing.assert_allclose(bounds, expected, rtol=1e-9)


@pytest.mark.parametrize("name", ["discrete", "real", "gentle", "samme"])
def test_pruned_searches_skip_work_once_the_weights_are_uneven(name):
    frame, y, _ = larger(2, 2 if name in TWO_CLASSES else 3)
    shape = {"n_estimators": 30, "max_depth": 1}
    model = booster(name, search="adaptive", **shape).fit(frame, y)
    assert model.assessments_ < model.history_["exhaustive_assessments"].sum()
