"""Whether the rounds of a boosted model fit together.

In: the series and facts of a BoostedTreesClassifier's state, with trees that were checked before.
Out: nothing, or a ModelFileError. Afterwards every leaf of SAMME names a class, scores are finite,
and only a booster's last round says that training ended. NaN and infinity are allowed in `bound`,
`loss` and `proved_drop` alone: nothing proved, and a product of normalisers beyond float64.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting.plan import BoostingPlan
from hardwood.boosting.rounds import DROPPED, STOPPED
from hardwood.errors import ModelFileError
from hardwood.estimators.boosting_plan import PLAN_PARAMETERS, checked_plan
from hardwood.estimators.state import ROUND_TYPES
from hardwood.tree.packed import PackedTrees

LARGEST_SCORE = 1e300
MOST_TREES = 10**7
"""Rounds times classes: a class whose booster has ended still has a place in every round."""
_DROPPED = STOPPED.index(DROPPED)
_UNPROVED = ("bound", "loss", "proved_drop")


def booster_classes(facts: dict[str, Any], classes: int) -> int:
    """Classes that a booster's trees know, from facts that are not checked yet."""
    boosters = facts["boosters"]
    return 2 if isinstance(boosters, list) and len(boosters) > 1 else max(classes, 2)


def check_rounds(
    packed: PackedTrees, series: dict[str, NDArray[Any]], facts: dict[str, Any], classes: int
) -> None:
    plan = _plan(facts["plan"])
    counts = _counts(facts["boosters"])
    if len(counts) != (1 if plan.form(classes) == "one" else classes):
        raise ModelFileError("it has another number of boosters than its classes need.")
    trees, records = sum(n for n, _ in counts), sum(n for _, n in counts)
    if trees != len(packed["nodes"]) or trees != len(series["tree_weights"]):
        raise ModelFileError("it has not one weight for each tree.")
    if any(len(series[name]) != records for name in ROUND_TYPES if name in series):
        raise ModelFileError("it has not one record for each round.")
    if len(counts) * max(n for n, _ in counts) > MOST_TREES:
        raise ModelFileError(f"it has more than {MOST_TREES} trees in all rounds and classes.")
    check_series(packed, series, counts, classes)
    _kept(facts, max(n for n, _ in counts))


def check_series(
    packed: PackedTrees,
    series: dict[str, NDArray[Any]],
    counts: list[tuple[int, int]],
    classes: int,
) -> None:
    """counts: (trees, records) of each booster."""
    _stops(counts, series["stopped"])
    _finite(series)
    _scores(packed, series["tree_weights"], classes if classes > 2 and len(counts) == 1 else 0)


def _plan(parameters: Any) -> BoostingPlan:
    if not isinstance(parameters, dict) or set(parameters) != PLAN_PARAMETERS:
        raise ModelFileError("its plan has not the parameters of a plan.")
    if type(parameters["random_state"]) is not int:
        raise ModelFileError("its plan has a seed that is no whole number.")
    for name in ("early_stopping", "refit", "verbose"):
        if type(parameters[name]) is not bool:
            raise ModelFileError(f"its plan's {name} is neither true nor false.")
    try:
        return checked_plan(SimpleNamespace(**parameters))
    except (OverflowError, TypeError, ValueError):
        raise ModelFileError("its plan has a parameter that no fit would take.") from None


def _counts(boosters: Any) -> list[tuple[int, int]]:
    good = isinstance(boosters, list) and all(
        isinstance(item, list)
        and len(item) == 2
        and all(type(n) is int for n in item)
        and 1 <= item[0] <= item[1] <= item[0] + 1
        for item in boosters
    )
    if not good or not boosters:
        raise ModelFileError("its boosters are not listed as [trees, rounds].")
    return [(trees, records) for trees, records in boosters]


def _stops(counts: list[tuple[int, int]], stopped: NDArray[np.uint8]) -> None:
    """A round without a tree is a booster's last, and says why."""
    if (stopped >= len(STOPPED)).any():
        raise ModelFileError("a round ended for an unknown reason.")
    last = np.cumsum([records for _, records in counts]) - 1
    if np.delete(stopped, last).any():
        raise ModelFileError("training went on after it had ended.")
    for (trees, records), at in zip(counts, last.tolist(), strict=True):
        if records > trees and stopped[at] != _DROPPED:
            raise ModelFileError("a round has no tree.")


def _finite(series: dict[str, NDArray[Any]]) -> None:
    for name, values in series.items():
        if name not in _UNPROVED and not np.isfinite(values).all():
            raise ModelFileError(f"{name!r} of its rounds holds NaN or infinity.")
        if name not in ("tree_weights", "proved_drop") and (values < 0).any():
            raise ModelFileError(f"{name!r} of its rounds holds a negative number.")


def _scores(packed: PackedTrees, weights: NDArray[np.float64], votes: int) -> None:
    """`votes`: number of classes whose numbers leaves hold, 0 when they hold scores."""
    if "value" not in packed:
        raise ModelFileError("its trees' leaves have no values.")
    value = packed["value"]
    if votes and not (np.isin(value, np.arange(votes)) & ~np.signbit(value)).all():
        raise ModelFileError("a leaf votes for a class that is not there.")
    leaf = packed["branches"] == 0
    tree = np.repeat(np.arange(len(weights)), packed["nodes"])[leaf]
    largest = np.zeros(len(weights))
    np.maximum.at(largest, tree, np.ones(len(value)) if votes else np.abs(value))
    with np.errstate(over="ignore"):
        most = max(np.abs(weights).sum(), (np.abs(weights) * largest).sum())
        if not float(most) <= LARGEST_SCORE:
            raise ModelFileError("its scores are beyond what float64 can add up.")


def _kept(facts: dict[str, Any], rounds: int) -> None:
    kept, early = facts["kept"], facts["stopped_early"]
    if type(early) is not bool or early != (kept is not None):
        raise ModelFileError("it does not say whether training was stopped early.")
    if early and (type(kept) is not int or not 1 <= kept <= rounds):
        raise ModelFileError("early stopping kept rounds that it does not have.")
