"""The columns of a node by class, against counting by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hardwood import TreeClassifier
from tests.report.pages import breast_cancer

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
from hardwood.workshop import Session

pytestmark = pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")


def test_bars_count_the_rows_of_the_node_by_class() -> None:
    X, y = breast_cancer()
    work = Session(TreeClassifier(max_leaf_nodes=6), X, y)
    leaves = work.model.apply(X)
    classes = work.model.classes_.tolist()
    for node in np.flatnonzero(work.model.tree_.is_leaf).tolist():
        mine = np.asarray(y)[leaves == node]
        expected = [int((mine == label).sum()) for label in classes]
        for column in work.columns(node, 0)["columns"]:
            assert np.sum(column["bars"], axis=1).tolist() == expected
    whole = work.columns(0, 0)["columns"][0]
    values = X.iloc[:, 0].to_numpy()
    low, high = np.quantile(values, [0.01, 0.99], method="nearest")
    assert (whole["low"], whole["high"]) == pytest.approx((low, high), rel=1e-5)
    place = np.clip((values - low) / (high - low) * 16, 0, 15).astype(int)
    counted = np.bincount(place, minlength=16).tolist()
    assert np.sum(whole["bars"], axis=0).tolist() == counted


def test_categories_and_missing_values() -> None:
    X = pd.DataFrame({"place": pd.Categorical(["a", "b", "a", None] * 25), "x": range(100)})
    y = [0, 1, 0, 1] * 25
    found = Session(TreeClassifier(), X, y).columns(0, 0)["columns"][0]
    assert (found["names"], found["missing"]) == (["a", "b"], 25)
    assert found["bars"] == [[50, 0], [0, 25]]


def test_named_columns_come_first_and_the_rest_follows_in_parts() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 30)), columns=[f"c{n}" for n in range(30)])
    work = Session(TreeClassifier(), X, (X["c7"] > 0).astype(int))
    seen: list[str] = []
    while len(seen) < 30:
        found = work.columns(0, len(seen), ["c7", "nowhere", 3, "c2"])
        assert (found["count"], found["first"]) == (30, len(seen))
        seen += [column["name"] for column in found["columns"]]
    rest = [f"c{n}" for n in range(30) if n not in (2, 7)]
    assert seen == ["c7", "c2", *rest]
    assert work.columns(0, 99)["columns"] == []
    for node, first in ((0, -1), (0, "x"), (10**6, 0), (None, 0)):
        with pytest.raises(ValueError, match=r"\w"):
            work.columns(node, first)
