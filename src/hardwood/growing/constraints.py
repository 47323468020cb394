"""Monotone and interaction constraints, resolved to columns and classes, as the core takes them.

A sign says of a column and a class that the class's probability (of a tree) or score (of a booster)
may not fall (1) or not rise (-1) as the value rises. With two classes the signs of one are the
other's turned around. The rules are those of docs/theory/rules.md#monotone-constraints and
#interaction-constraints.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardwood._core import ConstraintOptions
from hardwood.tree.arrays import Tree
from hardwood.tree.leaf_prior import LARGEST_PRIOR


@dataclass(frozen=True, eq=False)
class Constraints:
    """signs: [columns, classes]. groups: the columns of a path from the root all lie in one of
    them; () where any may meet. most: not 0: a path has at most so many different columns. needs:
    per column those that it must stand below; () where none must.
    leaf_prior: of a single tree, in examples."""

    signs: NDArray[np.int8]
    groups: tuple[tuple[int, ...], ...] = ()
    most: int = 0
    needs: tuple[tuple[int, ...], ...] = ()
    leaf_prior: float = 0.0

    @property
    def monotone(self) -> bool:
        return bool(self.signs.any())

    @property
    def may_raise(self) -> bool:
        """Whether a subtree that takes the place of a node above it keeps the constraints."""
        return not self.monotone and not self.needs

    def for_tree(self, example_weight: float, unit: float) -> ConstraintOptions:
        """unit: the user's weight of one unit of the core's."""
        classes = np.flatnonzero(self.signs.any(axis=0))
        options = self._options(classes)
        options.prior = min(self.leaf_prior * example_weight, LARGEST_PRIOR)
        options.unit = unit
        return options

    def for_booster(self, label: int) -> ConstraintOptions:
        """Of the booster whose second class is this one."""
        constrained = bool(self.signs[:, label].any())
        return self._options(np.array([label] if constrained else [], dtype=np.intp))

    def kept_by(self, tree: Tree, label: int) -> bool:
        """Whether a boosted tree of this second class keeps the constraints."""
        assert tree.value is not None
        feature = tree.feature.tolist()
        least, most = tree.value.tolist(), tree.value.tolist()
        for node in np.flatnonzero(~tree.is_leaf).tolist()[::-1]:
            children = tree.children(node)
            least[node] = min(least[child] for child in children)
            most[node] = max(most[child] for child in children)
            sign = int(self.signs[feature[node], label]) if tree.cut_count[node] else 0
            low, high = children[0], children[-1]
            if (sign > 0 and most[low] > least[high]) or (sign < 0 and most[high] > least[low]):
                return False
        return self.lets_meet(tree)

    def lets_meet(self, tree: Tree) -> bool:
        """Whether the columns of every path may meet, in that order."""
        feature = tree.feature.tolist()
        paths: list[frozenset[int]] = [frozenset()]
        for above in tree.parent.tolist()[1:]:
            if not self.lets_follow(paths[above], feature[above]):
                return False
            paths.append(paths[above] | {feature[above]})
        return True

    def lets_follow(self, path: frozenset[int], column: int) -> bool:
        """Whether a column may be asked about below those of a path."""
        if self.needs and not path.issuperset(self.needs[column]):
            return False
        return self._may_meet(path | {column})

    def _may_meet(self, path: frozenset[int]) -> bool:
        if self.most:
            return len(path) <= self.most
        return not self.groups or any(path <= set(group) for group in self.groups)

    def _options(self, classes: NDArray[np.intp]) -> ConstraintOptions:
        options = ConstraintOptions()
        options.columns = len(self.signs)
        options.outputs = classes.tolist()
        options.signs = self.signs[:, classes].ravel().tolist()
        options.groups = [list(group) for group in self.groups]
        options.most = self.most
        options.needs = [list(each) for each in self.needs]
        return options
