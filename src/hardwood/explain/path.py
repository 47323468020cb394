"""A tree's answer for one row: the conditions it met on its way, in the user's own values.

In: a tree, its schemas and classes, and a table of one row. Out: a `PathExplanation` that prints
itself:

    malignant: 95.9%; 97.3% of 150 training rows
      worst perimeter > 114.45   here 120.3
      worst texture <= 25.67     here 19.1
    shares: benign 0.0411, malignant 0.959

First the probability, then what training saw; only the latter where the tree has no prior.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hardwood.explain.row import cell, cell_text
from hardwood.table import ColumnSchema, Table
from hardwood.tree import Condition, Tree
from hardwood.tree.conditions import lines_of
from hardwood.tree.numbers import plain_value, value_text
from hardwood.tree.paths import steps_to
from hardwood.tree.route import leaves_of
from hardwood.tree.rules import row_share_of, said_share
from hardwood.tree.text import CATEGORY_WIDTH, SHARES_SHOWN


@dataclass(frozen=True, slots=True)
class PathStep:
    """At `node` the row met `condition`."""

    node: int
    column: str
    value: object
    """The row's own; None: missing."""
    condition: Condition

    def __str__(self) -> str:
        return f"{self.condition} (here {cell_text(self.value)})"


@dataclass(frozen=True, slots=True)
class PathExplanation:
    """Why a tree predicts what it does for a row."""

    prediction: object
    share: float
    """The probability of `prediction`."""
    shares: dict[object, float]
    """Of every class; what predict_proba gives."""
    leaf: int
    rows: int
    """Training rows that reached the leaf."""
    weight: float
    steps: tuple[PathStep, ...]
    """From the root on."""
    conditions: tuple[Condition, ...]
    """The steps as one condition per column."""
    raw_share: float
    """Of `prediction` in the training weight that reached the leaf; `share` without a prior."""
    row_share: float | None = None
    """Of `prediction` among these rows, each counted once; None: not known (see `Rule`)."""

    def __str__(self) -> str:
        rows = "1 training row" if self.rows == 1 else f"{self.rows} training rows"
        said = said_share(self.share, self.raw_share, self.row_share, rows)
        lines = [f"{value_text(self.prediction)}: {said}"]
        met = [lines_of(step.condition, CATEGORY_WIDTH) for step in self.steps]
        width = max((len(text) for texts in met for text in texts), default=0)
        for (text, *rest), step in zip(met, self.steps, strict=True):
            lines.append(f"  {text.ljust(width)}   here {cell_text(step.value)}")
            lines += [f"    {more}" for more in rest]
        if not self.steps:
            lines.append("  the tree asks nothing")
        largest = sorted(self.shares.items(), key=lambda item: -item[1])
        shown = self.shares.items() if len(largest) <= SHARES_SHOWN else largest[:SHARES_SHOWN]
        texts = [f"{value_text(label)} {share:.3g}" for label, share in shown]
        more = ", ..." if len(largest) > SHARES_SHOWN else ""
        return "\n".join([*lines, f"shares: {', '.join(texts)}{more}"])


def explain_path(
    tree: Tree, schemas: Sequence[ColumnSchema], classes: Sequence[object], table: Table
) -> PathExplanation:
    """Follow the table's only row."""
    leaf = int(leaves_of(tree, table, 1)[0])
    way = steps_to(tree, schemas, leaf)
    steps = []
    for before, after in pairwise(way):
        column = int(tree.feature[before.node])
        assert after.branch is not None
        value = cell(table.column(column))
        if value is None and tree.share is not None:
            raise ValueError(
                f"Column {schemas[column].name!r} of x is missing, and with "
                'missing="fractional" such a row goes down several branches, so there is no one '
                "path to explain; give the value, or see predict_proba."
            )
        steps.append(PathStep(before.node, schemas[column].name, value, after.branch))
    labels = [plain_value(label) for label in classes]
    shares = tree.shares[leaf].tolist()
    return PathExplanation(
        prediction=labels[tree.label[leaf]],
        share=shares[tree.label[leaf]],
        shares=dict(zip(labels, shares, strict=True)),
        leaf=leaf,
        rows=int(tree.rows[leaf]),
        weight=float(tree.weight[leaf]),
        steps=tuple(steps),
        conditions=tuple(way[-1].path.values()),
        raw_share=float(tree.raw_shares[leaf, tree.label[leaf]]),
        row_share=row_share_of(tree, leaf),
    )
