"""The site builds without a warning, and nothing in it is loaded from elsewhere."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hardwood

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
