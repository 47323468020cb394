"""A TreeClassifier's parameters, checked; a wrong one gets a sentence, used or not."""

from __future__ import annotations

import math
from typing import Any

from hardwood.estimators.costs import check_costs
from hardwood.estimators.parameters import (
    DEEPEST,
    finite_number,
    number_between,
    one_of,
    seed_of,
    whole_number,
)
from hardwood.growing import Prices, StopRules
from hardwood.growing.topdown import CRITERIA, LEAF_CHOICES, MISSING
from hardwood.training import PruningPlan, TreePlan

PRUNINGS = (None, "error-based", "cost-complexity", "reduced-error")


def checked_tree_plan(model: Any) -> TreePlan:
    check_costs(model.costs)
    pruning = _pruning(model)
    criterion = one_of("criterion", model.criterion, CRITERIA)
    leaf_choice = one_of("leaf_choice", model.leaf_choice, LEAF_CHOICES)
    one_of("missing", model.missing, MISSING)
    rules = StopRules(
        whole_number("max_leaf_nodes", model.max_leaf_nodes, 1, none_allowed=True),
        whole_number("max_depth", model.max_depth, 1, none_allowed=True, most=DEEPEST),
        whole_number("min_samples_leaf", model.min_samples_leaf, 1) or 1,
        number_between("min_weight_fraction_leaf", model.min_weight_fraction_leaf, 0.0, 0.5),
        number_between("min_drop", model.min_drop, 0.0, math.inf),
        whole_number("min_category_size", model.min_category_size, 1) or 1,
    )
    prior = finite_number("leaf_prior", model.leaf_prior, 0.0)
    return TreePlan(criterion, leaf_choice, rules, _prices(model), pruning, prior)


def _prices(model: Any) -> Prices | None:
    one_of("branching", model.branching, ("binary", "multiway"))
    one_of("price", model.price, ("log2", "gamma"))
    widest = whole_number("max_branches", model.max_branches, 2, none_allowed=True)
    if model.gamma is not None:
        number_between("gamma", model.gamma, 0.0, 1.0)
    if model.branching == "binary":
        return None
    if model.max_leaf_nodes is None:
        raise ValueError(
            'branching="multiway" needs a budget: the price of a split depends on how many '
            "leaves the tree may have. Give max_leaf_nodes, for example 32."
        )
    if model.price == "log2":
        return Prices(max_branches=widest)
    if model.gamma is None or not 0.0 < model.gamma < 1.0:
        raise ValueError(
            'price="gamma" needs gamma, the advantage every split should have, strictly '
            f'between 0 and 1; given was {model.gamma!r}. Give gamma, or price="log2".'
        )
    return Prices(float(model.gamma), widest)


def _pruning(model: Any) -> PruningPlan:
    method = one_of("pruning", model.pruning, PRUNINGS)
    drawn = method == "reduced-error" or (method == "cost-complexity" and model.ccp_alpha == "cv")
    return PruningPlan(
        method=method,
        confidence=_within("confidence", model.confidence, 0.5),
        ccp_alpha=_alpha(model.ccp_alpha),
        validation_fraction=_within("validation_fraction", model.validation_fraction, 0.9),
        seed=seed_of(model.random_state) if drawn else 0,
    )


def _within(name: str, value: Any, most: float) -> float:
    number = number_between(name, value, 0.0, most)
    if number == 0:
        raise ValueError(f"{name} must be above 0 and at most {most:g}; given was {value!r}.")
    return number


def _alpha(value: Any) -> float | None:
    if isinstance(value, str):
        if value == "cv":
            return None
        raise ValueError(f'ccp_alpha must be a number of at least 0 or "cv"; given was {value!r}.')
    return number_between("ccp_alpha", value, 0.0, math.inf)
