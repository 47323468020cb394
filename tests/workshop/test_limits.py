"""Constraints that are set and lifted at the workshop: kept on disk, undone, proved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hardwood
from hardwood import TreeClassifier
from hardwood.certify import check, prove
from tests.report.conftest import browser as browser
from tests.workshop.test_constraints import CONSTRAINED, table
from tests.workshop.test_page import open_workshop as open_workshop
from tests.workshop.test_page import step

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
from hardwood.workshop import Session

pytestmark = pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")

RISING = {"do": "direction", "column": "dose", "direction": "rising", "reason": "medicine says so"}
APART = {"do": "apart", "columns": ["age", "size"], "apart": True}


def begun(folder: Path, **params: Any) -> Session:
    X, y = table()
    return Session(TreeClassifier(max_leaf_nodes=8, **params), X, y, file=folder / "d.json")


def test_constraints_set_on_the_page_are_those_of_the_estimator(tmp_path: Path) -> None:
    X, y = table()
    work = begun(tmp_path)
    free = work.model.digest()
    work.act(0, RISING)
    state = work.act(1, APART)
    sets = [["dose", "age", "ward"], ["dose", "ward", "size"]]
    same = TreeClassifier(max_leaf_nodes=8, monotonic_cst={"dose": 1}, interaction_cst=sets)
    assert work.model.digest() == same.fit(X, y).digest() != free
    assert [each["status"] for each in state["now"]["claims"]] == ["proved", "proved"]
    assert state["constraints"]["directions"][0]["reason"] == "medicine says so"
    nodes = range(work.model.tree_.n_nodes)
    why = {each["why"].split(" ")[0] for node in nodes for each in work.refused(node)["refused"]}
    assert why == {"interaction_cst", "monotonic_cst"}
    work.write(tmp_path)
    saved = hardwood.load(tmp_path / "model.hardwood")
    assert not check(saved, X, y, thorough=True).differences
    apart = {"claim": "never together", "columns": ["age", "size"]}
    assert prove(saved, apart)[0].status == "proved"
    assert prove(saved, {"claim": "monotone", "column": "dose"})[0].status == "proved"
    work.act(2, {"do": "undo"})
    work.act(3, {"do": "undo"})
    assert work.model.digest() == free
    assert not work.state()["constraints"]["words"]
    work.act(4, {"do": "redo"})
    assert [each.column for each in work.limits.directions] == ["dose"]
    work.act(5, RISING | {"direction": "free"})
    assert work.model.digest() == free


def test_a_session_that_ended_is_taken_up_with_its_constraints(tmp_path: Path) -> None:
    work = begun(tmp_path)
    work.act(0, RISING)
    work.act(1, APART)
    work.act(2, {"do": "prefer", "node": 0, "column": "age"})
    again = Session(
        TreeClassifier(max_leaf_nodes=8), *table(), draft=work.draft, file=tmp_path / "d.json"
    )
    assert again.limits == work.limits
    assert again.model.digest() == work.model.digest()
    other = begun(tmp_path, monotonic_cst={"age": 1})  # the command names others now
    assert [each.column for each in other.limits.directions] == ["age"]


def test_constraints_of_the_start_can_be_lifted_and_combined(tmp_path: Path) -> None:
    X, y = table()
    work = Session(TreeClassifier(**CONSTRAINED), X, y)
    assert [(each.column, each.sign) for each in work.limits.directions] == [("dose", 1)]
    work.act(0, {"do": "apart", "columns": ["ward", "size"], "apart": True})
    sets = [["dose", "age"], ["dose", "ward"], ["dose", "size"]]
    expected = TreeClassifier(**CONSTRAINED | {"interaction_cst": sets}).fit(X, y)
    assert work.model.digest() == expected.digest()
    work.act(1, {"do": "apart", "columns": ["size", "ward"], "apart": False})
    assert work.model.digest() == TreeClassifier(**CONSTRAINED).fit(X, y).digest()
    assert work.state()["constraints"]["given"].startswith("the columns of a path all lie in one")
    work.act(2, {"do": "meet", "kept": False})
    work.act(3, {"do": "direction", "column": "dose", "direction": "free"})
    assert work.model.digest() == TreeClassifier(max_leaf_nodes=8).fit(X, y).digest()


def test_of_several_classes_a_direction_is_about_one(tmp_path: Path) -> None:
    X, _ = table()
    y = np.digitize(X["dose"] + X["age"], [-0.5, 0.5])
    work = Session(TreeClassifier(max_leaf_nodes=8), X, y)
    with pytest.raises(ValueError, match="about one class"):
        work.act(0, RISING)
    work.act(0, RISING | {"label": "2"})
    same = TreeClassifier(max_leaf_nodes=8, monotonic_cst={"dose": {2: 1}}).fit(X, y)
    assert work.model.digest() == same.digest()
    unnamed = Session(TreeClassifier(max_leaf_nodes=8), X[["dose", "age"]].to_numpy(), y > 0)
    unnamed.act(0, {"do": "direction", "column": "1", "direction": "falling"})
    assert unnamed.state()["now"]["claims"][0]["status"] == "proved"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"do": "direction", "column": "height", "direction": "rising"}, "no column"),
        ({"do": "direction", "column": "dose", "direction": "up"}, "rising, falling or free"),
        ({"do": "direction", "column": "ward", "direction": "rising"}, "have no order"),
        ({"do": "direction", "column": "dose", "direction": "rising", "label": "x"}, "no class"),
        ({"do": "direction", "column": "dose", "direction": "rising", "reason": 1}, "reason"),
        ({"do": "apart", "columns": ["dose"], "apart": True}, "Two columns"),
        ({"do": "apart", "columns": ["dose", "dose"], "apart": True}, "from itself"),
        ({"do": "apart", "columns": ["age", "dose"], "apart": True}, "interaction_cst keeps"),
    ],
)
def test_what_makes_no_sense_is_a_sentence_and_changes_nothing(
    tmp_path: Path, given: dict[str, Any], sentence: str
) -> None:
    work = begun(tmp_path)
    work.act(0, {"do": "prefer", "node": 0, "column": "age"})
    work.act(1, {"do": "prefer", "node": 1, "column": "dose"})
    before = work.draft, work.limits, work.model.digest(), (tmp_path / "d.json").read_bytes()
    with pytest.raises(ValueError, match=sentence):
        work.act(2, given)
    after = work.draft, work.limits, work.model.digest(), (tmp_path / "d.json").read_bytes()
    assert (before, work.version) == (after, 2)


def test_too_many_pairs_and_other_kinds_of_interactions_are_refused() -> None:
    rng = np.random.default_rng(0)
    work = Session(TreeClassifier(max_leaf_nodes=4), rng.normal(size=(60, 16)), [0, 1] * 30)
    pairs = [[str(2 * k), str(2 * k + 1)] for k in range(7)]
    for k, pair in enumerate(pairs[:6]):
        work.act(k, {"do": "apart", "columns": pair, "apart": True})
    with pytest.raises(ValueError, match="more than 64 sets"):
        work.act(6, {"do": "apart", "columns": pairs[6], "apart": True})
    assert len(work.limits.apart) == 6
    told = TreeClassifier(max_leaf_nodes=4, interaction_cst="pairwise")
    other = Session(told, *table())
    with pytest.raises(ValueError, match="lift that first"):
        other.act(0, APART)


@pytest.mark.parametrize(
    "damage",
    [
        "{",
        "[]",
        '{"hardwood-constraints": 1}',
        '{"hardwood-constraints": 2, "start": 0}',
    ],
)
def test_a_damaged_file_of_constraints_is_a_sentence(tmp_path: Path, damage: str) -> None:
    begun(tmp_path).act(0, RISING)
    path = tmp_path / "d.constraints.json"
    start = json.loads(path.read_text())["start"]
    kept = damage.replace("}", f', "start": {json.dumps(start)}}}') if "1}" in damage else damage
    path.write_text(kept)
    with pytest.raises(ValueError, match="cannot be taken up"):
        begun(tmp_path)


def test_constraints_are_set_and_lifted_by_keyboard(open_workshop: Any, tmp_path: Path) -> None:
    X, y = table()
    page, made, _ = open_workshop(X, y)
    page.fill("#reason", "medicine says so")
    page.locator("#constraints summary").focus()
    page.keyboard.press("Enter")
    page.locator("#way-column").focus()
    page.keyboard.press("d")
    page.locator("button:text-is('Set the direction')").focus()
    step(page, made, lambda: page.keyboard.press("Enter"))
    assert made.session.limits.directions[0].column == "dose"
    text = page.inner_text("#node ul.constraints")
    assert "1 never falls as dose rises" in text
    assert "medicine says so" in text
    assert "1 of 1" in page.inner_text("#node")
    assert "proved" in page.inner_text("#compare")
    page.select_option("#apart-one", "age")
    page.select_option("#apart-other", "size")
    page.locator("button:text-is('Keep apart')").focus()
    step(page, made, lambda: page.keyboard.press("Enter"))
    # The tree is the same, so its digest does not tell when the page has the answer.
    page.wait_for_selector("#node ul.constraints:has-text('no path asks about age and size')")
    page.click("button:has-text('Put this draft aside')")
    page.wait_for_selector("#compare th:text-is('put aside')")
    page.get_by_role("button", name="Lift: the probability of 1 never falls as dose rises").focus()
    step(page, made, lambda: page.keyboard.press("Enter"))
    page.wait_for_selector("#compare:has-text('not asked')")
    step(page, made, lambda: page.click("#undo"))
    page.wait_for_selector("#node ul.constraints:has-text('1 never falls as dose rises')")
    page.reload()
    page.wait_for_selector("#node ul.constraints:has-text('no path asks about age and size')")
