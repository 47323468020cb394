"""The golden cases of trees: choices of parameters, and the tables of each."""

from __future__ import annotations

from typing import Any

from hardwood import Draft


def grown(**parameters: Any) -> dict[str, Any]:
    """A tree as it is grown."""
    return {"pruning": None, **parameters}


def priced(**parameters: Any) -> dict[str, Any]:
    """A multi-way tree as it is grown."""
    return {"pruning": None, "branching": "multiway", "max_leaf_nodes": 24, **parameters}


TOLD = (
    Draft()
    .split("", "many", 0.125)
    .split("L", "name", groups=[["s1", "s17", "s200"], ["s3", "s4"]])
    .split("R", "tenths", -0.35)
    .prefer("RL", "wide")
    .forbid("RR", "few")
    .leaf("LL")
)
"""Of the mixed tables."""

Choice = tuple[dict[str, Any], str]

# fmt: off
TREES: dict[str, Choice] = {
    "defaults": ({}, ("few smooth signed-zeros integers categories holes mixed3 mixed7 zeros"
        " sparse wide iris cancer digits mixed-large3 zeros-large2 mixed3:zeros images"
        " images-large3")),
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
    "told": ({"draft": TOLD}, "mixed2 mixed3:thirds mixed7:whole mixed-large2 mixed-large3:zeros"),
    "told-multiway": (priced(draft=TOLD.split("LR", "holes", thresholds=[-0.5, 0.25])),
        "mixed2:whole mixed-large3"),
    "told-fractional": ({"missing": "fractional", "draft": TOLD}, "mixed3 mixed-large2:thirds"),
}
