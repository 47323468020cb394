"""What people read of a fitted tree: text, rules, plain data, a drawing, its size."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hardwood.certify import Certificate
from hardwood.estimators.parameters import true_or_false, whole_number
from hardwood.plots import plot_tree
from hardwood.table import ColumnSchema
from hardwood.tree import Rule, Tree, feature_importances, rules, to_dict, to_text


class ReadableTree:
    """For an estimator with these fitted attributes."""

    tree_: Tree
    grown_tree_: Tree
    certificate_: Certificate
    classes_: NDArray[Any]
    n_features_in_: int
    _schemas: tuple[ColumnSchema, ...]

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def get_depth(self) -> int:
        """Number of splits on the longest path."""
        check_is_fitted(self)
        return self.tree_.max_depth

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's share of the total drop."""
        check_is_fitted(self)
        return feature_importances(self.tree_, self.n_features_in_)

    def to_text(
        self, max_depth: int | None = None, *, fold: int | None = None, merge: bool = False
    ) -> str:
        """The tree in indented lines, with every category of every condition; `fold` counts what
        is beyond so many characters of a list. `merge` writes a subtree whose leaves all have one
        label as one leaf, with the range of their probabilities."""
        check_is_fitted(self)
        return to_text(
            self.tree_,
            self._schemas,
            self.classes_.tolist(),
            max_depth=max_depth,
            fold=whole_number("fold", fold, 1, none_allowed=True),
            merge=true_or_false("merge", merge),
        )

    def to_dict(self) -> dict[str, Any]:
        """The tree as plain data, ready for JSON."""
        check_is_fitted(self)
        return to_dict(self.tree_, self._schemas, self.classes_.tolist())

    def rules(self, *, merge: bool = False) -> list[Rule]:
        """One rule per leaf; `merge`: one for a subtree whose leaves all have one label."""
        check_is_fitted(self)
        merge = true_or_false("merge", merge)
        return rules(self.tree_, self._schemas, self.classes_.tolist(), merge=merge)

    def plot(self, ax: Any = None) -> Any:
        """Draw the tree with matplotlib on `ax`, or on a new figure; returns the axes. Thresholds
        have six digits, or as many as keep those of a column apart; `to_text` has them in full."""
        check_is_fitted(self)
        return plot_tree(self.tree_, self._schemas, self.classes_.tolist(), ax=ax)
