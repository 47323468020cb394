"""Random parameters of both estimators, and what must suit the columns and classes of a table."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from tests.laws.fuzzing.cases import DraftLine, Field, Random, ordered, pick

TREE: dict[str, list[Any]] = {
    "criterion": ["km", "gini", "entropy", "error"],
    "max_leaf_nodes": [2, 3, 7, 20],
    "max_depth": [1, 2, 5],
    "min_samples_leaf": [1, 2, 5],
    "min_weight_fraction_leaf": [0.05, 0.2],
    "min_drop": [1e-3, 0.05],
    "leaf_prior": [0.0, 1.0, 1e6],
    "leaf_choice": ["weight"],
    "pruning": [None, None, "error-based", "cost-complexity", "reduced-error"],
    "confidence": [0.05, 0.49],
    "ccp_alpha": [0.01, "cv"],
    "validation_fraction": [0.4],
    "missing": ["fractional"],
    "min_category_size": [1, 3, 50],
    "class_weight": ["balanced"],
    "random_state": [0, 7],
}
BOOSTED: dict[str, list[Any]] = {
    "learning_rate": [0.05, 1.0],
    "max_depth": [1, 2, None, "auto"],
    "max_leaf_nodes": [2, 5],
    "min_samples_leaf": [2, 5],
    "min_weight_fraction_leaf": [0.05],
    "leaf_prior": [0.0, 1.0, 1e3],
    "variant": ["logistic", "real", "discrete", "gentle"],
    "criterion": ["km", "gini", "entropy", "error"],
    "multiclass": ["ovr", "samme", "pairs"],
    "chance_rounds": ["skip"],
    "feature_fraction": [0.5, 1.0],
    "cut_fraction": [1.0, 0.5, 0.15, 0.03],
    "weight_fraction": [0.6, 0.9],
    "min_category_size": [1, 3],
    "class_weight": ["balanced"],
    "random_state": [0, 7],
}
STOPPING: dict[str, list[Any]] = {
    "refit": [False],
    "n_iter_no_change": [1, 2, 3],
    "scoring": ["accuracy", "neg_log_loss"],
    "validation_fraction": [0.3],
}


def _some(rng: Random, choices: dict[str, list[Any]], share: float) -> dict[str, Any]:
    return {name: pick(rng, some) for name, some in choices.items() if rng.random() < share}


def random_parameters(rng: Random, boosted: bool) -> dict[str, Any]:
    chosen = _some(rng, BOOSTED if boosted else TREE, 0.3)
    if boosted:
        chosen["n_estimators"] = int(rng.integers(1, 6))
        if chosen.get("multiclass") in ("samme", "pairs") and rng.random() < 0.7:
            chosen["variant"] = "discrete"
        if rng.random() < 0.3:
            chosen |= {"early_stopping": True, **_some(rng, STOPPING, 0.5)}
            chosen["n_estimators"] = int(rng.integers(1, 15))
    elif rng.random() < 0.3:
        chosen |= {"branching": "multiway", "max_leaf_nodes": pick(rng, [3, 9, 20])}
        chosen.pop("leaf_choice", None)
        if rng.random() < 0.4:
            chosen |= {"price": "gamma", "gamma": 0.2}
        if rng.random() < 0.4:
            chosen["max_branches"] = 3
    return chosen


def parameters_of_table(
    rng: Random, fields: tuple[Field, ...], y: tuple[Any, ...]
) -> dict[str, Any]:
    """Constraints and costs."""
    chosen: dict[str, Any] = {}
    if rng.random() < 0.15:
        chosen["monotonic_cst"] = _signs(rng, fields, sorted(set(y)))
    if rng.random() < 0.15:
        chosen["interaction_cst"] = _interactions(rng, len(fields))
    if rng.random() < 0.15 and y[0] != y[-1]:
        chosen["costs"] = _costs(rng, sorted(set(y)))
    return chosen


def _signs(rng: Random, fields: tuple[Field, ...], classes: list[Any]) -> Any:
    """One class alone, and a column without order, are refused."""
    some = [j for j, field in enumerate(fields) if ordered(field) or rng.random() < 0.05]
    signs = {j: int(rng.integers(-1, 2)) for j in some}
    if len(classes) > 2:
        return {j: {pick(rng, classes): sign} for j, sign in signs.items()}
    form = int(rng.integers(3))
    if form == 0:
        return [signs.get(j, 0) for j in range(len(fields))]
    return signs if form == 1 else {f"x{j}": sign for j, sign in signs.items()}


def _interactions(rng: Random, columns: int) -> Any:
    sets = [rng.permutation(columns)[: 1 + int(rng.integers(columns))].tolist() for _ in range(2)]
    order = rng.permutation(columns).tolist()
    below = {a: [b] for b, a in itertools.pairwise(order) if rng.random() < 0.5}
    return pick(rng, ["pairwise", "no_interactions", sets[:1], sets, below, [below, list(order)]])


def _costs(rng: Random, classes: list[Any]) -> Any:
    some = np.array([0.0, 0.1, 1.0, 1.0, 5.0, 1e9])[rng.integers(0, 6, (len(classes),) * 2)]
    matrix = (some * (1 - np.eye(len(classes)))).tolist()
    if rng.random() < 0.5:
        return matrix
    named = itertools.permutations(enumerate(classes), 2)
    return {(truth, said): matrix[i][j] for (i, truth), (j, said) in named}


def draft_lines(rng: Random, columns: int) -> tuple[DraftLine, ...]:
    nodes = ["", "", "L", "R", "LL", "LR", "RR"]
    made = []
    for node in nodes[: int(rng.integers(1, len(nodes) + 1))]:
        do = pick(rng, ["prefer", "prefer", "prefer", "forbid", "leaf" if node else "prefer"])
        made.append((do, node, f"x{int(rng.integers(columns))}"))
    return tuple(made)
