"""Writes the outputs in README.md and docs/**/*.md by running the blocks above them.

python docs/make_outputs.py [PAGE ...]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))
from making.blocks import refreshed  # noqa: E402


def pages() -> list[Path]:
    """Every page whose blocks are run."""
    return [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))]


def fresh_page(page: Path) -> str:
    """Run a page in a folder of its own, in which docs/iris.csv stands."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "docs").mkdir()
        shutil.copy(DOCS / "iris.csv", Path(folder) / "docs")
        return refreshed(page.read_text(encoding="utf-8"), Path(folder))


def main() -> None:
    for page in [Path(each).resolve() for each in sys.argv[1:]] or pages():
        page.write_text(fresh_page(page), encoding="utf-8")


if __name__ == "__main__":
    import matplotlib as mpl

    mpl.use("Agg")
    main()
