"""The drawn tree in a real browser: width, zoom, whole words, joined leaves, histograms."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier
from tests.report.pages import breast_cancer

DESK = {"viewport": {"width": 1400, "height": 900}}


@pytest.fixture(scope="module")
def tree12():
    X, y = breast_cancer()
    model = TreeClassifier(max_leaf_nodes=12, min_samples_leaf=1, pruning=None).fit(X, y)
    return model, X, y, model.report(X, y)


@pytest.fixture(scope="module")
def deep():
    """A tree in which neighbouring leaves say the same."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 4))
    y = (X[:, 0] * X[:, 1] + X[:, 2] + 0.5 * rng.normal(size=3000) > 0).astype(int)
    model = TreeClassifier(max_depth=8, max_leaf_nodes=50, pruning=None).fit(X, y)
    return model, X, y, model.report(X, y)


def zoom(page) -> int:
    return int(page.inner_text(".zoom").rstrip("%"))


def overhang(page) -> float:
    return page.evaluate(
        "(panel => panel.scrollWidth - panel.clientWidth)(document.querySelector('.panel'))"
    )


def wait_until(page, holds):
    """Asked from here: the page's policy lets it evaluate no condition itself."""
    for _ in range(100):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not come within five seconds")


def test_the_tree_fits_the_width_also_when_that_changes(open_page, tree12):
    *_, html = tree12
    page = open_page(html, **DESK)
    assert page.locator("[role=treeitem]").count() == 23
    assert overhang(page) <= 1
    assert 60 <= zoom(page) <= 100
    wide = zoom(page)
    page.set_viewport_size({"width": 1100, "height": 900})
    wait_until(page, lambda: zoom(page) < wide)
    assert overhang(page) <= 1 or zoom(page) == 60


def test_buttons_keys_and_the_wheel_zoom(open_page, tree12):
    *_, html = tree12
    page = open_page(html, **DESK)
    start = zoom(page)
    card = page.locator("[data-node='0'] > .card")
    width = card.bounding_box()["width"]
    page.get_by_role("button", name="Zoom in").click()
    assert zoom(page) == pytest.approx(1.2 * start, abs=1)
    assert card.bounding_box()["width"] == pytest.approx(1.2 * width, rel=0.03)
    page.get_by_role("button", name="Zoom out").click()
    page.get_by_role("button", name="Zoom out").click()
    assert zoom(page) < start
    page.get_by_role("button", name="Fit the tree").click()
    assert zoom(page) == start
    page.locator("[data-node='0']").focus()
    page.keyboard.press("+")
    assert zoom(page) > start
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert zoom(page) < start
    page.keyboard.press("0")
    assert zoom(page) == start
    panel = page.locator(".panel").bounding_box()
    page.mouse.move(panel["x"] + 200, panel["y"] + 200)
    page.mouse.wheel(0, -100)
    page.wait_for_timeout(100)
    assert zoom(page) == start  # the wheel alone scrolls
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    wait_until(page, lambda: zoom(page) > start)
    page.keyboard.up("Control")
    for _ in range(12):
        page.get_by_role("button", name="Zoom in").click()
    assert zoom(page) == 300


def test_names_do_not_break_inside_a_word(open_page):
    rng = np.random.default_rng(0)
    names = [
        "average_monthly_balance_last_quarter_eur",
        "numberOfDependentsInTheHousehold",
        "Donaudampfschifffahrtsgesellschaft",
        "years since the last change",
    ]
    X = pd.DataFrame(rng.normal(size=(600, 4)), columns=names)
    y = np.where(X.sum(axis=1) > 0, "will_be_repaid_in_time", "defaults within a year")
    page = open_page(TreeClassifier(max_leaf_nodes=12).fit(X, y).report(X, y), **DESK)
    broken = page.evaluate(
        r"""() => {
        const broken = [];
        for (const name of document.querySelectorAll(".card bdi")) {
          for (const text of name.childNodes) {
            if (text.nodeType !== 3) continue;
            for (const word of text.textContent.matchAll(/\S+/g)) {
              const range = document.createRange();
              range.setStart(text, word.index);
              range.setEnd(text, word.index + word[0].length);
              const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
              if (lines.size > 1) broken.push(word[0]);
            }
          }
        }
        return broken;
        }"""
    )
    assert broken == []
    outside = page.evaluate(
        """() => [...document.querySelectorAll(".card")]
        .filter(card => card.scrollWidth > card.clientWidth + 1).length"""
    )
    assert outside == 0
    whole = set(page.locator(".card bdi").all_inner_texts())
    assert set(names) & whole


def test_leaves_that_say_the_same_are_joined_and_keep_their_probabilities(open_page, deep):
    model, X, _, html = deep
    tree = model.tree_
    page = open_page(html, **DESK)
    page.get_by_label("leaves that say the same as one").check()
    page.get_by_role("button", name="Open all").click()

    def leaves_below(node):
        children = tree.children(node)
        return [leaf for child in children for leaf in leaves_below(child)] or [node]

    drawn, pending = set(), [0]
    while pending:
        node = pending.pop()
        drawn.add(node)
        if len({int(tree.label[leaf]) for leaf in leaves_below(node)}) > 1:
            pending += tree.children(node)
    shown = page.eval_on_selector_all("[role=treeitem]", "all => all.map(e => +e.dataset.node)")
    assert set(shown) == drawn
    joined = [
        node for node in drawn if tree.branches[node] and not set(tree.children(node)) & drawn
    ]
    assert joined
    node = joined[0]
    page.locator(f"[data-node='{node}'] > .card").hover()
    told = page.inner_text(".details")
    assert told.startswith(f"Leaves below node {node}")
    label = int(tree.label[leaves_below(node)[0]])
    for leaf in leaves_below(node):
        assert f"Leaf {leaf}: {100 * tree.shares[leaf, label]:.1f}%" in told
    row = {str(j): repr(float(v)) for j, v in enumerate(X[0])}
    said = page.evaluate("row => hardwoodReport.predict(row).shares", row)
    np.testing.assert_array_equal(said, model.predict_proba(X[:1])[0])
    page.get_by_role("button", name="Show in the tree").click()
    way = set(page.eval_on_selector_all(".on-path", "all => all.map(e => +e.dataset.node)"))
    assert way <= drawn
    page.get_by_label("leaves that say the same as one").uncheck()
    page.get_by_role("button", name="Open all").click()
    assert page.locator("[role=treeitem]").count() == tree.n_nodes


def test_histograms_count_the_rows_of_a_node_by_class(open_page, tree12):
    model, X, y, html = tree12
    page = open_page(html, **DESK)
    part = json.loads(page.text_content("#content"))["distributions"]
    reached = model.decision_path(X).toarray().astype(bool)
    codes = np.searchsorted(model.classes_, y)
    assert part["rows"] == len(X)
    splits = np.flatnonzero(model.tree_.branches)
    assert {int(node) for node in part["nodes"]} <= set(splits.tolist())
    assert "0" in part["nodes"]
    for node, each in part["nodes"].items():
        here = reached[:, int(node)]
        assert [sum(bars) for bars in each["bars"]] == np.bincount(
            codes[here], minlength=2
        ).tolist()
        values = X.iloc[:, int(model.tree_.feature[int(node)])][here]
        inner = ((each["low"] <= values) & (values <= each["high"])).sum()
        assert inner >= 0.97 * here.sum() - 2
    page.locator("[data-node='0'] > .card").hover()
    assert page.locator(".details .distribution rect").count() > 10
    assert page.locator(".details .distribution .cut").count() == 1
    assert page.locator(".card .distribution").count() == 0
    page.get_by_label("histograms in the cards").check()
    assert page.locator(".card .distribution").count() == len(part["nodes"])
    assert overhang(page) <= 1


def test_histograms_of_categories_name_them_and_their_branches(open_page):
    rng = np.random.default_rng(0)
    town = rng.choice(["Oslo", "Rome", "Lima"], 500, p=[0.5, 0.3, 0.2])
    X = pd.DataFrame({"town": pd.Categorical(town)})
    X.loc[:9, "town"] = None
    y = (town == "Rome") ^ (rng.random(500) < 0.1)
    page = open_page(TreeClassifier(max_depth=1).fit(X, y).report(X, y), **DESK)
    page.locator("[data-node='0'] > .card").hover()
    told = page.inner_text(".details")
    for name, rows in X["town"].value_counts().items():
        assert f"{name} ({rows} rows, branch " in told
    assert "10 rows without a value" in told


def test_boosted_trees_have_no_switches_for_leaves_and_histograms(open_page):
    X, y = breast_cancer()
    page = open_page(BoostedTreesClassifier(n_estimators=3).fit(X, y).report(X, y))
    assert page.locator("#tree [type=checkbox]").count() == 0
    assert page.get_by_role("button", name="Zoom in").is_visible()
