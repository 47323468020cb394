"""The estimators that users call."""

from hardwood.estimators.boosted_trees import BoostedTreesClassifier
from hardwood.estimators.tree_classifier import TreeClassifier

__all__ = ["BoostedTreesClassifier", "TreeClassifier"]
