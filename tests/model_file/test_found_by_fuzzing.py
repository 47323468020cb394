"""Files that `make fuzz` made: they were loaded, and then something failed."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, ModelFileError, TreeClassifier, export
from hardwood.model_file import dumps, loads
from hardwood.model_file.arrays import from_data
from hardwood.model_file.container import from_bytes, to_bytes
from tests.export.runners import run_python
from tests.model_file.mutations import arrays_of, with_arrays


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"n": rng.normal(size=80), "size": pd.Categorical(rng.integers(4, size=80))})
    return X, (X["n"] > 0).to_numpy() ^ (X["size"] == 2).to_numpy()


@pytest.mark.parametrize("number", [10**400, -(10**400), 2**64, -(2**63) - 1, float("inf")])
def test_a_category_that_no_column_can_hold_is_refused(table, number):
    header, data = from_bytes(dumps(TreeClassifier().fit(*table)))
    values = header["columns"]["categories"][0][1]
    values[-1] = number if number != float("inf") else {"float": "inf"}
    with pytest.raises(ModelFileError, match="all strings or all numbers"):
        loads(to_bytes(header, data))


@pytest.mark.parametrize("number", [10**400, 2**70])
def test_a_gamma_beyond_every_float_is_refused(table, number):
    header, data = from_bytes(dumps(TreeClassifier().fit(*table)))
    header["certificate"]["gamma"] = number
    with pytest.raises(ModelFileError, match="gamma"):
        loads(to_bytes(header, data))


def test_a_branch_that_weighs_more_than_its_node_is_refused(table):
    header, arrays = arrays_of(dumps(BoostedTreesClassifier(n_estimators=2).fit(*table)))
    arrays["tree.class_weights"][2] = 1e308
    with pytest.raises(ModelFileError, match="a branch weighs more than its node"):
        loads(with_arrays(header, arrays))


@pytest.mark.parametrize("number", [2**53 + 1, 2**63 - 1])
def test_a_whole_number_that_no_float_equals_is_refused_beside_floats(table, number):
    header, data = from_bytes(dumps(TreeClassifier().fit(*table)))
    values = header["columns"]["categories"][0][1]
    values[-2:] = [0.5, number]
    with pytest.raises(ModelFileError, match="numbers that a column can hold"):
        loads(to_bytes(header, data))


def test_categories_beyond_2_to_the_53_are_exported_exactly_or_refused():
    values = [2**53 + 1, 2**63 + 1]
    X = pd.DataFrame({"size": pd.Categorical(values * 20)})
    model = TreeClassifier(pruning=None).fit(X, [0, 1] * 20)
    for write in (export.sql, export.c):
        with pytest.raises(ValueError, match="integers beyond 2\\^53"):
            write(model)
    assert run_python(model, [[value] for value in values])[0] == model.predict(X[:2]).tolist()


def test_a_nan_that_signals_is_read_without_a_warning():
    data = np.array([0x7F800001], dtype="<u4").tobytes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read = from_data([["threshold", "<f4", 1]], data, {"threshold": np.dtype("<f8")})
    assert np.isnan(read["threshold"][0])
