"""Why a model says what it says: Shapley values of many rows, and one row's answer in words."""

from hardwood.explain.contributions import (
    Contribution,
    ScoreExplanation,
    Verdict,
    explain_scores,
)
from hardwood.explain.path import PathExplanation, PathStep, explain_path
from hardwood.explain.row import UNSEEN, read_row
from hardwood.explain.shap import expected, scored_tree, scored_trees, shap_values

__all__ = [
    "Contribution",
    "ScoreExplanation",
    "Verdict",
    "explain_scores",
    "PathExplanation",
    "PathStep",
    "explain_path",
    "UNSEEN",
    "read_row",
    "expected",
    "scored_tree",
    "scored_trees",
    "shap_values",
]
