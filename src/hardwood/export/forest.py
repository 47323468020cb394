"""A fitted model as every export sees it: trees, what each leaf adds, and how sums become labels.

In: a TreeClassifier or a BoostedTreesClassifier. Out: a `Forest`. Invariant: its trees stand in the
order in which prediction adds them, so that a target that adds in this order has the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hardwood.boosting.scores import cut_of, slope_of
from hardwood.estimators import BoostedTreesClassifier, TreeClassifier
from hardwood.table.schema import ColumnSchema
from hardwood.tree import Tree
from hardwood.tree.costs import decides
from hardwood.tree.numbers import plain_value
from hardwood.tree.ranked import as_categories, in_sets

Link = Literal["shares", "one", "logistic", "votes", "rest"]
"""From leaves to labels: shares of one tree's leaf; one class, whatever the row; the sign of one
score; the class with most votes (SAMME); the largest of one score per class (one-versus-rest)."""


@dataclass(frozen=True, slots=True)
class ScoredTree:
    """What a row adds by reaching a leaf: `weight` to the leaf's class when `output` is -1, else
    weight times leaf value to that output."""

    tree: Tree
    weight: float
    output: int

    def addend(self, leaf: int) -> float:
        """Rounded once, as in prediction."""
        assert self.tree.value is not None
        return self.weight if self.output < 0 else float(self.weight * self.tree.value[leaf])

    def place(self, leaf: int) -> int:
        """The output that the leaf adds to."""
        assert self.tree.value is not None
        return int(self.tree.value[leaf]) if self.output < 0 else self.output


@dataclass(frozen=True, slots=True)
class Forest:
    """`trees` is one tree for "shares"; `outputs` is the number of scores of a row."""

    schemas: tuple[ColumnSchema, ...]
    classes: tuple[object, ...]
    link: Link
    trees: tuple[ScoredTree, ...]
    outputs: int
    slope: int = 1
    """Log odds that a score of 1 stands for."""
    cut: float = 0.0
    """Of two classes the second is said where the score is above this."""
    costs: tuple[tuple[float, ...], ...] | None = None
    """Of mistakes among more than two classes with scores, by true class and class said."""

    @property
    def log_odds(self) -> str:
        """What is written before a score to have its log odds."""
        return "" if self.slope == 1 else f"{self.slope} * "

    @property
    def tree(self) -> Tree:
        """The tree of a TreeClassifier."""
        return self.trees[0].tree

    @property
    def used_columns(self) -> list[int]:
        return sorted({j for scored in self.trees for j in scored.tree.used_features})

    def leaf_labels(self) -> dict[int, int]:
        """Class number of each leaf of a TreeClassifier."""
        return {int(leaf): int(self.tree.label[leaf]) for leaf in self.tree.leaf_ids}

    def leaf_shares(self) -> dict[int, list[float]]:
        """Class shares of each leaf of a TreeClassifier."""
        return {int(leaf): self.tree.shares[leaf].tolist() for leaf in self.tree.leaf_ids}


def forest_of(model: Any, target: str) -> Forest:
    """The model, or a sentence why `target` cannot express it."""
    if not isinstance(model, TreeClassifier | BoostedTreesClassifier):
        raise TypeError(
            f"{target} export takes a fitted TreeClassifier or BoostedTreesClassifier; given was "
            f"{type(model).__name__}."
        )
    check_is_fitted(model)
    classes = tuple(plain_value(label) for label in model.classes_.tolist())
    schemas = tuple(model._schemas)
    if isinstance(model, TreeClassifier):
        forest = Forest(schemas, classes, "shares", (ScoredTree(model.tree_, 1.0, 0),), 1)
    else:
        forest = _boosted(model, schemas, classes)
    if any(scored.tree.share is not None for scored in forest.trees):
        raise ValueError(
            f"{target} export follows one path per row, but this model sends a missing value down "
            "every branch (missing='fractional'). Use predict, export to JSON, or fit with "
            "missing='branch'."
        )
    return _in_sets(forest)


def _in_sets(forest: Forest) -> Forest:
    """Ordered categories as sets of them: a target meets the values, not their ranks."""
    trees = tuple(replace(each, tree=in_sets(each.tree, forest.schemas)) for each in forest.trees)
    return replace(forest, schemas=as_categories(forest.schemas), trees=trees)


def _boosted(
    model: BoostedTreesClassifier, schemas: tuple[ColumnSchema, ...], classes: tuple[object, ...]
) -> Forest:
    ensemble = model._ensemble
    every = [
        ScoredTree(tree, float(weight), int(output))
        for each in ensemble.rounds
        for tree, weight, output in each
    ]
    # A tree that adds 0 everywhere changes no sum: one-versus-rest has them after a class ended.
    trees = tuple(scored for scored in every if scored.weight != 0.0)
    if len(classes) == 1:
        return Forest(schemas, classes, "one", (), 1)
    link: Link = "logistic"
    if ensemble.outputs > 1:
        link = "votes" if every[0].output < 0 else "rest"
    slope = slope_of(model._run.plan.rules.variant)
    costs = decides(model.costs_)
    if link == "logistic":
        cut = cut_of(costs, slope)
        return Forest(schemas, classes, link, trees, ensemble.outputs, slope, cut)
    weighed = None if costs is None else tuple(tuple(each) for each in costs.tolist())
    return Forest(schemas, classes, link, trees, ensemble.outputs, slope, costs=weighed)


def category_numbers(schema: ColumnSchema, target: str) -> NDArray[np.float64] | None:
    """The categories as float64s, None when they are strings."""
    if not schema.categories or isinstance(schema.categories[0], str):
        return None
    values: list[Any] = list(schema.categories)
    if not all(_is_float(value) for value in values if isinstance(value, int)):
        raise ValueError(
            f"Column {schema.name!r} has categories that are integers beyond 2^53, which {target} "
            "export would have to round; turn the column into strings before training."
        )
    return np.array([float(value) for value in values])


def _is_float(value: int) -> bool:
    try:
        return int(float(value)) == value
    except OverflowError:  # 10^400
        return False
