"""Where a tree sends what its training did not meet: missing values and categories.

In: a tree. Out: one sentence for readers, and the branches that it is not true of. As trees are
grown a split sends both to its heaviest branch (docs/theory/rules.md, "Missing values"), so that
one sentence says it for all splits; a tree that was made otherwise has its exceptions named.
"""

from __future__ import annotations

import numpy as np

from hardwood.tree.arrays import GROUPS, Tree

MISSING, CATEGORY = "missing value", "category"


def unmet(tree: Tree) -> list[str]:
    """What some split of the tree did not meet in training, and may meet later."""
    split = tree.branches > 0
    met = []
    if tree.share is None and bool((split & (tree.missing_seen == 0)).any()):
        met.append(MISSING)
    if bool((split & (tree.kind == GROUPS)).any()):
        met.append(CATEGORY)
    return met


def sentence(kinds: list[str], weighted: bool) -> str:
    """Of `unmet` kinds; "" for none."""
    if not kinds:
        return ""
    most = "weight" if weighted else "rows"
    what = " or ".join(kinds)
    return f"A {what} that a split did not meet in training takes its branch with the most {most}."


def exceptions(tree: Tree) -> dict[int, list[str]]:
    """By child: what it takes although it is not the heaviest branch of its split."""
    out: dict[int, list[str]] = {}
    for node in np.flatnonzero(tree.branches > 0).tolist():
        children = tree.children(node)
        heaviest = int(np.argmax(tree.weight[children]))
        ways = []
        if tree.share is None and not tree.missing_seen[node]:
            ways.append((int(tree.missing_branch[node]), MISSING))
        if tree.kind[node] == GROUPS:
            ways.append((int(tree.default_branch[node]), CATEGORY))
        for branch, what in ways:
            if branch != heaviest:
                out.setdefault(children[branch], []).append(what)
    return out
