"""Writes the first-use transcript in README.md by running its commands.

python docs/make_transcript.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
README = DOCS.parent / "README.md"
BEGIN, END = "<!-- transcript: begin -->\n", "<!-- transcript: end -->\n"
COMMANDS = [
    "hardwood train docs/iris.csv --target species --max-leaf-nodes 4",
    "hardwood predict model.hardwood docs/iris.csv | head -3",
    "hardwood show model.hardwood --as rules",
]


def transcript(folder: Path) -> str:
    """The commands and what each prints."""
    (folder / "docs").mkdir()
    shutil.copy(DOCS / "iris.csv", folder / "docs")
    command = f'hardwood() {{ "{sys.executable}" -m hardwood "$@"; }}\n'
    environment = {**os.environ, "COLUMNS": "100"}
    text = ""
    for line in COMMANDS:
        done = subprocess.run(
            ["bash", "-c", command + line],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
        )
        text += f"$ {line}\n{done.stdout}\n"
    return text.rstrip() + "\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = transcript(Path(folder))
    before, rest = README.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    block = f"```console\n{text}```\n"
    README.write_text(before + BEGIN + block + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
