"""Growing and pruning together, since some prunings hold rows out of growth.

In: a `Training` and a `TreePlan`. Out: the growth, the pruned tree and, where one was chosen,
alpha. Nothing depends on the order of the rows unless rows are held out; these are drawn from the
plan's seed and the rows' positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hardwood.criteria import Criterion
from hardwood.draft import Draft
from hardwood.encoding.drawn_rows import draw_fold, draw_share
from hardwood.growing import Constraints, Growth, Prices, StopRules
from hardwood.growing.instructed import KEPT
from hardwood.progress import Progress
from hardwood.pruning.by_cost import pruned_by_cost
from hardwood.pruning.cost_complexity import PruningPath, pruning_path
from hardwood.pruning.cross_validation import FOLDS, chosen_alpha
from hardwood.pruning.held_out import held_out_mistakes
from hardwood.pruning.reduced_error import reduced_error
from hardwood.training.protocol import Training
from hardwood.training.row_counts import with_class_rows
from hardwood.tree import Tree
from hardwood.tree.leaf_prior import LARGEST_PRIOR
from hardwood.tree.pools import pooled

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
class TreePlan:
    """How a tree is grown, as `Training.grow` takes it, and pruned; `leaf_prior` in examples."""

    criterion: Criterion
    leaf_choice: str
    rules: StopRules
    prices: Prices | None
    pruning: PruningPlan
    leaf_prior: float
    constraints: Constraints | None = None
    costs: NDArray[np.float64] | None = None
    """[C, C] of mistakes, None where they all cost the same."""
    draft: Draft | None = None


def grow_tree(training: Training, plan: TreePlan, progress: Progress) -> Growth:
    """A tree from the rows not held out. A draft that constraints contradict is refused."""
    growth = _grow(training, plan, progress)
    if growth.followed is not None:
        growth.followed.refuse_contradiction()
    return growth


def _grow(training: Training, plan: TreePlan, progress: Progress) -> Growth:
    return training.grow(
        criterion=plan.criterion,
        leaf_choice=plan.leaf_choice,
        rules=plan.rules,
        prices=plan.prices,
        constraints=plan.constraints,
        progress=progress,
        draft=plan.draft,
    )


def grow_and_prune(
    training: Training, plan: TreePlan, progress: Progress
) -> tuple[Growth, Tree, float | None]:
    """The growth, the pruned tree (the grown one where nothing is cut), and the chosen alpha. The
    leaf prior comes last: which splits a tree has does not depend on it, unless they are asked for
    monotone probabilities; and after it the pools of leaves that keep these in order."""
    growth, tree, alpha = _grown_and_pruned(training, plan, progress)
    if not any(map(_weighted, (growth.tree, tree))):  # rows of weight 1 were given their weights
        alone, grown = replace(tree, class_rows=None), replace(growth.tree, class_rows=None)
        tree, growth = grown if tree is growth.tree else alone, replace(growth, tree=grown)
    grown = _priced(growth.tree, growth, plan)
    pruned = grown if tree is growth.tree else _priced(tree, growth, plan)
    if plan.constraints is not None and plan.constraints.monotone:
        answering = pooled(pruned, plan.constraints.signs, training.schemas)
        grown, pruned = answering if pruned is grown else grown, answering
    return replace(growth, tree=grown), pruned, alpha


def _priced(tree: Tree, growth: Growth, plan: TreePlan) -> Tree:
    """The tree with what its labels depend on."""
    prior = min(plan.leaf_prior * growth.example_weight, LARGEST_PRIOR)
    return replace(tree, prior=prior, costs=plan.costs)


def _judged(growth: Growth, plan: TreePlan) -> Tree:
    """The tree that held-out rows judge. Its labels depend on the leaf prior with costs alone: a
    prior decides among equally heavy classes, and by itself it must not decide what is pruned."""
    return growth.tree if plan.costs is None else _priced(growth.tree, growth, plan)


def _weighted(tree: Tree) -> bool:
    counted = tree.class_rows
    return counted is not None and not np.array_equal(counted, tree.class_weights)


def _grown_and_pruned(
    training: Training, plan: TreePlan, progress: Progress
) -> tuple[Growth, Tree, float | None]:
    pruning, criterion = plan.pruning, plan.criterion
    if pruning.method == "reduced-error":
        return *_reduced_error(training, plan, progress), None
    growth = _grown_with_rows(training, plan, progress)
    if pruning.method == "error-based" and plan.costs is not None:
        priced = _priced(growth.tree, growth, plan)
        examples = 1 / growth.example_weight
        kept = kept_splits(growth)
        tree = pruned_by_cost(growth.tree, priced, pruning.confidence, examples, kept)
        return growth, tree, None
    if pruning.method == "error-based":
        # A raised subtree was never asked whether it keeps constraints at its new place.
        tree = training.prune(
            growth.tree,
            criterion=criterion,
            confidence=pruning.confidence,
            raising=plan.constraints is None or plan.constraints.may_raise,
            followed=growth.followed,
        )
        return growth, tree if tree is growth.tree else with_class_rows(training, tree), None
    if pruning.method == "cost-complexity":
        path = pruning_path(growth.tree, criterion, kept_splits(growth))
        if pruning.ccp_alpha is not None:
            return growth, path.tree_at(pruning.ccp_alpha), None
        _check_rows_for_folds(growth)
        alpha = chosen_alpha(path, _folds(training, plan, progress))
        return growth, path.tree_at(alpha), alpha
    return growth, growth.tree, None


def _grown_with_rows(training: Training, plan: TreePlan, progress: Progress) -> Growth:
    growth = grow_tree(training, plan, progress)
    return replace(growth, tree=with_class_rows(training, growth.tree))


def _reduced_error(training: Training, plan: TreePlan, progress: Progress) -> tuple[Growth, Tree]:
    share = plan.pruning.validation_fraction
    left, held = training.hold_out(draw_share(training.class_rows, share, plan.pruning.seed))
    if not left or not held:
        raise ValueError(
            f"pruning='reduced-error' holds out {share:g} of {training.rows} "
            "sample(s), which leaves no row with weight on one side; give more rows or another "
            "validation_fraction, or use another pruning."
        )
    growth = _grown_with_rows(training, plan, progress)
    reached = training.held_out_weights(growth.tree)
    mistakes = held_out_mistakes(_judged(growth, plan), reached)
    return growth, reduced_error(growth.tree, mistakes, kept_splits(growth))


def kept_splits(growth: Growth) -> NDArray[np.bool_] | None:
    """[N] splits that a draft asked for, which are not pruned; None: there are none."""
    if growth.followed is None:
        return None
    return np.asarray((growth.followed.freedom == KEPT) & ~growth.tree.is_leaf)


def _check_rows_for_folds(growth: Growth) -> None:
    rows = int(growth.tree.rows[0])
    if rows < FOLDS:
        raise ValueError(
            f"ccp_alpha='cv' needs at least {FOLDS} rows with weight; given were {rows}. Give more "
            "rows, or a number as ccp_alpha."
        )


def _folds(
    training: Training, plan: TreePlan, progress: Progress
) -> Iterator[tuple[PruningPath, NDArray[np.float64]]]:
    """For each fold the path of a tree that grew without it, and its mistakes on the fold."""
    for fold in range(FOLDS):
        draw = draw_fold(training.class_rows, fold, FOLDS, plan.pruning.seed)
        left, _ = training.hold_out(draw)
        if not left:
            continue
        growth = _grow(training, plan, progress)
        tree = growth.tree
        mistakes = held_out_mistakes(_judged(growth, plan), training.held_out_weights(tree))
        yield pruning_path(tree, plan.criterion, kept_splits(growth)), mistakes
