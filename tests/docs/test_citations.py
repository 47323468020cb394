"""What a file of the repository cites is in the repository, down to the heading."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RULES = "docs/theory/rules.md"
TEXT = {".md", ".py", ".pyi", ".hpp", ".cpp", ".toml", ".yml", ".js", ".css", ".html", ""}
# Pages that a command writes: the reference, the pages of a study, and what studies cost.
WRITTEN = re.compile(r"(\.\./)?reference/|OUT/|(functions|results|times)\.md$")
# A document by its path, then any number of headings: "rules.md#growth, #multiway and #claims".
DOCUMENT = re.compile(r"(?<![\w./*-])((?:[\w.-]+/)*[\w-]+\.md)((?:(?:, | and )?#[\w-]+)*)")
UNNAMED = re.compile(
    r"\b(PAPERS|CONTRACT|STYLE|SPEC)\b(?=[.' ]*(?:md\b|sec|[0-9]|states?\b|says?\b))"
)


@cache
def tracked():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("this is not a checkout of the repository")
    paths = [ROOT / line for line in listed.stdout.splitlines()]
    return [path for path in paths if path.suffix in TEXT and path.is_file()]


@cache
def headings(path):
    """The anchors that GitHub and MkDocs both make: words in small letters, joined by hyphens."""
    outside = re.sub(
        r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    titles = re.findall(r"^#+ (.+)$", outside, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}


def found(name, citing):
    """The document that a file means: beside it, beside a study's page, in docs/ or at the root."""
    for base in (citing.parent, ROOT / "docs/studies/criteria", ROOT / "docs", ROOT):
        if (base / name).is_file():
            return base / name
    return None


def citations():
    for path in tracked():
        if path != Path(__file__):
            for name, anchors in DOCUMENT.findall(path.read_text(encoding="utf-8")):
                if not WRITTEN.match(name):
                    yield path.relative_to(ROOT), name, re.findall(r"#([\w-]+)", anchors)


def test_every_document_that_a_file_cites_is_in_the_repository_and_has_the_heading():
    rules = 0
    for path, name, anchors in citations():
        document = found(name, ROOT / path)
        assert document is not None, f"{path} cites {name}, which is not in the repository"
        for anchor in anchors:
            rules += document == ROOT / RULES
            assert anchor in headings(document), f"{path} cites {name}#{anchor}, no heading of it"
    assert rules >= 30


def test_no_file_cites_a_document_by_a_name_alone():
    for path in tracked():
        if path != Path(__file__):
            hit = UNNAMED.search(path.read_text(encoding="utf-8"))
            assert hit is None, f"{path} cites {hit and hit.group()}, which is no document of ours"


def test_every_rule_has_a_heading_of_its_own():
    text = (ROOT / RULES).read_text(encoding="utf-8")
    titles = re.findall(r"^## (.+)$", text, flags=re.MULTILINE)
    assert len(titles) == len(set(titles))
    assert len(titles) >= 20
