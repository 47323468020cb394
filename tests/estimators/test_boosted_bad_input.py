"""Wrong input to boosting gets a sentence, and leaves a fitted model as it was."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

hardwood = pytest.importorskip("hardwood")
BoostedTreesClassifier = hardwood.BoostedTreesClassifier

X = np.arange(48.0).reshape(24, 2) % 17
Y = (np.arange(24) * 7 % 5 > 2).astype(int)
THREE = np.arange(24) % 3

BAD_PARAMETERS: dict[str, tuple[dict[str, Any], str]] = {
    "no rounds": ({"n_estimators": 0}, "n_estimators(.|\n)*0"),
    "half a round": ({"n_estimators": 2.5}, r"n_estimators(.|\n)*2\.5"),
    "no learning": ({"learning_rate": 0.0}, r"learning_rate(.|\n)*0"),
    "negative learning": ({"learning_rate": -0.1}, r"learning_rate(.|\n)*-0\.1"),
    "NaN learning": ({"learning_rate": float("nan")}, r"learning_rate(.|\n)*nan"),
    "negative prior": ({"leaf_prior": -1.0}, r"leaf_prior(.|\n)*-1"),
    "infinite prior": ({"leaf_prior": float("inf")}, "leaf_prior(.|\n)*inf"),
    "NaN prior": ({"leaf_prior": float("nan")}, "leaf_prior(.|\n)*nan"),
    "prior beyond all weights": ({"leaf_prior": 1e308}, r"leaf_prior(.|\n)*1e\+308"),
    "negative depth": ({"max_depth": -1}, "max_depth(.|\n)*-1"),
    "no leaves": ({"max_leaf_nodes": 0}, "max_leaf_nodes(.|\n)*0"),
    "no samples in a leaf": ({"min_samples_leaf": 0}, "min_samples_leaf(.|\n)*0"),
    "too much weight in a leaf": (
        {"min_weight_fraction_leaf": 0.7},
        r"min_weight_fraction_leaf(.|\n)*0\.7",
    ),
    "unknown variant": ({"variant": "logit"}, "variant(.|\n)*logit"),
    "unknown criterion": ({"criterion": "twoing"}, "criterion(.|\n)*twoing"),
    "unknown way with classes": ({"multiclass": "trios"}, "multiclass(.|\n)*trios"),
    "unknown search": ({"search": "lucky"}, "search(.|\n)*lucky"),
    "search of another type": ({"search": 3}, "search(.|\n)*3"),
    "no columns": ({"feature_fraction": 0.0}, "feature_fraction(.|\n)*0"),
    "more than all columns": ({"feature_fraction": 1.5}, r"feature_fraction(.|\n)*1\.5"),
    "no weight": ({"weight_fraction": 0.0}, "weight_fraction(.|\n)*0"),
    "more than all weight": ({"weight_fraction": 1.01}, r"weight_fraction(.|\n)*1\.01"),
    "stopping by a word": (
        {"early_stopping": "auto"},
        "early_stopping(.|\n)*True or False(.|\n)*auto",
    ),
    "stopping by a number": ({"early_stopping": 5}, "early_stopping(.|\n)*True or False(.|\n)*5"),
    "nothing held out": (
        {"early_stopping": True, "validation_fraction": 0.0},
        "validation_fraction(.|\n)*0",
    ),
    "everything held out": (
        {"early_stopping": True, "validation_fraction": 1.0},
        "validation_fraction(.|\n)*1",
    ),
    "no patience": ({"early_stopping": True, "n_iter_no_change": 0}, "n_iter_no_change(.|\n)*0"),
    "unknown class weight": ({"class_weight": "even"}, "even"),
    "no threads": ({"n_jobs": 0}, "n_jobs(.|\n)*0"),
    "a column that is not there": ({"categorical_features": [7]}, "7"),
}

REFUSED: dict[str, tuple[dict[str, Any], Any, str]] = {
    "leaves of stump trees": (
        {"variant": "discrete", "max_leaf_nodes": 4},
        Y,
        "max_leaf_nodes",
    ),
    "leaves of stump trees by name": (
        {"variant": "discrete", "criterion": "error", "max_leaf_nodes": 4},
        Y,
        "max_leaf_nodes",
    ),
    "leaves of stump trees against the rest": (
        {"variant": "discrete", "multiclass": "ovr", "max_leaf_nodes": 4},
        THREE,
        "max_leaf_nodes",
    ),
    "real samme": ({"variant": "real", "multiclass": "samme"}, THREE, "(?i)samme"),
    "real pairs": ({"variant": "real", "multiclass": "pairs"}, THREE, "'pairs' needs"),
    "gentle samme": ({"variant": "gentle", "multiclass": "samme"}, THREE, "(?i)samme"),
}

ALLOWED: dict[str, tuple[dict[str, Any], Any]] = {
    "leaves of samme trees": ({"variant": "discrete", "max_leaf_nodes": 4}, THREE),
    "leaves of discrete trees by km": (
        {"variant": "discrete", "criterion": "km", "max_leaf_nodes": 4},
        Y,
    ),
    "leaves of real trees by error": ({"criterion": "error", "max_leaf_nodes": 4}, Y),
    "no limit of depth": ({"max_depth": None, "max_leaf_nodes": 6}, Y),
}


def with_value(value: float) -> np.ndarray:
    changed = X.copy()
    changed[3, 1] = value
    return changed


BAD_DATA: dict[str, tuple[dict[str, Any], str]] = {
    "fewer labels": ({"y": Y[:9]}, r"24(.|\n)*9|9(.|\n)*24"),
    "labels with NaN": ({"y": np.where(Y, np.nan, 0.0)}, "(?i)nan"),
    "labels that are numbers": ({"y": np.linspace(0, 1, 24)}, "(?i)continuous"),
    "no rows": ({"X": X[:0], "y": Y[:0]}, r"(?i)0 (sample|row)"),
    "infinite": ({"X": with_value(np.inf)}, "(?i)inf"),
    "infinite and sparse": ({"X": sp.csr_array(with_value(-np.inf))}, "(?i)inf"),
    "a negative weight": ({"sample_weight": np.linspace(-1, 1, 24)}, "(?i)negative|-1"),
    "a NaN weight": ({"sample_weight": np.where(Y, np.nan, 1.0)}, "(?i)nan"),
    "all weights zero": ({"sample_weight": np.zeros(24)}, r"(?i)zero|\b0\b"),
    "weights too few": ({"sample_weight": np.ones(5)}, r"5(.|\n)*24|24(.|\n)*5|\(5,\)"),
}

BAD_VALIDATION: dict[str, tuple[dict[str, Any], str]] = {
    "rows without labels": ({"X_val": X[:5]}, "y_val"),
    "labels without rows": ({"y_val": Y[:5]}, "X_val"),
    "fewer labels": ({"X_val": X[:5], "y_val": Y[:3]}, r"5(.|\n)*3|3(.|\n)*5"),
    "another width": ({"X_val": np.ones((5, 3)), "y_val": Y[:5]}, r"3(.|\n)*2"),
    "a class that training has not": (
        {"X_val": X[:5], "y_val": np.array([0, 1, 8, 0, 1])},
        r"\b8\b",
    ),
    "no rows": ({"X_val": X[:0], "y_val": Y[:0]}, r"(?i)0 (sample|row)|X_val"),
    "infinite": ({"X_val": np.full((5, 2), np.inf), "y_val": Y[:5]}, "(?i)inf"),
}


@pytest.fixture
def fitted() -> Any:
    return BoostedTreesClassifier(n_estimators=3).fit(X, Y)


def assert_unchanged(model: Any, digest: str) -> None:
    model.set_params(n_jobs=None)
    assert model.digest() == digest
    assert model.n_features_in_ == 2
    assert model.predict(X).shape == (24,)


@pytest.mark.parametrize("case", BAD_PARAMETERS)
def test_a_bad_parameter_is_named_and_the_fitted_model_stays(case, fitted):
    changes, sentence = BAD_PARAMETERS[case]
    digest = fitted.digest()
    with pytest.raises((ValueError, TypeError), match=sentence):
        fitted.set_params(**changes).fit(X, Y)
    assert_unchanged(fitted, digest)


@pytest.mark.parametrize("case", REFUSED)
def test_a_combination_that_cannot_be_is_refused_in_words(case):
    changes, y, sentence = REFUSED[case]
    model = BoostedTreesClassifier(n_estimators=3, **changes)
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, y)
    assert [name for name in vars(model) if name.endswith("_")] == []


@pytest.mark.parametrize("case", ALLOWED)
def test_a_combination_that_sounds_alike_is_allowed(case):
    changes, y = ALLOWED[case]
    model = BoostedTreesClassifier(n_estimators=3, **changes).fit(X, y)
    most = changes.get("max_leaf_nodes", 1 << 30)
    trees = [t for each in model.trees_ for t in (each if isinstance(each, list) else [each])]
    assert all(tree.n_leaves <= most for tree in trees)


@pytest.mark.parametrize("case", BAD_DATA)
def test_bad_data_is_named_and_the_fitted_model_stays(case, fitted):
    changes, sentence = BAD_DATA[case]
    digest = fitted.digest()
    with pytest.raises((ValueError, TypeError), match=sentence):
        fitted.fit(**{"X": X, "y": Y, **changes})
    assert_unchanged(fitted, digest)


@pytest.mark.parametrize("case", BAD_VALIDATION)
def test_bad_validation_rows_are_named_and_the_fitted_model_stays(case, fitted):
    changes, sentence = BAD_VALIDATION[case]
    digest = fitted.digest()
    fitted.set_params(early_stopping=True)
    with pytest.raises((ValueError, TypeError), match=sentence):
        fitted.fit(X, Y, **changes)
    assert_unchanged(fitted, digest)


@pytest.mark.parametrize("rows", [1, 3])
def test_too_few_rows_for_early_stopping_are_refused_in_words(rows):
    model = BoostedTreesClassifier(n_estimators=3, early_stopping=True, validation_fraction=0.1)
    with pytest.raises(ValueError, match=rf"(?i)early_stopping(.|\n)*{rows}|{rows}(.|\n)*early"):
        model.fit(X[:rows], Y[:rows])


def test_a_warm_start_on_other_data_is_refused_in_words(fitted):
    digest = fitted.digest()
    fitted.set_params(warm_start=True, n_estimators=6)
    with pytest.raises(ValueError, match="warm_start"):
        fitted.fit(X, THREE)
    with pytest.raises(ValueError, match="warm_start"):
        fitted.fit(np.column_stack([X, X]), Y)
    assert_unchanged(fitted, digest)


def test_a_warm_start_cannot_go_back(fitted):
    digest = fitted.digest()
    with pytest.raises(ValueError, match=r"n_estimators(.|\n)*2"):
        fitted.set_params(warm_start=True, n_estimators=2).fit(X, Y)
    assert_unchanged(fitted, digest)


@pytest.mark.parametrize(
    "method", ["predict", "predict_proba", "decision_function", "staged_predict"]
)
def test_other_columns_are_refused_at_prediction(method):
    named = pd.DataFrame(X, columns=["age", "height"])
    model = BoostedTreesClassifier(n_estimators=3).fit(named, Y)
    with pytest.raises(ValueError, match="height"):
        list(getattr(model, method)(named[["age"]]))
    with pytest.raises(ValueError, match="(?i)order"):
        list(getattr(model, method)(named[["height", "age"]]))


def test_a_table_of_another_width_is_refused_at_prediction(fitted):
    with pytest.raises(ValueError, match=r"3(.|\n)*2"):
        fitted.predict(np.ones((4, 3)))


def test_an_unfitted_model_says_so():
    from sklearn.exceptions import NotFittedError

    for method in ("predict", "predict_proba", "decision_function", "digest"):
        asked = () if method == "digest" else (X,)
        with pytest.raises(NotFittedError, match="BoostedTreesClassifier"):
            getattr(BoostedTreesClassifier(), method)(*asked)
