"""Trees as arrays, and everything that reads them without data: conditions, text, rules, digest."""

from hardwood.tree.arrays import GROUPS, INTERVAL, LEAF, Tree, training_error
from hardwood.tree.conditions import Condition, Group, Interval
from hardwood.tree.decision_path import decision_path
from hardwood.tree.dictionary import to_dict
from hardwood.tree.digest import digest
from hardwood.tree.importances import feature_importances
from hardwood.tree.rules import Rule, rules
from hardwood.tree.text import to_text

__all__ = [
    "Tree",
    "LEAF",
    "INTERVAL",
    "GROUPS",
    "Condition",
    "Interval",
    "Group",
    "Rule",
    "rules",
    "to_text",
    "to_dict",
    "digest",
    "feature_importances",
    "decision_path",
    "training_error",
]
