"""A tree as indented text for a terminal.

In: a tree, the schemas of its columns, its classes. Out: one line per node, the condition of its
branch on the left, and for leaves label, rows and class shares in aligned columns on the right:

    2 leaves, depth 1        label       rows  setosa  versicolor
    ├─ petal length <= 2.45  setosa        50       1           0
    └─ petal length > 2.45   versicolor   100       0           1

A list of categories is written in full, in lines of its own where it is long, or folded where the
caller asks for it. The last line says where rows go whose value a split did not meet in training.

With a leaf prior the shares are what `predict_proba` gives, and the column "right" has the weight
of the label among the rows of the leaf (the number of its rows, where rows weigh 1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from hardwood.table.schema import ColumnSchema
from hardwood.tree import routes
from hardwood.tree.arrays import Tree
from hardwood.tree.conditions import Condition, lines_of, short_text
from hardwood.tree.merged import leaves_below, merged_leaves
from hardwood.tree.numbers import number_text, value_text
from hardwood.tree.paths import walk

CATEGORY_WIDTH = 60
"""Characters of a condition in one line; a longer list of categories has several lines."""
SHARES_SHOWN = 8
"""With more classes than this only the label's share is printed."""


FRACTIONAL = "every branch by its share"
"""How missing values go in a tree with fractional examples."""


class Line(NamedTuple):
    outline: str
    cells: list[str]


@dataclass(frozen=True, slots=True)
class Shown:
    """How much of a tree is written."""

    max_depth: int | None = None
    fold: int | None = None
    """Characters of category names in one condition before the rest is counted; None: all."""
    merged: Mapping[int, list[int]] = field(default_factory=dict)
    """Nodes that stand for the leaves below them."""


ALL_SHOWN = Shown()


def to_text(
    tree: Tree,
    schemas: Sequence[ColumnSchema],
    classes: Sequence[object],
    *,
    max_depth: int | None = None,
    class_names: Sequence[str] | None = None,
    fold: int | None = None,
    merge: bool = False,
) -> str:
    """The whole tree, or its first `max_depth` levels; `class_names` replace the classes."""
    names = [value_text(label) for label in (classes if class_names is None else class_names)]
    if len(names) != tree.n_classes:
        raise ValueError(
            f"class_names has {len(names)} names; the tree has {tree.n_classes} classes."
        )
    merged = merged_leaves(tree) if merge else {}
    lines = outlined(
        tree,
        schemas,
        _header(tree, names),
        lambda node: _leaf_cells(tree, node, names, merged.get(node, [node])),
        Shown(max_depth, fold, merged),
    )
    weighted = not np.array_equal(tree.weight, tree.rows)
    return "\n".join(filter(None, [lines, routes.sentence(routes.unmet(tree), weighted)]))


def outlined(
    tree: Tree,
    schemas: Sequence[ColumnSchema],
    header: list[str],
    leaf_cells: Callable[[int], list[str]],
    shown: Shown = ALL_SHOWN,
) -> str:
    """Conditions on the left, the cells of each leaf under `header` on the right."""
    lines = [Line(_summary(tree, shown), header)]
    bars, elsewhere = [""], routes.exceptions(tree)
    for step in walk(tree, schemas, shown.max_depth, shown.merged):
        node, depth = step.node, int(tree.depth[step.node])
        is_end = tree.branches[node] == 0 or node in shown.merged
        cells: list[str] = []
        if is_end:
            cells = leaf_cells(node)
        elif depth == shown.max_depth:
            cells = [f"... {len(leaves_below(tree, node))} leaves"]
        if step.branch is not None:
            last = node == tree.children(int(tree.parent[node]))[-1]
            lead = bars[depth - 1] + ("└─ " if last else "├─ ")
            bars[depth:] = [bars[depth - 1] + ("   " if last else "│  ")]
            first, *rest = _said(step.branch, elsewhere.get(node, ()), shown.fold)
            lines.append(Line(lead + first, cells))
            below = bars[depth] + ("  " if cells else "│ ")
            lines += [Line(f"{below}{each}", []) for each in rest]
        elif cells:
            lines.append(Line("└─ always", cells))
    return "\n".join(_aligned(lines))


def _said(branch: Condition, also: Sequence[str], fold: int | None) -> list[str]:
    """The condition of a branch in lines; `also` is what it takes against the rule."""
    if fold is not None:
        lines = [short_text(branch, fold)]
    else:
        lines = lines_of(branch, CATEGORY_WIDTH)
    if also:
        lines[-1] += f" (and a {' or a '.join(also)} not met in training)"
    return lines


def _summary(tree: Tree, shown: Shown) -> str:
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
    if shown.merged:
        fewer = sum(len(leaves) - 1 for leaves in shown.merged.values())
        leaves += f" shown as {tree.n_leaves - fewer}"
    fractional = "" if tree.share is None else f"; missing: {FRACTIONAL}"
    prior = f"; prior {tree.prior:.4g}" if tree.prior else ""
    return f"{leaves}, depth {tree.max_depth}{prior}{fractional}"


def _header(tree: Tree, names: Sequence[str]) -> list[str]:
    shares = list(names) if len(names) <= SHARES_SHOWN else ["share"]
    return ["label", "rows", *([] if tree.is_raw else ["right"]), *_weighted_header(tree), *shares]


def _leaf_cells(tree: Tree, node: int, names: Sequence[str], leaves: Sequence[int]) -> list[str]:
    """Where rows have weights, the label's rows are those of `class_rows`, and the weights stand
    beside the rows. Several `leaves` of one label have ranges of probabilities."""
    label = int(tree.label[leaves[0]])
    low, high = tree.shares[leaves].min(axis=0), tree.shares[leaves].max(axis=0)
    cells = [names[label], str(tree.rows[node])]
    if not tree.is_raw:
        cells.append(_right_rows(tree, node, label))
    if _weighted_header(tree):
        if tree.row_shares is not None:
            cells.append(_share_text(float(tree.row_shares[node, label])))
        raw = float(tree.raw_shares[node, label])
        cells += [f"{tree.weight[node]:.6g}", _share_text(raw)]
    listed = range(len(names)) if len(names) <= SHARES_SHOWN else [label]
    return [*cells, *(_range_text(float(low[k]), float(high[k])) for k in listed)]


def _weighted_header(tree: Tree) -> list[str]:
    """Of the columns that only a tree of weighted rows has."""
    if tree.class_rows is None and tree.row_shares is not None:
        return []
    known = ["row share"] if tree.class_rows is not None else []
    return [*known, "weight", "weighted share"]


def _right_rows(tree: Tree, node: int, label: int) -> str:
    """Rows of the label; a dash where only their weight is known."""
    if tree.class_rows is not None:
        return str(tree.class_rows[node, label])
    return "-" if tree.row_shares is None else f"{tree.class_weights[node, label]:.6g}"


def _share_text(share: float) -> str:
    """Three digits, but 0 and 1 only when nothing else is there."""
    if share in (0.0, 1.0):
        return number_text(share)
    return f"{min(max(share, 0.001), 0.999):.3f}"


def _range_text(low: float, high: float) -> str:
    first, last = _share_text(low), _share_text(high)
    return first if first == last else f"{first}-{last}"


def _aligned(lines: Sequence[Line]) -> list[str]:
    """The outline on the left; labels start and numbers end in one place."""
    left = max(len(line.outline) for line in lines)
    full = [line.cells for line in lines if len(line.cells) > 1]
    widths = [max(map(len, column)) for column in zip(*full, strict=True)]
    result = []
    for line in lines:
        cells = [
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line.cells, widths, strict=False))
        ]
        result.append("  ".join([line.outline.ljust(left), *cells]).rstrip())
    return result
