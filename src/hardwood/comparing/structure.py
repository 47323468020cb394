"""Two trees side by side, aligned by path.

In: two trees with their schemas. Out: `Alignment`: the nodes at which both ask the same question,
and the `SplitChange`s where they part. Both roots stand for the same rows; where two aligned nodes
ask the same question of the same column, their branches are aligned in turn. Invariant: every old
leaf lies below exactly one aligned pair that is a change or a pair of leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hardwood.comparing.records import SplitChange
from hardwood.explain.branches import Codes, branches_of
from hardwood.table import ColumnSchema
from hardwood.tree import Tree
from hardwood.tree.conditions import short_text
from hardwood.tree.paths import branch_conditions, steps_to, told_of
from hardwood.tree.text import CATEGORY_WIDTH

Says = Callable[[int], str]
"""What a leaf says, in words."""
Number = Callable[[int], Any]
"""What it says, exactly."""


@dataclass(frozen=True, slots=True)
class Side:
    tree: Tree
    schemas: Sequence[ColumnSchema]
    says: Says
    number: Number

    def question(self, node: int) -> Any:
        """Equal for equal questions, whatever the codes of the categories."""
        schema = self.schemas[self.tree.feature[node]]
        passed = [
            (frozenset(schema.categories[code] for code in each.codes), each.missing)
            if isinstance(each, Codes)
            else (each.lower, each.upper, each.missing, each.present)
            for each in branches_of(self.tree, self.schemas, node)
        ]
        return schema.name, tuple(passed)

    def told(self, node: int) -> str:
        """A split by its first branch, or by all where it has several; a leaf by what it says."""
        if not self.tree.branches[node]:
            return f"a leaf that says {self.says(node)}"
        conditions = branch_conditions(self.tree, self.schemas, node)
        shown = conditions[:1] if len(conditions) == 2 else conditions
        texts = [short_text(told_of(self.tree, each), CATEGORY_WIDTH) for each in shown]
        return "split " + " | ".join(texts)

    def where(self, node: int) -> str:
        path = steps_to(self.tree, self.schemas, node)[-1].path
        texts = [short_text(condition, CATEGORY_WIDTH) for condition in path.values()]
        return f"where {' and '.join(texts)}" if texts else "at the root"


@dataclass(slots=True)
class Alignment:
    same_splits: int = 0
    moved_leaves: int = 0
    """Aligned leaves that say the same in words, with other numbers."""
    changes: list[SplitChange] = field(default_factory=list)
    cause: dict[int, int] = field(default_factory=dict)
    """By old leaf: the number of the change below which it lies."""


def aligned(old: Side, new: Side, name: str = "") -> Alignment:
    """`name`: which tree of a boosted model."""
    found = Alignment()
    pending = [(0, 0)]
    while pending:
        a, b = pending.pop()
        inner = bool(old.tree.branches[a]), bool(new.tree.branches[b])
        if all(inner) and old.question(a) == new.question(b):
            found.same_splits += 1
            pairs = zip(old.tree.children(a), new.tree.children(b), strict=True)
            pending.extend(reversed(list(pairs)))
        elif not any(inner) and old.says(a) == new.says(b):
            found.moved_leaves += old.number(a) != new.number(b)
        else:
            for leaf in _leaves_below(old.tree, a):
                found.cause[leaf] = len(found.changes)
            change = SplitChange(old.where(a), old.told(a), new.told(b), a, b, name)
            found.changes.append(change)
    return found


def _leaves_below(tree: Tree, node: int) -> list[int]:
    pending, leaves = [node], []
    while pending:
        top = pending.pop()
        children = tree.children(top)
        pending.extend(children)
        if not children:
            leaves.append(top)
    return leaves
