"""`hardwood diff`: what changed between two model files, on standard output and as a page.

In: two model files, and a data file or none. Out: text; the page is written whole or not at all.
"""

from __future__ import annotations

import warnings
from pathlib import Path

from hardwood.cli.formats import check_file, check_fits_in_memory
from hardwood.cli.models import load_model
from hardwood.cli.plain_text import plain
from hardwood.cli.refusal import refusing
from hardwood.cli.reporting import rows_of
from hardwood.cli.terminal import busy
from hardwood.cli.training_data import Request
from hardwood.cli.writing import check_writable, replacing


def compare(old_path: Path, new_path: Path, request: Request | None, page: Path | None) -> None:
    """Read all, print, write."""
    if page is not None:
        check_writable(page)
    old, new = load_model(old_path), load_model(new_path)
    rows = None
    if request is not None:
        check_file(request.path)
        check_fits_in_memory(request.path)
        with busy("Reading", quiet=False):
            rows = (rows_of(request, old), rows_of(request, new))
    from hardwood.comparing.difference import difference_of

    subject = str(old_path) if request is None else str(request.path)
    with refusing(subject), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # models trained without names
        found = difference_of(old, new, rows)
    print(plain(str(found)))  # noqa: T201
    if page is not None:
        with replacing(page) as file:
            file.write(found.to_html().encode("ascii"))
