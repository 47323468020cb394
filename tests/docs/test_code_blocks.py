"""Every block of the documentation runs, and prints what the page says it prints."""

import re
from pathlib import Path

import pytest
from make_outputs import fresh_page, pages
from making.blocks import blocks, refreshed

ROOT = Path(__file__).resolve().parents[2]
NAMES = [page.relative_to(ROOT).as_posix() for page in pages()]
WITH_CODE = [name for name in NAMES if "```" in (ROOT / name).read_text(encoding="utf-8")]
VARIES = re.compile(r"^Wrote .* kB\.$", re.MULTILINE)
"""A file's size depends on the version of zlib."""


@pytest.fixture(autouse=True)
def _no_window():
    import matplotlib.pyplot as plt

    plt.switch_backend("Agg")
    yield
    plt.close("all")


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of packages that pages import
@pytest.mark.parametrize("name", WITH_CODE)
def test_a_page_runs_and_prints_what_it_says(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    fresh = fresh_page(ROOT / name)
    told, now = (VARIES.sub("", each).splitlines() for each in (text, fresh))
    differ = [(one, two) for one, two in zip(told, now, strict=False) if one != two]
    assert told == now, f"{name} is out of date at {differ[:1]}; run: make transcripts"


@pytest.mark.parametrize("name", WITH_CODE)
def test_a_block_that_is_not_run_says_why(name):
    for block in blocks((ROOT / name).read_text(encoding="utf-8")):
        assert block.reason is None or len(block.reason.split()) >= 3
        assert block.language, f"{name} has a block without a language: {block.text[:60]!r}"


@pytest.mark.parametrize("name", NAMES)
def test_files_that_a_page_names_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    named = re.findall(r"`((?:src|cpp|tests|benchmarks|docs)/[\w./-]+)`", text)
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize(
    "name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
)
def test_files_that_a_page_outside_of_the_site_links_to_exist(name):
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", (ROOT / name).read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (ROOT / link).exists()] == []


def test_outputs_are_what_the_lines_above_them_print(tmp_path):
    page = "```python\nx = 2\nprint(x + 1)\n```\n\n```output\nold\n```\n\n"
    page += "```console\n$ echo a\nold\n$ echo b\n```\n\n"
    page += "<!-- not run: it would not end -->\n```python\nwhile True: pass\n```\n"
    fresh = refreshed(page, tmp_path)
    assert "```output\n3\n```" in fresh
    assert "$ echo a\na\n\n$ echo b\nb\n```" in fresh
    assert refreshed(fresh, tmp_path) == fresh


def test_a_block_that_fails_or_an_output_without_a_block_is_an_error(tmp_path):
    with pytest.raises(ZeroDivisionError):
        refreshed("```python\n1 / 0\n```\n", tmp_path)
    with pytest.raises(RuntimeError, match="ended with 3"):
        refreshed("```bash\nexit 3\n```\n", tmp_path)
    with pytest.raises(ValueError, match="after no python block"):
        refreshed("```output\n3\n```\n", tmp_path)
