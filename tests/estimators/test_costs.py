"""Costs of mistakes: labels, score, pruning, files, exports, digests, wrong input."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

from hardwood import BoostedTreesClassifier, ModelFileError, TreeClassifier, certify, load, save
from hardwood.certify.checking.draws import held_out_rows
from hardwood.model_file.content import from_content, to_content
from hardwood.pruning.by_cost import pessimistic_errors
from hardwood.pruning.cost_complexity import pruning_path
from hardwood.pruning.surviving_nodes import collapsed
from hardwood.tree.route import leaves_of
from tests.oracles import pruning as oracle
from tests.tables.frames import noisy_frame

pytestmark = pytest.mark.grid

TWO = np.array([[0.0, 1.0], [2.5, 0.0]])
THREE = np.array([[0.0, 1.0, 2.0], [5.0, 0.0, 1.0], [10.0, 3.0, 0.0]])
TREES = [
    {"pruning": None},
    {},
    {"leaf_prior": 0.0},
    {"missing": "fractional"},
    {"branching": "multiway", "max_leaf_nodes": 20},
    {"pruning": "reduced-error"},
    {"pruning": "cost-complexity", "ccp_alpha": "cv"},
]
BOOSTED = [{}, {"variant": "real"}, {"variant": "gentle"}, {"variant": "discrete"},
           {"variant": "discrete", "multiclass": "ovr"}]  # fmt: skip
MODELS = [
    *((TreeClassifier, each) for each in TREES),
    *((BoostedTreesClassifier, {"n_estimators": 15, "max_depth": 3, **each}) for each in BOOSTED),
]


def table(classes, seed=0, rows=300):
    X, y, _ = noisy_frame(seed, rows, classes, None)
    return X, np.array(["c", "a", "b"])[y] if classes == 3 else y


def costs_of(classes):
    return TWO if classes == 2 else THREE


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(("kind", "given"), MODELS)
def test_predict_is_the_least_expected_cost_and_probabilities_stay(kind, given, classes):
    X, y = table(classes)
    costs = costs_of(classes)
    model = kind(costs=costs, **given).fit(X, y)
    proba = model.predict_proba(X)
    paid = proba @ costs
    said = np.searchsorted(model.classes_, model.predict(X))
    best = paid.min(axis=1)
    np.testing.assert_allclose(paid[np.arange(len(y)), said], best, rtol=1e-10, atol=1e-12)
    plain = kind(**given).fit(X, y)
    if kind is BoostedTreesClassifier or given.get("pruning", "error-based") is None:
        assert np.array_equal(proba, plain.predict_proba(X))
        assert (said != proba.argmax(axis=1)).any()
    truth = np.searchsorted(model.classes_, y)
    assert model.score(X, y) == pytest.approx(-costs[truth, said].mean())
    assert certify.check(model, X, y)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(("kind", "given"), MODELS[::3])
def test_files_pickles_and_copies_keep_costs(kind, given, classes, tmp_path):
    X, y = table(classes)
    names = sorted(set(y.tolist()))
    pairs = {
        (names[i], names[j]): float(costs_of(classes)[i, j])
        for i in range(classes)
        for j in range(classes)
        if i != j
    }
    model = kind(costs=pairs, **given).fit(X, y)
    assert model.digest() == kind(costs=costs_of(classes), **given).fit(X, y).digest()
    assert model.digest() != kind(**given).fit(X, y).digest()
    save(model, tmp_path / "model")
    for other in (
        load(tmp_path / "model"),
        pickle.loads(pickle.dumps(model)),
        copy.deepcopy(model),
    ):
        assert other.digest() == model.digest()
        assert np.array_equal(other.costs_, model.costs_)
        assert other.predict(X).tolist() == model.predict(X).tolist()
        assert other.costs == pairs
    model.set_params(costs=None)  # of the next fit
    save(model, tmp_path / "model")
    assert load(tmp_path / "model").digest() == model.digest()
    assert clone(model).fit(X, y).costs_ is None


@pytest.mark.parametrize("kind", [TreeClassifier, BoostedTreesClassifier])
def test_mistakes_that_all_cost_the_same_change_nothing_but_the_score(kind):
    X, y = table(2)
    model, plain = kind(costs=[[0, 3], [3, 0]]).fit(X, y), kind().fit(X, y)
    assert model.digest() == plain.digest()
    assert model.score(X, y) == pytest.approx(-3 * (1 - plain.score(X, y)))


def test_a_mistake_that_costs_nothing_decides_alone():
    X, y = table(2)
    for kind in (TreeClassifier, BoostedTreesClassifier):
        assert set(kind(costs=[[0, 0], [1, 0]]).fit(X, y).predict(X)) == {1}
        assert set(kind(costs=[[0, 1], [0, 0]]).fit(X, y).predict(X)) == {0}


def held_out_cost(model, tree, X, y):
    """What the tree pays for rows, row by row."""
    leaf = leaves_of(tree, model._table(X), 1)
    return model.costs_[np.searchsorted(model.classes_, y), tree.label[leaf]].sum()


def test_reduced_error_pruning_keeps_the_subtrees_that_pay_on_held_out_rows():
    X, y = table(3, rows=500)
    given = {"costs": THREE, "min_samples_leaf": 2, "random_state": 3}
    model = TreeClassifier(pruning="reduced-error", **given).fit(X, y)
    held = held_out_rows(3, np.searchsorted(model.classes_, y), 3, 0.25)
    rows, labels = X[held], y[held]
    least = held_out_cost(model, model.tree_, rows, labels)
    grown = model.grown_tree_
    for node in np.flatnonzero(~grown.is_leaf).tolist():
        cut = np.zeros(grown.n_nodes, dtype=bool)
        cut[node] = True
        other = replace(collapsed(grown, cut), prior=grown.prior, costs=grown.costs)
        assert held_out_cost(model, other, rows, labels) >= least
    assert held_out_cost(model, grown, rows, labels) >= least


def slowly_pruned(tree, node, costs, confidence):
    """The leaves that stay below a node, and what they are expected to cost; one by one."""

    def as_leaf(v):
        label = int(tree.label[v])
        n, own = float(tree.weight[v]), tree.class_weights[v]
        wrong = n - own[label]
        if wrong > 0:
            rate = sum(own[t] * costs[t, label] for t in range(len(own))) / wrong
        else:
            everyone = tree.class_weights[0]
            others = sum(everyone) - everyone[label]
            rate = sum(everyone[t] * costs[t, label] for t in range(len(own))) / others
        return rate * (wrong + oracle.added_errors(n, wrong, confidence))

    if tree.is_leaf[node]:
        return {node}, as_leaf(node)
    below = [slowly_pruned(tree, child, costs, confidence) for child in tree.children(node)]
    slack = 0.1 * costs[~np.eye(len(costs), dtype=bool)].mean()
    total = sum(cost for _, cost in below)
    if as_leaf(node) <= total + slack:
        return {node}, as_leaf(node)
    return set().union(*(leaves for leaves, _ in below)), total


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.5])
def test_error_based_pruning_is_the_stated_rule_by_hand(classes, confidence):
    sizes = set()
    for seed in range(4):
        X, y = table(classes, seed)
        costs = costs_of(classes)
        model = TreeClassifier(costs=costs, confidence=confidence).fit(X, y)
        leaves, _ = slowly_pruned(model.grown_tree_, 0, costs, confidence)
        kept = sorted(map(tuple, model.grown_tree_.class_weights[sorted(leaves)].tolist()))
        found = sorted(map(tuple, model.tree_.class_weights[model.tree_.is_leaf].tolist()))
        assert found == kept
        sizes.add(len(leaves))
    assert len(sizes) > 1


@pytest.mark.parametrize("confidence", [0.01, 0.25, 0.5])
def test_the_upper_limits_are_those_of_the_oracle(confidence):
    rng = np.random.default_rng(0)
    n = rng.integers(1, 200, 500).astype(float)
    e = np.minimum(np.where(rng.random(500) < 0.3, rng.random(500), rng.integers(0, 90, 500)), n)
    found = pessimistic_errors(n, e, confidence)
    expected = [b + oracle.added_errors(a, b, confidence) for a, b in zip(n, e, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_cross_validation_and_grid_search_go_by_cost():
    X, y = table(2)
    model = TreeClassifier(costs=TWO)
    scores = cross_val_score(model, X, y, cv=3)
    assert (scores < 0).all()
    search = GridSearchCV(model, {"min_samples_leaf": [1, 20]}, cv=3).fit(X, y)
    assert search.best_score_ == pytest.approx(
        max(cross_val_score(clone(model).set_params(min_samples_leaf=n), X, y, cv=3).mean()
            for n in (1, 20))
    )  # fmt: skip


def test_text_rules_and_explanations_name_the_label_that_predict_says():
    X, y = table(3)
    model = TreeClassifier(costs=THREE, max_leaf_nodes=8).fit(X, y)
    leaves = model.apply(X)
    for rule in model.rules():
        assert set(model.predict(X)[leaves == rule.leaf]) <= {rule.label}
    assert model.explain(X[:1]).prediction == model.predict(X[:1])[0]
    nodes = model.to_dict()["nodes"]
    assert [nodes[leaf]["label"] for leaf in leaves] == model.predict(X).tolist()


def test_staged_answers_end_with_predict():
    X, y = table(3)
    model = BoostedTreesClassifier(costs=THREE, n_estimators=5).fit(X, y)
    *_, last = model.staged_predict(X)
    assert last.tolist() == model.predict(X).tolist()


def test_the_same_answer_is_proved_or_refuted_by_cost():
    for classes, kind in (
        (2, TreeClassifier),
        (2, BoostedTreesClassifier),
        (3, BoostedTreesClassifier),
    ):
        X, y = table(classes)
        given = {} if kind is TreeClassifier else {"n_estimators": 3, "max_depth": 2}
        model = kind(costs=costs_of(classes), **given).fit(X, y)
        for name in X.columns:
            (result,) = certify.prove(model, certify.SameAnswer(column=name))
            assert result.status in ("proved", "refuted")
            usual, same = model.predict(X), True
            for value in X[name].unique():
                column = pd.Series([value] * len(X), dtype=X[name].dtype, index=X.index)
                same &= bool((model.predict(X.assign(**{name: column})) == usual).all())
            assert same or result.status == "refuted"


WRONG = {
    "a negative cost": ([[0, -1], [1, 0]], "costs[0][1] is -1.0"),
    "NaN": ([[0, np.nan], [1, 0]], "between 1e-100 and 1e100"),
    "no square": ([[0, 1]], "shape (1, 2)"),
    "too many classes": (np.ones((3, 3)) - np.eye(3), "y has 2 classes"),
    "words": ("high", "costs is 'high'"),
    "a right answer that costs": ([[1, 1], [1, 0]], "a right answer costs nothing"),
    "nothing costs": ([[0, 0], [0, 0]], "All costs are 0"),
    "a pair is missing": ({(0, 1): 2.0}, "does not say what (1, 0) costs"),
    "an unknown class": ({(0, 1): 2.0, (1, 2): 1.0}, "the class 2"),
    "a key that is no pair": ({0: 2.0}, "has the key 0"),
    "beyond every float": ([[0, 10**400], [1, 0]], "between 1e-100 and 1e100"),
    "a pair beyond every float": ({(0, 1): 10**400, (1, 0): 1}, "between 1e-100 and 1e100"),
    "near the largest float": ([[0, 1e308], [1, 0]], "between 1e-100 and 1e100"),
    "near the smallest float": ({(0, 1): 5e-324, (1, 0): 1.0}, "between 1e-100 and 1e100"),
    "a negative cost of a pair": ({(0, 1): -2.0, (1, 0): 1.0}, "costs[(0, 1)] is -2.0"),
}


@pytest.mark.parametrize("weight", [1e-200, 1.0, 1e200])
@pytest.mark.parametrize("factor", [2.0**-320, 2.0**320])
@pytest.mark.parametrize(("kind", "given"), MODELS[:2] + MODELS[-1:])
def test_large_weights_and_costs_overflow_nowhere(kind, given, factor, weight):
    """Found by fuzzing: pruning squared the weight of a node."""
    X, y = table(3)
    weights = np.full(len(y), weight)
    model = kind(costs=THREE * factor, **given).fit(X, y, weights)
    plain = kind(costs=THREE, **given).fit(X, y, weights)
    assert np.array_equal(model.predict_proba(X), plain.predict_proba(X))
    assert np.array_equal(model.predict(X), plain.predict(X))
    assert model.score(X, y, weights) == pytest.approx(plain.score(X, y, weights) * factor)


@pytest.mark.parametrize("kind", [TreeClassifier, BoostedTreesClassifier])
@pytest.mark.parametrize(("costs", "sentence"), WRONG.values(), ids=WRONG)
def test_wrong_costs_are_refused_with_a_sentence(kind, costs, sentence):
    X, y = table(2)
    model = kind(costs=costs)
    with pytest.raises(ValueError, match="cost") as caught:
        model.fit(X, y)
    assert sentence in str(caught.value)
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize("costs", [[[0, 1]], [[0, -1], [1, 0]], "x", [[0, "a"], [1, 0]], 7])
def test_a_file_with_wrong_costs_is_refused(costs):
    X, y = table(2)
    header, data = to_content(TreeClassifier(costs=TWO).fit(X, y))
    with pytest.raises(ModelFileError):
        from_content({**header, "costs": costs}, data)


def test_a_score_of_unknown_labels_is_refused():
    X, y = table(2)
    model = TreeClassifier(costs=TWO).fit(X, y)
    with pytest.raises(ValueError, match="the class 5"):
        model.score(X, np.full(len(y), 5))


def test_cross_validation_chooses_alpha_by_cost():
    X, y = table(2, rows=400)
    given = {"pruning": "cost-complexity", "ccp_alpha": "cv"}
    cheap, plain = TreeClassifier(costs=[[0, 1], [30, 0]], **given), TreeClassifier(**given)
    cheap.fit(X, y)
    plain.fit(X, y)
    alphas = pruning_path(cheap.grown_tree_, "km").alphas
    assert cheap.ccp_alpha_ in alphas
    assert plain.ccp_alpha_ in alphas
