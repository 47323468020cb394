"""Names that would be code, markup or other text if a page took them for more than names: in a
whole session at the workshop, and on the report that it saves, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hardwood
from hardwood import Draft, TreeClassifier
from tests.export.test_hostile_names import NAMES, NUL
from tests.report.conftest import browser as browser

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
from hardwood.workshop import Session, serve

pytestmark = pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")

ALL = (
    *NAMES, NUL, "<svg/onload=window.hacked=1>", "<b>bold</b>&amp;&lt;", "\u200f\u202bright\u200e",
    "constructor", "__proto__", "x" * 3000,
)  # fmt: skip


def table(rows: int = 500) -> tuple[pd.DataFrame, pd.Series]:
    """Every name is a column, a category and one of four classes; the target has one too."""
    rng = np.random.default_rng(0)
    words = np.array(ALL, dtype=object)
    codes = rng.integers(len(words), size=rows)
    X = pd.DataFrame(rng.normal(size=(rows, len(ALL))).round(2), columns=list(ALL))
    X["words"] = words[codes]
    noise = rng.normal(size=rows) * 0.3
    score = X.to_numpy()[:, :-1].astype(float) @ rng.normal(size=len(ALL)) / 4 + codes % 3 + noise
    label = np.digitize(score, np.quantile(score, [0.3, 0.6, 0.8]))
    return X, pd.Series(
        np.array([ALL[i] for i in (3, 17, 18, 20)], dtype=object)[label], name=ALL[3]
    )


def opened(browser: Any, url: str, troubles: list[str]) -> Any:
    page = browser.new_page()
    page.set_default_timeout(10_000)
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("dialog", lambda dialog: troubles.append(dialog.message))
    page.goto(url)
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    return page


def assert_names_are_text(page: Any) -> None:
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script, svg[onload], main b:text-is('bold')").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("({}).hacked") is None


def step(page: Any, press: str, number: int = 0) -> None:
    with page.expect_response(lambda answer: answer.url.endswith("/act")) as caught:
        page.locator(press).nth(number).click()
    assert caught.value.status == 200, caught.value.text()
    page.wait_for_selector("#node table.offers")


def test_a_whole_session_and_its_report(browser: Any, tmp_path: Path) -> None:
    X, y = table()
    troubles: list[str] = []
    work = Session(
        TreeClassifier(max_leaf_nodes=12, min_samples_leaf=1, pruning=None), X, y,
        file=tmp_path / "d.json", source=ALL[3], target=ALL[3],
    )  # fmt: skip
    made = serve(work, tmp_path)
    page = opened(browser, made.url, troubles)
    page.wait_for_selector("table.offers")
    page.click("summary:has-text('Columns by class')")
    page.wait_for_selector(".columns svg")
    while page.locator("button:has-text('More columns')").is_visible():
        count = page.locator(".columns svg").count()
        page.click("button:has-text('More columns')")
        page.wait_for_function(f"() => document.querySelectorAll('.columns svg').length > {count}")
    assert page.locator(".columns h4").count() == len(X.columns)
    for number, (press, word) in enumerate(
        [("Take", ALL[3]), ("Prefer", ALL[0]), ("Forbid", NUL), ("Forbid", ALL[8])]
    ):
        page.fill("#reason", word)
        step(page, f"table.offers button:text-is('{press}')", number)
    page.fill("#reason", ALL[17])
    step(page, "#node button:text-is('Note')")
    page.click("button:has-text('Put this draft aside')")
    page.wait_for_selector("#compare th:text-is('put aside')")
    page.click("#compare button:has-text('Cross-validate')")
    page.wait_for_selector("#compare span:has-text('Cross-validated error')")
    assert_names_are_text(page)
    page.click("button:has-text('Save model')")
    page.wait_for_function("() => document.getElementById('said').textContent.includes('Written')")
    loaded = hardwood.load(tmp_path / "model.hardwood")
    assert loaded.digest() == work.model.digest()
    assert Draft.load(tmp_path / "draft.json") == work.draft == loaded.draft_
    page.reload()
    page.wait_for_selector("table.offers")
    assert page.locator("#log li").count() == len(work.draft)
    page.close()
    made.close()
    report = opened(browser, (tmp_path / "report.html").as_uri(), troubles)
    report.get_by_role("button", name="Open all").click()
    for summary in report.locator("summary").all():
        summary.click()
    for field in report.locator("#what-if input[type=text], #what-if select").all()[:40]:
        field.focus()
    assert_names_are_text(report)
    report.close()
    assert troubles == []
    json.loads((tmp_path / "d.json").read_text())
