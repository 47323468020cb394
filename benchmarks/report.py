"""Tables of results: printed as they come, and kept in a Markdown file section by section.

In: a heading, column names and rows of text. Out: the file, whose other sections stay as they were.
Invariant: the file names the processor and the versions, never a host or a folder.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
from pathlib import Path

from hardwood import _core

_PACKAGES = ("hardwood", "lightgbm", "xgboost", "catboost", "scikit-learn", "numpy", "scipy")


def markdown_table(columns: list[str], rows: list[list[str]]) -> str:
    """An aligned Markdown table, readable in a terminal too."""
    widths = [max(map(len, cells)) for cells in zip(columns, *rows, strict=True)]

    def line(cells: list[str]) -> str:
        padded = [
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "| " + " | ".join(padded) + " |"

    rule = ["-" * w if i == 0 else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
    return "\n".join([line(columns), line(rule), *map(line, rows)])


def write_section(path: Path, title: str, heading: str, text: str) -> None:
    """Put the section in place of its namesake, or at the end."""
    sections: dict[str, str] = {}
    if path.exists():
        for part in path.read_text().split("\n## ")[1:]:
            name, _, body = part.partition("\n")
            sections[name.strip()] = body.strip()
    sections["Machine and versions"] = machine()
    sections[heading] = text
    body = "".join(f"\n## {name}\n\n{content}\n" for name, content in sections.items())
    path.write_text(f"# {title}\n{body}")


def machine() -> str:
    """Processor, cores, memory, system and versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = [f"Python {platform.python_version()}"]
    for package in _PACKAGES:
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    processor = f"{_processor()}{_vectors()}, {os.cpu_count()} cores"
    where = f"{processor}, {memory:.0f} GiB, {platform.system()} {platform.machine()}"
    return f"{where}.\n\n{', '.join(versions)}."


def _vectors() -> str:
    """Which of the kernels run: processors of one name may differ in that."""
    name = {"avx2": " with AVX2", "avx512": " with AVX-512"}
    return name.get(_core.instruction_set(), "")


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
