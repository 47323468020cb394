"""Boosting over pairs needs a table in memory, and says so."""

from __future__ import annotations

import numpy as np
import pytest

from hardwood import BoostedTreesClassifier
from tests.distributed.splitting import cut
from tests.tables.frames import mixed_frame


def test_parts_are_refused_where_there_are_more_than_two_classes(pieces_of):
    frame, y = mixed_frame(np.random.default_rng(1), 120, 3)
    model = BoostedTreesClassifier(variant="discrete", multiclass="pairs", n_estimators=3)
    with pytest.raises(ValueError, match="multiclass='pairs' needs a table in memory"):
        model.fit(pieces_of(cut(frame, y, None, [50])), None)
    two = cut(frame, y > 0, None, [50])
    assert model.fit(pieces_of(two), None).digest() == model.fit(frame, y > 0).digest()
