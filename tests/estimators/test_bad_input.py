"""Wrong input gets a sentence that says what was given, and leaves a fitted estimator as it was."""

from __future__ import annotations

import datetime
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from hardwood import TreeClassifier

X = np.arange(24.0).reshape(12, 2)
X[:, 1] = X[::-1, 1] % 5
Y = np.arange(12) % 2
NAMED = pd.DataFrame(X, columns=["age", "height"])


def with_value(value: float) -> np.ndarray:
    changed = X.copy()
    changed[3, 1] = value
    return changed


def weights(**changes: float) -> np.ndarray:
    result = np.ones(12)
    for row, value in changes.items():
        result[int(row.removeprefix("row"))] = value
    return result


MIXED = pd.DataFrame({"age": X[:, 0], "place": ["a", 1] * 6})
DATES = pd.date_range("2024-01-01", periods=12)

BAD_DATA: dict[str, tuple[dict[str, Any], type[Exception] | tuple[type[Exception], ...], str]] = {
    "one dimension": ({"X": X[:, 0]}, ValueError, r"(?i)1d|1-d|1 dimension|one dimension"),
    "three dimensions": ({"X": X.reshape(12, 2, 1)}, ValueError, r"(?i)3d|3-d|dim.* 3|3 dim"),
    "a number": ({"X": 3.0}, (ValueError, TypeError), r"(?i)scalar|3\.0|float|0 dim"),
    "fewer labels": ({"y": Y[:9]}, ValueError, r"12(.|\n)*9|9(.|\n)*12"),
    "labels as a matrix": ({"y": np.ones((12, 3))}, ValueError, r"(12, ?3)|shape"),
    "no labels": ({"y": None}, ValueError, r"(?i)\by\b"),
    "labels that are numbers": ({"y": np.linspace(0, 1, 12)}, ValueError, r"(?i)continuous|0\."),
    "labels with NaN": ({"y": np.where(Y, np.nan, 0.0)}, ValueError, r"(?i)nan"),
    "no rows": ({"X": X[:0], "y": Y[:0]}, ValueError, r"(?i)0 (sample|row)"),
    "no columns": ({"X": X[:, :0]}, ValueError, r"(?i)0 (feature|column)"),
    "infinite": ({"X": with_value(np.inf)}, ValueError, r"(?i)inf"),
    "minus infinite": ({"X": with_value(-np.inf)}, ValueError, r"(?i)inf"),
    "infinite and sparse": ({"X": sp.csr_array(with_value(np.inf))}, ValueError, r"(?i)inf"),
    "infinite in a frame": (
        {"X": pd.DataFrame(with_value(np.inf), columns=["age", "height"])},
        ValueError,
        r"(?i)inf",
    ),
    "complex": ({"X": X + 1j}, (ValueError, TypeError), r"(?i)complex"),
    "weights too few": ({"sample_weight": np.ones(5)}, ValueError, r"5(.|\n)*12|12(.|\n)*5|\(5,\)"),
    "weights as a matrix": ({"sample_weight": np.ones((12, 2))}, ValueError, r"(?i)12, ?2|2d|1d"),
    "a negative weight": ({"sample_weight": weights(row4=-1.0)}, ValueError, r"(?i)negative|-1"),
    "a NaN weight": ({"sample_weight": weights(row4=np.nan)}, ValueError, r"(?i)nan"),
    "an infinite weight": ({"sample_weight": weights(row4=np.inf)}, ValueError, r"(?i)inf"),
    "all weights zero": ({"sample_weight": np.zeros(12)}, ValueError, r"(?i)zero|\b0\b"),
    "mixed objects": ({"X": MIXED}, TypeError, r"place"),
    "mixed objects in NumPy": ({"X": MIXED.to_numpy(object)}, TypeError, r"(?i)str"),
    "objects of no known type": (
        {"X": np.array([[object(), 1.0]] * 12, object)},
        TypeError,
        r"(?i)object",
    ),
    "dates in pandas": ({"X": NAMED.assign(born=DATES)}, (TypeError, ValueError), r"(?i)born"),
    "dates in polars": (
        {"X": pl.DataFrame({"born": [datetime.date(2024, 1, 1)] * 12})},
        (TypeError, ValueError),
        r"(?i)born",
    ),
    "dates in NumPy": (
        {"X": DATES.to_numpy().reshape(-1, 1)},
        (TypeError, ValueError),
        r"(?i)date",
    ),
    "dates as objects": (
        {"X": pd.DataFrame({"born": pd.Series([datetime.date(2024, 1, 1)] * 12, dtype=object)})},
        (TypeError, ValueError),
        r"(?i)born|date",
    ),
}

BAD_PARAMETERS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown criterion": ({"criterion": "twoing"}, "twoing"),
    "criterion of another type": ({"criterion": 3}, "3"),
    "no leaves": ({"max_leaf_nodes": 0}, "0"),
    "negative leaves": ({"max_leaf_nodes": -4}, "-4"),
    "half a leaf": ({"max_leaf_nodes": 2.5}, r"2\.5"),
    "negative depth": ({"max_depth": -1}, "-1"),
    "no samples in a leaf": ({"min_samples_leaf": 0}, "0"),
    "more than all weight in a leaf": ({"min_weight_fraction_leaf": 0.7}, r"0\.7"),
    "negative drop": ({"min_drop": -0.1}, r"-0\.1"),
    "NaN drop": ({"min_drop": float("nan")}, "nan"),
    "unknown leaf choice": ({"leaf_choice": "depth"}, "depth"),
    "several branches without a budget": ({"branching": "multiway"}, "max_leaf_nodes"),
    "a price without its gamma": (
        {"branching": "multiway", "max_leaf_nodes": 8, "price": "gamma"},
        "gamma.*None",
    ),
    "gamma of 1": (
        {"branching": "multiway", "max_leaf_nodes": 8, "price": "gamma", "gamma": 1.0},
        r"1\.0",
    ),
    "gamma beyond 1": ({"gamma": 1.5}, r"1\.5"),
    "one branch": ({"branching": "multiway", "max_leaf_nodes": 8, "max_branches": 1}, "1"),
    "unknown price": ({"price": "free"}, "free"),
    "unknown branching": ({"branching": "ternary"}, "ternary"),
    "unknown pruning": ({"pruning": "hard"}, "hard"),
    "unknown class weight": ({"class_weight": "even"}, "even"),
    "a negative class weight": ({"class_weight": {0: -2.0, 1: 1.0}}, "-2|negative"),
    "no threads": ({"n_jobs": 0}, "0"),
    "a column that is not there": ({"categorical_features": [7]}, "7"),
}


@pytest.fixture
def fitted() -> TreeClassifier:
    return TreeClassifier(pruning=None).fit(X, Y)


def assert_unchanged(model: TreeClassifier, digest: str) -> None:
    assert model.digest() == digest
    assert model.n_features_in_ == 2
    assert not hasattr(model, "feature_names_in_")
    assert model.predict(X).shape == (12,)


@pytest.mark.parametrize("case", BAD_DATA)
def test_bad_data_is_named_and_the_fitted_tree_stays(case, fitted):
    changes, error, sentence = BAD_DATA[case]
    digest = fitted.digest()
    with pytest.raises(error, match=sentence):
        fitted.fit(**{"X": X, "y": Y, **changes})
    assert_unchanged(fitted, digest)


@pytest.mark.parametrize("case", BAD_PARAMETERS)
def test_a_bad_parameter_is_named_and_the_fitted_tree_stays(case, fitted):
    changes, sentence = BAD_PARAMETERS[case]
    digest = fitted.digest()
    with pytest.raises((ValueError, TypeError), match=sentence):
        fitted.set_params(**changes).fit(X, Y)
    fitted.set_params(n_jobs=None)
    assert_unchanged(fitted.set_params(n_jobs=None), digest)


@pytest.mark.parametrize("case", BAD_DATA)
def test_bad_data_leaves_a_new_estimator_unfitted(case):
    changes, error, _ = BAD_DATA[case]
    model = TreeClassifier()
    with pytest.raises(error):
        model.fit(**{"X": X, "y": Y, **changes})
    assert [name for name in vars(model) if name.endswith("_")] == []


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (NAMED[["age"]], "height"),
        (NAMED.assign(weight=1.0), "weight"),
        (NAMED[["height", "age"]], "(?i)order"),
        (NAMED.rename(columns={"age": "years"}), "years|age"),
    ],
    ids=["a column less", "a column more", "another order", "another name"],
)
@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply", "decision_path"])
def test_columns_other_than_those_of_the_fit_are_refused(method, asked, sentence):
    model = TreeClassifier().fit(NAMED, Y)
    with pytest.raises(ValueError, match=sentence):
        getattr(model, method)(asked)


@pytest.mark.filterwarnings("ignore:X has feature names")
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, pl.DataFrame])
def test_a_table_of_another_width_is_refused_at_prediction(form, fitted):
    with pytest.raises(ValueError, match=r"3(.|\n)*2"):
        fitted.predict(form(np.ones((4, 3))))


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("rows", [12, 3])
def test_an_infinite_value_that_decides_a_rows_way_is_refused_at_prediction(value, rows, fitted):
    decides = X[:rows].copy()
    decides[2] = value
    with pytest.raises(ValueError, match="(?i)inf"):
        fitted.predict(decides)


def test_text_is_refused_where_numbers_were_fitted():
    model = TreeClassifier(min_samples_leaf=1, pruning=None).fit(NAMED, Y)
    with pytest.raises((TypeError, ValueError), match="height"):
        model.predict(NAMED.assign(height="tall"))


def test_an_unfitted_tree_says_so():
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError, match="TreeClassifier"):
        TreeClassifier().predict(X)


def test_more_rows_than_the_core_can_count_are_refused_before_any_work():
    # In a process of its own: a library that copied the 2^31 rows would take the machine with it.
    script = (
        "import numpy as np, hardwood\n"
        "X = np.broadcast_to(np.zeros((1, 1)), (2**31, 1))\n"
        "y = np.broadcast_to(np.zeros(1, np.int64), (2**31,))\n"
        "try:\n"
        "    hardwood.TreeClassifier().fit(X, y)\n"
        "except ValueError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert "2147483648" in done.stdout.replace(",", "").replace("_", "")


@pytest.mark.parametrize("missing", ["branch", "fractional"])
def test_equal_weights_near_the_limits_of_float64_are_refused(missing):
    X, y = [[1.0], [np.nan], [2.0], [3.0]], [0, 1, 1, 0]
    with pytest.raises(ValueError, match="near the limits of float64"):
        TreeClassifier(missing=missing).fit(X, y, sample_weight=np.full(4, 5e-324))
