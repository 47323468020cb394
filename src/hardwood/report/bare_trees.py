"""Trees of a large boosted model that only answer and are not drawn.

In: the trees with their addends. Out: lists over all of them, packed as text, or None where they do
not fit the page. The nodes of a tree come level by level, so that no child numbers are needed:

    column      per node, -1 for a leaf
    arity, missing, default, cut_count, group_count     per split
    cuts, codes, code_branches                          one split after the other
    addends (and places, where a leaf says its output)  per leaf

Invariant: every row takes the model's way. Addends are exact, or have DIGITS digits, and then
`within` bounds what that changes in any probability: a probability's log odds against the others
moves by at most twice the score's change times the link's slope, and it by a quarter of that.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardwood.report.plain import packed, plain_float
from hardwood.table import ColumnSchema
from hardwood.tree import Tree
from hardwood.tree.arrays import INTERVAL
from hardwood.tree.packed import spread
from hardwood.tree.ranked import as_categories, in_sets

SIZE = 740_000
"""Characters; with them a page stays under 1 MB."""
DIGITS = 4


class Scored(NamedTuple):
    """A tree, what each node adds, and to which output; `own` is that of all leaves, or -1."""

    tree: Tree
    addend: NDArray[np.float64]
    place: NDArray[np.int32]
    round: int
    own: int


def bare_trees(
    items: Sequence[Scored], schemas: Sequence[ColumnSchema], outputs: int, slope: float
) -> dict[str, Any] | None:
    lists, order = _lists([in_sets(item.tree, schemas) for item in items], as_categories(schemas))
    leaves = order[np.concatenate([item.tree.is_leaf for item in items])[order]]
    if any(item.own < 0 for item in items):
        lists["places"] = np.concatenate([item.place for item in items])[leaves].tolist()
    lists["rounds"] = [item.round for item in items]
    lists["outputs"] = [item.own for item in items]
    text = packed(lists)
    addends = np.concatenate([item.addend for item in items])[leaves]
    exact = b64encode(addends.astype("<f8").tobytes()).decode("ascii")
    if len(text) + len(exact) <= SIZE:
        return {"lists": text, "exact": exact, "rounded": None, "within": 0}
    short = [float(f"{addend:.{DIGITS}g}") for addend in addends.tolist()]
    rounded = packed(short)
    if len(text) + len(rounded) > SIZE:
        return None
    within = slope / 2 * _most_moved(items, np.abs(addends - short), outputs)
    return {"lists": text, "exact": None, "rounded": rounded, "within": plain_float(within, 2)}


def _lists(
    trees: list[Tree], schemas: Sequence[ColumnSchema]
) -> tuple[dict[str, Any], NDArray[np.intp]]:
    """And the nodes of all trees, numbered one tree after the other, in the order of the lists."""
    order = _by_level(trees)

    def joined(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(tree, name) for tree in trees])

    splits = order[joined("branches")[order] > 0]
    column, interval = joined("feature"), joined("kind")[splits] == INTERVAL
    cuts = spread(_shifted(trees, "cut_begin", "thresholds")[splits], joined("cut_count")[splits])
    codes = spread(
        _shifted(trees, "group_begin", "group_codes")[splits], joined("group_count")[splits]
    )
    told: list[Any] = (joined("thresholds")[cuts] + 0.0).tolist()
    whole = joined("integer_thresholds")[cuts]
    asked = np.repeat(column[splits], joined("cut_count")[splits])
    kinds = np.array([schema.kind for schema in schemas])
    for at in np.flatnonzero(kinds[asked] != "numeric").tolist():
        unsigned = kinds[asked[at]] == "unsigned"
        told[at] = str(int(whole[at].view(np.uint64) if unsigned else whole[at]))
    lists = {
        "nodes": [tree.n_nodes for tree in trees],
        "column": column[order].tolist(),
        "arity": joined("branches")[splits].tolist(),
        "missing": joined("missing_branch")[splits].tolist(),
        "default": np.where(interval, 0, joined("default_branch")[splits]).tolist(),
        "cut_count": joined("cut_count")[splits].tolist(),
        "cuts": told,
        "group_count": joined("group_count")[splits].tolist(),
        "codes": joined("group_codes")[codes].tolist(),
        "code_branches": joined("group_branches")[codes].tolist(),
    }
    return lists, order


def _by_level(trees: list[Tree]) -> NDArray[np.intp]:
    """Nodes of all trees: tree after tree, each level by level."""
    sizes = np.array([tree.n_nodes for tree in trees])
    begin = np.cumsum(sizes) - sizes
    owner = np.repeat(np.arange(len(trees)), sizes)
    branches = np.concatenate([tree.branches for tree in trees])
    first = np.concatenate([tree.first_child for tree in trees]) + begin[owner]
    levels, level = [], begin
    while len(level):
        levels.append(level)
        level = level[branches[level] > 0]
        level = spread(first[level], branches[level])
    order = np.concatenate(levels)
    return np.asarray(order[np.argsort(owner[order], kind="stable")])


def _shifted(trees: list[Tree], name: str, flat: str) -> NDArray[np.int64]:
    """Each node's begin in the flat arrays of all trees."""
    sizes = np.array([len(getattr(tree, flat)) for tree in trees])
    begins = np.cumsum(sizes) - sizes
    parts = [getattr(tree, name) + begin for tree, begin in zip(trees, begins, strict=True)]
    return np.concatenate(parts)


def _most_moved(items: Sequence[Scored], errors: NDArray[np.float64], outputs: int) -> float:
    """Of an output's score, if every tree were at its worst leaf."""
    moved = np.zeros(outputs)
    at = 0
    for item in items:
        worst = errors[at : at + item.tree.n_leaves].max()
        at += item.tree.n_leaves
        if item.own < 0:
            moved += worst
        else:
            moved[item.own] += worst
    return float(moved.max())
