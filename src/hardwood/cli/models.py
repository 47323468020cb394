"""Model files as the command line opens them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hardwood.cli.formats import check_file
from hardwood.cli.refusal import InputError, one_line


def load_model(path: Path) -> Any:
    """The model of a file that `hardwood train` or `hardwood.save` wrote."""
    check_file(path)
    import hardwood

    try:
        return hardwood.load(path)
    except hardwood.ModelFileError as error:
        raise InputError(one_line(error)) from error
