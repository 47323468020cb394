"""Requirements as pyproject.toml has them, one a line: `python -m tools.requirements NAME`.

NAME: an extra (the package's own requirements come with it), or `lowest`, the oldest versions that
are allowed of the package's requirements and of some that its tests have.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

TRIED_OLDEST = ("pandas", "polars", "pyarrow", "joblib", "hypothesis", "pytest", "duckdb",
                "matplotlib", "onnx")  # fmt: skip
"""Of the tests' requirements, those whose tests are run with the oldest versions."""
OF_THEIR_TIME = ("pyparsing<3.3",)
"""What the oldest versions need and have no upper bound for: matplotlib 3.8 calls names of
pyparsing that give a warning now."""


def requirements(name: str) -> list[str]:
    """Those of the package, with an extra's or in their oldest versions."""
    pyproject = Path(__file__).resolve().parent.parent / "pyproject.toml"
    project = tomllib.loads(pyproject.read_text())["project"]
    own: list[str] = project["dependencies"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    if name != "lowest":
        return own + extras[name]
    tried = [r for r in extras["test"] if re.split(r"[><=\[]", r)[0] in TRIED_OLDEST]
    return [*(requirement.replace(">=", "==") for requirement in own + tried), *OF_THEIR_TIME]


if __name__ == "__main__":
    print(*requirements(sys.argv[1]), sep="\n")
