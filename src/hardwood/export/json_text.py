"""A model as JSON text: `to_dict` in strict JSON, without NaN and infinities."""

from __future__ import annotations

import json as standard_json
from typing import Any

from sklearn.utils.validation import check_is_fitted

from hardwood.estimators import BoostedTreesClassifier, TreeClassifier


def json(model: Any, indent: int | None = None) -> str:
    """The model's `to_dict()` as JSON; ASCII only, integers with all their digits."""
    if not isinstance(model, TreeClassifier | BoostedTreesClassifier):
        raise TypeError(
            "JSON export takes a fitted TreeClassifier or BoostedTreesClassifier; given was "
            f"{type(model).__name__}."
        )
    check_is_fitted(model)
    return standard_json.dumps(model.to_dict(), allow_nan=False, indent=indent)
