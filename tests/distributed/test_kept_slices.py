"""Sums by slices that go from a large node to its largest branch change no tree.

Parts of a table keep no such sums. The tables say next to nothing, so that most buckets of all
columns are opened at every node; the first split leaves two large branches, off which chance cuts
small ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier
from tests.distributed.splitting import cut

ROWS = 200_000  # nodes of 65,536 rows keep sums of two classes, nodes of 98,304 those of three


def table(classes: int) -> tuple[pd.DataFrame, np.ndarray]:
    """`half` says little more than a column of chance does at its best cut."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.standard_normal((ROWS, 3)), columns=list("abc"))
    y = rng.integers(0, classes, ROWS)
    frame["half"] = rng.random(ROWS) < 0.45
    y[frame["half"] & (rng.random(ROWS) < 0.015)] = 1
    frame.loc[rng.random(ROWS) < 0.1, "b"] = np.nan
    frame["many"] = frame["c"].round(4)
    return frame, y


@pytest.mark.parametrize(
    ("parameters", "classes", "weighted"),
    [
        ({"n_estimators": 5}, 2, False),
        ({"n_estimators": 8, "variant": "real", "min_samples_leaf": 9_000}, 2, True),
        ({"n_estimators": 3, "variant": "discrete", "criterion": "gini"}, 3, False),
    ],
)
def test_trees_are_those_of_a_store_that_keeps_no_sums(pieces_of, parameters, classes, weighted):
    X, y = table(classes)
    weights = np.random.default_rng(6).random(ROWS) + 0.5 if weighted else None
    model = BoostedTreesClassifier(
        max_leaf_nodes=8, max_depth=None, feature_fraction=1.0, random_state=0, **parameters
    )
    here = model.fit(X, y, sample_weight=weights).digest()
    assert model.set_params(n_jobs=2).fit(X, y, sample_weight=weights).digest() == here
    parts = cut(X, pd.Series(y), weights, [ROWS // 2])
    assert model.fit(pieces_of(parts), None).digest() == here
