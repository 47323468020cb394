"""Parts whose whole numbers need different types are agreed on as one table is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from hardwood import TreeClassifier
from hardwood.distributed.describing import PartData


def test_parts_of_which_one_alone_has_values_beyond_2_63_agree(pieces_of):
    values = np.array([2**60, 2**60 + 1, 5, 7, 2**63 + 5, 2**63 + 6], dtype=np.uint64)
    X = pd.DataFrame({"a": values})
    y = np.array([0, 1, 0, 0, 1, 0])
    options: Any = {"min_samples_leaf": 1, "pruning": None}
    expected = TreeClassifier(**options).fit(X, y).digest()
    parts = pieces_of([PartData(X[a : a + 2], y[a : a + 2], None) for a in (0, 2, 4)])
    assert TreeClassifier(**options).fit(parts, None).digest() == expected
