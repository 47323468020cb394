"""`diagnose()` on models where the answer is known."""

import re

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError

import hardwood
from hardwood import BoostedTreesClassifier, TreeClassifier

X, Y = load_breast_cancer(return_X_y=True)
SQUARE = np.array([[a, b] for a in (0, 1) for b in (0, 1)] * 10, dtype=float)
PARITY = (SQUARE[:, 0] != SQUARE[:, 1]).astype(int)
NEARLY = np.vstack([SQUARE, [[0, 1]]])  # one row more, so that the root has a split at all
NEARLY_PARITY = np.append(PARITY, 1)
FREE = {"min_samples_leaf": 1, "pruning": None}
STUMPS = {"variant": "discrete", "max_depth": 1, "learning_rate": 1.0}


def finding(diagnosis, topic):
    return next(each.text for each in diagnosis.findings if each.topic.startswith(topic))


def test_parity_fails_at_the_root_and_only_there():
    tree = TreeClassifier(**FREE).fit(NEARLY, NEARLY_PARITY)
    found = tree.diagnose()
    assert found.weak_from == 1
    text = finding(found, "Weak")
    assert "fails at the root already" in text
    assert "at 1 of 3 splits" in text
    assert f"{tree.history_['advantage'][0]:.3f}" in text
    assert not found.more_can_help
    assert "every leaf is pure" in finding(found, "Would")


def test_exact_parity_has_no_split_and_says_so():
    found = TreeClassifier(**FREE).fit(SQUARE, PARITY).diagnose()
    assert not found.more_can_help
    assert "no single column helps" in finding(found, "Would")
    assert "without a split" in finding(found, "What")
    assert found.bound == 0.5


def test_one_perfect_split_has_advantage_one_half():
    found = TreeClassifier(**FREE).fit([[0], [1], [2]], [0, 1, 1]).diagnose()
    assert "gamma = 0.500" in finding(found, "Weak")
    assert found.bound == 0.0
    assert found.weak_from is None


def test_a_budget_that_ended_growth_is_named():
    tree = TreeClassifier(max_leaf_nodes=3, **FREE).fit(X, Y)
    found = tree.diagnose()
    assert found.more_can_help
    assert "budget of 3 leaves" in finding(found, "Would")
    assert found.bound == tree.certificate_.bound / 2
    assert tree.certificate_.error <= found.bound


def test_limits_that_ended_growth_are_named():
    found = TreeClassifier(max_depth=2, **FREE).fit(X, Y).diagnose()
    assert not found.more_can_help
    assert "max_depth=2" in finding(found, "Would")
    assert "max_leaf" not in finding(found, "Would")


def test_rows_that_no_column_tells_apart_end_growth():
    found = TreeClassifier(**FREE).fit([[0], [0], [1]], [0, 1, 1]).diagnose()
    assert not found.more_can_help
    assert "agree in every column" in finding(found, "Would")


def test_three_classes_are_told_by_relative_gain():
    found = TreeClassifier(**FREE).fit(*load_iris(return_X_y=True)).diagnose()
    assert found.weak_from is None
    assert "this tree has 3" in finding(found, "Weak")


def test_columns_are_named():
    frame = {"age": [1.0, 2.0, 3.0, 4.0]}
    pandas = pytest.importorskip("pandas")
    tree = TreeClassifier(**FREE).fit(pandas.DataFrame(frame), [0, 0, 1, 1])
    assert "'age'" in finding(tree.diagnose(), "Weak")


def test_stumps_on_parity_stop_helping():
    found = BoostedTreesClassifier(n_estimators=100, **STUMPS).fit(NEARLY, NEARLY_PARITY).diagnose()
    assert found.weak_from == 1
    assert not found.more_can_help
    assert "at most" in finding(found, "What")
    assert found.bound > 0.9


def test_exact_parity_ends_boosting_as_no_better_than_chance():
    found = BoostedTreesClassifier(n_estimators=10, **STUMPS).fit(SQUARE, PARITY).diagnose()
    assert "no better than chance" in finding(found, "Weak")
    assert found.more_can_help is False
    assert "Deeper trees may be" in finding(found, "Would")


def test_a_perfect_tree_ends_boosting():
    model = BoostedTreesClassifier(n_estimators=10, **STUMPS).fit([[0], [1]] * 5, [0, 1] * 5)
    found = model.diagnose()
    assert found.more_can_help is False
    assert "makes no mistake" in finding(found, "Would")


def test_a_bound_below_one_row_leaves_no_mistake():
    model = BoostedTreesClassifier(variant="real", n_estimators=60, learning_rate=1.0).fit(X, Y)
    found = model.diagnose()
    assert found.bound < 1 / len(Y)
    assert model.score(X, Y) == 1.0
    assert found.more_can_help is False
    assert "widen the margins" in finding(found, "Would")


def test_with_unequal_weights_a_small_bound_does_not_mean_no_mistake():
    light = np.where(np.arange(len(Y)) % 5 == 0, 1e-9, 1.0)
    settings = {"n_estimators": 60, "learning_rate": 1.0}
    found = BoostedTreesClassifier(**settings).fit(X, Y, sample_weight=light).diagnose()
    assert "no mistake" not in finding(found, "Would")
    balanced = BoostedTreesClassifier(class_weight="balanced", **settings).fit(X, Y).diagnose()
    assert "no mistake" not in finding(balanced, "Would")


def test_rounds_that_still_pay_are_said_to_help_and_do():
    few = BoostedTreesClassifier(n_estimators=8, **STUMPS).fit(X, Y)
    found = few.diagnose()
    assert found.more_can_help
    more = BoostedTreesClassifier(n_estimators=30, **STUMPS).fit(X, Y)
    assert more.history_["bound"][-1] < found.bound == few.history_["bound"][-1]
    assert 1 - few.score(X, Y) <= found.bound


def test_falling_advantages_are_said_to_fall():
    model = BoostedTreesClassifier(n_estimators=40, **STUMPS).fit(X, Y)
    first = model.history_["advantage"][:10].mean()
    assert "advantages fall" in finding(model.diagnose(), "Advantage")
    assert f"{first:.3f}" in finding(model.diagnose(), "Advantage")


@pytest.mark.parametrize("multiclass", ["samme", "ovr"])
def test_more_classes_claim_nothing_that_is_not_proved(multiclass):
    model = BoostedTreesClassifier(n_estimators=9, multiclass=multiclass, **STUMPS)
    found = model.fit(*load_iris(return_X_y=True)).diagnose()
    assert np.isnan(found.bound)
    assert found.more_can_help is None
    assert "no bound is proved" in finding(found, "What")


def test_a_diagnosis_prints_itself_within_the_width_of_a_terminal(tmp_path):
    model = TreeClassifier(max_leaf_nodes=9, **FREE).fit(X, Y)
    found = model.diagnose()
    assert str(found) == repr(found)
    assert all(len(line) <= 100 for line in str(found).splitlines())
    assert [line for line in str(found).splitlines() if line.endswith(":")] == [
        "Weak hypothesis assumption:",
        "Advantage sequence:",
        "Would more splits help:",
        "What the bound promises:",
    ]
    hardwood.save(model, tmp_path / "m")
    assert str(hardwood.load(tmp_path / "m").diagnose()) == str(found)


def test_an_unfitted_model_has_nothing_to_diagnose():
    for model in (TreeClassifier(), BoostedTreesClassifier()):
        with pytest.raises(NotFittedError):
            model.diagnose()


def test_huge_numbers_of_splits_are_not_said_and_new_data_is_not_promised():
    rng = np.random.default_rng(1)
    X = rng.random((400, 3))
    noise = hardwood.TreeClassifier(pruning=None, max_leaf_nodes=40).fit(X, rng.random(400) < 0.5)
    good = hardwood.TreeClassifier(pruning=None).fit(X, X[:, 0] + 0.2 * X[:, 1] > 0.6)
    for model in (noise, good):
        promise = model.diagnose().findings[-1].text
        assert promise.endswith("says nothing of new data.")
        assert "e+" not in promise
        for count in re.findall(r"at most ([\d,]+) splits", promise):
            assert int(count.replace(",", "")) <= 10_000
    assert "splits." not in noise.diagnose().findings[-1].text
