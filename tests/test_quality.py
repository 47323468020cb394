"""Lint, format, types, layers and light imports, run as tests."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ["matplotlib", "pandas", "polars", "pyarrow", "dask"]


def run(module: str, *arguments: str) -> None:
    """Run a tool as a module from the repository's root; its output is the failure message."""
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    check([sys.executable, "-m", module, *arguments])


def program(name: str) -> str:
    """A tool that comes as a program, beside this Python or on the PATH."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def check(command: list[str]) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.fail(f"{' '.join(command)}\n{done.stdout}{done.stderr}", pytrace=False)


def test_ruff_finds_nothing():
    run("ruff", "check", ".")


def test_the_code_is_formatted():
    run("ruff", "format", "--check", ".")


def test_the_core_is_formatted():
    files = [str(path) for path in sorted((ROOT / "cpp").rglob("*.?pp"))]
    check([program("clang-format"), "--dry-run", "--Werror", *files])


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("github-workflows", ".github/workflows/*.yml"),
        ("github-issue-forms", ".github/ISSUE_TEMPLATE/*.yml"),
        ("citation-file-format", "CITATION.cff"),
    ],
)
def test_workflows_templates_and_the_citation_follow_their_schemas(schema, pattern):
    files = [str(path) for path in sorted(ROOT.glob(pattern))]
    assert files
    check([program("check-jsonschema"), "--builtin-schema", f"vendor.{schema}", *files])


def test_the_citation_has_the_version_of_the_package():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()


def test_only_one_header_asks_for_the_compiler():
    words = re.compile(r"__int128|__builtin_prefetch|__GNUC__")
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "cpp").rglob("*.?pp")
        if words.search(path.read_text())
    }
    assert found == {"cpp/base/portable.hpp"}


@pytest.mark.slow
def test_types_are_strict():
    run("mypy")


def test_the_stub_of_the_core_is_what_the_built_module_says():
    pytest.importorskip("nanobind", reason="the stub is made by nanobind")
    command = [sys.executable, "-m", "tools.stubs", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_file_imports_only_from_layers_below_its_own():
    check([program("lint-imports")])


def test_import_hardwood_stays_light():
    source = (
        # scikit-learn itself may load pandas.
        "import sys, sklearn.base; before = set(sys.modules); import hardwood; "
        "[getattr(hardwood, name) for name in hardwood.__all__]; "
        f"loaded = sorted((set(sys.modules) - before) & set({HEAVY})); "
        "assert not loaded, f'import hardwood also imported {loaded}'"
    )
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
