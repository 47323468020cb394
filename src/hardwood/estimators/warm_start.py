"""Which rounds a fit with `warm_start` goes on from."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardwood.boosting import Rounds
from hardwood.boosting.plan import BoostingPlan
from hardwood.growing import Constraints
from hardwood.training import Training


def earlier_boosters(
    model: Any, plan: BoostingPlan, training: Training, constraints: Constraints | None
) -> list[Rounds] | None:
    """The boosters of the last fit, if there is one to go on from."""
    if not model.warm_start or not hasattr(model, "_run"):
        return None
    same = np.array_equal(training.classes, model.classes_)
    if not same or training.schemas != model._schemas:
        raise ValueError(
            "warm_start needs the classes and columns of the last fit; X or y has others. Fit "
            "with warm_start=False, or give the same data."
        )
    done = model._run.rounds_done
    if plan.n_estimators < done:
        raise ValueError(
            f"warm_start cannot go back: n_estimators is {plan.n_estimators}, but "
            f"{done} rounds are trained already; give at least as many."
        )
    boosters: list[Rounds] = model._run.boosters
    if constraints is not None and not _kept(boosters, constraints):
        raise ValueError(
            "warm_start goes on from trees that do not keep monotonic_cst or interaction_cst; fit "
            "with warm_start=False, or with the constraints of the last fit."
        )
    return boosters


def _kept(boosters: list[Rounds], constraints: Constraints) -> bool:
    alone = len(boosters) == 1
    return all(
        constraints.kept_by(tree, min(1, constraints.signs.shape[1] - 1) if alone else label)
        for label, booster in enumerate(boosters)
        for tree in booster.trees
    )
