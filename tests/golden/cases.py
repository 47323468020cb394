"""The golden cases: a table, weights, an estimator with its parameters, and the stores to try.

One line of `TREES` and `BOOSTED` names a choice of parameters and the tables that it is tried on:
"mixed2 cancer:thirds" is the table mixed2 without weights and cancer with weights that are thirds.
The case of choice "gini" on the latter is called "tree/gini/cancer:thirds". Parameters stand in
that line alone, names do not contain them, and boosted choices always give their variant, so a
renamed parameter or a new default changes one place and no name. Trees have raw shares
(`leaf_prior=0`) unless their line gives a prior.

A case has one digest, whatever store its rows come from: `stores_of` says which are tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.search import Quick
from tests.golden.tables import table

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


def grown(**parameters: Any) -> dict[str, Any]:
    """A tree as it is grown."""
    return {"pruning": None, **parameters}


def priced(**parameters: Any) -> dict[str, Any]:
    """A multi-way tree as it is grown."""
    return {"pruning": None, "branching": "multiway", "max_leaf_nodes": 24, **parameters}


Choice = tuple[dict[str, Any], str]

# fmt: off
TREES: dict[str, Choice] = {
    "defaults": ({}, ("few smooth signed-zeros integers categories holes mixed3 mixed7 zeros"
        " sparse wide iris cancer digits mixed-large3 zeros-large2 mixed3:zeros")),
    "km": (grown(criterion="km"),
        "few smooth:thirds categories mixed2:zeros mixed-large2"),
    "gini": (grown(criterion="gini"),
        ("few:whole smooth signed-zeros categories:thirds cancer:thirds mixed-large3"
        " zeros-large2:thirds holes-large")),
    "entropy": (grown(criterion="entropy"),
        "few:thirds integers mixed3:whole zeros digits categories-large"),
    "error": (grown(criterion="error"),
        "few:zeros smooth holes:whole mixed7:thirds cancer smooth-large7"),
    "leaves": (grown(max_leaf_nodes=15),
        ("mixed2 wide sparse-wide smooth-large2 smooth-large7 mixed-large3:thirds"
        " zeros-large2 zeros-large3:whole sparse-large categories-large:zeros holes-large:whole")),
    "two-leaves": (grown(max_leaf_nodes=2),
        "few integers:thirds zeros-large3 zeros-larger2 sparse-large"),
    "many-leaves": (grown(max_leaf_nodes=400, criterion="gini"),
        "mixed-large2:thirds zeros-large2:whole smooth-large7"),
    "depth": (grown(max_depth=4, criterion="entropy"),
        ("mixed3 zeros wide sparse smooth-large2 zeros-large3 zeros-larger2:thirds"
        " mixed-large2:whole sparse-large")),
    "depth-and-leaves": (grown(max_depth=5, max_leaf_nodes=11),
        "mixed3:thirds zeros-large2 cancer"),
    "one-row-leaves": (grown(min_samples_leaf=1),
        "smooth mixed2:whole zeros integers mixed-large3:zeros zeros-large2"),
    "large-leaves": (grown(min_samples_leaf=20, criterion="gini"),
        "few:whole mixed3:zeros zeros cancer mixed-large2:thirds zeros-large2:whole"),
    "heavy-leaves": (grown(min_weight_fraction_leaf=0.05),
        "few:thirds mixed2 mixed7:zeros mixed-large3 zeros-large3"),
    "least-drop": (grown(min_drop=0.004),
        "smooth mixed2:whole zeros mixed-large2 zeros-large2"),
    "heaviest-leaf-first": (grown(leaf_choice="weight", max_leaf_nodes=14),
        ("mixed2 mixed7:thirds zeros smooth-large7 zeros-large2:zeros zeros-larger2"
        " mixed-large3:whole")),
    "multiway": (priced(),
        ("few smooth integers:whole categories mixed2 mixed7 zeros smooth-large7"
        " mixed-large3 zeros-large2 holes:zeros")),
    "multiway-entropy": (priced(criterion="entropy", max_leaf_nodes=40),
        "mixed3:thirds holes digits zeros-large3 categories-large"),
    "multiway-gamma": (priced(price="gamma", gamma=0.3),
        "few:whole mixed2:zeros categories zeros iris mixed-large2 zeros-large2 zeros-larger2"),
    "multiway-small-gamma": (priced(price="gamma", gamma=0.05, criterion="gini"), "mixed7 cancer"),
    "three-branches": (priced(max_branches=3, criterion="gini"),
        "smooth mixed3 categories:zeros holes mixed-large3:thirds zeros-large2"),
    "multiway-limited": (priced(max_depth=3, min_samples_leaf=8, min_drop=0.001, max_leaf_nodes=60),
        "mixed2:whole wine mixed-large2"),
    "error-based": ({"pruning": "error-based", "confidence": 0.1, "min_samples_leaf": 1},
        "smooth mixed2 mixed7:whole zeros cancer mixed-large3 zeros-large2"),
    "error-based-half": ({"pruning": "error-based", "confidence": 0.5, "criterion": "gini"},
        "few:thirds mixed3:thirds integers wine zeros-large2:whole"),
    "error-based-multiway": (priced(pruning="error-based"),
        "mixed3 categories:whole zeros zeros-large3:thirds"),
    "cost-complexity": ({"pruning": "cost-complexity", "ccp_alpha": 0.01},
        "smooth mixed2 mixed7:zeros holes cancer mixed-large3:whole zeros-large2"),
    "cost-complexity-gini": (
        {"pruning": "cost-complexity", "ccp_alpha": 0.005, "criterion": "gini"},
        "few mixed3 digits zeros-large2:thirds"),
    "cost-complexity-zero": ({"pruning": "cost-complexity", "ccp_alpha": 0.0, "criterion": "error"},
        "mixed2 iris"),
    "cross-validated": ({"pruning": "cost-complexity", "ccp_alpha": "cv", "random_state": 3},
        "smooth mixed2 categories cancer:thirds mixed-large3"),
    "reduced-error": ({"pruning": "reduced-error", "random_state": 1},
        "few mixed2:whole holes zeros mixed-large2"),
    "reduced-error-third": (
        {"pruning": "reduced-error", "validation_fraction": 0.33, "random_state": 8},
        "cancer:zeros sparse"),
    "fractional": (grown(missing="fractional"),
        "signed-zeros integers holes mixed2 mixed7:whole coded holes:thirds mixed-large3"),
    "fractional-pruned": ({"missing": "fractional", "criterion": "entropy"},
        "holes:zeros mixed3 few zeros-large2"),
    "fractional-limited": (grown(missing="fractional", max_leaf_nodes=9, min_samples_leaf=10),
        "holes mixed2:thirds holes-large"),
    "fractional-multiway": (priced(missing="fractional"),
        "holes mixed2 mixed7:whole coded holes:thirds mixed-large3"),
    "rare-categories": (grown(min_category_size=10),
        "mixed2 mixed3:thirds categories:whole categories-large mixed-large2 mixed7:zeros"),
    "rare-categories-pruned": ({"min_category_size": 25, "criterion": "gini"},
        "mixed2:thirds categories-large mixed-large3"),
    "rare-categories-multiway": (priced(min_category_size=10), "mixed2 mixed3:whole mixed-large2"),
    "rare-categories-fractional": (grown(missing="fractional", min_category_size=10),
        "mixed2 mixed3:thirds mixed-large3"),
    "categories-by-number": (grown(categorical_features=[0, 1]), "coded few coded:thirds"),
    "categories-by-mask": (grown(categorical_features=[True, False, False]), "coded"),
    "categories-by-name": (grown(categorical_features=["few", "word", "name"]),
        "mixed2 mixed3:whole mixed-large2"),
    "no-categories": (grown(categorical_features=None), "coded zeros"),
    "multiway-categories": (priced(categorical_features=[0, 1]), "coded:whole"),
    "balanced": (grown(class_weight="balanced", max_leaf_nodes=20),
        "few mixed3 mixed7:thirds mixed-large3 zeros-large3"),
    "weighted-classes": (grown(class_weight={0: 0.7, 1: 3.0}, criterion="gini"),
        "smooth mixed2:whole holes zeros zeros-large2"),
    "weighted-names": (grown(class_weight={"low": 2.0, "high": 0.1}), "categories"),
    "prior": ({"leaf_prior": 8.0},
        ("few mixed3 mixed7:thirds holes:whole cancer digits mixed-large3:zeros"
        " zeros-large2:thirds")),
    "prior-grown": (grown(leaf_prior=0.7, min_samples_leaf=1), "smooth:thirds mixed2:whole iris"),
    "prior-multiway": (priced(leaf_prior=3.0, pruning="error-based"), "mixed7 categories:thirds"),
    "prior-fractional": ({"leaf_prior": 8.0, "missing": "fractional"}, "holes mixed3:thirds"),
    "prior-balanced": ({"leaf_prior": 8.0, "class_weight": "balanced"}, "mixed7 mixed3:whole"),
    "costs": ({"costs": {(0, 1): 1.0, (1, 0): 3.0}, "leaf_prior": 8.0},
        "mixed2 mixed2:thirds smooth:whole"),
    "costs-held-out": ({"costs": {(0, 1): 4.0, (1, 0): 1.0}, "pruning": "reduced-error",
        "random_state": 2}, "mixed2:whole"),
    "prior-held-out": ({"leaf_prior": 8.0, "pruning": "reduced-error", "random_state": 1},
        "mixed2:whole mixed3:thirds"),
    "monotone": (grown(monotonic_cst={0: 1, 1: -1}, leaf_prior=8.0),
        ("smooth few:whole holes mixed2 mixed2:thirds zeros zeros-large2 cancer:zeros mixed-large2"
        " holes-large:whole")),
    "monotone-raw": (grown(monotonic_cst={0: -1, 4: 1}, criterion="gini", min_samples_leaf=1),
        "smooth:thirds mixed2 zeros:whole zeros-larger2 sparse"),
    "monotone-pruned": ({"monotonic_cst": {"many": 1, "tenths": -1}, "leaf_prior": 8.0,
        "max_leaf_nodes": 60}, "mixed2:whole mixed-large2"),
    "monotone-classes": (grown(monotonic_cst={0: {0: 1, 2: -1}, 1: {1: 1}}, leaf_prior=3.0),
        "mixed3 mixed7:thirds iris wide zeros-large3 mixed-large3"),
    "interactions": (grown(interaction_cst=[[0, 3], [1, 3, 4], [2]]),
        "smooth mixed2 mixed7:whole zeros-large2 categories mixed-large3"),
    "pairs": ({"interaction_cst": "pairwise"}, "mixed3 sparse cancer mixed-large2:thirds"),
    "alone": (priced(interaction_cst="no_interactions"), "mixed2 zeros mixed-large3"),
    "alone-fractional": (grown(missing="fractional", interaction_cst="no_interactions"),
        "holes mixed3:whole"),
}

OPEN = {"learning_rate": None, "leaf_prior": None, "feature_fraction": None, "max_depth": 8}
"""What follows from the size of the table."""

BOOSTED: dict[str, Choice] = {
    "by-size": ({**OPEN, "n_estimators": 6},
                "mixed2 mixed3:whole wide zeros-larger2 cancer:thirds"),
    "by-size-real": ({**OPEN, "n_estimators": 4, "variant": "real"}, "mixed2 wide"),
    "logistic": ({"variant": "logistic", "leaf_prior": 0.5, "n_estimators": 10,
                  "learning_rate": 0.3},
                 ("few smooth mixed2 mixed3:whole holes:thirds zeros-large2 zeros-larger2 "
                  "cancer:zeros iris")),
    "logistic-raw": ({"variant": "logistic", "leaf_prior": 0.0, "n_estimators": 6, "max_depth": 5},
                     "smooth mixed2:thirds zeros sparse"),
    "logistic-trimmed": ({"variant": "logistic", "leaf_prior": 2.0, "weight_fraction": 0.8,
                          "feature_fraction": 0.5, "random_state": 3, "n_estimators": 8},
                         "mixed2 mixed-large2 mixed3"),
    "real-prior": ({"variant": "real", "leaf_prior": 1.0, "n_estimators": 6},
                   "smooth mixed2:thirds"),
    "rare-categories": ({"variant": "real", "min_category_size": 10, "n_estimators": 8},
        "mixed2 mixed3:thirds categories:whole categories-large mixed-large2"),
    "rare-categories-discrete": (
        {"variant": "discrete", "min_category_size": 10, "n_estimators": 8},
        "mixed2:thirds mixed3 mixed-large2"),
    "real": ({"variant": "real", "n_estimators": 8},
        ("few smooth signed-zeros integers categories holes mixed2 mixed3 mixed7 zeros sparse wide"
        " iris cancer mixed-large2 zeros-large2")),
    "discrete": ({"variant": "discrete", "n_estimators": 8},
        ("few smooth:thirds integers:whole categories mixed2 mixed7 zeros sparse cancer:zeros"
        " mixed-large3 zeros-large2")),
    "gentle": ({"variant": "gentle", "n_estimators": 8},
        ("smooth categories:zeros holes mixed2 mixed3:thirds zeros cancer"
        " mixed-large2:thirds zeros-large2:whole")),
    "discrete-ovr": ({"variant": "discrete", "multiclass": "ovr", "n_estimators": 5},
        "mixed3 mixed7:whole categories zeros-large3"),
    "pairs": ({"variant": "discrete", "multiclass": "pairs", "n_estimators": 6, "max_depth": 3},
        "mixed3 mixed7:whole mixed3:thirds categories:zeros iris sparse wide zeros-large3"),
    "pairs-trimmed": ({"variant": "discrete", "multiclass": "pairs", "criterion": "gini",
        "n_estimators": 6, "max_depth": 4, "weight_fraction": 0.9, "learning_rate": 1.0},
        "mixed7 wine mixed3:zeros"),
    "samme": ({"variant": "discrete", "multiclass": "samme", "criterion": "gini",
        "n_estimators": 6, "max_depth": 4}, "mixed3:zeros mixed7 wine mixed-large3"),
    "real-ovr": ({"variant": "real", "multiclass": "ovr", "n_estimators": 4},
        "mixed7:thirds digits smooth-large7 zeros-large3"),
    "stumps": ({"variant": "real", "max_depth": 1, "n_estimators": 25, "learning_rate": 1.0},
        "smooth mixed2:whole cancer smooth-large2 zeros-large2 sparse-large zeros-larger2"),
    "discrete-stumps": ({"variant": "discrete", "max_depth": 1, "n_estimators": 25,
        "learning_rate": 1.0},
        "smooth mixed2:thirds cancer sparse smooth-large2 zeros-larger2:whole"),
    "slow": ({"variant": "gentle", "learning_rate": 0.03, "max_depth": 5, "n_estimators": 6},
        "mixed2 zeros:whole mixed-large3"),
    "steep": ({"variant": "real", "learning_rate": 1.5, "max_depth": 2, "n_estimators": 10},
        "smooth mixed3:whole"),
    "leaves": ({"variant": "real", "max_depth": None, "max_leaf_nodes": 6, "n_estimators": 6},
        "mixed2 mixed7 zeros cancer:thirds mixed-large2 zeros-large2"),
    "gentle-leaves": ({"variant": "gentle", "max_depth": 4, "max_leaf_nodes": 5,
        "n_estimators": 6}, "mixed3 holes:zeros zeros-large2 sparse-large zeros-larger2"),
    "unlimited": ({"variant": "real", "max_depth": None, "min_samples_leaf": 10,
        "n_estimators": 3}, "mixed2 zeros cancer"),
    "large-leaves": ({"variant": "real", "min_samples_leaf": 15, "n_estimators": 6},
        "mixed2:whole mixed3:thirds zeros mixed-large2:zeros zeros-large2"),
    "heavy-leaves": ({"variant": "gentle", "min_weight_fraction_leaf": 0.08, "n_estimators": 6},
        "mixed2:zeros mixed7 zeros zeros-large2"),
    "entropy": ({"variant": "real", "criterion": "entropy", "n_estimators": 6},
        "mixed2 wine zeros:zeros mixed-large3"),
    "discrete-km": ({"variant": "discrete", "criterion": "km", "max_leaf_nodes": 7,
        "max_depth": None, "n_estimators": 6}, "smooth mixed2 mixed7 cancer"),
    "gentle-error": ({"variant": "gentle", "criterion": "error", "n_estimators": 5},
        "mixed2"),
    "exhaustive": ({"variant": "discrete", "search": "exhaustive", "max_depth": 2,
        "n_estimators": 10}, "smooth mixed2:thirds cancer sparse zeros-large2"),
    "adaptive": ({"variant": "discrete", "search": "adaptive", "max_depth": 2,
        "n_estimators": 10}, "smooth mixed2:thirds mixed3 zeros cancer sparse zeros-large2"),
    "quick": ({"variant": "discrete", "search": "quick", "max_depth": 2, "n_estimators": 10},
        "smooth mixed2:thirds mixed7 cancer sparse zeros-large2"),
    "quick-start": ({"variant": "discrete", "search": Quick(start=0.3, batches=4),
        "n_estimators": 6}, "smooth mixed2 cancer"),
    "auto": ({"variant": "discrete", "search": "auto", "learning_rate": 1.0, "max_depth": 2,
        "n_estimators": 30}, "smooth cancer mixed-large2 zeros-large2"),
    # Enough rows and columns, and weights uneven enough, for "auto" to look at heavy rows first.
    "auto-real": ({"variant": "real", "search": "auto", "learning_rate": 1.0, "max_depth": 4,
        "n_estimators": 14}, "easy-large"),
    "auto-discrete": ({"variant": "discrete", "search": "auto", "learning_rate": 1.0,
        "max_depth": 4, "n_estimators": 14}, "easy-large"),
    "auto-gentle": ({"variant": "gentle", "search": "auto", "learning_rate": 1.0,
        "max_depth": 4, "n_estimators": 14}, "easy-large"),
    "adaptive-real": ({"variant": "real", "search": "adaptive", "n_estimators": 5},
        "mixed2 cancer zeros"),
    "quick-gentle": ({"variant": "gentle", "search": "quick", "n_estimators": 5},
        "mixed2:whole wine holes"),
    "lazy": ({"variant": "real", "feature_fraction": 0.4, "random_state": 5, "n_estimators": 10},
        "mixed2 mixed7 wide cancer mixed-large2 zeros-large2:thirds sparse-large"),
    "lazy-discrete": ({"variant": "discrete", "feature_fraction": 0.2, "random_state": 6,
        "n_estimators": 8}, "wide sparse mixed3:whole"),
    "trimmed": ({"variant": "gentle", "weight_fraction": 0.8, "n_estimators": 8},
        "smooth mixed2:zeros mixed7 cancer mixed-large2 zeros-large2"),
    "trimmed-discrete": ({"variant": "discrete", "weight_fraction": 0.9, "learning_rate": 1.0,
        "n_estimators": 10}, "smooth mixed3 zeros:thirds cancer zeros-larger2"),
    "chance-skipped": ({"variant": "discrete", "weight_fraction": 0.6, "feature_fraction": 0.4,
        "chance_rounds": "skip", "learning_rate": 1.0, "max_depth": 2, "random_state": 3,
        "n_estimators": 12}, "smooth mixed3 mixed2:thirds iris"),
    "stopped-early": ({"variant": "real", "early_stopping": True, "n_iter_no_change": 3,
        "validation_fraction": 0.2, "random_state": 2, "n_estimators": 25, "learning_rate": 1.0,
        "scoring": "accuracy", "refit": False},
        "mixed2 mixed3:whole zeros cancer mixed-large2"),
    "stopped-early-discrete": ({"variant": "discrete", "early_stopping": True,
        "n_iter_no_change": 2, "random_state": 4, "n_estimators": 25, "scoring": "accuracy",
        "refit": False}, "smooth mixed7 iris"),
    "stopped-early-refit": ({"early_stopping": True, "n_iter_no_change": 3, "random_state": 5,
        "n_estimators": 30, "learning_rate": 0.5}, "mixed2:thirds mixed3 zeros cancer"),
    "watched": ({"variant": "real", "early_stopping": True, "n_iter_no_change": 2,
        "n_estimators": 20, "learning_rate": 1.0, "scoring": "accuracy"},
        "mixed2 mixed3:thirds zeros zeros-large2"),
    "resumed": ({"variant": "real", "warm_start": True, "n_estimators": 9},
        "few mixed2:thirds mixed3 zeros mixed-large2"),
    "resumed-discrete": ({"variant": "discrete", "warm_start": True, "n_estimators": 9},
        "smooth mixed7:whole zeros"),
    "resumed-lazy": ({"variant": "gentle", "warm_start": True, "feature_fraction": 0.5,
        "weight_fraction": 0.9, "random_state": 7, "n_estimators": 9}, "mixed2 cancer"),
    "categories-by-number": ({"variant": "real", "categorical_features": [0, 1],
        "n_estimators": 6}, "coded coded:zeros"),
    "no-categories": ({"variant": "discrete", "categorical_features": None,
        "n_estimators": 6}, "coded zeros-large2"),
    "balanced": ({"variant": "real", "class_weight": "balanced", "n_estimators": 6},
        "mixed2 mixed7:thirds mixed-large3:zeros zeros-large2"),
    "weighted-classes": ({"variant": "discrete", "class_weight": {0: 0.3, 1: 2.0},
        "n_estimators": 6}, "mixed2:whole smooth holes"),
    "monotone": ({"n_estimators": 8, "monotonic_cst": {0: 1, 1: -1}},
        ("smooth few:whole holes:thirds mixed2 zeros zeros-large2 cancer mixed-large2:whole"
        " zeros-larger2")),
    "monotone-real": ({"variant": "real", "n_estimators": 6, "max_depth": 4,
        "monotonic_cst": {0: -1, 4: 1}, "interaction_cst": "pairwise"},
        "smooth mixed2:thirds zeros"),
    "monotone-gentle": ({"variant": "gentle", "n_estimators": 6, "weight_fraction": 0.8,
        "monotonic_cst": {0: 1, 1: 1}}, "smooth mixed2 sparse"),
    "monotone-discrete": ({"variant": "discrete", "n_estimators": 6,
        "monotonic_cst": {0: 1, 1: -1}}, "smooth mixed2:whole cancer zeros-large2"),
    "monotone-race": ({"variant": "discrete", "n_estimators": 6, "search": "adaptive",
        "monotonic_cst": {0: 1, 1: -1}}, "smooth mixed2:whole cancer"),
    "monotone-classes": ({"n_estimators": 5, "feature_fraction": 0.6,
        "monotonic_cst": {0: {0: 1, 2: -1}, 1: {1: 1}}}, "mixed3 mixed7:whole iris zeros-large3"),
    "interactions": ({"n_estimators": 6, "interaction_cst": [[0, 3], [1, 3, 4], [2]],
        "feature_fraction": 0.7}, "smooth mixed2 mixed7:thirds sparse zeros-large2"),
    "costs": ({"variant": "real", "costs": {(0, 1): 2.0, (1, 0): 5.0}, "n_estimators": 6},
        "mixed2 smooth:thirds"),
}
# fmt: on

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
    "tree/interactions/mixed7:whole",
    "boosted/monotone/smooth",
)
"""The cases that are also trained on a cluster (tests/dask/test_golden_cases.py)."""


def _cases(kind: str, estimator: type, choices: dict[str, Choice]) -> list[Case]:
    made = []
    # What the estimators' defaults were when the cases were recorded.
    shape = {"learning_rate": 0.1, "max_depth": 3, "n_estimators": 100, "feature_fraction": 1.0}
    before = {"tree": {"leaf_prior": 0.0}, "boosted": shape}
    fixed: dict[str, Any] = before[kind]
    for choice, (parameters, places) in choices.items():
        for place in places.split():
            data, _, weights = place.partition(":")
            name = f"{kind}/{choice}/{place}"
            watched = choice == "watched"
            given = {"min_category_size": 1, **fixed, **parameters}
            if kind == "boosted" and given.get("variant", "logistic") == "logistic":
                given.setdefault("leaf_prior", 1.0)
            made.append(Case(name, estimator, given, data, weights or "none", watched))
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
    the fit in memory; the largest tables of `ZERO_INFLATED` go to parts and to data sets."""
    framed = hasattr(table(case.table).X, "columns")
    here = ("polars",) if framed else ("other-form",)
    if case.parameters.get("multiclass") == "pairs":  # in memory alone
        return here
    if case.table == "sparse-wide":  # 4,200 columns take parts a second
        return here
    if not framed:
        return (*here, "parts")
    if case.table in ZERO_INFLATED and table(case.table).rows >= 30_000:
        return (*here, "parts", "data-set")
    there = ["parts", "data-set", "lazy-frame"]
    store = there[sum(map(ord, case.name)) % len(there)]
    if store == "lazy-frame" and case.estimator is BoostedTreesClassifier:  # only reading differs
        return here
    if store == "lazy-frame" and case.table.startswith("categories"):
        store = "parts"  # polars reads their categories as strings, without an order
    return (*here, store)
