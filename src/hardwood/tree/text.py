"""A tree as indented text for a terminal.

In: a tree, the schemas of its columns, its classes. Out: one line per node, the condition of its
branch on the left, and for leaves label, rows and class shares in aligned columns on the right:

    2 leaves, depth 1        label       rows  setosa  versicolor
    ├─ petal length <= 2.45  setosa        50       1           0
    └─ petal length > 2.45   versicolor   100       0           1

With a leaf prior the shares are what `predict_proba` gives, and the column "right" has the weight
of the label among the rows of the leaf (the number of its rows, where rows weigh 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import Tree
from hardwood.tree.conditions import short_text
from hardwood.tree.numbers import number_text, value_text
from hardwood.tree.paths import walk

CATEGORY_WIDTH = 48
"""Characters of category names in one condition before the rest is counted."""
SHARES_SHOWN = 8
"""With more classes than this only the label's share is printed."""


FRACTIONAL = "every branch by its share"
"""How missing values go in a tree with fractional examples."""


class Line(NamedTuple):
    outline: str
    cells: list[str]


def to_text(
    tree: Tree,
    schemas: Sequence[ColumnSchema],
    classes: Sequence[object],
    *,
    max_depth: int | None = None,
    class_names: Sequence[str] | None = None,
) -> str:
    """The whole tree, or its first `max_depth` levels; `class_names` replace the classes."""
    names = [value_text(label) for label in (classes if class_names is None else class_names)]
    if len(names) != tree.n_classes:
        raise ValueError(
            f"class_names has {len(names)} names; the tree has {tree.n_classes} classes."
        )
    header = _header(tree, names)
    return outlined(tree, schemas, header, lambda node: _leaf_cells(tree, node, names), max_depth)


def outlined(
    tree: Tree,
    schemas: Sequence[ColumnSchema],
    header: list[str],
    leaf_cells: Callable[[int], list[str]],
    max_depth: int | None = None,
) -> str:
    """Conditions on the left, the cells of each leaf under `header` on the right."""
    lines = [Line(_summary(tree), header)]
    bars = [""]
    for step in walk(tree, schemas, max_depth):
        node, depth = step.node, int(tree.depth[step.node])
        cells: list[str] = []
        if tree.branches[node] == 0:
            cells = leaf_cells(node)
        elif depth == max_depth:
            cells = [f"... {_leaves_below(tree, node)} leaves"]
        if step.branch is not None:
            last = node == tree.children(int(tree.parent[node]))[-1]
            lead = bars[depth - 1] + ("└─ " if last else "├─ ")
            bars[depth:] = [bars[depth - 1] + ("   " if last else "│  ")]
            lines.append(Line(lead + short_text(step.branch, CATEGORY_WIDTH), cells))
        elif cells:
            lines.append(Line("└─ always", cells))
    return "\n".join(_aligned(lines))


def _summary(tree: Tree) -> str:
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
    fractional = "" if tree.share is None else f"; missing: {FRACTIONAL}"
    prior = f"; prior {tree.prior:.4g}" if tree.prior else ""
    return f"{leaves}, depth {tree.max_depth}{prior}{fractional}"


def _header(tree: Tree, names: Sequence[str]) -> list[str]:
    shares = list(names) if len(names) <= SHARES_SHOWN else ["share"]
    return ["label", "rows", *(["right"] if tree.prior else []), *_weighted_header(tree), *shares]


def _leaf_cells(tree: Tree, node: int, names: Sequence[str]) -> list[str]:
    """Where rows have weights, the label's rows are those of `class_rows`, and the weights stand
    beside the rows."""
    label, shares = int(tree.label[node]), tree.shares[node]
    cells = [names[label], str(tree.rows[node])]
    if tree.prior:
        cells.append(_right_rows(tree, node, label))
    if _weighted_header(tree):
        if tree.row_shares is not None:
            cells.append(_share_text(float(tree.row_shares[node, label])))
        raw = float(tree.raw_shares[node, label])
        cells += [f"{tree.weight[node]:.6g}", _share_text(raw)]
    shown = shares if len(names) <= SHARES_SHOWN else shares[label : label + 1]
    return [*cells, *map(_share_text, shown.tolist())]


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


def _leaves_below(tree: Tree, node: int) -> int:
    pending, leaves = [node], 0
    while pending:
        children = tree.children(pending.pop())
        leaves += not children
        pending.extend(children)
    return leaves


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
