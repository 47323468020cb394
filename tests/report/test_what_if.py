"""The page's own prediction is the model's, to the bit, on rows where it could go wrong."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier
from tests.effort import trials
from tests.export.models import (
    CLASSES,
    SCHEMAS,
    all_trees,
    edge_rows,
    frame_of,
    hand_boosted,
    hand_made,
)
from tests.report.pages import HOSTILE, bare_page, breast_cancer, mixed, typed_rows

pytestmark = pytest.mark.grid

ASK = "rows => rows.map(row => hardwoodReport.predict(row))"


def answers(page, model, rows):
    return page.evaluate(ASK, typed_rows(model, rows))


def frame_rows(X: pd.DataFrame) -> list[list]:
    rows = X.astype(object).to_numpy().tolist()
    return [[None if value is None or value != value else value for value in row] for row in rows]


def agrees(model, X, found) -> None:
    labels = model.classes_[[each["label"] for each in found]]
    assert labels.tolist() == model.predict(X).tolist()
    shares = np.array([each["shares"] for each in found])
    if isinstance(model, TreeClassifier):
        assert (shares == model.predict_proba(X)).all()
        if model.tree_.share is None:
            assert [each["leaf"] for each in found] == model.apply(X).tolist()
        return
    scores = np.array([each["scores"] for each in found])
    assert (scores.squeeze() == model.decision_function(X).squeeze()).all()
    np.testing.assert_allclose(shares, model.predict_proba(X), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("kind", list(CLASSES))
def test_trees_of_every_shape_answer_as_predict_on_and_beside_every_cut(open_page, kind):
    for seed in range(trials(3)):
        model = hand_made(seed, 25, CLASSES[kind])
        rows = edge_rows(model)
        agrees(model, frame_of(model, rows), answers(open_page(bare_page(model)), model, rows))


@pytest.mark.parametrize("multiclass", ["samme", "ovr"])
@pytest.mark.parametrize("kind", ["strings", "booleans"])
def test_boosted_models_answer_as_predict_on_and_beside_every_cut(open_page, kind, multiclass):
    model = hand_boosted(3, multiclass, CLASSES[kind])
    rows = edge_rows(model)
    agrees(model, frame_of(model, rows), answers(open_page(bare_page(model)), model, rows))


@pytest.mark.parametrize("missing", ["branch", "fractional"])
def test_missing_values_go_as_in_predict(open_page, missing):
    X, y = mixed(classes=3)
    model = TreeClassifier(max_leaf_nodes=30, missing=missing).fit(X, y)
    page = open_page(model.report(X, y))
    agrees(model, X, answers(page, model, frame_rows(X)))


def test_a_trained_boosted_model_answers_as_predict(open_page):
    X, y = mixed(classes=3)
    for model in (
        BoostedTreesClassifier(n_estimators=12).fit(X, y),
        BoostedTreesClassifier(n_estimators=12).fit(X, y == HOSTILE[2]),
        BoostedTreesClassifier(n_estimators=12, variant="discrete").fit(X, y),
    ):
        page = open_page(model.report(X, y if len(model.classes_) > 2 else y == HOSTILE[2]))
        agrees(model, X, answers(page, model, frame_rows(X)))


@pytest.mark.parametrize("missing", ["branch", "fractional"])
def test_costs_decide_as_in_predict(open_page, missing):
    X, y = mixed(classes=3)
    costs = np.array([[0, 1, 2], [5, 0, 1], [9, 3, 0]])
    second = y == HOSTILE[2]
    for model, truth in (
        (TreeClassifier(max_leaf_nodes=30, missing=missing, costs=costs).fit(X, y), y),
        (BoostedTreesClassifier(n_estimators=9, costs=costs).fit(X, y), y),
        (BoostedTreesClassifier(n_estimators=9, costs=costs[:2, :2]).fit(X, second), second),
    ):
        page = open_page(model.report(X, truth))
        agrees(model, X, answers(page, model, frame_rows(X)))
        words = page.locator("#quality").inner_text()
        told = float(re.search(r"A row costs ([\d.]+) on average", words)[1])
        assert told == pytest.approx(-model.score(X, truth), abs=1e-3)


def test_one_class_only_is_answered_too(open_page):
    X, _ = breast_cancer()
    for kind in (TreeClassifier, BoostedTreesClassifier):
        model = kind().fit(X, np.ones(len(X)))
        page = open_page(model.report(X, np.ones(len(X))))
        assert page.evaluate("hardwoodReport.predict({})")["shares"] == [1]


def test_large_integers_typed_into_a_column_of_floats_are_not_rounded(open_page):
    values = np.array([2.0**53, 2.0**53 + 4])
    X = np.repeat(values, 20)[:, None]
    model = TreeClassifier().fit(X, np.repeat([0, 1], 20))
    cut = int(model.tree_.thresholds[0])
    page = open_page(model.report(X))
    typed = [{"0": str(cut + step)} for step in (-1, 0, 1)]
    found = [each["label"] for each in page.evaluate(ASK, typed)]
    ints = np.array([[cut - 1], [cut], [cut + 1]])
    assert found == model.predict(ints).tolist() == [0, 0, 1]


@pytest.mark.parametrize("kind", [TreeClassifier, BoostedTreesClassifier])
def test_a_row_typed_into_the_fields_is_answered_as_by_predict(open_page, kind):
    X, y = mixed()
    model = kind(max_leaf_nodes=12).fit(X, y)
    page = open_page(model.report(X, y))
    used = {j for tree in all_trees(model) for j in tree.used_features}
    rows = frame_rows(X.iloc[:12])
    rows[0][1] = "never seen"
    for row, values in zip(rows, typed_rows(model, rows), strict=True):
        for j in sorted(used):
            value = values[str(j)]
            if model._schemas[j].kind == "category":
                page.select_option(f"#field-{j}", "" if value is None else str(value))
            else:
                page.fill(f"#field-{j}", value or "")
        label = int(page.get_attribute("[data-label]", "data-label"))
        one = pd.DataFrame([row], columns=X.columns).astype({HOSTILE[7]: "int64"})
        one[HOSTILE[0]] = one[HOSTILE[0]].astype(float)
        assert model.classes_[label] == model.predict(one)[0]


def test_what_is_no_number_is_refused_in_words_and_changes_nothing(open_page):
    X, y = breast_cancer()
    page = open_page(TreeClassifier(max_leaf_nodes=6).fit(X, y).report(X, y))
    field = page.locator(".field input").first
    before = page.inner_text(".result")
    for text in ("abc", "inf", "1e999", "0x10", "1,5"):
        field.fill(text)
        assert "finite number" in page.inner_text(".problem >> nth=0")
        assert field.get_attribute("aria-invalid") == "true"
        assert page.inner_text(".result") == before
    field.fill("1e3")
    assert page.inner_text(".problem >> nth=0") == ""


@pytest.mark.parametrize("seed", range(trials(3)))
def test_rules_in_words_are_those_of_the_package(open_page, seed):
    model = hand_made(seed, 30, CLASSES["strings"], SCHEMAS)
    page = open_page(bare_page(model))
    rules = model.rules()
    found = page.evaluate(
        "leaves => leaves.map(leaf => hardwoodReport.rule(leaf))", [rule.leaf for rule in rules]
    )
    for rule, text in zip(rules, found, strict=True):
        assert str(rule).startswith(text), (str(rule), text)
