"""Writes the outputs in README.md and docs/**/*.md by running the blocks above them.

A picture NAME.png that a page's blocks save goes to docs/images/PAGE-NAME.png, if it is there.

python docs/make_outputs.py [PAGE ...]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS), str(DOCS.parent)]
from making.blocks import refreshed  # noqa: E402


def pages() -> list[Path]:
    """Every page whose blocks are run."""
    return [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))]


def fresh_page(page: Path, images: Path | None = None) -> str:
    """Run a page in a folder of its own, in which docs/iris.csv stands; its pictures replace those
    in `images`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "docs").mkdir()
        shutil.copy(DOCS / "iris.csv", folder / "docs")
        text = refreshed(page.read_text(encoding="utf-8"), folder)
        for picture in folder.glob("*.png") if images else ():
            kept = images / f"{page.stem}-{picture.name}"
            if kept.exists():
                shutil.copy(picture, kept)
        return text


def main() -> None:
    for page in [Path(each).resolve() for each in sys.argv[1:]] or pages():
        page.write_text(fresh_page(page, DOCS / "images"), encoding="utf-8")


if __name__ == "__main__":
    import matplotlib as mpl

    mpl.use("Agg")
    main()
