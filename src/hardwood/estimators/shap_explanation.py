"""`shap_explanation(X)`: Shapley values as the shap package's own plots take them.

In: a fitted estimator and a table. Out: a `shap.Explanation`, whose output names carry the unit:
probabilities of a tree's classes, log odds of a boosted model (its scores are half of them where
the variant is not logistic, so values are doubled there), votes of SAMME. Invariant: values and
base values add up to the output that is named.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting.scores import slope_of
from hardwood.errors import MissingExtraError
from hardwood.explain.row import UNSEEN
from hardwood.table import Column, Table
from hardwood.table.schema import MISSING_CODE
from hardwood.tree.numbers import value_text
from hardwood.tree.ranked import category_column


class ShapExplains:
    """For a fitted estimator with `shap_values` and `shap_expected_value`."""

    def shap_explanation(self, X: Any) -> Any:
        """The exact Shapley values of X as a `shap.Explanation` for the shap package's plots
        (`shap.plots.beeswarm`, `waterfall`, `scatter`, ...), in log odds for boosted models, in
        probabilities for trees (`explanation[..., 1]` is the second class's). Needs the package
        shap; `shap_values(X)` does not."""
        try:
            from shap import Explanation
        except ImportError:
            raise MissingExtraError("shap_explanation", "shap", "shap") from None
        table = self._table(X)  # type: ignore[attr-defined]
        values, base = self.shap_values(X), np.asarray(self.shap_expected_value())  # type: ignore[attr-defined]
        slope, names = _meaning(self)
        columns = [category_column(table.column(j)) for j in range(table.n_columns)]
        return Explanation(
            values=slope * values,
            base_values=np.repeat(slope * base[None], len(values), axis=0),
            data=np.column_stack([_numbers(column, table) for column in columns]),
            display_data=np.column_stack([_shown(column, table) for column in columns]),
            feature_names=[schema.name for schema in self._schemas],  # type: ignore[attr-defined]
            output_names=names,
        )


def _meaning(model: Any) -> tuple[float, Any]:
    """What scores are multiplied with, and the outputs' names."""
    labels = [value_text(label) for label in model.classes_.tolist()]
    if hasattr(model, "tree_"):
        return 1.0, [f"probability of {label}" for label in labels]
    plan = model._run.plan
    if plan.multiclass == "samme" and len(labels) > 2:
        return 1.0, [f"votes for {label}" for label in labels]
    slope = float(slope_of(plan.rules.variant))
    names = [f"log odds of {label}" for label in labels]
    return slope, names if len(labels) > 2 else names[-1]


def _dense(column: Column, table: Table) -> NDArray[Any]:
    if column.rows is None:
        return column.values
    values = np.zeros(table.n_rows, dtype=column.values.dtype)
    values[column.rows] = column.values
    return values


def _numbers(column: Column, table: Table) -> NDArray[np.float64]:
    """Categories as their places, for colours; NaN where a value is missing."""
    values = _dense(column, table).astype(np.float64)
    if column.schema.kind == "category":
        values[values == MISSING_CODE] = np.nan
    elif column.missing is not None and column.rows is None:
        values[column.missing] = np.nan
    return values


def _shown(column: Column, table: Table) -> NDArray[Any]:
    """Categories as their values."""
    numbers = _numbers(column, table)
    shown = np.empty(len(numbers), dtype=object)
    shown[:] = numbers.tolist()
    if column.schema.kind == "category":
        known = [value_text(value) for value in column.schema.categories]
        for row, code in enumerate(shown):
            if code == code:
                shown[row] = known[int(code)] if code >= 0 else repr(UNSEEN)
            else:
                shown[row] = "missing"
    return shown
