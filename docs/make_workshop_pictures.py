"""Draws the pictures of docs/how-to/workshop.md: docs/workshop*.png, in the middle of a session.

python docs/make_workshop_pictures.py     (needs playwright and Debian's chromium)
"""

from __future__ import annotations

import shutil
import tempfile
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
from playwright.sync_api import sync_playwright
from sklearn.datasets import load_breast_cancer

from hardwood import TreeClassifier

DOCS = Path(__file__).resolve().parent
CONSTRAINED = {
    "monotonic_cst": {"worst texture": 1},
    "interaction_cst": {"area error": "worst texture", "mean concavity": "worst texture"},
}
"""Of two classes, signs are about the second: malignant."""


def step(page: Any, press: str, number: int = 0) -> None:
    """Press a button and wait for the tree that it gives."""
    with page.expect_response(lambda answer: answer.url.endswith("/act")):
        page.locator(press).nth(number).click()
    page.wait_for_selector("table.offers")


def opened(browser: Any, url: str, width: int, height: int, scheme: str) -> Any:
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.goto(url)
    page.wait_for_selector("table.offers")
    return page


def part(page: Any, name: str, selector: str) -> None:
    """A picture of one section."""
    page.wait_for_timeout(200)
    page.locator(selector).screenshot(path=DOCS / name)


def session(browser: Any, url: str) -> None:
    page = opened(browser, url, 1340, 1500, "light")
    page.fill("#reason", "a round number that is easy to measure")
    step(page, "button.round", 1)
    page.click("button:has-text('Put this draft aside')")
    page.wait_for_selector("#compare th:text-is('put aside')")
    page.fill("#reason", "differs between instruments")
    step(page, "button:text-is('Forbid')", 3)
    page.wait_for_selector("table.offers")
    page.evaluate("() => window.scrollTo(0, 0)")
    page.screenshot(path=DOCS / "workshop.png")
    page.locator("[role=treeitem][data-node='1'] > .card").click()
    page.wait_for_function("() => document.querySelector('#node h3').textContent.endsWith(' 1')")
    page.wait_for_selector("table.offers")
    page.click("button:has-text('Cross-validate the alternatives')")
    page.locator("button:text-is('Stop')").wait_for(state="visible")
    page.locator("button:text-is('Stop')").wait_for(state="hidden", timeout=120_000)
    page.click("#constraints summary")
    page.click("summary:has-text('Kept off by the constraints')")
    page.wait_for_selector("table:has-text('why not')")
    page.click("summary:has-text('Columns by class')")
    page.wait_for_selector(".columns svg")
    part(page, "workshop-columns.png", "#node")
    page.close()
    dark = opened(browser, url, 1100, 900, "dark")
    dark.click("#compare button:has-text('Cross-validate')")
    dark.wait_for_selector("#compare span:has-text('Cross-validated error')")
    dark.wait_for_selector(
        "#compare tr:has-text('cross-validated AUC') td:last-child:has-text('.')"
    )
    part(dark, "workshop-compare.png", "#compare")
    dark.close()
    phone = opened(browser, url, 390, 844, "dark")
    phone.evaluate("() => document.getElementById('node').scrollIntoView()")
    phone.screenshot(path=DOCS / "workshop-phone.png")
    phone.close()


def main() -> None:
    warnings.simplefilter("ignore")
    data = load_breast_cancer(as_frame=True)
    y = pd.Series(data.target_names[data.target], name="diagnosis")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        estimator = TreeClassifier(max_leaf_nodes=6, **CONSTRAINED)
        workshop = estimator.workshop(data.data, y, folder=folder, browser=False)
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        session(browser, workshop.url)
        browser.close()
        workshop.close()


if __name__ == "__main__":
    main()
