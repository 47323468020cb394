"""The golden cases: a table, weights, an estimator with its parameters, and the stores to try.

One line of `TREES` and `BOOSTED` names a choice of parameters and the tables that it is tried on:
"mixed2 cancer:thirds" is the table mixed2 without weights and cancer with weights that are thirds.
The case of choice "gini" on the latter is called "tree/gini/cancer:thirds". Parameters stand in
that line alone (a draft for `fit` is one of them), names do not contain them, and boosted choices
always give their variant, so a renamed parameter or a new default changes one place and no name.
Trees have raw shares (`leaf_prior=0`) unless their line gives a prior.

A case has one digest, whatever store its rows come from: `stores_of` says which are tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardwood import BoostedTreesClassifier, Draft, TreeClassifier
from tests.golden.boosted_choices import BOOSTED
from tests.golden.tables import table
from tests.golden.tree_choices import TREES, Choice

ZERO_INFLATED = ("zeros", "zeros-large2", "zeros-large3", "zeros-larger2", "sparse-large")
"""Tables with columns that are one value in 90 to 99 % of the rows and all-distinct otherwise: a
sample of such a column shows little of it, which tests codebooks made from samples (parts, data
sets, Dask). All their cases: `pytest tests/golden tests/dask -k "zeros or sparse-large"`."""


@dataclass(frozen=True)
class Case:
    name: str
    estimator: type
    parameters: dict[str, Any]
    table: str
    weights: str
    watched: bool = False
    """Whether every fifth row of the table is given to fit as X_val and y_val."""
    draft: Draft | None = None


DASK = (
    "tree/defaults/mixed3",
    "tree/defaults/zeros-large2",
    "tree/gini/mixed-large3",
    "tree/entropy/categories-large",
    "tree/leaves/zeros-large3:whole",
    "tree/multiway/mixed2",
    "tree/multiway-gamma/zeros-larger2",
    "tree/cost-complexity/mixed7:zeros",
    "tree/balanced/mixed7:thirds",
    "tree/prior/mixed7:thirds",
    "tree/one-row-leaves/integers",
    "tree/gini/holes-large",
    "tree/fractional-pruned/mixed3",
    "tree/fractional-multiway/mixed2",
    "boosted/real/zeros-large2",
    "boosted/logistic/smooth",
    "boosted/logistic/mixed3:whole",
    "boosted/real/smooth",
    "boosted/discrete/mixed7",
    "boosted/gentle/mixed3:thirds",
    "boosted/stumps/zeros-larger2",
    "boosted/trimmed/mixed2:zeros",
    "boosted/lazy/mixed2",
    "tree/monotone/mixed2",
    "tree/told/mixed3:thirds",
    "tree/told-fractional/mixed3",
    "tree/interactions/mixed7:whole",
    "boosted/monotone/smooth",
    "boosted/pairs/mixed7:whole",
    "boosted/pairs/zeros-large3",
    "boosted/pairs-trimmed/mixed3:zeros",
)
"""The cases that are also trained on a cluster (tests/dask/test_golden_cases.py)."""


def _cases(kind: str, estimator: type, choices: dict[str, Choice]) -> list[Case]:
    made = []
    # What the estimators' defaults were when the cases were recorded.
    shape = {"learning_rate": 0.1, "max_depth": 3, "n_estimators": 100}
    shape |= {"feature_fraction": 1.0, "cut_fraction": 1.0}
    before = {"tree": {"leaf_prior": 0.0}, "boosted": shape}
    fixed: dict[str, Any] = before[kind]
    for choice, (parameters, places) in choices.items():
        for place in places.split():
            data, _, weights = place.partition(":")
            name = f"{kind}/{choice}/{place}"
            watched = choice == "watched"
            given = {"min_category_size": 1, **fixed, **parameters}
            draft = given.pop("draft", None)
            if kind == "boosted" and given.get("variant", "logistic") == "logistic":
                given.setdefault("leaf_prior", 1.0)
            made.append(Case(name, estimator, given, data, weights or "none", watched, draft))
    return made


CASES = {
    case.name: case
    for case in [
        *_cases("tree", TreeClassifier, TREES),
        *_cases("boosted", BoostedTreesClassifier, BOOSTED),
    ]
}


def stores_of(case: Case) -> tuple[str, ...]:
    """The stores beside the table's own form that must give the case's digest; Dask is apart.

    Frames have names and arrays have none, which digests tell apart: arrays go to sparse matrices
    and frames to polars and data sets. Stores outside memory take turns, since they cost ten times
    the fit in memory: one boosted model in three is trained in memory alone, and a case in nine on
    a data set or lazy frame, which is read once and then trained as parts are. The largest tables
    of `ZERO_INFLATED` go to parts and to data sets."""
    framed = hasattr(table(case.table).X, "columns")
    here = ("polars",) if framed else ("other-form",)
    if case.table == "sparse-wide":  # 4,200 columns take parts a second
        return here
    if not framed:
        return (*here, "parts")
    if case.table in ZERO_INFLATED and table(case.table).rows >= 30_000:
        return (*here, "parts", "data-set")
    turn = sum(map(ord, case.name)) % 9
    if turn % 3 == 2 and case.estimator is BoostedTreesClassifier:
        return here
    if turn == 2 and case.table.startswith("categories"):
        return (*here, "parts")  # polars reads their categories as strings, without an order
    return (*here, {1: "data-set", 2: "lazy-frame"}.get(turn, "parts"))
