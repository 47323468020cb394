"""Writes the table of wrong inputs in command-line.md by giving each of them to the command.

python docs/make_bad_input_table.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
BEGIN, END = "<!-- bad inputs: begin -->\n", "<!-- bad inputs: end -->\n"

sys.path.insert(0, str(DOCS.parent))
from tests.cli.bad_inputs import CASES, fresh_folder, good_files, run  # noqa: E402


def row(title: str, printed: str) -> str:
    """One line of the Markdown table."""
    safe = printed.strip().replace("|", "\\|").replace("<", "&lt;")
    return f"| {title} | {safe} |\n"


def main() -> None:
    files = good_files()
    lines = ["| given | printed |\n", "|---|---|\n"]
    with tempfile.TemporaryDirectory() as folder:
        for place, case in enumerate(CASES):
            done = run(case, fresh_folder(Path(folder) / str(place), *files))
            lines.append(row(case.title, done.stderr))
    page = DOCS / "command-line.md"
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(before + BEGIN + "".join(lines) + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
