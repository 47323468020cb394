"""Draws docs/workshop.png and docs/workshop-phone.png, the workshop in the middle of a session.

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


def step(page: Any, press: str, number: int = 0) -> None:
    """Press a button and wait for the tree that it gives."""
    with page.expect_response(lambda answer: answer.url.endswith("/act")):
        page.locator(press).nth(number).click()
    page.wait_for_selector("table.offers")


def main() -> None:
    warnings.simplefilter("ignore")
    data = load_breast_cancer(as_frame=True)
    y = pd.Series(data.target_names[data.target], name="diagnosis")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        estimator = TreeClassifier(max_leaf_nodes=6)
        workshop = estimator.workshop(data.data, y, folder=folder, browser=False)
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1340, "height": 1500}, color_scheme="light")
        page.goto(workshop.url)
        page.wait_for_selector("table.offers")
        page.fill("#reason", "a round number that is easy to measure")
        step(page, "button.round", 1)
        page.fill("#reason", "differs between instruments")
        step(page, "button:text-is('Forbid')", 3)
        page.click("button:has-text('Cross-validate')")
        page.wait_for_selector("#compare span:has-text('Cross-validated error')")
        page.evaluate("() => window.scrollTo(0, 0)")
        page.screenshot(path=DOCS / "workshop.png")
        phone = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
        phone.goto(workshop.url)
        phone.wait_for_selector("table.offers")
        phone.evaluate("() => document.getElementById('node').scrollIntoView()")
        phone.screenshot(path=DOCS / "workshop-phone.png")
        browser.close()
        workshop.close()


if __name__ == "__main__":
    main()
