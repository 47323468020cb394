"""Constrained models over parts: the digest of one place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier
from tests.distributed.splitting import cut

SIGNS: Any = {"a": 1, "b": -1}
BELOW: Any = [{"a", "b", "c"}, {"a": "c", "b": ["c"]}]


def fits():
    return (
        TreeClassifier(monotonic_cst=SIGNS, interaction_cst=BELOW),
        TreeClassifier(interaction_cst=BELOW, branching="multiway", max_leaf_nodes=20),
        TreeClassifier(interaction_cst=BELOW, missing="fractional", max_leaf_nodes=20),
        BoostedTreesClassifier(n_estimators=4, monotonic_cst=SIGNS, interaction_cst=BELOW),
    )


@pytest.mark.parametrize("model", fits())
def test_parts_have_the_digest_of_one_place(model, pieces_of):
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(rng.normal(size=(400, 3)), columns=list("abc"))
    frame["d"] = rng.choice(["x", "y", "z"], 400)
    frame.loc[rng.random(400) < 0.1, "a"] = np.nan
    score = frame["a"].fillna(0) - frame["b"] + frame["c"] + rng.normal(size=400)
    y = (score > 0).astype(int)
    digest = model.fit(frame, y).digest()
    parts = cut(frame, y, None, [0, 90, 250])
    assert model.fit(pieces_of(parts), None).digest() == digest
