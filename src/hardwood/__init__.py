"""Exact top-down decision trees with certificates, at histogram speed."""

from importlib.metadata import PackageNotFoundError, version

from hardwood import export, search
from hardwood.estimators import BoostedTreesClassifier, TreeClassifier

try:
    __version__ = version("hardwood")
except PackageNotFoundError:  # run from the sources
    __version__ = "0"

__all__ = ["BoostedTreesClassifier", "TreeClassifier", "__version__", "export", "search"]
