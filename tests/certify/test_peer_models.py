"""`prove` on trees that others trained finds what they break, and the peer itself confirms it."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hardwood.certify import Monotone, prove
from tests.tables.credit import credit_table
from tests.tables.peer_trees import from_catboost, from_lightgbm

SIGNS = [1, -1, -1, 1, 0]
"""Of "paid", the second class."""
CLAIMS = [
    Monotone(column=name, direction="decreasing" if sign > 0 else "increasing", label="default")
    for name, sign in zip(
        ["income", "debt", "late_payments", "years_employed"], SIGNS[:4], strict=True
    )
]


def fitted(kind, signs, X, y):
    if kind == "lightgbm":
        peer = pytest.importorskip("lightgbm").LGBMClassifier(
            n_estimators=15, n_jobs=1, verbose=-1, monotone_constraints=signs
        )
    else:
        peer = pytest.importorskip("catboost").CatBoostClassifier(
            iterations=15, depth=3, verbose=0, random_seed=0, thread_count=1,
            allow_writing_files=False, monotone_constraints=signs,
        )  # fmt: skip
    return peer.fit(X, y)


def read(kind, peer, X, folder):
    labels = ["default", "paid"]
    if kind == "lightgbm":
        return from_lightgbm(peer, list(X.columns), labels)
    return from_catboost(peer, list(X.columns), labels, folder)


def raw(kind, peer, X):
    told = {"raw_score": True} if kind == "lightgbm" else {"prediction_type": "RawFormulaVal"}
    return np.asarray(peer.predict(X, **told))


@pytest.mark.parametrize("kind", ["lightgbm", "catboost"])
def test_what_a_peer_breaks_is_found_and_confirmed_by_it(kind, tmp_path):
    X, y = credit_table(600, 0)
    X = X.astype(np.float32).astype(float)  # what CatBoost compares
    peer = fitted(kind, None, X, y)
    model = read(kind, peer, X, tmp_path)
    np.testing.assert_allclose(model.decision_function(X), raw(kind, peer, X), rtol=1e-6, atol=1e-9)
    results = prove(model, CLAIMS)
    assert [each.status for each in results].count("refuted") >= 2
    for each in (each for each in results if each.rows):
        rows = pd.DataFrame(each.rows, dtype=float)[list(X.columns)]
        first, last = raw(kind, peer, rows)
        assert (last > first) == (each.claim.direction == "increasing")


@pytest.mark.parametrize("kind", ["lightgbm", "catboost"])
def test_constraints_that_a_peer_kept_are_proved(kind, tmp_path):
    X, y = credit_table(600, 0)
    model = read(kind, fitted(kind, SIGNS, X, y), X, tmp_path)
    assert prove(model, CLAIMS)


def test_the_page_shows_the_recipe_of_the_table():
    page = Path(__file__).parents[2] / "docs/how-to/approve.md"
    shown = inspect.getsource(credit_table).replace("  # type: ignore[no-untyped-def]", "")
    assert shown in page.read_text()
