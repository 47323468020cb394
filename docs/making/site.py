"""MkDocs' hook: adds the reference to the site, and pages that other parts of the project write.

In: the configuration and files of mkdocs.yml. Out: the same with more pages and a longer
navigation. Invariant: the navigation names only pages that exist.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

DOCS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(DOCS))
from making import reference  # noqa: E402

OPTIONAL = {"Scaling": "scaling.md", "The report page": "report.md", "Defaults": "defaults.md"}


def on_config(config: Any) -> Any:
    """Adds what is there: optional pages, studies, the reference."""
    config.nav += [{title: path} for title, path in OPTIONAL.items() if (DOCS / path).exists()]
    studies = sorted(path.relative_to(DOCS).as_posix() for path in (DOCS / "studies").glob("*.md"))
    if studies:
        index = "studies/index.md"
        config.nav.append({"Studies": sorted(studies, key=lambda path: (path != index, path))})
    config.nav.append({"API reference": list(reference.pages())})
    return config


def on_files(files: Any, config: Any) -> Any:
    """Adds the pages of the reference, which are nowhere on disk."""
    for path, text in reference.pages().items():
        files.append(File.generated(config, path, content=text))
    return files
