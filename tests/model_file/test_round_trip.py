"""What is saved is loaded: every form of model, through files, pickle, joblib and copies."""

from __future__ import annotations

import copy
import io
import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

import hardwood
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.model_file import dumps, loads
from hardwood.search import Adaptive, Quick
from tests.model_file.models import MODELS, early, ended
from tests.model_file.same import assert_same_model
from tests.tables.frames import every_kind
from tests.tables.matrices import numbers

pytestmark = pytest.mark.grid

NUMPY_2 = hasattr(np.dtypes, "StringDType")

every_model = pytest.mark.parametrize("name", MODELS)


@every_model
def test_a_loaded_model_is_the_saved_one(name, tmp_path):
    model = MODELS[name]()
    path = tmp_path / "model.hardwood"
    assert hardwood.save(model, path) is None
    again = hardwood.load(path)
    assert_same_model(model, again)
    assert repr(again.get_params()) == repr(model.get_params())
    assert hardwood.load(str(path)).digest() == model.digest()


@every_model
def test_saving_a_loaded_model_gives_the_same_bytes(name):
    content = dumps(MODELS[name]())
    assert dumps(loads(content)) == content


@every_model
def test_pickle_and_copies_are_the_same_model(name):
    model = MODELS[name]()
    assert_same_model(model, pickle.loads(pickle.dumps(model)))
    assert_same_model(model, copy.deepcopy(model))


@pytest.mark.parametrize("name", ["categories", "ovr"])
def test_joblib_gives_the_same_model_also_mapped_from_the_disk(name, tmp_path):
    model = MODELS[name]()
    joblib.dump(model, tmp_path / "model.joblib")
    assert_same_model(model, joblib.load(tmp_path / "model.joblib"))
    assert_same_model(model, joblib.load(tmp_path / "model.joblib", mmap_mode="r"))
    buffer = io.BytesIO()
    joblib.dump(model, buffer, compress=3)
    buffer.seek(0)
    assert_same_model(model, joblib.load(buffer))


@pytest.mark.parametrize("estimator", [TreeClassifier, BoostedTreesClassifier])
def test_an_unfitted_estimator_can_be_pickled_but_not_saved(estimator, tmp_path):
    model = estimator(max_depth=2)
    again = pickle.loads(pickle.dumps(model))
    assert again.get_params() == model.get_params()
    X, y = numbers(2)
    assert again.fit(X, y).digest() == model.fit(X, y).digest()
    with pytest.raises(ValueError, match="not fitted"):
        hardwood.save(estimator(), tmp_path / "no.hardwood")
    assert list(tmp_path.iterdir()) == []


def test_a_pickle_keeps_attributes_and_parameters_of_any_kind():
    X, y = numbers(2)
    model = TreeClassifier(random_state=np.random.RandomState(3), max_depth=2).fit(X, y)
    model.note = {"made": "today"}
    again = pickle.loads(pickle.dumps(model))
    assert again.note == {"made": "today"}
    assert isinstance(again.random_state, np.random.RandomState)
    assert hasattr(clone(again), "tree_") is False


def test_the_state_of_a_pickle_holds_no_training_rows():
    X, y = numbers(2)
    few = BoostedTreesClassifier(n_estimators=3, max_depth=1).fit(X, y)
    many = BoostedTreesClassifier(n_estimators=3, max_depth=1).fit(
        np.tile(X, (50, 1)), y.repeat(50)
    )
    assert len(pickle.dumps(many)) < 1.2 * len(pickle.dumps(few))


@pytest.mark.parametrize("way", ["file", "pickle"])
@pytest.mark.parametrize("parameters", [{}, {"variant": "discrete"}, {"multiclass": "ovr"}])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_loaded_model_can_be_continued(way, parameters, classes):
    X, y = numbers(classes)
    make = lambda n: BoostedTreesClassifier(n_estimators=n, warm_start=True, **parameters)  # noqa: E731
    at_once, part = make(8).fit(X, y), make(4).fit(X, y)
    again = loads(dumps(part)) if way == "file" else pickle.loads(pickle.dumps(part))
    again.set_params(n_estimators=8).fit(X, y)
    assert again.digest() == at_once.digest()
    np.testing.assert_array_equal(again.history_["bound"], at_once.history_["bound"])


def test_an_early_stopped_model_goes_on_as_in_memory():
    model = early()
    assert model.history_["stopped"][-1] == "early stopping"
    assert model._run.kept < len(model._run.boosters[0].trees)
    again = loads(dumps(model))
    X, y = numbers(2)
    for each in (model, again):
        each.set_params(early_stopping=False, warm_start=True, n_estimators=40).fit(X, y)
    assert again.digest() == model.digest()


def test_a_booster_that_ended_before_the_others_stays_ended():
    model = ended()
    lengths = {len(booster.trees) for booster in model._run.boosters}
    assert len(lengths) > 1
    again = loads(dumps(model))
    assert [b.ended for b in again._run.boosters] == [b.ended for b in model._run.boosters]


@pytest.mark.parametrize(
    "labels",
    [
        np.array([3, -4], dtype=np.int8), np.array([3, 4], dtype=">i4"),
        np.array([2**63, 2**64 - 1], dtype=np.uint64), np.array([0.0, 1.0], dtype=np.float32),
        np.array([1.0, 2.0], dtype=np.float16), np.array([False, True]), np.array(["b", "aé"]),
        np.array(["b", "\ud800"], dtype=object), np.array([10**30, -(10**30)], dtype=object),
        np.array([b"x", b"\xff"]), np.array([b"x", b"\xff"], dtype=object),
        np.array(["a", "a much longer name"], dtype="<U40"), np.array([-0.0, 1.0]),
        *([np.array(["a", "b"], dtype=np.dtypes.StringDType())] if NUMPY_2 else []),
    ],
    ids=lambda labels: labels.dtype.str,
)  # fmt: skip
@pytest.mark.parametrize("estimator", [TreeClassifier(), BoostedTreesClassifier(n_estimators=2)])
def test_classes_of_every_type_come_back_with_their_type(estimator, labels):
    X = np.arange(8.0)[:, None]
    model = clone(estimator).fit(X, labels[[0, 0, 1, 1, 0, 0, 1, 1]])
    again = loads(dumps(model))
    assert again.classes_.dtype == model.classes_.dtype
    assert again.classes_.tolist() == model.classes_.tolist()
    assert [type(a) for a in again.classes_.tolist()] == [type(a) for a in labels.tolist()]
    assert again.digest() == model.digest()
    assert again.predict(X).tolist() == model.predict(X).tolist()


def test_classes_that_a_file_cannot_hold_get_a_sentence(tmp_path):
    labels = np.empty(4, dtype=object)
    labels[:] = [(1, 2), (1, 3), (1, 2), (1, 3)]
    model = TreeClassifier().fit(np.arange(4.0)[:, None], labels)
    with pytest.raises(TypeError, match="classes are of type tuple"):
        hardwood.save(model, tmp_path / "m.hardwood")
    assert list(tmp_path.iterdir()) == []
    assert pickle.loads(pickle.dumps(model)).classes_.tolist() == model.classes_.tolist()


@pytest.mark.parametrize(
    "parameters",
    [{"class_weight": {0: 2, 1: 0.5}}, {"class_weight": "balanced"}, {"n_jobs": -1},
     {"categorical_features": [0, 2]}, {"categorical_features": np.arange(4) == 2},
     {"categorical_features": None}, {"random_state": np.int64(7)}, {"max_depth": np.int32(5)}],
)  # fmt: skip
@pytest.mark.parametrize("estimator", [TreeClassifier, BoostedTreesClassifier])
def test_parameters_come_back(estimator, parameters):
    X, y = numbers(2)
    X = np.nan_to_num(X).round()
    model = estimator(**parameters).fit(X, y)
    again = loads(dumps(model))
    (name,) = parameters
    np.testing.assert_equal(getattr(again, name), parameters[name])
    assert clone(again).fit(X, y).digest() == model.digest()


@pytest.mark.parametrize("search", ["quick", Quick(start=0.3, batches=2), Adaptive()])
def test_a_search_comes_back(search):
    X, y = numbers(2)
    model = BoostedTreesClassifier(n_estimators=2, search=search).fit(X, y)
    again = loads(dumps(model))
    assert again.search == search
    assert again._run.plan == model._run.plan


def test_a_parameter_that_a_file_cannot_hold_is_left_out_with_a_warning(tmp_path):
    X, y = numbers(2)
    model = TreeClassifier(random_state=np.random.RandomState(3)).fit(X, y)
    with pytest.warns(UserWarning, match="cannot hold random_state=RandomState"):
        hardwood.save(model, tmp_path / "m.hardwood")
    assert hardwood.load(tmp_path / "m.hardwood").random_state is None


# The target's name.


@pytest.mark.parametrize("estimator", [TreeClassifier, BoostedTreesClassifier])
def test_the_target_keeps_its_name(estimator):
    X, y = every_kind()
    model = estimator().fit(X, y)
    assert model.target_name_ == "bought"
    assert loads(dumps(model)).target_name_ == "bought"
    assert pickle.loads(pickle.dumps(model)).target_name_ == "bought"
    assert estimator().fit(X, pl.Series("won", y.tolist())).target_name_ == "won"
    model.fit(X, y.to_numpy())
    assert not hasattr(model, "target_name_")
    assert not hasattr(loads(dumps(model)), "target_name_")


@pytest.mark.parametrize("y", [pd.Series([0, 1, 1]), pd.Series([0, 1, 1], name=3),
                               pl.Series([0, 1, 1]), [0, 1, 1]])  # fmt: skip
def test_a_target_without_a_string_as_name_has_none(y):
    assert not hasattr(TreeClassifier().fit([[1.0], [2.0], [3.0]], y), "target_name_")


def test_held_out_rows_do_not_lose_the_target_s_name():
    X, y = every_kind()
    model = BoostedTreesClassifier(n_estimators=3, early_stopping=True, random_state=0).fit(X, y)
    assert model.target_name_ == "bought"


def test_the_alpha_that_cross_validation_chose_is_kept(tmp_path):
    X, y = np.arange(60.0)[:, None], np.arange(60) // 20
    model = TreeClassifier(pruning="cost-complexity", ccp_alpha="cv", random_state=0).fit(X, y)
    hardwood.save(model, tmp_path / "model.hardwood")
    again = hardwood.load(tmp_path / "model.hardwood")
    assert again.ccp_alpha_ == pickle.loads(pickle.dumps(model)).ccp_alpha_ == model.ccp_alpha_
