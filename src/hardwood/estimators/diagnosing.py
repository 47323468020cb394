"""What a diagnosis needs to know of a fitted estimator.

In: a fitted model. Out: the record that `hardwood.certify` diagnoses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardwood.certify.boosted_diagnosis import Rounds
from hardwood.certify.tree_diagnosis import Growth

_LIMITS = {
    "max_depth": None,
    "min_samples_leaf": 1,
    "min_weight_fraction_leaf": 0.0,
    "min_drop": 0.0,
}


def grown_sequence(model: Any) -> Growth:
    """A TreeClassifier's growth; limits are parameters that differ from "no limit"."""
    limits = [
        f"{name}={getattr(model, name)!r}"
        for name, free in _LIMITS.items()
        if getattr(model, name) != free
    ]
    leaves = model.grown_tree_.n_leaves
    budget = model.max_leaf_nodes
    return Growth(
        model.grown_tree_,
        model.history_,
        model.certificate_,
        [schema.name for schema in model._schemas],
        limits,
        budget is not None and leaves >= budget,
    )


def round_sequence(model: Any) -> Rounds:
    """A BoostedTreesClassifier's rounds."""
    plan = model._run.plan
    first = np.ravel(model.trees_[0])[0]
    # With equal weights every class has a whole number of rows' shares.
    rows = first.rows[0] * first.class_weights[0] / first.class_weights[0].sum()
    equal = plan.rules.weight_fraction == 1 and model.class_weight is None
    equal = equal and bool(np.allclose(rows, np.round(rows), rtol=0, atol=1e-6))
    return Rounds(
        model.history_,
        len(model.classes_),
        plan.multiclass,
        model.n_estimators_,
        int(first.rows[0]) if equal else None,
    )
