"""Growing and pruning together, since some prunings hold rows out of growth.

In: `Material`, what a tree is grown from, and a `PruningPlan`. Out: the growth, the pruned tree
and, where one was chosen, alpha. Nothing depends on the order of the rows unless rows are held
out; these are drawn from the plan's seed and the rows' positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hardwood.criteria import Criterion
from hardwood.encoding import Labels, Weights
from hardwood.encoding.drawn_rows import draw_fold, draw_share, drawn_rows
from hardwood.growing import Growth
from hardwood.pruning.cost_complexity import PruningPath, pruning_path
from hardwood.pruning.cross_validation import FOLDS, chosen_alpha
from hardwood.pruning.error_based import error_based
from hardwood.pruning.held_out import held_out_mistakes, weights_of
from hardwood.pruning.reduced_error import reduced_error
from hardwood.table import Table
from hardwood.tree import Tree

Method = Literal["error-based", "cost-complexity", "reduced-error"]


@dataclass(frozen=True, slots=True)
class PruningPlan:
    """`ccp_alpha` None: chosen by cross-validation."""

    method: Method | None
    confidence: float
    ccp_alpha: float | None
    validation_fraction: float
    seed: int


@dataclass(frozen=True, slots=True)
class Material:
    """`grow` grows a tree from the rows that the given weights leave."""

    table: Table
    labels: Labels
    weights: Weights
    criterion: Criterion
    threads: int
    grow: Callable[[Weights], Growth]


def grow_and_prune(material: Material, plan: PruningPlan) -> tuple[Growth, Tree, float | None]:
    """The growth, the pruned tree (the grown one where nothing is cut), and the chosen alpha."""
    if plan.method == "reduced-error":
        return *_reduced_error(material, plan), None
    if plan.method == "cost-complexity" and plan.ccp_alpha is None:
        _check_rows_for_folds(material)
    growth = material.grow(material.weights)
    if plan.method == "error-based":
        tree = error_based(
            growth.tree,
            material.table,
            material.labels,
            material.weights,
            criterion=material.criterion,
            confidence=plan.confidence,
            threads=material.threads,
        )
        return growth, tree, None
    if plan.method == "cost-complexity":
        path = pruning_path(growth.tree, material.criterion)
        if plan.ccp_alpha is not None:
            return growth, path.tree_at(plan.ccp_alpha), None
        alpha = chosen_alpha(path, _folds(material, plan.seed))
        return growth, path.tree_at(alpha), alpha
    return growth, growth.tree, None


def _reduced_error(material: Material, plan: PruningPlan) -> tuple[Growth, Tree]:
    labels = material.labels
    draw = draw_share(labels.class_rows, plan.validation_fraction, plan.seed)
    held = drawn_rows(draw, labels.codes)
    rest, watched = weights_of(material.weights, ~held), weights_of(material.weights, held)
    if not rest.total or not watched.total:
        raise ValueError(
            f"pruning='reduced-error' holds out {plan.validation_fraction:g} of {len(held)} "
            "sample(s), which leaves no row with weight on one side; give more rows or another "
            "validation_fraction, or use another pruning."
        )
    growth = material.grow(rest)
    return growth, reduced_error(growth.tree, _mistakes(material, growth.tree, watched))


def _mistakes(material: Material, tree: Tree, held: Weights) -> NDArray[np.float64]:
    return held_out_mistakes(tree, material.table, material.labels, held, material.threads)


def _check_rows_for_folds(material: Material) -> None:
    counted = material.weights.weights
    rows = len(material.labels.codes) if counted is None else int(np.count_nonzero(counted))
    if rows < FOLDS:
        raise ValueError(
            f"ccp_alpha='cv' needs at least {FOLDS} rows with weight; given were {rows}. Give more "
            "rows, or a number as ccp_alpha."
        )


def _folds(material: Material, seed: int) -> Iterator[tuple[PruningPath, NDArray[np.float64]]]:
    labels = material.labels
    for fold in range(FOLDS):
        held = drawn_rows(draw_fold(labels.class_rows, fold, FOLDS, seed), labels.codes)
        rest = weights_of(material.weights, ~held)
        if not rest.total:
            continue
        growth = material.grow(rest)
        watched = weights_of(material.weights, held)
        yield (
            pruning_path(growth.tree, material.criterion),
            _mistakes(material, growth.tree, watched),
        )
