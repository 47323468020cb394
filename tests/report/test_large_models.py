"""Boosted models with more trees than a page can show: they answer, and the page stays small."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.datasets import make_classification

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.report import bare_trees, model_part
from tests.export.models import CLASSES, edge_rows, frame_of, hand_boosted
from tests.report.pages import bare_page, breast_cancer, mixed, typed_rows
from tests.report.test_what_if import agrees, answers, frame_rows


@pytest.fixture
def few_readable(monkeypatch):
    monkeypatch.setattr(model_part, "READABLE_NODES", 10)
    monkeypatch.setattr(model_part, "READABLE_OF_MORE", 10)


@pytest.mark.parametrize("multiclass", ["samme", "ovr"])
def test_trees_that_are_not_shown_answer_to_the_bit(open_page, few_readable, multiclass):
    model = hand_boosted(3, multiclass, CLASSES["strings"])
    rows = edge_rows(model)
    page = open_page(bare_page(model))
    assert page.evaluate("hardwoodReport.trees.filter(tree => tree.rows).length") < len(
        page.evaluate("hardwoodReport.trees.map(tree => tree.round)")
    )
    agrees(model, frame_of(model, rows), answers(page, model, rows))


def test_categories_missing_values_and_integers_take_their_way_in_them(open_page, few_readable):
    X, y = mixed(classes=3)
    model = BoostedTreesClassifier(n_estimators=8).fit(X, y)
    page = open_page(model.report(X, y))
    agrees(model, X, answers(page, model, frame_rows(X)))
    assert "The first 1 round of this large model" in page.inner_text("#tree")


def test_rounded_scores_are_within_what_the_page_says(open_page, few_readable, monkeypatch):
    X, y = breast_cancer()
    model = BoostedTreesClassifier(n_estimators=30).fit(X, y)
    whole = len(model_part.model_part(model)["bare"]["exact"])
    monkeypatch.setattr(bare_trees, "SIZE", whole)
    bare = model_part.model_part(model)["bare"]
    assert bare["exact"] is None
    page = open_page(model.report(X, y))
    found = answers(page, model, frame_rows(X))
    off = np.abs(np.array([each["shares"] for each in found]) - model.predict_proba(X)).max()
    assert 0 < off <= bare["within"] < 0.01
    told = re.search(r"a probability is at most ([\d.]+) off", page.inner_text("#what-if"))
    assert float(told[1]) == bare["within"]


def test_a_model_that_does_not_fit_is_shown_without_what_if(open_page, few_readable, monkeypatch):
    monkeypatch.setattr(bare_trees, "SIZE", 100)
    X, y = breast_cancer()
    page = open_page(BoostedTreesClassifier(n_estimators=12).fit(X, y).report(X, y))
    assert page.locator("#what-if").count() == 0
    assert "needs all 12 trees" in page.inner_text("#tree")
    page.fill("#round", "12")
    assert page.locator("[role=treeitem]").count() > 2


@pytest.mark.thorough
def test_twenty_classes_fit_a_megabyte(open_page):
    X, y = make_classification(
        400, 12, n_informative=10, n_classes=20, n_clusters_per_class=1, random_state=0
    )
    model = BoostedTreesClassifier().fit(X, y)
    html = model.report(X, y)
    assert len(model.trees_) == 200
    assert len(html) < 1_000_000
    page = open_page(html)
    found = page.evaluate(
        "rows => rows.map(row => hardwoodReport.predict(row))",
        typed_rows(model, X[:40].tolist()),
    )
    shares = np.array([each["shares"] for each in found])
    within = page.evaluate("JSON.parse(document.getElementById('content').textContent)")["model"][
        "bare"
    ]["within"]
    assert np.abs(shares - model.predict_proba(X[:40])).max() <= within + 1e-12


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_of_twenty_classes_stand_off_from_the_page(open_page, scheme):
    X = np.repeat(np.arange(20.0), 6)[:, None]
    model = TreeClassifier(max_leaf_nodes=20, min_samples_leaf=1, pruning=None).fit(X, X[:, 0])
    page = open_page(model.report(X, X[:, 0]), color_scheme=scheme)
    shown = page.eval_on_selector_all(
        "#tree .legend .swatch:not(.route)",
        "all => all.map(each => getComputedStyle(each).backgroundColor)",
    )
    assert len(set(shown)) == 20
    parts = np.array([[int(part) for part in colour[4:-1].split(",")] for colour in shown]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    bright = linear @ [0.2126, 0.7152, 0.0722]
    if scheme == "dark":
        assert bright.min() > 0.155  # 3:1 on the card
    else:
        assert bright.max() < 0.56
