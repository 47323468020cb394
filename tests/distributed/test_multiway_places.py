"""Multi-way splits over parts: where branches may part is found without all keys of a leaf."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwood import TreeClassifier
from tests.distributed.splitting import cut
from tests.effort import trials

ROWS = 9_000
COLUMNS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "skewed": lambda rng, n: np.exp(8 * rng.normal(size=n)),
    "whole": lambda rng, n: rng.integers(0, 2**60, n),
    "thousand": lambda rng, n: rng.integers(0, 1000, n) / 8.0,
    "few": lambda rng, n: rng.integers(0, 262, n) / 8.0,
    "zeros": lambda rng, n: np.where(rng.random(n) < 0.7, 0.0, rng.normal(size=n)),
    "holes": lambda rng, n: np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
    "steps": lambda rng, n: np.floor(rng.random(n) * 6) + 1e-6 * rng.random(n),
}
LABELS = {
    "noise": lambda rng, x: rng.integers(0, 3, len(x)),
    "bands": lambda _, x: np.digitize(x, np.nanquantile(x, [0.3, 0.5, 0.9])) % 2,
    "noisy bands": lambda rng, x: np.where(
        rng.random(len(x)) < 0.15,
        rng.integers(0, 3, len(x)),
        np.digitize(x, np.nanquantile(x, [0.2, 0.4, 0.6, 0.8])) % 3,
    ),
}


@settings(max_examples=trials(30), deadline=None)
@given(
    seed=st.integers(0, 10**6),
    names=st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=3, unique=True),
    labels=st.sampled_from(sorted(LABELS)),
    weights=st.sampled_from([None, "whole", "any"]),
    options=st.fixed_dictionaries(
        {
            "criterion": st.sampled_from(["km", "gini", "entropy", "error"]),
            "min_samples_leaf": st.sampled_from([1, 20]),
            "max_branches": st.sampled_from([None, 4]),
        }
    ),
)
def test_many_values_give_the_places_of_one_process(
    pieces_of, seed, names, labels, weights, options
):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({name: COLUMNS[name](rng, ROWS) for name in names})
    y = pd.Series(LABELS[labels](rng, frame[names[0]].to_numpy(dtype=float)))
    made = {"whole": rng.integers(0, 4, ROWS).astype(float), "any": rng.random(ROWS)}
    sample_weight = made.get(weights)
    settings = {"branching": "multiway", "max_leaf_nodes": 12, "pruning": None, **options}
    here = TreeClassifier(**settings).fit(frame, y, sample_weight=sample_weight)
    parts = cut(frame, y, sample_weight, sorted(rng.integers(0, ROWS, 2).tolist()))
    there = TreeClassifier(**settings).fit(pieces_of(parts), None)
    assert there.digest() == here.digest()
    assert np.array_equal(there.history_["exact"], here.history_["exact"])
    assert str(there.certificate_) == str(here.certificate_)


@pytest.mark.parametrize("least", [1, 50])
def test_a_leaf_of_many_rows_sends_a_small_share_of_its_keys(pieces_of, least):
    rng = np.random.default_rng(3)
    rows, columns = 200_000, 4
    X = pd.DataFrame(rng.normal(size=(rows, columns)), columns=list("abcd"))
    y = pd.Series((np.sin(3 * X["a"]) + X["b"] + rng.normal(size=rows) > 0).astype(int))
    settings = {"branching": "multiway", "max_leaf_nodes": 8, "pruning": None}
    model = TreeClassifier(min_samples_leaf=least, **settings)
    here = model.fit(X, y).digest()
    there = model.fit(pieces_of(cut(X, y, None, [rows // 2])), None)
    assert there.digest() == here
    splits = len(there.history_["exact"])
    assert there.traffic_.keys < 0.06 * rows * columns * splits
