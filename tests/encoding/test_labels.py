"""Labels of every type: classes in the user's own values, wrong ones refused with a sentence."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from hardwood import TreeClassifier
from hardwood.encoding import read_labels

X = np.arange(12.0).reshape(-1, 1)

GOOD: dict[str, tuple[Any, list[Any]]] = {
    "integers": ([3, 1] * 6, [1, 3]),
    "negative integers": ([-3, 7, -1] * 4, [-3, -1, 7]),
    "booleans": ([True, False] * 6, [False, True]),
    "booleans with strides": (np.array([True, False, False, True] * 9)[::3], [False, True]),
    "strings": (["b", "a", ""] * 4, ["", "a", "b"]),
    "floats": ([2.0, -1.0] * 6, [-1.0, 2.0]),
    "both zeros": ([0.0, -0.0, 1.0] * 4, [0.0, 1.0]),
    "half floats": (np.array([1, 2] * 6, np.float16), [1.0, 2.0]),
    "objects that are strings": (np.array(["b", "a"] * 6, object), ["a", "b"]),
    "objects that are integers": (np.array([2, 1] * 6, object), [1, 2]),
    "objects that are booleans": (np.array([True, False] * 6, object), [False, True]),
    "bytes": (np.array([b"b", b"a"] * 6), [b"a", b"b"]),
    "a column of integers far apart": ([10**9, -(10**9), 0] * 4, [-(10**9), 0, 10**9]),
    "the ends of int64": ([-(2**63), 2**63 - 1] * 6, [-(2**63), 2**63 - 1]),
    "unsigned big integers": (
        np.array([2**64 - 1, 2**64 - 2] * 6, np.uint64),
        [2**64 - 2, 2**64 - 1],
    ),
    "integers that float64 cannot tell apart": ([2**53, 2**53 + 1] * 6, [2**53, 2**53 + 1]),
    "a pandas series": (pd.Series([2, 1] * 6, index=range(5, 17)), [1, 2]),
    "pandas strings": (pd.Series(["b", "a"] * 6), ["a", "b"]),
    "pandas nullable integers": (pd.Series([2, 1] * 6, dtype="Int64"), [1, 2]),
    "a pandas categorical": (pd.Categorical(["b", "a"] * 6, ["b", "a", "z"]), ["a", "b"]),
    "a pandas series of categories": (pd.Series([3, 1] * 6, dtype="category"), [1, 3]),
    "a polars series": (pl.Series(["b", "a"] * 6), ["a", "b"]),
    "polars integers": (pl.Series([2, 1] * 6), [1, 2]),
    "polars booleans": (pl.Series([True, False] * 6), [False, True]),
    "polars categories": (pl.Series(["b", "a"] * 6, dtype=pl.Categorical), ["a", "b"]),
    "a polars enum": (pl.Series(["b", "a"] * 6, dtype=pl.Enum(["b", "a"])), ["a", "b"]),
    "an Arrow array": (pa.array(["b", "a"] * 6), ["a", "b"]),
    "an Arrow dictionary": (pa.array(["b", "a"] * 6).dictionary_encode(), ["a", "b"]),
}
if hasattr(np.dtypes, "StringDType"):  # NumPy 2
    GOOD["strings of variable width"] = (
        np.array(["b", "a"] * 6, np.dtypes.StringDType()),
        ["a", "b"],
    )


@pytest.mark.parametrize("case", GOOD)
def test_classes_are_sorted_and_predictions_are_the_labels(case):
    y, classes = GOOD[case]
    model = TreeClassifier(pruning=None, min_samples_leaf=1).fit(X, y)
    assert model.classes_.tolist() == classes
    assert [type(value) for value in model.classes_.tolist()] == [type(c) for c in classes]
    expected = y.to_pylist() if isinstance(y, pa.Array) else list(y)
    assert model.predict(X).tolist() == [getattr(v, "item", lambda v=v: v)() for v in expected]


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "?"])
def test_classes_keep_their_dtype(dtype):
    y = np.array([1, 0] * 6).astype(dtype)
    model = TreeClassifier(pruning=None, min_samples_leaf=1).fit(X, y)
    assert model.classes_.dtype == y.dtype
    assert model.predict(X).dtype == y.dtype


@pytest.mark.parametrize("values", [[5, 2, 9, 5], [-(2**40), 2**40, 3], [True, False], [1.0, -4.0]])
def test_class_numbers_give_the_labels_back(values):
    y = np.array(values)
    labels = read_labels(y, len(y))
    assert labels.codes.dtype == np.int32
    np.testing.assert_array_equal(labels.classes[labels.codes], y)
    np.testing.assert_array_equal(labels.classes, np.unique(y))


MISSING: dict[str, Any] = {
    "NaN": [1.0, np.nan] * 6,
    "None": [1, None] * 6,
    "None among strings": ["a", None] * 6,
    "NaN among objects": np.array(["a", np.nan] * 6, object),
    "NaT": np.array([pd.NaT, 1] * 6, object),
    "a pandas null string": pd.Series(["a", None] * 6),
    "a pandas null category": pd.Categorical(["a", None] * 6),
    "a pandas null integer": pd.Series([1, None] * 6, dtype="Int64"),
    "a polars null": pl.Series(["a", None] * 6),
    "a polars null integer": pl.Series([1, None] * 6),
    "a polars null boolean": pl.Series([True, None] * 6),
    "an Arrow null": pa.array(["a", None] * 6),
}


@pytest.mark.parametrize("case", MISSING)
def test_a_missing_label_is_refused(case):
    with pytest.raises(ValueError, match=r"y contains (NaN|missing labels).*every row needs"):
        TreeClassifier(pruning=None, min_samples_leaf=1).fit(X, MISSING[case])


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "continuous": (np.linspace(0, 1, 12), ValueError, "continuous"),
    "continuous objects": (np.array([0.5, 1] * 6, object), ValueError, "continuous"),
    "infinite": ([1.0, np.inf] * 6, ValueError, "infinity"),
    "complex": (np.array([1j, 1.0] * 6), ValueError, "[Cc]omplex"),
    "strings and numbers": (np.array(["a", 1] * 6, object), TypeError, "mixes.*int, str"),
    "strings and bytes": (np.array(["a", b"a"] * 6, object), TypeError, "mixes.*bytes, str"),
    "things without an order": (np.array([object()] * 12, object), TypeError, "cannot be sorted"),
    "dates": (np.array(["2024-01-01"] * 12, "M8[D]"), ValueError, "datetime64"),
    "durations": (np.array([datetime.timedelta(1)] * 12, "m8[D]"), ValueError, "timedelta64"),
    "one too few": ([0, 1] * 5, ValueError, "12 rows.*10"),
    "two columns": (np.zeros((12, 2)), ValueError, "shape"),
    "one number": (3, ValueError, "1d|shape"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_labels_are_refused_with_a_sentence(case):
    y, error, sentence = WRONG[case]
    with pytest.raises(error, match=sentence):
        TreeClassifier(pruning=None, min_samples_leaf=1).fit(X, y)


@pytest.mark.parametrize("y", [["z"] * 12, [0] * 12, [True] * 12, [-4.0] * 12])
@pytest.mark.parametrize("criterion", ["km", "gini", "entropy", "error"])
def test_one_class_is_a_leaf(y, criterion):
    model = TreeClassifier(pruning=None, min_samples_leaf=1, criterion=criterion).fit(X, y)
    assert model.get_n_leaves() == 1
    assert model.classes_.tolist() == y[:1]
    assert model.predict(X).tolist() == y
    assert model.predict_proba(X).tolist() == [[1.0]] * 12
    assert model.tree_.cost.tolist() == [0.0]


def test_one_class_that_alone_has_weight_is_a_leaf_and_the_other_keeps_its_name():
    model = TreeClassifier(pruning=None, min_samples_leaf=1).fit(
        X, np.arange(12) % 2, np.arange(12.0) % 2
    )
    assert model.get_n_leaves() == 1
    assert model.classes_.tolist() == [0, 1]
    assert model.predict_proba(X).tolist() == [[0.0, 1.0]] * 12


@pytest.mark.parametrize(("dtype", "low", "high"), [("i1", -100, 100), ("i2", -32768, 32767)])
def test_small_integers_that_span_more_than_half_of_their_dtype_are_labels(dtype, low, high):
    y = np.array([low, high] * 6, dtype)
    assert TreeClassifier(pruning=None, min_samples_leaf=1).fit(X, y).classes_.tolist() == [
        low,
        high,
    ]


@pytest.mark.parametrize("y", [[2**70, 1] * 6, [2**63, -1] * 6], ids=["70 bits", "65 bits"])
def test_integers_beyond_64_bits_are_labels(y):
    model = TreeClassifier(pruning=None, min_samples_leaf=1).fit(X, y)
    assert model.classes_.tolist() == sorted(set(y))
    assert model.predict(X).tolist() == y


@pytest.mark.parametrize(
    "y",
    [pd.Series(["a", pd.NA] * 6, dtype="string"), pd.Series([True, pd.NA] * 6, dtype="boolean")],
    ids=["string", "boolean"],
)
def test_a_label_that_is_pandas_na_is_refused(y):
    with pytest.raises(ValueError, match=r"y contains .*every row needs"):
        TreeClassifier(pruning=None, min_samples_leaf=1).fit(X, y)


def test_a_list_of_strings_and_numbers_is_refused():
    with pytest.raises(TypeError, match="mixes"):
        TreeClassifier(pruning=None, min_samples_leaf=1).fit(X, ["a", 1] * 6)
