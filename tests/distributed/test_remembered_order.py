"""What rows in memory remember between rounds of the order of classes changes no tree.

Parts of a table remember nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier
from tests.distributed.splitting import cut

ROWS = 9000  # tables of fewer rows are not remembered either


def table(classes: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Columns of many values, of which some say little, so late rounds find order by chance."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((ROWS, 5))
    score = 0.6 * X[:, 0] + 0.4 * X[:, 1] * X[:, 2] + rng.logistic(size=ROWS)
    y = np.digitize(score, np.quantile(score, np.linspace(0, 1, classes + 1)[1:-1]))
    frame = pd.DataFrame(X, columns=list("abcde"))
    frame.loc[rng.random(ROWS) < 0.2, "b"] = np.nan
    frame["d"] = frame["d"].round(2)
    frame["amount"] = np.where(rng.random(ROWS) < 0.5, 0.0, rng.exponential(size=ROWS))
    return frame, y


@pytest.mark.parametrize(
    ("parameters", "classes", "weighted"),
    [
        ({"n_estimators": 60}, 2, False),
        ({"n_estimators": 40, "max_depth": 2, "learning_rate": 0.3}, 2, True),
        ({"n_estimators": 30, "variant": "real", "learning_rate": 0.1}, 2, False),
        ({"n_estimators": 30, "variant": "discrete", "criterion": "entropy"}, 2, True),
        ({"n_estimators": 20, "criterion": "gini", "monotonic_cst": {"a": 1}}, 2, False),
        ({"n_estimators": 15}, 3, False),
    ],
)
def test_trees_are_those_of_a_store_that_remembers_nothing(
    pieces_of, parameters, classes, weighted
):
    X, y = table(classes)
    weights = np.random.default_rng(4).integers(1, 4, ROWS).astype(float) if weighted else None
    model = BoostedTreesClassifier(random_state=0, **parameters)
    here = model.fit(X, y, sample_weight=weights).digest()
    parts = cut(X, pd.Series(y), weights, [ROWS // 2])
    assert model.fit(pieces_of(parts), None).digest() == here
