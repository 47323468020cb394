"""A tree as a list of rules, one per leaf.

In: a tree, the schemas of its columns, its classes. Out: `Rule` objects in reading order, each a
conjunction with one condition per column that the path asks about. Invariant: every row satisfies
exactly one rule, that of its leaf; where a missing value goes down every branch, that of the
heaviest branches (`apply`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import Tree
from hardwood.tree.conditions import Condition
from hardwood.tree.merged import merged_leaves
from hardwood.tree.numbers import plain_value, value_text
from hardwood.tree.paths import Step, walk


@dataclass(frozen=True, slots=True)
class Rule:
    """If all conditions hold the tree says `label`."""

    leaf: int
    conditions: tuple[Condition, ...]
    label: object
    share: float
    """The probability of `label`, as `predict_proba` gives it."""
    rows: int
    raw_share: float
    """Of `label` in the training weight that reaches the leaf; `share` itself without a prior."""
    row_share: float | None = None
    """Of `label` among the rows, each counted once: `raw_share` where rows have no weights. None:
    not known (fractional examples, files of older versions)."""
    leaves: tuple[int, ...] = ()
    """Of a merged rule: the leaves it stands for. `leaf` is the node above them, and `share` the
    smallest of their probabilities."""
    most: float | None = None
    """Of a merged rule: the largest of these probabilities."""

    def __str__(self) -> str:
        parts = [str(condition) for condition in self.conditions]
        if len(parts) > 1:
            parts = [f"({part})" if part.endswith(" or missing") else part for part in parts]
        premise = " and ".join(parts) or "anything"
        rows = "1 row" if self.rows == 1 else f"{self.rows} rows"
        said = said_share(self.share, self.raw_share, self.row_share, rows)
        if self.most is not None and self.most != self.share:
            seen = said_share(self.raw_share, self.raw_share, self.row_share, rows)
            said = f"{100 * self.share:.4g}% to {100 * self.most:.4g}%; {seen}"
        return f"if {premise} then {value_text(self.label)} ({said})"


def said_share(share: float, raw_share: float, row_share: float | None, rows: str) -> str:
    """A leaf's probability and what is behind it: "97% of 50 rows", with a prior "95.1%; 97% of 50
    rows". Where rows have weights: "21.2% of 504 rows, 70.8% of their weight"."""
    weighted = f"{100 * raw_share:.4g}% of"
    if row_share is None:
        seen = f"{weighted} the weight of {rows}"
    elif row_share == raw_share:
        seen = f"{weighted} {rows}"
    else:
        seen = f"{100 * row_share:.4g}% of {rows}, {weighted} their weight"
    return seen if share == raw_share else f"{100 * share:.4g}%; {seen}"


def row_share_of(tree: Tree, node: int) -> float | None:
    """Of the node's label among its rows."""
    shares = tree.row_shares
    return None if shares is None else float(shares[node, tree.label[node]])


def rules(
    tree: Tree,
    schemas: Sequence[ColumnSchema],
    classes: Sequence[object],
    *,
    merge: bool = False,
) -> list[Rule]:
    """`merge`: one rule for a subtree whose leaves all have one label."""
    merged = merged_leaves(tree) if merge else {}
    return [
        _rule(tree, step, classes, merged.get(step.node, [step.node]))
        for step in walk(tree, schemas, ends=merged)
        if tree.branches[step.node] == 0 or step.node in merged
    ]


def _rule(tree: Tree, step: Step, classes: Sequence[object], leaves: list[int]) -> Rule:
    node, label = step.node, int(tree.label[leaves[0]])
    shares, several = tree.shares[leaves, label], len(leaves) > 1
    return Rule(
        leaf=node,
        conditions=tuple(step.path.values()),
        label=plain_value(classes[label]),
        share=float(shares.min()),
        rows=int(tree.rows[node]),
        raw_share=float(tree.raw_shares[node, label]),
        row_share=None if tree.row_shares is None else float(tree.row_shares[node, label]),
        leaves=tuple(leaves) if several else (),
        most=float(shares.max()) if several else None,
    )
