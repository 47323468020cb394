"""Trees that discrete boosting passes over, where rounds are resumed and rows are in parts."""

from __future__ import annotations

import numpy as np
import pytest

from hardwood import BoostedTreesClassifier, load, save
from tests.distributed.splitting import cut
from tests.tables.frames import mixed_frame


@pytest.mark.parametrize("multiclass", ["ovr", "samme", "pairs"])
def test_warm_starts_files_and_parts_pass_over_the_same_trees(multiclass, pieces_of, tmp_path):
    frame, y = mixed_frame(np.random.default_rng(1), 300, 3)
    y[:] = np.random.default_rng(0).integers(0, 3, 300)
    shape = {"variant": "discrete", "multiclass": multiclass, "feature_fraction": 0.2}
    shape |= {"weight_fraction": 0.6}
    shape |= {"chance_rounds": "skip", "max_depth": 1, "learning_rate": 1.0}
    at_once = BoostedTreesClassifier(n_estimators=25, **shape).fit(frame, y)
    assert (at_once.tree_weights_ == 0).any()
    assert at_once.n_estimators_ == 25
    warm = BoostedTreesClassifier(n_estimators=9, **shape, warm_start=True).fit(frame, y)
    save(warm, tmp_path / "model")
    for each in (warm, load(tmp_path / "model")):
        assert each.set_params(n_estimators=25).fit(frame, y).digest() == at_once.digest()
    parts = cut(frame, y, None, [100, 170])
    there = BoostedTreesClassifier(n_estimators=25, **shape)
    assert there.fit(pieces_of(parts), None).digest() == at_once.digest()
    kept = tmp_path / "rounds"
    there.set_params(n_estimators=11).fit(pieces_of(parts), None, checkpoint=kept)
    there.set_params(n_estimators=25).fit(pieces_of(parts), None, checkpoint=kept)
    assert there.digest() == at_once.digest()
    np.testing.assert_allclose(there.history_["bound"], at_once.history_["bound"], rtol=1e-9)
