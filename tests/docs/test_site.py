"""The site builds without a warning, and nothing in it is loaded from elsewhere."""

import importlib.util
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import hardwood
from tests.report.conftest import browser  # noqa: F401

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if importlib.util.find_spec("material") is None:
        pytest.skip("mkdocs-material is not installed")
    folder = tmp_path_factory.mktemp("site")
    sources = str(Path(hardwood.__file__).resolve().parent.parent)
    environment = {**os.environ, "PYTHONPATH": sources, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_every_page_of_docs_and_of_the_reference_is_in_the_site(site):
    from making.reference import pages

    written = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    for path in [*map(Path, pages()), *written]:
        page = path.with_name("index.md") if path.name == "README.md" else path
        assert (site / page.with_suffix(".html")).exists(), path


def test_nothing_is_loaded_from_another_host(site):
    loads = re.compile(r"""<(?:script|img|iframe|source)[^>]+src=["']?(?:https?:)?//[^>]*>""")
    links = re.compile(r"""<link[^>]+rel=["']?(?:stylesheet|icon|preconnect|preload)[^>]*>""")
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert loads.search(text) is None, page
        assert not [each for each in links.findall(text) if "//" in each], page


def test_the_tools_that_make_the_site_are_not_in_it(site):
    assert not list(site.rglob("*.py"))


class _Page(HTMLParser):
    """What a page links to and loads, and the names that links may lead to."""

    def __init__(self, path):
        super().__init__()
        self.links, self.names = [], {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, _tag, attrs):
        given = dict(attrs)
        self.names.update(given[name] for name in ("id", "name") if given.get(name))
        self.links += [given[name] for name in ("href", "src") if given.get(name)]


def test_every_link_of_the_site_leads_to_something(site):
    """But for the page of a server that finds nothing, whose links start at the server's root."""
    pages = {path: _Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
    assert sum(len(page.links) for page in pages.values()) > 5000
    astray, outside = [], set()
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                outside.add(parts.scheme)
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            names = pages[target].names if target in pages else {unquote(parts.fragment)}
            if not target.exists() or unquote(parts.fragment) not in names:
                astray.append((path.relative_to(site).as_posix(), link))
    assert sorted(set(astray)) == []
    assert outside <= {"https", "mailto"}


def test_the_search_needs_no_server(site):
    """A page that a browser opened from a folder may not fetch files: the words are a script."""
    words = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    assert "TreeClassifier" in words
    assert "iframe-worker" in (site / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("scheme", "width"), [("dark", 390), ("light", 1280)])
def test_from_a_folder_the_front_page_fits_its_screen_and_finds_words(site, browser, scheme, width):  # noqa: F811
    """On a phone and on a desk; whatever it loads is a file of the site."""
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    troubles = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: troubles.append(request.url))
    page.goto((site / "index.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == width
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, colour[4:-1].split(","))) < 200) == (scheme == "dark")
    if width < 1000:
        page.click("header label[for=__search]")
    page.locator("[data-md-component=search-query]").press_sequentially("digest")
    page.wait_for_selector(".md-search-result__item")
    assert page.locator(".md-search-result__item").count() >= 5
    page.close()
    assert [each for each in troubles if not each.startswith(("file:", "blob:", "data:"))] == []
