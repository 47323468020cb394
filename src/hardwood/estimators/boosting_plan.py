"""A BoostedTreesClassifier's parameters, checked and with their defaults filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hardwood.boosting import BoostingRules
from hardwood.boosting.rounds import VARIANTS
from hardwood.estimators.parameters import number_between, one_of, seed_of, whole_number
from hardwood.growing.topdown import CRITERIA
from hardwood.search.strategies import Strategy, strategy_of

DEFAULT_CRITERION = {"real": "km", "discrete": "error", "gentle": "gini"}
DEFAULT_MULTICLASS = {"real": "ovr", "discrete": "samme", "gentle": "ovr"}


@dataclass(frozen=True, slots=True)
class Plan:
    n_estimators: int
    variant: str
    criterion: str
    multiclass: str
    learning_rate: float
    max_depth: int | None
    max_leaf_nodes: int | None
    min_samples_leaf: int
    min_weight_fraction_leaf: float
    feature_fraction: float
    weight_fraction: float
    search: Strategy
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    seed: int
    verbose: bool

    def uses_stump_error(self, classes: int) -> bool:
        """AAA18's error: discrete, criterion error, two classes (also inside one-versus-rest)."""
        binary = classes <= 2 or self.multiclass == "ovr"
        return self.variant == "discrete" and self.criterion == "error" and binary

    def rules(self, classes: int) -> BoostingRules:
        """What one booster is told."""
        stump = self.uses_stump_error(classes)
        if stump and self.max_leaf_nodes is not None:
            raise ValueError(
                f"max_leaf_nodes={self.max_leaf_nodes} cannot be combined with variant='discrete' "
                "and criterion='error' on two classes: those trees are grown level by level. Use "
                "max_depth, or another criterion."
            )
        return BoostingRules(
            self.variant,
            "stump" if stump else self.criterion,
            self.learning_rate,
            self.max_depth,
            self.max_leaf_nodes,
            self.min_samples_leaf,
            self.min_weight_fraction_leaf,
            self.weight_fraction,
            self.search,
        )


def checked_plan(model: Any) -> Plan:
    """The parameters of a BoostedTreesClassifier; a wrong one gets a sentence."""
    variant = one_of("variant", model.variant, VARIANTS)
    criterion = one_of("criterion", model.criterion, (None, *CRITERIA))
    multiclass = one_of("multiclass", model.multiclass, (None, "ovr", "samme"))
    if multiclass == "samme" and variant != "discrete":
        raise ValueError(
            f"multiclass='samme' needs variant='discrete', not {variant!r}; use multiclass='ovr'."
        )
    return Plan(
        n_estimators=whole_number("n_estimators", model.n_estimators, 1) or 1,
        variant=variant,
        criterion=criterion or DEFAULT_CRITERION[variant],
        multiclass=multiclass or DEFAULT_MULTICLASS[variant],
        learning_rate=_positive("learning_rate", model.learning_rate, np.inf),
        max_depth=whole_number("max_depth", model.max_depth, 1, none_allowed=True),
        max_leaf_nodes=whole_number("max_leaf_nodes", model.max_leaf_nodes, 2, none_allowed=True),
        min_samples_leaf=whole_number("min_samples_leaf", model.min_samples_leaf, 1) or 1,
        min_weight_fraction_leaf=number_between(
            "min_weight_fraction_leaf", model.min_weight_fraction_leaf, 0.0, 0.5
        ),
        feature_fraction=_positive("feature_fraction", model.feature_fraction, 1.0),
        weight_fraction=_positive("weight_fraction", model.weight_fraction, 1.0),
        search=strategy_of(model.search),
        early_stopping=bool(model.early_stopping),
        validation_fraction=_positive("validation_fraction", model.validation_fraction, 0.9),
        n_iter_no_change=whole_number("n_iter_no_change", model.n_iter_no_change, 1) or 1,
        seed=seed_of(model.random_state),
        verbose=bool(model.verbose),
    )


def _positive(name: str, value: Any, most: float) -> float:
    number = number_between(name, value, 0.0, most)
    if number == 0 or not np.isfinite(number):
        raise ValueError(f"{name} must be a positive finite number; given was {value!r}.")
    return number
