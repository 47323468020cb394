"""Curves, thresholds, costs and effects in a real browser, compared with scikit-learn."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_wine, make_classification
from sklearn.metrics import (
    average_precision_score,
    confusion_matrix,
    roc_auc_score,
)

from hardwood import BoostedTreesClassifier, TreeClassifier
from tests.report.pages import breast_cancer
from tests.report.test_page import AXE, PHONE


def number(text: str) -> float:
    return float(text.replace(",", ""))


def shown_matrix(page) -> list[list[int]]:
    rows = page.locator(".curves .matrix tbody tr").all()
    return [[int(number(cell)) for cell in row.locator("td").all_inner_texts()] for row in rows]


def slide(page, place: int) -> None:
    page.evaluate(
        """place => { const slider = document.getElementById("threshold");
        slider.value = place; slider.dispatchEvent(new Event("input")); }""",
        place,
    )


@pytest.fixture(scope="module", params=["tree", "boosted"])
def two(request):
    """A model, held-out rows, their page."""
    X, y = breast_cancer()
    kind = {
        "tree": TreeClassifier(max_leaf_nodes=12, min_samples_leaf=1, pruning=None),
        "boosted": BoostedTreesClassifier(n_estimators=20),
    }
    model = kind[request.param].fit(X[::2], y[::2])
    return model, X[1::2], y[1::2].to_numpy(), model.report(X[1::2], y[1::2])


def test_the_slider_s_confusion_matrix_is_scikit_learn_s_at_every_place(open_page, two):
    model, X, y, html = two
    page = open_page(html)
    proba = model.predict_proba(X)
    for c in (1, 0):
        page.select_option("#curve-class", label=str(model.classes_[c]))
        order = [model.classes_[c], model.classes_[1 - c]]
        assert shown_matrix(page) == confusion_matrix(y, model.predict(X), labels=order).tolist()
        last = int(page.get_attribute("#threshold", "max"))
        assert last >= min(len(np.unique(proba[:, c])), 100)
        for place in {0, 1, last // 3, last // 2, last - 1, last}:
            slide(page, place)
            text = page.inner_text(".threshold output")
            limit = np.inf if text == "above every row" else float(text.split()[0])
            said = np.where(proba[:, c] >= limit, order[0], order[1])
            assert shown_matrix(page) == confusion_matrix(y, said, labels=order).tolist()
            assert page.get_attribute("#threshold", "aria-valuetext") == text


def test_areas_are_told_as_scikit_learn_computes_them(open_page, two):
    model, X, y, html = two
    page = open_page(html)
    proba = model.predict_proba(X)
    area = roc_auc_score(y == model.classes_[1], proba[:, 1])
    assert f"AUC {area:.4f}" in page.inner_text("#quality > p")
    for c in (1, 0):
        page.select_option("#curve-class", label=str(model.classes_[c]))
        truth = y == model.classes_[c]
        words = page.inner_text(".curves")
        assert f"ROC curve, AUC {roc_auc_score(truth, proba[:, c]):.4f}" in words
        precise = average_precision_score(truth, proba[:, c])
        assert f"average precision {precise:.4f}" in words
        page.locator(".curves svg[role=img]").nth(3).wait_for()
        assert page.locator(".curves svg[role=img]").count() == 4


def test_the_cheapest_threshold_is_the_cheapest_of_all(open_page, two):
    model, X, y, html = two
    page = open_page(html)
    score, truth = model.predict_proba(X)[:, 1], y == model.classes_[1]
    limits = np.append(np.unique(score), np.inf)
    for miss, alarm in ((1, 1), (10, 1), (1, 25), (0.5, 0), (0, 3)):
        page.fill("#cost-miss", str(miss))
        page.fill("#cost-alarm", str(alarm))

        def cost(limit, miss=miss, alarm=alarm):
            missed, alarms = truth & (score < limit), ~truth & (score >= limit)
            return (miss * missed.sum() + alarm * alarms.sum()) / len(y)

        least = min(map(cost, limits))
        assert number(page.inner_text(".least")) == pytest.approx(least, rel=1e-3, abs=1e-12)
        page.get_by_role("button", name="The cheapest").click()
        assert number(page.inner_text(".expected")) == pytest.approx(least, rel=1e-3, abs=1e-12)
        text = page.inner_text(".cheapest")
        limit = np.inf if text == "above every row" else float(text)
        assert cost(limit) == pytest.approx(least, abs=1e-12)
    page.fill("#cost-miss", "much")
    assert page.get_attribute("#cost-miss", "aria-invalid") == "true"
    page.get_by_role("button", name="s own").click()
    order = model.classes_[::-1]
    assert shown_matrix(page) == confusion_matrix(y, model.predict(X), labels=order).tolist()


def test_the_slider_is_moved_by_keys(open_page, two):
    *_, html = two
    page = open_page(html)
    page.locator("#threshold").focus()
    before = page.input_value("#threshold"), shown_matrix(page)
    page.keyboard.press("ArrowLeft")
    after = page.input_value("#threshold"), shown_matrix(page)
    assert int(after[0]) == int(before[0]) - 1
    assert after[1][0][0] >= before[1][0][0]
    assert after != before
    page.keyboard.press("Home")
    assert [row[1] for row in shown_matrix(page)] == [0, 0]


def test_a_rare_class_is_drawn_in_log_odds_and_both_axes_can_be_had(open_page):
    X, y = make_classification(3000, 8, weights=[0.97], random_state=0)
    model = BoostedTreesClassifier(n_estimators=10).fit(X, y)
    page = open_page(model.report(X, y))
    box = page.get_by_label("log-odds axes")
    assert box.is_checked()
    chart = page.get_by_role("group", name="Calibration")
    assert {"0.01", "0.1", "0.5"} <= set(chart.locator("svg text").all_text_contents())
    box.uncheck()
    assert {"0", "0.25", "0.5", "0.75", "1"} <= set(chart.locator("svg text").all_text_contents())
    assert chart.locator("circle.dot").count() >= 2


def test_each_of_several_classes_has_its_own_curves(open_page):
    X, y = load_wine(return_X_y=True)
    names = np.array(["red", "rosé", "white"])[y]
    model = TreeClassifier(max_leaf_nodes=8).fit(X[::2], names[::2])
    X, names = X[1::2], names[1::2]
    page = open_page(model.report(X, names))
    proba = model.predict_proba(X)
    mean = roc_auc_score(names, proba, multi_class="ovr")
    assert f"AUC {mean:.4f} (mean of each class against the others)" in page.inner_text("#quality")
    for c, label in enumerate(model.classes_):
        page.select_option("#curve-class", label=label)
        area = roc_auc_score(names == label, proba[:, c])
        assert f"ROC curve, AUC {area:.4f}" in page.inner_text(".curves")
        slide(page, 1)
        limit = float(page.inner_text(".threshold output").split()[0])
        expected = confusion_matrix(names == label, proba[:, c] >= limit, labels=[True, False])
        assert shown_matrix(page) == expected.tolist()


def test_a_boosted_page_opens_with_what_the_model_does(open_page):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    page = open_page(BoostedTreesClassifier(n_estimators=30).fit(X, y).report(X, y))
    titles = page.locator("main > section > h2").all_inner_texts()
    assert titles[:2] == ["Which columns matter", "How columns move the answer"]
    assert titles.index("How well it does") < titles.index("The trees")
    assert titles[-1] == "Theory"
    assert page.locator("#effects svg[role=img]").count() == 6
    theory = page.locator("#theory")
    assert not theory.locator("svg[role=img]").first.is_visible()
    theory.locator("summary").first.click()
    theory.locator("svg[role=img]").first.wait_for()
    assert "bound" in theory.inner_text()
    tree = open_page(TreeClassifier(max_leaf_nodes=5).fit(X, y).report(X, y))
    titles = tree.locator("main > section > h2").all_inner_texts()
    assert (titles[0], titles[-1]) == ("The tree", "Theory")
    assert not tree.get_by_text("Certificate of the tree as grown").is_visible()
    tree.locator("#theory summary").first.click()
    assert tree.get_by_text("Certificate of the tree as grown").is_visible()


def test_effects_of_categories_are_bars(open_page):
    rng = np.random.default_rng(0)
    town = rng.choice(["Oslo", "Rome", "Lima"], 600)
    X = pd.DataFrame({"town": pd.Categorical(town), "x": rng.normal(size=600)})
    y = (town == "Rome") ^ (X["x"] > 1)
    model = TreeClassifier(max_leaf_nodes=6).fit(X, y)
    page = open_page(model.report(X, y))
    words = page.locator("#effects").inner_text()
    data = json.loads(page.text_content("#content"))
    (effect,) = (each for each in data["effects"] if each["column"] == "town")
    for name, mean in zip(effect["values"], effect["mean"][0], strict=True):
        assert f"{name}\n{100 * mean:.1f}%" in words
        changed = X.assign(town=pd.Categorical([name] * 600, X["town"].cat.categories))
        rows = np.linspace(0, 599, 500).astype(int)
        assert mean == pytest.approx(model.predict_proba(changed.iloc[rows])[:, 1].mean(), rel=1e-4)


def test_a_model_of_many_large_trees_is_compressed_and_answers_the_same(open_page):
    X, y = load_digits(return_X_y=True)
    model = BoostedTreesClassifier(n_estimators=120, max_depth=6).fit(X, y > 4)
    html = model.report(X, y > 4)
    packed = json.loads(html.split('id="content">')[1].split("</script>")[0])["model"]["trees"]
    assert isinstance(packed, str)
    assert len(html) < 1_000_000
    page = open_page(html)
    rows = [{str(j): repr(float(v)) for j, v in enumerate(row)} for row in X[:20]]
    said = page.evaluate("rows => rows.map(row => hardwoodReport.predict(row).shares[1])", rows)
    np.testing.assert_allclose(said, model.predict_proba(X[:20])[:, 1], rtol=1e-12)


@pytest.fixture(scope="module")
def page_of_twenty_classes():
    X, y = make_classification(
        1500, 10, n_informative=8, n_classes=20, n_clusters_per_class=1, random_state=0
    )
    names = np.array([f"a_rather_long_name_of_class_{c}_WithoutAnyBlanks" for c in range(20)])
    frame = pd.DataFrame(
        X, columns=[f"average_monthly_balance_of_quarter_{j}_in_euro" for j in range(10)]
    )
    model = TreeClassifier(max_leaf_nodes=40, pruning=None).fit(frame, names[y])
    return model.report(frame, names[y])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_twenty_classes_and_long_names_are_readable_and_fit_a_phone(
    open_page, page_of_twenty_classes, scheme
):
    html = page_of_twenty_classes
    page = open_page(html, color_scheme=scheme, **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page = open_page(html, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#curve-class option").count() == 20
    colours = page.eval_on_selector_all(
        "#tree > .legend .swatch:not(.route)",
        "all => all.map(each => getComputedStyle(each).backgroundColor)",
    )
    assert len(set(colours)) == 20
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        pytest.skip("axe-playwright-python is not installed")
    page.locator("#theory summary").first.click()
    page.evaluate(Path(found.origin).with_name("axe.min.js").read_text(encoding="utf-8"))
    assert page.evaluate(AXE) == []
