"""`counterfactual`: true to the model, never dearer than anything that brute force finds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwood import BoostedTreesClassifier, Draft, TreeClassifier
from hardwood.explain.forest_change import Found
from hardwood.explain.readable_value import just_above
from tests.explain.all_changes import as_row, customers, least_cost

BOOSTED: list[dict[str, Any]] = [
    {"variant": "logistic"},
    {"variant": "real"},
    {"variant": "gentle"},
    {"variant": "discrete"},
]
SEVERAL: list[dict[str, Any]] = [
    {"variant": "logistic", "multiclass": "ovr"},
    {"variant": "discrete", "multiclass": "samme"},
    {"variant": "discrete", "multiclass": "ovr"},
]


def check_answer(model: Any, row: dict[str, Any], **wishes: Any) -> None:
    """The same as brute force: cost, answer, and whether there is any."""
    to = wishes.pop("to", None)
    before = model.predict(pd.DataFrame([row], dtype=object))[0]
    wanted = [to] if to is not None else [c for c in model.classes_ if c != before]
    least = least_cost(model, row, wanted, **wishes)
    if least == math.inf:
        with pytest.raises(ValueError, match="No change of the row gets"):
            model.counterfactual(row, to=to, **wishes)
        return
    found = model.counterfactual(row, to=to, time_limit=60, **wishes)
    assert found.optimal
    assert found.before == before
    assert found.answer in wanted
    again = pd.DataFrame([found.row], dtype=object)
    assert model.predict(again)[0] == found.answer
    assert found.bound == pytest.approx(least, rel=1e-7, abs=1e-9)
    assert (
        found.bound <= found.cost <= found.bound + 0.00101 * len(found.changes) * _dearest(wishes)
    )
    assert {each.column for each in found.changes} == {
        name for name in row if not _same(row[name], found.row[name])
    }
    for each in found.changes:
        assert each.column not in wishes.get("frozen", ())
        if each.old is not None and each.column in wishes.get("only_up", ()):
            assert each.new > each.old


def _dearest(wishes: dict[str, Any]) -> float:
    """Of a thousandth of a scale; scales of the tables are below 3."""
    return max([1.0, *(3 * cost for cost in (wishes.get("costs") or {}).values())])


def _same(a: object, b: object) -> bool:
    return (a is None and b is None) or a == b


@given(seed=st.integers(0, 10_000), classes=st.sampled_from([2, 3]), branching=st.booleans())
def test_trees_match_brute_force(seed, classes, branching):
    X, y = customers(60, seed, classes)
    several = {"branching": "multiway", "price": "log2"} if branching else {}
    model = TreeClassifier(
        max_leaf_nodes=5, min_samples_leaf=1, min_category_size=1, pruning=None, **several
    ).fit(X, y)
    rng = np.random.default_rng(seed)
    for number in rng.integers(0, len(X), 2).tolist():
        row = as_row(X, number)
        check_answer(model, row)
        check_answer(model, row, to="n")
        names = list(rng.choice(list(X.columns), 2, replace=False))
        check_answer(model, row, frozen=names)
        check_answer(model, row, only_up=["amount", "age"], costs={"age": 0.3, "city": 2.0})
        check_answer(model, row, only_down=["age", "account", "level"])


@pytest.mark.parametrize("options", BOOSTED, ids=lambda each: each["variant"])
@given(seed=st.integers(0, 10_000))
def test_boosted_models_match_brute_force(options, seed):
    X, y = customers(80, seed)
    columns = np.random.default_rng(seed).choice(list(X.columns), 4, replace=False)
    X = X[list(columns)]
    model = BoostedTreesClassifier(
        n_estimators=5, max_depth=2, feature_fraction=1.0, min_samples_leaf=1, **options
    ).fit(X, y)
    for number in (0, 1):
        row = as_row(X, number)
        check_answer(model, row)
        check_answer(model, row, frozen=[columns[0]])
        check_answer(model, row, only_up=[c for c in columns if c in ("amount", "age")])


@pytest.mark.parametrize("options", SEVERAL, ids=lambda each: "-".join(each.values()))
@given(seed=st.integers(0, 10_000))
def test_boosted_models_of_three_classes_match_brute_force(options, seed):
    X, y = customers(80, seed, 3)
    X = X[["amount", "city", "level"]]
    model = BoostedTreesClassifier(
        n_estimators=3, max_depth=2, feature_fraction=1.0, min_samples_leaf=1, **options
    ).fit(X, y)
    row = as_row(X, seed % len(X))
    check_answer(model, row)
    for to in model.classes_:
        check_answer(model, row, to=to) if to != model.predict(X.iloc[:1])[0] else None


@pytest.mark.parametrize("options", [*BOOSTED, *SEVERAL], ids=lambda each: "-".join(each.values()))
@given(seed=st.integers(0, 10_000))
def test_costs_of_mistakes_match_brute_force(options, seed):
    """Answers of least expected cost: a cut of one score, or weighed probabilities."""
    classes = 3 if options in SEVERAL else 2
    X, y = customers(80, seed, classes)
    X = X[["amount", "city", "level"]]
    rng = np.random.default_rng(seed)
    costs = rng.choice([0.5, 1.0, 4.0, 20.0], (classes, classes)) * (1 - np.eye(classes))
    model = BoostedTreesClassifier(
        n_estimators=4,
        max_depth=2,
        feature_fraction=1.0,
        min_samples_leaf=1,
        costs=costs,
        **options,
    ).fit(X, y)
    for number in [seed % len(X)]:
        row = as_row(X, number)
        check_answer(model, row)
        said = model.predict(X.iloc[[number]])[0]
        for to in model.classes_:
            if to != said:
                check_answer(model, row, to=to)


def test_a_mistake_that_costs_nothing_leaves_no_other_answer():
    X, y = customers(60, 2)
    model = BoostedTreesClassifier(n_estimators=3, costs=[[0, 0], [3, 0]]).fit(X, y)
    with pytest.raises(ValueError, match="No change of the row gets the answer 'n'"):
        model.counterfactual(as_row(X, 0))


def test_a_plausible_change_of_a_boosted_model_shares_its_leaves_with_a_row():
    X, y = customers(120, 5)
    model = BoostedTreesClassifier(n_estimators=6, max_depth=2).fit(X, y)
    for number in range(10):
        row = as_row(X, number)
        found = model.counterfactual(row, plausible=X)
        free = model.counterfactual(row)
        assert found.optimal
        assert found.cost >= free.bound - 1e-12
        scores = model.decision_function(X[model.predict(X) == found.answer])
        changed = pd.DataFrame([found.row], dtype=object)
        assert model.decision_function(changed)[0] in scores


def test_a_plausible_change_of_a_tree_reaches_a_leaf_of_the_rows():
    X, y = customers(120, 6)
    model = TreeClassifier(max_leaf_nodes=12, min_samples_leaf=1, pruning=None).fit(X, y)
    few = X.iloc[:4]
    other = set(model.predict(few))
    leaves = set(model.apply(few).tolist())
    row = as_row(X, 20)
    if other != {model.predict(X.iloc[20:21])[0]}:
        found = model.counterfactual(row, plausible=few)
        assert model.apply(pd.DataFrame([found.row], dtype=object))[0] in leaves
    assert model.counterfactual(row, plausible=True).cost == model.counterfactual(row).cost


def test_when_time_ends_the_gap_is_stated():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 12))
    y = (X[:, 0] * X[:, 1] + X[:, 2:].sum(axis=1) > 0).astype(int)
    model = BoostedTreesClassifier(n_estimators=60, max_depth=3).fit(X, y)
    hardest = X[[int(np.abs(model.decision_function(X)).argmax())]]
    hurried = model.counterfactual(hardest, time_limit=1e-9)
    calm = model.counterfactual(hardest, time_limit=100)
    assert not hurried.optimal
    assert "time ended" in str(hurried)
    assert hurried.bound <= calm.bound + 1e-9
    assert calm.optimal
    assert calm.cost <= hurried.cost + 1e-9


def test_a_row_that_has_the_answer_stays_as_it_is():
    X, y = customers(60, 1)
    model = TreeClassifier().fit(X, y)
    row = as_row(X, 0)
    found = model.counterfactual(row, to=model.predict(X.iloc[:1])[0])
    assert (found.changes, found.cost, found.optimal) == ((), 0.0, True)
    assert found.row == row
    assert "as it is" in str(found)


def test_an_unknown_category_stays_what_it_is():
    X, y = customers(100, 3)
    model = BoostedTreesClassifier(n_estimators=5, max_depth=2).fit(X, y)
    row = {**as_row(X, 0), "city": "Atlantis"}
    found = model.counterfactual(row, frozen="city")
    assert "city" not in {each.column for each in found.changes}


@pytest.mark.parametrize("kept", [True, False, None])
def test_a_boolean_stays_one_whatever_the_cut_is(kept):
    X = pd.DataFrame({"flag": np.array([True, False] * 20)})
    draft = Draft().split("", "flag", 0.3, missing=0)
    model = TreeClassifier(pruning=None).fit(X, ["yes", "no"] * 20, draft=draft)
    found = model.counterfactual({"flag": kept})
    assert found.row == {"flag": not kept}
    assert found.changes[0].new in (True, False)


def test_words():
    X = pd.DataFrame({"age": [20, 30, 40, 50] * 5, "city": ["Oslo", "Rome"] * 10})
    y = ["no", "no", "yes", "yes"] * 5
    model = TreeClassifier(pruning=None).fit(X, y)
    found = model.counterfactual({"age": 30, "city": "Oslo"})
    assert str(found) == (
        "no -> yes, at a cost of 0.1714\n  age: 30 -> 36 (+6)\nno cheaper change gives this answer"
    )
    assert found.row == {"age": 36, "city": "Oslo"}


def test_the_value_just_above_a_cut_is_short():
    assert just_above(2.45, math.inf, 0.01) == 2.46
    assert just_above(2.45, math.inf, 0.001) == 2.451
    assert just_above(2500.0, math.inf, 3.9) == 2501.0
    assert just_above(0.0, math.inf, 0.5) == 0.1
    assert just_above(-0.0003, math.inf, 0.001) == 0.0
    assert just_above(99.5, math.inf, 1.0) == 100.0
    assert just_above(-0.3, 5.0, 0.05) == -0.29
    tight = math.nextafter(1.0, 2.0)
    assert just_above(1.0, tight, 1e-30) == tight


@given(cut=st.floats(-1e9, 1e9), step=st.floats(1e-12, 1e6))
def test_the_value_just_above_a_cut_lies_there(cut, step):
    found = just_above(cut, math.inf, step)
    assert cut < found <= max(cut + step, math.nextafter(cut, math.inf))


BAD = [
    ({"to": "x"}, "no class of the model"),
    ({"frozen": "height"}, "no column of the model"),
    ({"frozen": 17}, "no column of the model"),
    ({"frozen": 1.5}, "give a column's name or number"),
    ({"only_up": ["city"]}, "have no order"),
    ({"costs": {"age": 0}}, "positive number"),
    ({"costs": {"age": "dear"}}, "positive number"),
    ({"costs": [1, 2]}, "give a dict"),
    ({"time_limit": 0}, "time_limit"),
    ({"frozen": ["amount", "age", "flag", "city", "level", "account"]}, "loosen"),
]


@pytest.mark.parametrize("kind", [TreeClassifier, BoostedTreesClassifier])
@pytest.mark.parametrize(("wishes", "words"), BAD)
def test_wrong_wishes_are_sentences(kind, wishes, words):
    X, y = customers(60, 2)
    model = kind().fit(X, y)
    with pytest.raises((ValueError, TypeError), match=words):
        model.counterfactual(as_row(X, 0), **wishes)


def test_one_class_has_no_other_answer():
    X, _ = customers(20, 2)
    model = TreeClassifier().fit(X, ["a"] * 20)
    with pytest.raises(ValueError, match="one class"):
        model.counterfactual(as_row(X, 0))


def test_boosted_models_ask_for_the_rows_of_plausible():
    X, y = customers(60, 2)
    model = BoostedTreesClassifier(n_estimators=3).fit(X, y)
    with pytest.raises(ValueError, match="plausible=X"):
        model.counterfactual(as_row(X, 0), plausible=True)


def test_a_missing_value_that_goes_down_every_branch_is_refused():
    X, y = customers(60, 2)
    model = TreeClassifier(missing="fractional", pruning=None).fit(X[["amount"]], y)
    with pytest.raises(ValueError, match="several branches"):
        model.counterfactual({"amount": None})
    assert model.counterfactual({"amount": 0.1}).optimal


def test_no_change_in_time_is_a_sentence_with_the_bound(monkeypatch):
    X, y = customers(60, 2)
    model = BoostedTreesClassifier(n_estimators=3).fit(X, y)
    nothing = Found({}, math.inf, 1.5, False)
    monkeypatch.setattr("hardwood.estimators.what_if.cheapest_cells", lambda *_: nothing)
    with pytest.raises(TimeoutError, match=r"cost at least 1\.5\. Raise time_limit"):
        model.counterfactual(as_row(X, 0))
