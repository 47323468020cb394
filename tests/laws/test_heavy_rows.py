"""Where few rows hold half of the weight, "auto" looks at them first; the models are those of the
exhaustive search."""

from __future__ import annotations

import numpy as np
import pytest

from hardwood import BoostedTreesClassifier
from tests.golden.tables import sample_weight, table


@pytest.mark.parametrize(
    ("variant", "leaves"),
    [("real", None), ("discrete", None), ("gentle", 12), ("logistic", None), ("logistic", 12)],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_looking_at_heavy_rows_first_changes_no_model(
    variant: str, leaves: int | None, jobs: int
) -> None:
    data = table("easy-large")
    weights = sample_weight("uneven", len(data.y))
    fits = [
        BoostedTreesClassifier(
            variant=variant, n_estimators=8, max_depth=4, max_leaf_nodes=leaves, search=search,
            feature_fraction=1.0, n_jobs=jobs,
        ).fit(data.X, data.y, weights)
        for search in ("auto", "exhaustive")
    ]  # fmt: skip
    first, whole = (np.asarray(model.history_["assessments"]) for model in fits)
    assert (first < whole).any()
    assert len({model.digest() for model in fits}) == 1
