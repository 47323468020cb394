"""Scores come from a core object that is made once; here against trees routed one by one."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone

from hardwood import BoostedTreesClassifier, load, save
from hardwood._core import ScoringForest
from hardwood.boosting import ensemble
from hardwood.boosting.ensemble import leaf_scores
from hardwood.encoding import core_column
from tests.tables.frames import every_kind, mixed_frame

pytestmark = pytest.mark.grid

WAYS = {
    "two": (2, {}),
    "one versus rest": (3, {"multiclass": "ovr"}),
    "votes": (3, {"multiclass": "samme", "variant": "discrete"}),
}
COUNTS = (1, 2, 255, 256, 257, 1024, 1025, 2600)


def trained(way, rows=400, rounds=12, **parameters):
    classes, given = WAYS[way]
    X, y = mixed_frame(np.random.default_rng(5), rows, classes)
    model = BoostedTreesClassifier(n_estimators=rounds, **given, **parameters)
    return model.fit(X, y), X


def routed(model, X):
    """Every tree on its own, added in order."""
    return list(model.staged_decision_function(X))[-1]


def numbers(rows, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 6))
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, (np.nan_to_num(X) @ [1, -1, 0.5, 0, 0, 0] + rng.normal(size=rows) / 2 > 0).astype(int)


@pytest.fixture(scope="module")
def plain():
    X, y = numbers(500)
    return BoostedTreesClassifier(n_estimators=40, max_leaf_nodes=8).fit(X, y)


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("way", WAYS)
def test_scores_are_those_of_trees_routed_one_by_one(way, n_jobs):
    model, _ = trained(way, n_jobs=n_jobs)
    classes = WAYS[way][0]
    X = mixed_frame(np.random.default_rng(6), max(COUNTS), classes)[0]
    expected = routed(model, X)
    for rows in COUNTS:
        assert np.array_equal(model.decision_function(X[:rows]), expected[:rows])


def test_wide_integers_and_unseen_categories_are_routed_likewise():
    X, y = every_kind()
    model = BoostedTreesClassifier(n_estimators=10).fit(X, y)
    other = every_kind(600, seed=2)[0]
    other.loc[::7, "city"] = "nowhere"
    for _ in range(2):  # the first call makes the forest
        assert np.array_equal(model.decision_function(other), routed(model, other))


def test_every_form_of_a_table_gives_the_same_scores(plain):
    X = numbers(700, seed=1)[0]
    expected = routed(plain, X)
    names = [f"x{j}" for j in range(6)]
    forms = [
        X, np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], X[::-1][::-1], X.tolist(),
        np.ma.masked_invalid(X), sparse.csc_array(X), X.astype(">f8"),
        pd.DataFrame(X), pd.DataFrame(X).convert_dtypes(),
    ]  # fmt: skip
    for form in forms:
        assert np.array_equal(plain.decision_function(form), expected)
    named = BoostedTreesClassifier(n_estimators=40, max_leaf_nodes=8)
    named.fit(pd.DataFrame(numbers(500)[0], columns=names), numbers(500)[1])
    for rows in COUNTS[:5]:
        frame = pd.DataFrame(X[:rows], columns=names)
        assert np.array_equal(named.decision_function(frame), expected[:rows])
        assert np.array_equal(named.decision_function(pl.from_pandas(frame)), expected[:rows])


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int32", "int64", "uint64", "float32"])
def test_every_type_of_number_is_compared_as_its_value(dtype):
    rng = np.random.default_rng(2)
    X = rng.integers(0, 90, (400, 5)).astype(dtype)
    y = (X[:, 0].astype(float) + X[:, 1] > np.median(X[:, 0].astype(float) + X[:, 1])).astype(int)
    model = BoostedTreesClassifier(n_estimators=8).fit(X, y)
    expected = model.decision_function(X.astype(np.float64))
    for _ in range(2):
        assert np.array_equal(model.decision_function(X), expected)
        assert np.array_equal(model.decision_function(X[:1]), expected[:1])


def test_integers_beyond_float64_are_compared_exactly_by_a_model_of_floats(plain):
    X = np.zeros((3, 6), dtype=np.int64)
    X[:, 0] = [2**53 + 1, 2**62 + 1, -(2**63)]
    plain.predict(X.astype(np.float64))
    assert np.array_equal(plain.decision_function(X), routed(plain, X))


@pytest.mark.parametrize("rows", [1, 300])
def test_an_infinite_value_is_refused_with_its_column(plain, rows):
    X = np.nan_to_num(numbers(rows)[0])
    plain.predict(X)
    used = plain.trees_[0].used_features[0]
    X[-1, used] = np.inf
    with pytest.raises(ValueError, match=rf"x{used}.*infin|infin.*x{used}"):
        plain.predict(X)


def test_copies_pickles_and_files_predict_alike_after_a_prediction(tmp_path):
    model, X = trained("one versus rest")
    expected = model.predict_proba(X)
    save(model, tmp_path / "model.hw")
    again = [
        pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model),
        load(tmp_path / "model.hw"),
    ]  # fmt: skip
    for other in again:
        for _ in range(2):
            assert np.array_equal(other.predict_proba(X), expected)
    assert not hasattr(clone(model), "_ensemble")
    ensemble = pickle.loads(pickle.dumps(model._ensemble))
    assert np.array_equal(ensemble.scores(model._table(X), 2), routed(model, X))


def test_a_pickle_does_not_grow_by_a_prediction():
    model, X = trained("two")
    before = len(pickle.dumps(model))
    model.predict(X)
    assert len(pickle.dumps(model)) == before


def test_a_model_that_lives_to_the_end_of_the_interpreter_is_not_reported():
    lines = """
import ctypes
from hardwood import BoostedTreesClassifier
model = BoostedTreesClassifier(n_estimators=2).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
print(model.predict([[3]]))
ctypes.pythonapi.Py_IncRef(ctypes.py_object(model))  # nobody gives it back
"""
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert done.stdout == "[1]\n"
    assert done.stderr == ""


def test_a_fit_after_a_prediction_gives_the_new_answers():
    X, y = numbers(400)
    model = BoostedTreesClassifier(n_estimators=5).fit(X, y)
    first = model.decision_function(X)
    model.fit(X, 1 - y)
    assert np.array_equal(model.decision_function(X), routed(model, X))
    assert not np.array_equal(model.decision_function(X), first)
    model.set_params(warm_start=True, n_estimators=9).fit(X, 1 - y)
    assert len(model.trees_) == 9
    whole = BoostedTreesClassifier(n_estimators=9).fit(X, 1 - y)
    assert np.array_equal(model.decision_function(X), whole.decision_function(X))
    model.set_params(warm_start=False).fit(X[:, :2], y)
    assert np.array_equal(model.decision_function(X[:, :2]), routed(model, X[:, :2]))


def test_early_stopping_predicts_with_the_rounds_it_keeps():
    X, y = numbers(600)
    model = BoostedTreesClassifier(n_estimators=200, early_stopping=True, random_state=0).fit(X, y)
    assert len(model.trees_) < 200
    assert np.array_equal(model.decision_function(X), routed(model, X))


def test_the_core_refuses_what_does_not_fit_together(plain):
    tree = plain.trees_[0]
    addend, place = leaf_scores(tree, 1.0, 0)
    with pytest.raises(ValueError, match="per node"):
        ScoringForest([tree], [addend[:-1]], [place], 1, [0] * 6)
    with pytest.raises(ValueError, match="no such output"):
        ScoringForest([tree], [addend], [place + 1], 1, [0] * 6)
    with pytest.raises(ValueError, match="no column"):
        ScoringForest([tree], [addend], [place], 1, [])
    forest = ScoringForest([tree], [addend], [place], 1, [0] * 6)
    assert forest.numeric
    with pytest.raises(ValueError, match="number of columns"):
        forest.score_matrix(np.zeros((1, 5)), 1)
    with pytest.raises(ValueError, match="number of columns"):
        forest.score([], 1, 1)
    whole = ScoringForest([tree], [addend], [place], 1, [1] * 6)
    with pytest.raises(ValueError, match="numeric"):
        whole.score_matrix(np.zeros((1, 6)), 1)
    with pytest.raises(ValueError, match="another kind"):
        whole.score([(0, np.zeros(1), None, None, 0)] * 6, 1, 1)


@pytest.mark.parametrize("stages", ["staged_predict", "staged_decision_function"])
def test_stages_read_each_column_once(monkeypatch, stages):
    model, X = trained("two")
    read = []
    monkeypatch.setattr(
        ensemble, "core_column", lambda column: read.append(column) or core_column(column)
    )
    assert len(list(getattr(model, stages)(X))) == 12
    assert 0 < len(read) <= X.shape[1]
