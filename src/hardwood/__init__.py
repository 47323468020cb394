"""Exact top-down decision trees with certificates, at histogram speed.

Names are imported when they are first used, so that `hardwood --help` does not wait for
scikit-learn. `_HOME` says where each lives; the imports beside it are for type checkers.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardwood import certify as certify
    from hardwood import export as export
    from hardwood import plots as plots
    from hardwood import search as search
    from hardwood import theory as theory
    from hardwood.comparing import diff as diff
    from hardwood.draft import Draft as Draft
    from hardwood.errors import ModelFileError as ModelFileError
    from hardwood.estimators import BoostedTreesClassifier as BoostedTreesClassifier
    from hardwood.estimators import TreeClassifier as TreeClassifier
    from hardwood.model_file import load as load
    from hardwood.model_file import save as save

    __version__: str

_HOME = {
    "BoostedTreesClassifier": "hardwood.estimators",
    "Draft": "hardwood.draft",
    "ModelFileError": "hardwood.errors",
    "TreeClassifier": "hardwood.estimators",
    "diff": "hardwood.comparing",
    "load": "hardwood.model_file",
    "save": "hardwood.model_file",
}
_MODULES = ("certify", "export", "plots", "search", "theory")

__all__ = [
    "BoostedTreesClassifier",
    "Draft",
    "ModelFileError",
    "TreeClassifier",
    "__version__",
    "certify",
    "diff",
    "export",
    "load",
    "plots",
    "save",
    "search",
    "theory",
]


def __getattr__(name: str) -> Any:
    """The public name, imported now and kept."""
    if name in _MODULES:
        return import_module(f"hardwood.{name}")
    if name == "__version__":
        value: Any = _version()
    elif name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    else:
        raise AttributeError(f"module 'hardwood' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("hardwood")
    except PackageNotFoundError:  # run from the sources
        return "0"
