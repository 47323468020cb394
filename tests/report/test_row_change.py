"""The page's cheapest change of a row is the model's: of trees to the bit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.table.schema import ColumnSchema
from tests.effort import trials
from tests.explain.all_changes import as_row, customers
from tests.export.models import CLASSES, edge_rows, hand_made
from tests.report.pages import bare_page, breast_cancer

ASK = """async ([rows, wishes, seconds]) => {
  const plain = (value) => typeof value === "bigint" ? String(value) : value;
  const found = [];
  for (const row of rows) {
    const one = await hardwoodReport.change(row, wishes, seconds);
    found.push(one && { ...one, row: null, moves: null, changes: one.changes?.map(
      (each) => ({ ...each, old: plain(each.old), value: plain(each.value) })) });
  }
  return found;
}"""
WORDS = {"frozen": "stays", "only_up": "up", "only_down": "down"}


def typed(schemas: tuple[ColumnSchema, ...], row: list[Any]) -> dict[str, Any]:
    """The row as the page's fields have it."""
    values: dict[str, Any] = {}
    for j, (schema, value) in enumerate(zip(schemas, row, strict=True)):
        if value is None or value != value:
            values[str(j)] = None
        elif schema.categories:
            known = list(schema.categories)
            values[str(j)] = known.index(value) if value in known else -2
        else:
            whole = schema.kind != "numeric" or isinstance(value, bool)
            values[str(j)] = str(int(value)) if whole else repr(float(value))
    return values


def asked(page: Any, model: Any, rows: list[list[Any]], seconds: float = 10, **wishes: Any) -> Any:
    names = [schema.name for schema in model._schemas]
    told: dict[str, Any] = {"moves": {}}
    for wish, word in WORDS.items():
        told["moves"] |= {str(names.index(name)): word for name in wishes.get(wish, ())}
    if "to" in wishes:
        told["to"] = [model.classes_.tolist().index(wishes["to"])]
    if "plausible" in wishes:
        told["held"] = True
    return page.evaluate(ASK, [[typed(model._schemas, row) for row in rows], told, seconds])


def by_package(model: Any, row: Any, **wishes: Any) -> Any:
    """None: no change gets the answer."""
    try:
        return model.counterfactual(row, **wishes)
    except ValueError as error:
        if "No change of the row" not in str(error):
            raise
        return None


def new_values(model: Any, found: dict[str, Any]) -> dict[str, Any]:
    new = {}
    for each in found["changes"]:
        schema, value = model._schemas[each["column"]], each["value"]
        number = float if schema.kind == "numeric" else int
        new[schema.name] = schema.categories[value] if schema.categories else number(value)
    return new


def same_change(model: Any, found: Any, expected: Any) -> None:
    if expected is None or found is None:
        assert found is expected
        return
    assert found["cost"] == expected.cost
    assert found["bound"] == expected.bound
    assert found["optimal"] is True
    assert model.classes_[found["label"]] == expected.answer
    assert [each["cost"] for each in found["changes"]] == [each.cost for each in expected.changes]
    assert new_values(model, found) == {each.column: each.new for each in expected.changes}


WISHES: list[dict[str, Any]] = [
    {},
    {"frozen": ["age", "city"]},
    {"only_up": ["amount", "level", "account"], "only_down": ["age"]},
]


@pytest.mark.parametrize("options", [{}, {"branching": "multiway"}, {"costs": [[0, 4], [1, 0]]}])
def test_changes_of_trees_are_those_of_the_package_to_the_bit(open_page, options):
    for seed in range(trials(2)):
        X, y = customers(300, seed)
        model = TreeClassifier(max_leaf_nodes=24, pruning=None, **options).fit(X, y)
        page = open_page(model.report(X, y))
        rows = [as_row(X, number) for number in range(25)]
        rows[0]["city"] = "Atlantis"
        for wishes in WISHES:
            found = asked(page, model, [list(row.values()) for row in rows], **wishes)
            for row, one in zip(rows, found, strict=True):
                same_change(model, one, by_package(model, row, **wishes))


def test_a_class_can_be_asked_for_and_leaves_with_rows_alone(open_page):
    X, y = customers(300, 4, 3)
    model = TreeClassifier(max_leaf_nodes=24, pruning=None).fit(X, y)
    few = X.iloc[:9]
    page = open_page(model.report(few))
    rows = [as_row(X, number) for number in range(20)]
    for wishes in ({"to": "z"}, {"plausible": few}):
        asking = [row for row in rows if model.predict(pd.DataFrame([row]))[0] != "z"]
        found = asked(page, model, [list(row.values()) for row in asking], **wishes)
        for row, one in zip(asking, found, strict=True):
            same_change(model, one, by_package(model, row, **wishes))


@pytest.mark.parametrize("kind", list(CLASSES))
def test_changes_of_hand_made_trees_agree_beside_every_cut(open_page, kind):
    for seed in range(trials(2)):
        model = hand_made(seed, 20, CLASSES[kind])
        rows = [[float(v) if v is True or v is False else v for v in r] for r in edge_rows(model)]
        rows = rows[:60]
        found = asked(open_page(bare_page(model)), model, rows)
        for row, one in zip(rows, found, strict=True):
            same_change(model, one, by_package(model, row))


def test_a_missing_value_that_goes_down_every_branch_is_a_sentence(open_page):
    X, y = customers(200, 2)
    model = TreeClassifier(missing="fractional", pruning=None).fit(X[["amount"]], y)
    page = open_page(model.report(X[["amount"]], y))
    (found,) = asked(page, model, [[None]])
    assert "several branches" in found["problem"]
    (found,) = asked(page, model, [[0.1]])
    same_change(model, found, model.counterfactual({"amount": 0.1}))


BOOSTED: list[tuple[int, dict[str, Any]]] = [
    (2, {"variant": "logistic"}),
    (2, {"variant": "discrete"}),
    (2, {"variant": "logistic", "costs": [[0, 5], [1, 0]]}),
    (3, {"variant": "logistic"}),
    (3, {"variant": "discrete"}),
]


@pytest.mark.parametrize(("classes", "options"), BOOSTED)
def test_changes_of_boosted_models_cost_what_those_of_the_package_do(open_page, classes, options):
    X, y = customers(200, 7, classes)
    model = BoostedTreesClassifier(n_estimators=12, max_depth=2, **options).fit(X, y)
    page = open_page(model.report(X, y))
    rows = [as_row(X, number) for number in range(12)]
    for wishes in WISHES:
        found = asked(page, model, [list(row.values()) for row in rows], **wishes)
        for row, one in zip(rows, found, strict=True):
            expected = by_package(model, row, **wishes)
            if expected is None:
                assert one is None
                continue
            assert one["optimal"]
            assert one["bound"] == pytest.approx(expected.bound, rel=1e-9, abs=1e-12)
            changed = {**row, **new_values(model, one)}
            answer = model.predict(pd.DataFrame([changed], dtype=object))[0]
            assert answer == model.classes_[one["label"]] != expected.before


def test_when_time_ends_the_page_states_the_gap(open_page):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 12))
    y = (X[:, 0] * X[:, 1] + X[:, 2:].sum(axis=1) > 0).astype(int)
    model = BoostedTreesClassifier(n_estimators=60, max_depth=3).fit(X, y)
    hardest = X[int(np.abs(model.decision_function(X)).argmax())].tolist()
    page = open_page(model.report(X, y))
    (hurried,) = asked(page, model, [hardest], seconds=1e-9)
    calm = model.counterfactual(np.array([hardest]), time_limit=100)
    assert not hurried["optimal"]
    assert hurried["bound"] <= calm.bound + 1e-9
    assert hurried.get("cost", math.inf) >= calm.cost - 1e-9


def test_what_the_page_refuses_it_says(open_page):
    X, y = customers(120, 3, 3)
    costs = [[0, 1, 2], [5, 0, 1], [9, 3, 0]]
    model = BoostedTreesClassifier(n_estimators=3, max_depth=2, costs=costs).fit(X, y)
    page = open_page(model.report(X, y))
    assert "model.counterfactual" in page.inner_text(".change")
    assert page.locator(".change button").count() == 0


def test_the_panel_follows_the_row_and_its_values_can_be_taken(open_page):
    X, y = breast_cancer()
    model = TreeClassifier(max_leaf_nodes=8).fit(X, y)
    page = open_page(model.report(X, y))
    before = page.inner_text(".result .answer")
    told = page.inner_text(".change .changes")
    assert "no cheaper change gives this answer" in told
    column = page.locator(".change li").first.inner_text().split(":")[0]
    page.click(".change summary")
    page.get_by_label(column, exact=True).nth(1).select_option("stays")
    frozen = page.inner_text(".change .changes")
    assert frozen != told
    assert f"{column}:" not in frozen
    page.get_by_label(column, exact=True).nth(1).select_option("")
    assert page.inner_text(".change .changes") == told
    page.click("text=Take these values")
    assert page.inner_text(".result .answer") != before


def test_a_boosted_model_is_searched_when_the_button_is_pressed(open_page):
    X, y = breast_cancer()
    model = BoostedTreesClassifier(n_estimators=20, max_depth=2).fit(X, y)
    page = open_page(model.report(X, y))
    assert page.inner_text(".change .changes") == ""
    page.click("text=Find the change")
    page.wait_for_selector("text=It costs", timeout=20_000)
    before = page.inner_text(".result .answer")
    page.click("text=Take these values")
    assert page.inner_text(".result .answer") != before
    assert page.inner_text(".change .changes") == ""
