"""The workshop in a real browser: by mouse, by keyboard, with hostile names, on two pages."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

import hardwood
from hardwood import Draft, TreeClassifier
from tests.cli.bad_inputs import GOOD
from tests.cli.test_workshop import started
from tests.report.conftest import browser as browser
from tests.report.pages import breast_cancer, mixed

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
from hardwood.workshop import Session, Workshop, serve

pytestmark = [pytest.mark.grid, pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")]


@pytest.fixture
def open_workshop(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Call it with rows: the page and the workshop. No console message, error, or request to
    another place may have been at the end."""
    troubles: list[str] = []
    opened: list[Any] = []

    def page_of(made: Workshop, **options: Any) -> Any:
        page = browser.new_page(**options)
        opened.append(page)
        page.set_default_timeout(8000)
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))

        def seen(request: Any) -> None:
            if not request.url.startswith(made.url):
                troubles.append(f"request of {request.url}")

        page.on("request", seen)
        page.goto(made.url)
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        page.wait_for_selector("table.offers")
        return page

    def call(X: Any, y: Any, given: Any = None, **options: Any) -> tuple[Any, Workshop, Any]:
        estimator = TreeClassifier(max_leaf_nodes=8, **(given or {}))
        made = serve(Session(estimator, X, y, file=tmp_path / "d.json"), tmp_path)
        opened.insert(0, made)
        return page_of(made, **options), made, page_of

    yield call
    for each in reversed(opened):
        each.close()
    assert [text for text in troubles if "409" not in text] == []


def settled(page: Any, made: Workshop, version: int) -> None:
    """Wait until a step was carried out and its alternatives are shown."""
    page.wait_for_function(
        "text => document.getElementById('footer').textContent.includes(text)",
        arg=made.session.model.digest() if made.session.version == version else "",
    )
    page.wait_for_selector("#node table.offers, #node p:not(.quiet)")


def step(page: Any, made: Workshop, press: Any) -> None:
    before = made.session.version
    with page.expect_response(lambda answer: answer.url.endswith("/act")):
        press()
    assert made.session.version == before + 1
    settled(page, made, before + 1)


def test_a_whole_session_by_mouse(open_workshop: Any, tmp_path: Path) -> None:
    page, made, _ = open_workshop(*breast_cancer())
    page.fill("#reason", "measured everywhere")
    step(page, made, lambda: page.locator("table.offers button", has_text="Take").nth(1).click())
    assert made.session.draft.lines[0].reason == "measured everywhere"
    assert "measured everywhere" in page.inner_text("#log")
    step(page, made, lambda: page.locator("button.round").first.click())
    step(page, made, lambda: page.locator("button", has_text="Forbid").nth(3).click())
    page.locator("[role=treeitem][data-node='1'] > .card").click()
    page.wait_for_function("() => document.querySelector('#node h3').textContent.endsWith(' 1')")
    step(page, made, lambda: page.click("#node button:text-is('Leaf')"))
    assert made.session.draft.lines[-1].do == "leaf"
    step(page, made, lambda: page.click("#undo"))
    step(page, made, lambda: page.click("#redo"))
    page.click("button:has-text('Put this draft aside')")
    page.wait_for_selector("#compare th:text-is('put aside')")
    page.click("#compare button:has-text('Cross-validate')")
    page.wait_for_function(
        "() => document.getElementById('compare').textContent.includes('Cross-validated error ')"
    )
    line = page.locator("#compare tr", has_text="cross-validated AUC")
    line.locator("td:nth-child(3):not(:text-is('not yet'))").wait_for()
    checked = line.inner_text().split()
    assert 0.5 < float(checked[-1]) <= 1
    page.click("button:has-text('Save model')")
    page.wait_for_function("() => document.getElementById('said').textContent.includes('Written')")
    loaded = hardwood.load(tmp_path / "model.hardwood")
    assert loaded.digest() == made.session.model.digest()
    assert loaded.draft_ == Draft.load(tmp_path / "draft.json") == made.session.draft
    page.reload()
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    assert page.locator("#log li").count() == len(made.session.draft)


def test_a_session_by_keyboard_alone(open_workshop: Any) -> None:
    page, made, _ = open_workshop(*breast_cancer())
    page.locator("[role=treeitem][tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => document.querySelector('#node h3').textContent.endsWith(' 1')")
    page.wait_for_selector("table.offers")
    page.locator("#reason").focus()
    page.keyboard.type("too few rows")
    page.keyboard.press("Tab")
    step(page, made, lambda: page.keyboard.press("Enter"))
    assert [line.do for line in made.session.draft] == ["split", "leaf"]
    assert made.session.draft.lines[-1].reason == "too few rows"
    page.locator("[role=treeitem][tabindex='0']").focus()
    step(page, made, lambda: page.keyboard.press("Control+z"))
    assert len(made.session.draft) == 0
    step(page, made, lambda: page.keyboard.press("Control+y"))
    assert len(made.session.draft) == 2


def test_alternatives_are_cross_validated_in_the_table(open_workshop: Any) -> None:
    X, y = breast_cancer()
    page, made, _ = open_workshop(X.iloc[::4, :5], y[::4])
    page.click("button:has-text('Cross-validate the alternatives')")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.tried')]"
        ".every((each) => each.textContent.endsWith('%'))"
    )
    found = made.session.trials.state()["found"]
    shown = page.locator(".tried").all_inner_texts()
    assert [float(text.strip("%")) for text in shown] == [
        pytest.approx(100 * each["error"], abs=0.06) for each in found
    ]
    assert len(shown) == 5
    page.locator("button:text-is('Stop')").wait_for(state="hidden")
    page.locator("[role=treeitem][data-node='1'] > .card").click()
    page.wait_for_function("() => document.querySelector('.tried')?.textContent === '\u2013'")


def test_columns_are_drawn_when_they_are_opened(open_workshop: Any) -> None:
    page, made, _ = open_workshop(*breast_cancer())
    assert page.locator(".columns svg").count() == 0
    page.click("summary:has-text('Columns by class')")
    page.wait_for_function("() => document.querySelectorAll('.columns svg').length === 12")
    best = made.session.alternatives(0)["offers"][0]["column"]
    assert page.locator(".columns h4").first.inner_text() == best
    assert page.locator(".columns .cut").count() == 12
    page.click("button:has-text('More columns')")
    page.wait_for_function("() => document.querySelectorAll('.columns svg').length === 24")
    page.locator("[role=treeitem][data-node='1'] > .card").click()
    page.wait_for_function("() => document.querySelectorAll('.columns svg').length === 12")
    rows = f"{made.session.model.tree_.rows[1]} rows of the node"
    page.wait_for_selector(f"#node details p:has-text('{rows}')")


def test_a_page_that_is_opened_before_the_tree_is_grown(browser: Any, tmp_path: Path) -> None:
    session: Future[Session] = Future()
    made = Workshop(session, tmp_path).start()
    page = browser.new_page()
    page.goto(made.url)
    page.wait_for_selector("#said:has-text('Growing the tree')")
    costs = {("malignant", "benign"): 9, ("benign", "malignant"): 1}
    estimator = TreeClassifier(monotonic_cst={"mean area": 1}, costs=costs)
    session.set_result(Session(estimator, *breast_cancer()))
    page.wait_for_selector("table.offers")
    page.wait_for_selector("#compare tr:has-text('training cost of a row')")
    page.wait_for_selector("#compare tr:has-text('constraints proved')")
    assert "never falls as mean area rises" in page.inner_text("#compare")
    page.close()
    made.close()


def test_hostile_names_stay_text(open_workshop: Any) -> None:
    page, made, _ = open_workshop(*mixed(300))
    page.fill("#reason", "</script><img src=x onerror=window.hacked=1>")
    step(page, made, lambda: page.locator("button", has_text="Take").first.click())
    page.click("summary:has-text('Columns by class')")
    page.wait_for_selector(".columns svg")
    assert page.evaluate("window.hacked") is None
    assert "onerror" in page.inner_text("#log")


def test_two_pages_see_each_others_steps(open_workshop: Any) -> None:
    first, made, page_of = open_workshop(*breast_cancer())
    second = page_of(made)
    step(first, made, lambda: first.click("#node button:text-is('Leaf')"))
    with second.expect_response(lambda answer: answer.url.endswith("/act")) as caught:
        second.click("#node button:text-is('Leaf')")
    assert caught.value.status == 409
    second.wait_for_function(
        "() => document.getElementById('said').textContent.includes('another page')"
    )
    assert second.locator("#log li").count() == 1
    assert made.session.version == 1


def test_a_lost_server_is_said(open_workshop: Any, browser: Any, tmp_path: Path) -> None:
    X, y = breast_cancer()
    made = serve(Session(TreeClassifier(), X, y), tmp_path)
    page = browser.new_page()
    page.goto(made.url)
    page.wait_for_selector("table.offers")
    made.close()
    page.click("#node button:text-is('Leaf')")
    page.wait_for_function(
        "() => document.getElementById('said').textContent.includes('does not answer')"
    )
    page.close()


def test_a_lost_connection_is_said_and_the_page_goes_on_when_it_is_back(browser: Any) -> None:
    made = serve(Session(TreeClassifier(max_leaf_nodes=4), *breast_cancer()), Path())
    context = browser.new_context()
    page = context.new_page()
    page.goto(made.url)
    page.wait_for_selector("table.offers")
    context.set_offline(True)
    page.click("#node button:text-is('Leaf')")
    page.wait_for_selector("#said:has-text('does not answer')")
    assert made.session.version == 0
    context.set_offline(False)
    step(page, made, lambda: page.click("#node button:text-is('Leaf')"))
    assert page.inner_text("#said") == ""
    context.close()
    made.close()


def test_an_answer_that_is_none_is_said(browser: Any) -> None:
    made = serve(Session(TreeClassifier(max_leaf_nodes=4), *breast_cancer()), Path())
    page, errors = browser.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(made.url)
    page.wait_for_selector("table.offers")
    page.route("**/act", lambda route: route.fulfill(status=500, body="Internal Server Error"))
    page.click("#node button:text-is('Leaf')")
    page.wait_for_selector("#said:has-text('its terminal says more')")
    assert errors == []
    page.close()
    made.close()


OTHER = """<!DOCTYPE html><title>other</title><form id="f" method="post" target="frame"
enctype="text/plain" action="URLact"><input name='{"version":0,"step":{"do":"leaf","node":0},"a":"'
value='"}'></form><iframe name="frame"></iframe><iframe src="URL"></iframe>
<script>window.tried = (async () => {
const step = JSON.stringify({version: 0, step: {do: "leaf", node: 0}});
const json = {"Content-Type": "application/json"};
const tries = [["act", {method: "POST", body: step}], ["state", {}], ["state", {mode: "no-cors"}],
  ["act", {method: "POST", body: step, headers: json}],
  ["act", {method: "POST", body: step, mode: "no-cors"}]];
const seen = [];
for (const [name, how] of tries)
  seen.push(await fetch("URL" + name, how).then((a) => a.text(), () => "refused"));
document.getElementById("f").submit();
await new Promise((done) => setTimeout(done, 300));
return seen;
})();</script>"""


def test_a_page_of_another_origin_drives_nothing_even_with_the_secret(browser: Any) -> None:
    made = serve(Session(TreeClassifier(max_leaf_nodes=4), *breast_cancer()), Path())
    html = OTHER.replace("URL", made.url)

    def other(route: Any) -> None:
        route.fulfill(status=200, body=html, content_type="text/html")

    page = browser.new_page()
    for origin in ("http://other.example", "http://127.0.0.1:8999"):
        page.route(f"{origin}/", other)
        page.goto(f"{origin}/")
        seen = page.evaluate("window.tried")
        assert set(seen) <= {"refused", ""}
        assert [frame.url for frame in page.frames if frame.locator("#tree").count()] == []
    assert made.session.version == 0
    page.close()
    made.close()


def test_a_killed_server_is_picked_up_in_the_browser(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(GOOD)
    server, url = started(tmp_path, "--max-leaf-nodes", "4")
    page = browser.new_page()
    try:
        page.goto(url)
        page.wait_for_selector("table.offers")
        page.fill("#reason", "kept")
        with page.expect_response(lambda answer: answer.url.endswith("/act")):
            page.click("#node button:text-is('Leaf')")
        server.kill()
        server.communicate()
        page.click("#node button:text-is('Let it grow')")
        page.wait_for_selector("#said:has-text('does not answer')")
        server, url = started(tmp_path, "--max-leaf-nodes", "4")
        page.goto(url)
        page.wait_for_selector("#log q:has-text('kept')")
    finally:
        server.kill()
        server.communicate()
        page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [380, 1280])
def test_the_page_is_accessible(open_workshop: Any, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    constrained = {"monotonic_cst": {"worst area": -1}, "interaction_cst": "pairwise"}
    view = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    page, made, _ = open_workshop(*breast_cancer(), constrained, **view)
    step(page, made, lambda: page.locator("button", has_text="Take").nth(1).click())
    page.click("summary:has-text('Columns by class')")
    page.wait_for_selector(".columns svg")
    page.click("summary:has-text('Kept off by the constraints')")
    page.wait_for_selector("table:has-text('why not'), p:has-text('Nothing: every column')")
    page.click("button:has-text('Put this draft aside')")
    page.wait_for_selector("#compare th:text-is('put aside')")
    found = axe.run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
