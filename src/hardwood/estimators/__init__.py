"""The estimators that users call."""

from hardwood.estimators.tree_classifier import TreeClassifier

__all__ = ["TreeClassifier"]
