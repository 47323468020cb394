"""A BoostedTreesClassifier's parameters, checked and with their defaults filled in."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple

from hardwood.boosting import BoostingRules
from hardwood.boosting.plan import BoostingPlan
from hardwood.boosting.rounds import CHANCE_ROUNDS, VARIANTS
from hardwood.estimators.costs import check_costs
from hardwood.estimators.parameters import (
    DEEPEST,
    number_between,
    one_of,
    seed_of,
    true_or_false,
    whole_number,
)
from hardwood.growing.topdown import CRITERIA
from hardwood.search.strategies import strategy_of

DEFAULT_CRITERION = {"logistic": "km", "real": "km", "discrete": "error", "gentle": "gini"}
DEFAULT_MULTICLASS = {"logistic": "ovr", "real": "ovr", "discrete": "samme", "gentle": "ovr"}
DEFAULT_DEPTH = {"logistic": 8, "real": 4, "discrete": 4, "gentle": 4}
"""Deeper trees make few mistakes: discrete boosting then ends soon, and the exponential loss trusts
them (benchmarks/RESULTS-defaults.md)."""
FEW_EXAMPLES = 5000
MANY_EXAMPLES = 50_000
LEAST_COLUMNS = 5
LARGEST_RATE = 10.0  # beyond it all weight soon lies on a few rows, and then on none
LARGEST_PRIOR = 1e100  # times the units of a round it is still finite


class SizeDefaults(NamedTuple):
    """What boosting does where the caller does not say (benchmarks/RESULTS-defaults.md)."""

    learning_rate: float
    leaf_prior: float
    feature_fraction: float
    cut_fraction: float


def size_defaults(variant: str, examples: int, columns: int) -> SizeDefaults:
    """Few examples are learned slowly, with much doubt and from few columns and cuts at a time;
    many have all columns in every round."""
    if variant != "logistic":
        return SizeDefaults(0.2, 0.0, 1.0, 1.0)
    few = examples <= FEW_EXAMPLES
    least = 0.2 if few else 0.5 if examples <= MANY_EXAMPLES else 1.0
    share = min(1.0, max(least, LEAST_COLUMNS / max(columns, 1)))
    return SizeDefaults(0.15, 2.0, share, 0.15) if few else SizeDefaults(0.25, 0.5, share, 1.0)


def checked_plan(
    model: Any, examples: int = 0, columns: int = 1, seed: int | None = None
) -> BoostingPlan:
    """The parameters of a BoostedTreesClassifier for a table of this size; a wrong one gets a
    sentence, whatever the size. seed: None draws it from a generator."""
    check_costs(getattr(model, "costs", None))
    variant = one_of("variant", model.variant, VARIANTS)
    multiclass = one_of("multiclass", model.multiclass, (None, "ovr", "samme", "pairs"))
    if multiclass in ("samme", "pairs") and variant != "discrete":
        raise ValueError(
            f"multiclass={multiclass!r} needs variant='discrete', not {variant!r}; use "
            "multiclass='ovr'."
        )
    own = size_defaults(variant, examples, columns)
    share = own.feature_fraction if model.feature_fraction is None else model.feature_fraction
    return BoostingPlan(
        rules=_rules(model, variant, own),
        n_estimators=whole_number("n_estimators", model.n_estimators, 1) or 1,
        multiclass=multiclass or DEFAULT_MULTICLASS[variant],
        feature_fraction=_positive("feature_fraction", share, 1.0),
        early_stopping=true_or_false("early_stopping", model.early_stopping),
        validation_fraction=_positive("validation_fraction", model.validation_fraction, 0.9),
        n_iter_no_change=whole_number("n_iter_no_change", model.n_iter_no_change, 1) or 1,
        refit=true_or_false("refit", model.refit),
        seed=seed_of(model.random_state) if seed is None else seed,
        verbose=bool(model.verbose),
    )


def _depth(given: Any, variant: str) -> int | None:
    if not isinstance(given, str):
        return whole_number("max_depth", given, 1, none_allowed=True, most=DEEPEST)
    if given != "auto":
        raise ValueError(
            "max_depth must be a whole number of at least 1, None (no limit) or 'auto'; given was "
            f"{given!r}."
        )
    return DEFAULT_DEPTH[variant]


def _rules(model: Any, variant: str, own: SizeDefaults) -> BoostingRules:
    rate = own.learning_rate if model.learning_rate is None else model.learning_rate
    cuts = own.cut_fraction if model.cut_fraction is None else model.cut_fraction
    criterion = one_of("criterion", model.criterion, (None, *CRITERIA))
    return BoostingRules(
        variant=variant,
        criterion=criterion or DEFAULT_CRITERION[variant],
        learning_rate=_positive("learning_rate", rate, LARGEST_RATE),
        max_depth=_depth(model.max_depth, variant),
        max_leaf_nodes=whole_number("max_leaf_nodes", model.max_leaf_nodes, 2, none_allowed=True),
        min_samples_leaf=whole_number("min_samples_leaf", model.min_samples_leaf, 1) or 1,
        min_weight_fraction_leaf=number_between(
            "min_weight_fraction_leaf", model.min_weight_fraction_leaf, 0.0, 0.5
        ),
        min_category_size=whole_number("min_category_size", model.min_category_size, 1) or 1,
        weight_fraction=_positive("weight_fraction", model.weight_fraction, 1.0),
        cut_fraction=_positive("cut_fraction", cuts, 1.0),
        chance_rounds=one_of("chance_rounds", model.chance_rounds, CHANCE_ROUNDS),
        leaf_prior=own.leaf_prior
        if model.leaf_prior is None
        else _prior(model.leaf_prior, variant),
        search=strategy_of(model.search),
    )


def _prior(value: Any, variant: str) -> float:
    prior = number_between("leaf_prior", value, 0.0, LARGEST_PRIOR)
    if prior > 0 and variant == "discrete":
        raise ValueError(
            f"leaf_prior={value!r} has no meaning for variant='discrete', whose leaves only say a "
            "class; leave it out, or use another variant."
        )
    return prior


def plan_parameters(plan: BoostingPlan) -> dict[str, Any]:
    """As `checked_plan` takes them."""
    rules = {field.name: getattr(plan.rules, field.name) for field in fields(plan.rules)}
    rest = {field.name: getattr(plan, field.name) for field in fields(plan)}
    return (
        rules
        | {name: rest[name] for name in rest if name not in ("rules", "seed")}
        | {"random_state": plan.seed}
    )


PLAN_PARAMETERS = frozenset(
    {field.name for kind in (BoostingPlan, BoostingRules) for field in fields(kind)}
    - {"rules", "seed"}
) | {"random_state"}
"""The names of `plan_parameters`."""


def _positive(name: str, value: Any, most: float) -> float:
    number = number_between(name, value, 0.0, most)
    if number == 0:
        raise ValueError(f"{name} must be above 0 and at most {most:g}; given was {value!r}.")
    return number
