"""The figures by which two drafts are compared.

In: the tree that a draft gives, and constraints. Out: plain data for the page. Error, cost and area
under the ROC curve are those of the training weight in the leaves, so they need no row and cost
nothing on a large table. Growth keeps the constraints; that each tree does is found out once more,
by `certify.prove` and along its paths.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify import Monotone, Proofs, prove
from hardwood.estimators import TreeClassifier
from hardwood.estimators.constraints import signs_of
from hardwood.growing.constraints import Constraints
from hardwood.training import Training
from hardwood.tree import Tree

SECONDS = 1.0
"""For the proofs of one tree together: a step of a session waits for them."""

Floats = NDArray[np.float64]


def monotone_claims(given: Any, training: Training) -> list[Monotone]:
    """`monotonic_cst` as claims; of two classes about the second."""
    signs, names = signs_of(given, training), training.names
    classes = training.classes.tolist()
    labels = range(1, 2) if len(classes) == 2 else range(len(classes))
    return [
        Monotone(
            column=place if names is None else names[place],
            direction="increasing" if signs[place, label] > 0 else "decreasing",
            label=classes[label],
        )
        for place in np.flatnonzero(signs.any(axis=1)).tolist()
        for label in labels
        if signs[place, label]
    ]


def proofs_of(model: TreeClassifier, claims: list[Monotone]) -> Proofs | None:
    if not claims:
        return None
    return prove(model, claims, time_limit=SECONDS / len(claims))


def tree_figures(
    model: TreeClassifier, proofs: Proofs | None, constraints: Constraints | None = None
) -> dict[str, Any]:
    tree = model.tree_
    return {
        "leaves": tree.n_leaves,
        "depth": tree.max_depth,
        "error": _error(tree),
        "cost": None if model.costs_ is None else _cost(tree, model.costs_),
        "auc": area_under_roc(tree),
        "claims": _claims(tree, proofs, constraints),
        "holds": model.certificate_.holds,
        "bound": model.certificate_.bound,
        "digest": model.digest(),
    }


def _claims(
    tree: Tree, proofs: Proofs | None, constraints: Constraints | None
) -> list[dict[str, str]]:
    found = [
        {"claim": str(each.claim), "status": each.status, "why": each.explanation}
        for each in (() if proofs is None else proofs)
    ]
    if constraints is not None and (constraints.groups or constraints.most or constraints.needs):
        kept = constraints.lets_meet(tree)
        found.append(
            {
                "claim": "columns meet on a path only as interaction_cst says",
                "status": "proved" if kept else "refuted",
                "why": "" if kept else "some path has columns that may not meet",
            }
        )
    return found


def _error(tree: Tree) -> float:
    """The share of the training weight whose leaf says another class."""
    leaves = tree.leaf_ids
    right = tree.class_weights[leaves, tree.label[leaves]]
    return float((tree.weight[leaves] - right).sum() / tree.weight[0])


def _cost(tree: Tree, costs: Floats) -> float:
    """The mean over the training weight of what the leaves' answers cost."""
    leaves = tree.leaf_ids
    paid = tree.class_weights[leaves] * costs[:, tree.label[leaves]].T
    return float(paid.sum() / tree.weight[0])


def area_under_roc(tree: Tree) -> float | None:
    """Of the second of two classes, of more the mean over the classes, as scikit-learn's
    `roc_auc_score` of the training rows; None where rows are in several leaves, or a class has no
    weight."""
    if tree.share is not None or (tree.class_weights[0] <= 0).any() or tree.n_classes < 2:
        return None
    leaves = tree.leaf_ids
    classes = range(1, 2) if tree.n_classes == 2 else range(tree.n_classes)
    areas = []
    for label in classes:
        mine = tree.class_weights[leaves, label]
        areas.append(_area(tree.shares[leaves, label], mine, tree.weight[leaves] - mine))
    return float(np.mean(areas))


def _area(scores: Floats, mine: Floats, others: Floats) -> float:
    """The share of pairs, one of the class and one other, that scores order rightly; half of a tie
    counts."""
    place = np.unique(scores, return_inverse=True)[1]
    hits, alarms = np.bincount(place, weights=mine), np.bincount(place, weights=others)
    below = np.cumsum(alarms) - alarms
    return float((hits * (below + alarms / 2)).sum() / (hits.sum() * alarms.sum()))
