"""Buckets so full that they are opened in pieces still give the tree of the whole."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier
from tests.distributed.splitting import cut

ROWS = 700_000  # more than 2048 for each of 255 buckets


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(11)
    long = np.exp(3 * rng.normal(size=ROWS))
    frame = pd.DataFrame(
        {
            "smooth": rng.normal(size=ROWS),
            "long": np.where(rng.random(ROWS) < 0.1, np.nan, long),
            "wide": rng.integers(-(2**61), 2**61, ROWS),
            "heap": np.where(rng.random(ROWS) < 0.6, 0.0, rng.normal(size=ROWS)),
        }
    )
    score = np.sin(frame["smooth"]) + np.log(long) / 9 + frame["wide"] / 2**62 + frame["heap"] / 4
    y = pd.Series(np.digitize(score + rng.normal(size=ROWS), [-0.4, 0.6]))
    return frame, y, rng.integers(1, 4, ROWS).astype(float)


@pytest.mark.parametrize("criterion", ["km", "gini", "entropy", "error"])
def test_a_tree_of_full_buckets(pieces_of, table, criterion):
    frame, y, weights = table
    weighted = weights if criterion in ("km", "error") else None
    labels = (y > 0).astype(int) if criterion in ("gini", "error") else y
    options = {"criterion": criterion, "max_leaf_nodes": 9, "n_jobs": 2}
    whole = TreeClassifier(**({"pruning": None} | options)).fit(
        frame, labels, sample_weight=weighted
    )
    parts = cut(frame, labels, weighted, [100_000, 500_000])
    parted = TreeClassifier(**({"pruning": None} | options)).fit(pieces_of(parts), None)
    assert parted.digest() == whole.digest()


def test_boosting_on_full_buckets(pieces_of, table):
    frame, y, weights = table
    labels = (y > 1).astype(int)
    model = BoostedTreesClassifier(n_estimators=3, max_depth=2, variant="discrete", n_jobs=2)
    here = model.fit(frame, labels, sample_weight=weights).digest()
    parts = cut(frame, labels, weights, [350_000])
    assert model.fit(pieces_of(parts), None).digest() == here
