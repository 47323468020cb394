"""What cannot be trained on data that is not in this process's memory, in sentences."""

from __future__ import annotations

from typing import Any

from hardwood.estimators.boosting_plan import Plan
from hardwood.estimators.elsewhere import back_end_of
from hardwood.pruning import PruningPlan


def refuse_what_needs_rows(missing: str, plan: PruningPlan) -> None:
    """Parameters of a tree that need all rows in one place."""
    if missing == "fractional":
        raise ValueError(
            'missing="fractional" is not supported on data that is not in memory; use '
            'missing="branch", or give a table in memory.'
        )
    by_folds = plan.method == "cost-complexity" and plan.ccp_alpha is None
    if by_folds or plan.method == "reduced-error":
        what = 'ccp_alpha="cv"' if by_folds else '"reduced-error"'
        raise ValueError(
            f"Pruning by {what} holds rows out of growth, which is not supported on data that is "
            'not in memory; use pruning="error-based", pruning="cost-complexity" with a number for '
            "ccp_alpha, pruning=None, or give a table in memory."
        )


def refuse_held_out_rows(plan: Plan, X_val: Any) -> None:
    """Early stopping on rows of X: which are held out depends on all labels in one place."""
    if back_end_of(X_val) is not None:
        raise TypeError(
            f"X_val is a {type(X_val).__name__}, whose rows are not in memory; X_val and y_val "
            "must be tables in memory."
        )
    if plan.early_stopping and X_val is None:
        raise ValueError(
            "early_stopping holds out rows of X, which is not supported on data that is not in "
            "memory; give X_val and y_val."
        )
