"""A TreeClassifier's pruning parameters, checked."""

from __future__ import annotations

import math
from typing import Any

from hardwood.estimators.parameters import number_between, one_of, seed_of
from hardwood.pruning import PruningPlan

PRUNINGS = (None, "error-based", "cost-complexity", "reduced-error")


def checked_pruning(model: Any) -> PruningPlan:
    """The plan of a TreeClassifier; a wrong parameter gets a sentence, used or not."""
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
