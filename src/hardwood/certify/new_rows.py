"""What a certificate says about new rows, when it is asked.

In: a certificate's tree, error and leaves, and what else was fixed before the rows were drawn. Out:
a `TrueError`. By Occam's razor and the growth function (docs/theory/true-error.md): rows are drawn
independently from one distribution, and with probability 1 - delta over the draw the statement
holds for all trees at once, so also for the one that was chosen by looking at the rows. Leaves are
not fixed beforehand: L of them get the part 1/(L (L + 1)) of delta.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardwood.theory import occam_bound, tree_bits, vc_bound
from hardwood.theory.arguments import share, whole
from hardwood.tree.arrays import GROUPS, Tree

ROUTES = 3
"""A threshold with missing values left or right, and missing against the rest: a column offers at
most three times as many questions as it has thresholds."""


@dataclass(frozen=True)
class TrueError:
    """With probability 1 - `delta` the error on new rows is at most `bound`; likewise `fixed`."""

    error: float
    """On the rows the tree was grown from; after pruning, if there was any."""
    rows: int
    leaves: int
    delta: float
    bound: float
    """For thresholds that were chosen from the data (Vapnik & Chervonenkis); 1 says nothing."""
    fixed: float | None = None
    """For one of so many questions, fixed before the data were seen (Occam's razor)."""

    def __str__(self) -> str:
        leaves = "1 leaf" if self.leaves == 1 else f"{self.leaves} leaves"
        start = (
            f"On new rows from where the {self.rows:,} came ({leaves}, training error "
            f"{self.error:.4g}), with probability {1.0 - self.delta:.4g} over their draw:"
        )
        lines = [start, _line(self.bound, "thresholds chosen from the data")]
        if self.fixed is not None:
            lines.append(_line(self.fixed, "questions fixed before the data were seen"))
        return "\n".join(lines)


def _line(bound: float, why: str) -> str:
    said = "nothing is proved" if bound >= 1.0 else f"an error of at most {bound:.4g}"
    return f"  {said}  ({why})"


def true_error(
    tree: Tree,
    leaves: int,
    error: float,
    columns: int,
    delta: float,
    questions: int | None,
) -> TrueError:
    """`tree` is the one as grown; `leaves` and `error` are of what is left of it."""
    delta, columns = share("delta", delta, ends=False), whole("columns", columns, 1)
    _check(tree, columns)
    rows, classes = int(tree.rows[0]), max(tree.n_classes, 2)
    part = delta / (leaves * (leaves + 1))
    bound = vc_bound(error, rows, leaves, ROUTES * columns, part, classes=classes)
    fixed = None
    if questions is not None:
        questions = whole("questions", questions, 1)
        fixed = occam_bound(error, rows, tree_bits(leaves, questions, classes), delta)
    return TrueError(error, rows, leaves, delta, bound, fixed)


def _check(tree: Tree, columns: int) -> None:
    if tree.used_features and columns <= tree.used_features[-1]:
        raise ValueError(
            f"columns must be the number of columns of X; the tree asks about column number "
            f"{tree.used_features[-1]}, given was {columns}."
        )
    if tree.class_rows is not None or tree.share is not None:
        raise ValueError(
            "The error on new rows is bounded from rows that count alike; these had weights or "
            'fractions. Fit without sample_weight, class_weight and missing="fractional".'
        )
    if tree.costs is not None:
        raise ValueError(
            "The certificate's error takes the heaviest class of a leaf; with costs the tree "
            "answers otherwise, so it says nothing about new rows. Fit without costs."
        )
    if (tree.kind == GROUPS).any():
        raise ValueError(
            "The tree asks about groups of categories, which are too many for these bounds; encode "
            "such columns as numbers before, or keep rows from training and test on them."
        )
