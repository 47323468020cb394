"""What ARCHITECTURE.md says of the folders is true of the sources."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src/hardwood"
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def callers_of_the_core():
    imports = re.compile(r"^\s*(from|import) hardwood\._core", re.MULTILINE)
    return {
        path.relative_to(SOURCES).parts[0]
        for path in SOURCES.rglob("*.py")
        if imports.search(path.read_text(encoding="utf-8"))
    }


def test_the_folders_that_call_the_core_are_those_that_are_named():
    sentence = re.search(r"call the compiled core, `hardwood\._core`: (.*?)\.", TEXT, re.DOTALL)
    assert sentence is not None
    assert set(re.split(r",\s*|\s+and\s+", sentence.group(1))) == callers_of_the_core()


def test_ruff_lets_the_same_folders_call_the_core():
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"][
        "lint"
    ]
    allowed = next(glob for glob in lint["per-file-ignores"] if "growing" in glob)
    assert set(re.search(r"\{(.*)\}", allowed).group(1).split(",")) == callers_of_the_core()


def test_every_file_and_folder_that_is_named_exists():
    for name in re.findall(r"`((?:cpp|src|tests|docs|benchmarks)/[\w./-]*)`", TEXT):
        assert (ROOT / name).exists() or list(ROOT.glob(f"{name}.*")), name


def test_the_walk_of_one_row_names_a_file_in_every_line_of_its_tables():
    section = re.search(r"## The walk of one row\n(.*?)\n## ", TEXT, re.DOTALL)
    assert section is not None
    lines = [line for line in section.group(1).splitlines() if line.startswith("| `")]
    assert len(lines) > 30
    for line in lines:
        assert re.match(r"\| `(cpp|src)/[\w./]+\.(cpp|py)` \| \w", line), line
