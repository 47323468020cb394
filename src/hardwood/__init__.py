"""Exact top-down decision trees with certificates, at histogram speed."""

from importlib.metadata import PackageNotFoundError, version

from hardwood import export, search
from hardwood.errors import ModelFileError
from hardwood.estimators import BoostedTreesClassifier, TreeClassifier
from hardwood.model_file import load, save

try:
    __version__ = version("hardwood")
except PackageNotFoundError:  # run from the sources
    __version__ = "0"

__all__ = [
    "BoostedTreesClassifier",
    "ModelFileError",
    "TreeClassifier",
    "__version__",
    "export",
    "load",
    "save",
    "search",
]
