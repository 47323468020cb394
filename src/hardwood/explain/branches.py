"""What each branch of a node lets pass, as plain ends and sets.

In: a node of a tree. Out: per branch an `Ends` (numbers) or a `Codes` (categories). Invariant: a
value passes exactly one branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hardwood.table import ColumnSchema
from hardwood.tree.arrays import INTERVAL, Tree
from hardwood.tree.paths import node_cuts


@dataclass(frozen=True, slots=True)
class Ends:
    """lower < x <= upper, unless not `present`; or missing, when `missing`."""

    lower: float | int | None = None
    upper: float | int | None = None
    missing: bool = True
    present: bool = True

    def __and__(self, later: Ends) -> Ends:
        lower, upper = self.lower, self.upper
        if lower is None or (later.lower is not None and later.lower > lower):
            lower = later.lower
        if upper is None or (later.upper is not None and later.upper < upper):
            upper = later.upper
        empty = lower is not None and upper is not None and lower >= upper
        present = self.present and later.present and not empty
        return Ends(lower, upper, self.missing and later.missing, present)


@dataclass(frozen=True, slots=True)
class Codes:
    """One of `codes`; or unknown to the model, when `unknown`; or missing, when `missing`."""

    codes: frozenset[int]
    missing: bool = True
    unknown: bool = True

    def __and__(self, later: Codes) -> Codes:
        return Codes(
            self.codes & later.codes, self.missing and later.missing, self.unknown and later.unknown
        )

    def has(self, code: int) -> bool:
        """-1: missing, -2: unknown."""
        return code in self.codes if code >= 0 else self.missing if code == -1 else self.unknown


def branches_of(tree: Tree, schemas: Sequence[ColumnSchema], node: int) -> list[Ends | Codes]:
    """Of an inner node, left to right."""
    missing, default = int(tree.missing_branch[node]), int(tree.default_branch[node])
    schema = schemas[tree.feature[node]]
    if tree.kind[node] == INTERVAL:
        ends = [None, *node_cuts(tree, schema, node), None]
        found: list[Ends | Codes] = [
            Ends(low, high, b == missing) for b, (low, high) in enumerate(pairwise(ends))
        ]
        if len(found) < tree.branches[node]:
            found.append(Ends(missing=True, present=False))
        return found
    own = tree.groups(node)
    members: list[set[int]] = [set() for _ in range(int(tree.branches[node]))]
    listed = tree.group_codes[own].tolist()
    for code, branch in zip(listed, tree.group_branches[own].tolist(), strict=True):
        members[branch].add(code)
    if len(listed) < len(schema.categories):
        members[default].update(set(range(len(schema.categories))).difference(listed))
    return [Codes(frozenset(codes), b == missing, b == default) for b, codes in enumerate(members)]
