"""Draws docs/report.png and docs/report-phone.png, the report page of the lines in README.md.

python docs/make_report_picture.py     (needs playwright and Debian's chromium)
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).resolve().parent


def write_page(folder: Path) -> Path:
    """Run README's lines about report.html there."""
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    lines = next(block for block in blocks if "report.html" in block)
    os.chdir(folder)
    exec(lines, {})
    return folder / "report.html"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page_path = write_page(Path(folder))
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1340, "height": 1000}, color_scheme="light")
        page.goto(page_path.as_uri())
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        page.locator(".card.leaf").nth(1).hover()
        page.evaluate("document.querySelector('.panel').scrollLeft = 0; window.scrollTo(0, 0)")
        page.screenshot(path=DOCS / "report.png")
        phone = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
        phone.goto(page_path.as_uri())
        phone.wait_for_selector("html[data-ready=yes]", state="attached")
        phone.evaluate("document.querySelector('.panel').scrollIntoView()")
        phone.screenshot(path=DOCS / "report-phone.png")
        browser.close()


if __name__ == "__main__":
    main()
