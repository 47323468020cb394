"""The figures of a draft, against scikit-learn's and the model's own answers."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.metrics import roc_auc_score

from hardwood import TreeClassifier
from tests.report.pages import breast_cancer

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
from hardwood.workshop import Session
from hardwood.workshop.figures import area_under_roc

pytestmark = pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")


@pytest.mark.parametrize("criterion", ["km", "gini"])
def test_the_area_is_that_of_scikit_learn_on_the_training_rows(criterion: str) -> None:
    rng = np.random.default_rng(1)
    X, y = load_wine(return_X_y=True)
    X = np.round(X[:, :4] + rng.normal(size=(len(y), 4)), 1)
    weight = rng.integers(1, 5, size=len(y)).astype(float) / 2
    for labels, several in ((y, {"multi_class": "ovr"}), (y > 0, {})):
        model = TreeClassifier(criterion=criterion, max_leaf_nodes=7).fit(X, labels)
        said = model.predict_proba(X)
        said = said if several else said[:, 1]
        assert area_under_roc(model.tree_) == pytest.approx(roc_auc_score(labels, said, **several))
    model.fit(X, labels, sample_weight=weight)
    expected = roc_auc_score(labels, model.predict_proba(X)[:, 1], sample_weight=weight)
    assert area_under_roc(model.tree_) == pytest.approx(expected)


def test_error_and_cost_are_those_of_the_answers() -> None:
    X, y = breast_cancer()
    labels = sorted(set(y))
    costs = {(labels[0], labels[1]): 1.0, (labels[1], labels[0]): 20.0}
    estimator = TreeClassifier(max_leaf_nodes=5, costs=costs)
    work = Session(estimator, X, y)
    said, truth = work.model.predict(X), np.asarray(y)
    figures = work.state()["now"]
    assert figures["error"] == pytest.approx(np.mean(said != truth))
    paid = [costs.get((t, s), 0.0) for t, s in zip(truth, said, strict=True)]
    assert figures["cost"] == pytest.approx(np.mean(paid))
    work.validate()
    deadline = time.monotonic() + 60
    while work.validation.state()["running"] and time.monotonic() < deadline:
        time.sleep(0.02)
    checked = work.state()["now"]["checked"]
    assert 0 < checked["cost"] < 20
    assert 0.5 < checked["auc"] < 1


def test_of_several_classes_each_constrained_one_is_a_claim() -> None:
    X, y = load_wine(return_X_y=True)
    given: dict[int, Any] = {0: {2: -1, 0: 1}}
    claims = Session(TreeClassifier(monotonic_cst=given), X, y).state()["now"]["claims"]
    texts = [each["claim"] for each in claims]
    assert ["of 0 never falls" in texts[0], "of 2 never rises" in texts[1]] == [True, True]
