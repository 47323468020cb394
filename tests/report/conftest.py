"""A browser for the page, and what every page must keep to: no error, no request."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's chromium. Closed after each module: Playwright keeps an event loop running."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if "LD_PRELOAD" in os.environ:
        pytest.skip("the browser is not run under a preloaded sanitizer")
    if CHROMIUM is None:
        pytest.skip("there is no chromium on the PATH (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def context(browser: Any) -> Any:
    """Where pages without options are opened. A page that stays open keeps the process that draws
    pages alive: starting it takes a third of a page's time."""
    made = browser.new_context()
    made.new_page()
    return made


@pytest.fixture
def open_page(browser: Any, context: Any, tmp_path: Path) -> Iterator[Any]:
    """Call it with HTML (and options of a browser page): the page, ready. At the end of the test
    no console message, no error and no request other than for the file itself may have been."""
    troubles: list[str] = []
    opened: list[Any] = []

    def call(html: str, **options: Any) -> Any:
        path = tmp_path / f"page{len(opened)}.html"
        path.write_text(html, encoding="utf-8")
        page = browser.new_page(**options) if options else context.new_page()
        opened.append(page)
        page.set_default_timeout(5000)
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))

        def seen(request: Any) -> None:
            if request.url.split("#")[0] != path.as_uri():
                troubles.append(f"request of {request.url}")

        page.on("request", seen)
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        return page

    yield call
    for page in opened:
        page.close()
    assert not troubles
