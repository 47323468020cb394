"""`model.report(X, y)`, for both estimators.

The page is made in a layer above this one, which is therefore imported by name and on use.
"""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from typing import Any


class Reports:
    """For a fitted estimator that `hardwood.report` knows."""

    def report(
        self, X: Any, y: Any = None, path: str | PathLike[str] | None = None, *, claims: Any = None
    ) -> Any:
        """A page about the model and how it does on the rows of X: one HTML file that needs no
        network. Written to `path` if that is given; returns the HTML (a str with `.path`), which
        notebooks show. Without y the page has no errors. `claims`: as `hardwood.certify.prove`
        takes them, or its result, for a section of what is proved."""
        return import_module("hardwood.report").report(self, X, y, path, claims=claims)
