"""Cuts that are drawn, where rows are in parts and rounds are resumed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, load, save
from tests.distributed.splitting import cut
from tests.tables.frames import mixed_frame
from tests.tables.matrices import few_values

FEW = {"n_estimators": 6, "cut_fraction": 0.3, "feature_fraction": 1.0}


@pytest.mark.parametrize("variant", ["logistic", "discrete"])
@pytest.mark.parametrize("classes", [2, 3])
def test_parts_warm_starts_and_files_draw_the_same_cuts(variant, classes, pieces_of, tmp_path):
    frame, y = mixed_frame(np.random.default_rng(5), 2000, classes)
    shape = {**FEW, "variant": variant}
    model = BoostedTreesClassifier(**shape).fit(frame, y)
    parts = cut(frame, y, None, [500, 1100])
    assert BoostedTreesClassifier(**shape).fit(pieces_of(parts), None).digest() == model.digest()
    short = BoostedTreesClassifier(**{**shape, "n_estimators": 2}, warm_start=True).fit(frame, y)
    save(short, tmp_path / "model")
    for each in (short, load(tmp_path / "model")):
        assert each.set_params(n_estimators=6).fit(frame, y).digest() == model.digest()


@pytest.mark.parametrize("share", [0.01, 0.15])
def test_parts_know_which_columns_have_few_values(share, pieces_of):
    X, y = few_values(2000)
    frame = pd.DataFrame(X).add_prefix("c").sort_values("c4", ignore_index=True)
    labels = pd.Series(y)
    model = BoostedTreesClassifier(**{**FEW, "cut_fraction": share}).fit(frame, labels)
    parts = cut(frame, labels, None, [500, 1100])
    other = BoostedTreesClassifier(**{**FEW, "cut_fraction": share}).fit(pieces_of(parts), None)
    assert other.digest() == model.digest()
