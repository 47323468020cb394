"""Sessions on trees of other kinds: several branches, missing values in pieces, three classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hardwood
from hardwood import TreeClassifier
from hardwood.certify import check
from tests.draft.test_fractional import table
from tests.report.conftest import browser as browser

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
from hardwood.workshop import Session, serve

pytestmark = [pytest.mark.grid, pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")]

KINDS: list[dict[str, Any]] = [
    {"branching": "multiway", "max_leaf_nodes": 14, "pruning": None},
    {"missing": "fractional", "max_leaf_nodes": 8},
    {"missing": "fractional", "branching": "multiway", "max_leaf_nodes": 14, "pruning": None},
    {"pruning": "reduced-error", "criterion": "gini"},
]


@pytest.mark.parametrize("kind", range(len(KINDS)))
@pytest.mark.parametrize("seed", [0, 1])
def test_every_offer_of_every_node_can_be_taken(kind: int, seed: int, tmp_path: Path) -> None:
    X, y, _ = table(seed)
    work = Session(TreeClassifier(**KINDS[kind]), X, y)
    assert work.model.digest() == TreeClassifier(**KINDS[kind]).fit(X, y).digest()
    for node in range(min(work.model.tree_.n_nodes, 6)):
        work.columns(node, 0)
        for offer in work.alternatives(node)["offers"]:
            for each in (offer, *offer["rounded"]):
                state = work.act(work.version, each["step"] | {"node": node, "reason": "tried"})
                assert each["words"] in state["told"][str(state["at"])][-1]
                work.act(work.version, {"do": "undo"})
    column = work.alternatives(0)["offers"][-1]["column"]
    work.act(work.version, {"do": "prefer", "node": 0, "column": column})
    work.write(tmp_path)
    saved = hardwood.load(tmp_path / "model.hardwood")
    again = TreeClassifier(**KINDS[kind]).fit(X, y, draft=work.draft)
    assert saved.digest() == work.model.digest() == again.digest()
    assert not check(saved, X, y).differences


def test_a_tree_of_pieces_and_several_branches_is_on_the_page(browser: Any, tmp_path: Path) -> None:
    X, y, _ = table(1)
    made = serve(Session(TreeClassifier(**KINDS[2]), X, y), tmp_path)
    page, troubles = browser.new_page(), []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(made.url)
    page.wait_for_selector("table.offers")
    with page.expect_response(lambda answer: answer.url.endswith("/act")) as caught:
        page.locator("table.offers button", has_text="Take").last.click()
    assert caught.value.ok
    page.wait_for_selector("#log li")
    page.click("summary:has-text('Columns by class')")
    page.wait_for_selector(".columns svg")
    assert page.locator("#compare tr", has_text="training AUC").count() == 1
    assert troubles == []
    page.close()
    made.close()
