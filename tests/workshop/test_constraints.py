"""A session with monotonic_cst and interaction_cst: growth, offers and steps keep both."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hardwood
from hardwood import Draft, TreeClassifier
from hardwood.certify import check, prove
from tests.report.conftest import browser as browser

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
from hardwood.workshop import Session, serve

pytestmark = pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")

CONSTRAINED: dict[str, Any] = {
    "monotonic_cst": {"dose": 1},
    "interaction_cst": [["dose", "age"], ["dose", "ward", "size"]],
    "max_leaf_nodes": 8,
}


def table(rows: int = 400) -> tuple[pd.DataFrame, np.ndarray]:
    """The answer rises with the dose, then falls: a free tree breaks the constraint."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"dose": rng.normal(size=rows).round(2), "age": rng.normal(size=rows)})
    X["ward"] = pd.Categorical(rng.choice(list("uvw"), rows))
    X["size"] = rng.integers(0, 9, rows)
    score = np.abs(X["dose"]) + 0.6 * X["age"] + 0.7 * (X["ward"] == "u") + X["size"] / 9
    return X, (score + 0.3 * rng.normal(size=rows) > 1.4).to_numpy().astype(int)


def session(tmp_path: Path, **more: Any) -> Session:
    X, y = table()
    return Session(TreeClassifier(**CONSTRAINED), X, y, file=tmp_path / "d.json", **more)


def test_a_session_grows_with_its_constraints_and_says_them(tmp_path: Path) -> None:
    X, y = table()
    work = session(tmp_path)
    assert work.model.digest() == TreeClassifier(**CONSTRAINED).fit(X, y).digest()
    words = work.state()["constraints"]["words"]
    assert "never falls as dose rises" in words[0]
    assert words[1].endswith("one of these sets: dose, age; dose, ward, size")
    assert [each["status"] for each in work.state()["now"]["claims"]] == ["proved", "proved"]
    work.act(0, {"do": "prefer", "node": 0, "column": "age"})
    work.write(tmp_path)
    saved = hardwood.load(tmp_path / "model.hardwood")
    assert saved.interaction_cst == CONSTRAINED["interaction_cst"]
    assert not check(saved, X, y, thorough=True).differences
    assert prove(saved, {"claim": "monotone", "column": "dose"})[0].status == "proved"
    assert "never falls as" in (tmp_path / "report.html").read_text()


def test_every_offer_can_be_taken_and_what_is_kept_off_has_its_reason(tmp_path: Path) -> None:
    X, y = table()
    work, reasons = session(tmp_path), set()
    plain = {"max_leaf_nodes": CONSTRAINED["max_leaf_nodes"]}
    for node in range(work.model.tree_.n_nodes):
        for offer in work.alternatives(node)["offers"]:
            for each in (offer, *offer["rounded"]):
                work.act(work.version, each["step"] | {"node": node})
                work.act(work.version, {"do": "undo"})
        free = TreeClassifier(**plain).fit(X, y, draft=work.model.edit())
        assert free.tree_.n_nodes == work.model.tree_.n_nodes
        best = {each.line.words: each.drop for each in free.alternatives(node, 99, X, y)}
        offered = {each["words"] for each in work.alternatives(node, 99)["offers"]}
        refused = work.refused(node)["refused"]
        assert {each["words"]: each["drop"] for each in refused} == {
            words: drop for words, drop in best.items() if words not in offered
        }
        reasons |= {each["why"].split(" ")[0] for each in refused}
    assert reasons == {"interaction_cst", "monotonic_cst"}


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ({"do": "split", "column": "size", "thresholds": [4]}, "interaction_cst keeps the column"),
        ({"do": "prefer", "column": "ward"}, "interaction_cst keeps the column"),
        ({"do": "split", "column": "dose", "thresholds": [-1.0]}, "monotonic_cst does not admit"),
    ],
)
def test_a_step_against_a_constraint_is_refused_and_changes_nothing(
    tmp_path: Path, step: dict[str, Any], sentence: str
) -> None:
    work = session(tmp_path)
    work.act(0, {"do": "prefer", "node": 0, "column": "age"})
    node = int(work.model.tree_.first_child[0])
    before = work.draft, work.model.digest(), (tmp_path / "d.json").read_bytes()
    with pytest.raises(ValueError, match=sentence):
        work.act(1, step | {"node": node})
    after = work.draft, work.model.digest(), (tmp_path / "d.json").read_bytes()
    assert (before, work.version) == (after, 1)


def test_a_draft_that_contradicts_the_constraints_opens_no_session(tmp_path: Path) -> None:
    draft = Draft().prefer("", "age").prefer("L", "ward")
    with pytest.raises(ValueError, match="asks node L to split on ward.*interaction_cst"):
        session(tmp_path, draft=draft)


def test_a_fold_whose_rows_break_a_constraint_is_told(tmp_path: Path) -> None:
    X = pd.DataFrame({"a": [0.0] * 20 + [1.0] * 20})
    y = np.array([0] * 9 + [1] * 11 + [0] * 9 + [1] * 11)
    work = Session(TreeClassifier(pruning=None, monotonic_cst={"a": 1}), X, y)
    work.act(0, {"do": "split", "node": 0, "column": "a", "thresholds": [0.5]})
    work.validate()
    deadline = time.monotonic() + 30
    while work.validation.state()["running"] and time.monotonic() < deadline:
        time.sleep(0.01)
    assert "monotonic_cst does not admit that split" in work.validation.state()["said"]
    assert work.validation.state()["said"].startswith("Fold ")


def test_constraints_and_what_they_keep_off_are_on_the_page(browser: Any, tmp_path: Path) -> None:
    work = session(tmp_path)
    made = serve(work, tmp_path)
    page = browser.new_page()
    page.goto(made.url)
    page.wait_for_selector("table.offers")
    assert "never falls as dose rises" in page.inner_text("#node ul.constraints")
    for node in range(work.model.tree_.n_nodes):
        refused = work.refused(node)["refused"]
        if refused:
            break
    page.locator(f"[role=treeitem][data-node='{node}'] > .card").click()
    page.wait_for_function(
        f"() => document.querySelector('#node h3').textContent.endsWith(' {node}')"
    )
    page.wait_for_selector("table.offers, #node p:has-text('No column offers')")
    page.click("summary:has-text('Kept off by the constraints')")
    row = page.locator("table:has-text('why not') tbody tr").first
    assert refused[0]["why"] in row.inner_text()
    assert "columns meet on a path only as interaction_cst says" in page.inner_text("#compare")
    page.close()
    made.close()
