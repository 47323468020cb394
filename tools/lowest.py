"""`make lowest`: the oldest versions that pyproject.toml allows, one requirement a line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

USED = ("pandas", "polars", "pyarrow", "joblib", "hypothesis", "pytest", "duckdb", "matplotlib")
"""Of the tests' requirements, those whose tests are run with the oldest versions."""


def lowest(project: dict[str, object]) -> list[str]:
    """The requirements of the package and of its tests, `>=` read as `==`."""
    extras = project["optional-dependencies"]
    required = project["dependencies"]
    if not isinstance(extras, dict) or not isinstance(required, list):
        raise TypeError("pyproject.toml has no lists of requirements")
    listed = [*required, *(r for r in extras["test"] if re.split(r"[><=\[]", r)[0] in USED)]
    return [requirement.replace(">=", "==") for requirement in listed]


def main() -> None:
    """Print them."""
    pyproject = Path(__file__).resolve().parent.parent / "pyproject.toml"
    print(*lowest(tomllib.loads(pyproject.read_text())["project"]), sep="\n")


if __name__ == "__main__":
    main()
