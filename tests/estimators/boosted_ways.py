"""Every way to boost, with two classes and with more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hardwood import BoostedTreesClassifier
from tests.tables.matrices import noisy

NO_ERROR, CHANCE = "error 0", "no better than chance"

EVERY_WAY: dict[str, tuple[int, dict[str, Any]]] = {
    "real": (2, {"variant": "real"}),
    "gentle": (2, {"variant": "gentle"}),
    "discrete": (2, {"variant": "discrete"}),
    "samme": (4, {"variant": "discrete"}),
    "discrete ovr": (4, {"variant": "discrete", "multiclass": "ovr"}),
    "real ovr": (4, {"variant": "real"}),
    "gentle ovr": (4, {"variant": "gentle"}),
}
every_way = pytest.mark.parametrize("way", EVERY_WAY)


def fitted(way: str, **more: Any) -> tuple[Any, np.ndarray, np.ndarray]:
    n_classes, settings = EVERY_WAY[way]
    X, y = noisy(n_classes)
    shape = {"n_estimators": 10, "max_depth": 2}
    return BoostedTreesClassifier(**{**shape, **settings, **more}).fit(X, y), X, y
