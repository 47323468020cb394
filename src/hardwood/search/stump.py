"""The best stump of a table: the split whose sides predict opposite labels with the least error
(criterion "error"), or the split of least cost under another criterion."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardwood._core import BoostingOptions, Criterion, MemoryBooster, Variant
from hardwood.encoding import encode_table, read_labels, user_weights
from hardwood.search.strategies import PaperRun, set_search, strategy_of
from hardwood.table import ColumnSchema, read_training_table

_CRITERIA = {
    "km": Criterion.km,
    "gini": Criterion.gini,
    "entropy": Criterion.entropy,
    "error": Criterion.stump,  # sides predict opposite labels
}


class Stump(NamedTuple):
    """The best stump of a table."""

    feature: int
    """Column number."""
    threshold: float | int | frozenset[Any] | None
    """x <= threshold goes left; for a category column the set of categories that go left; None for
    missing against the rest."""
    polarity: int
    """1 when the right side predicts the second class, -1 when the left one does."""
    error: float
    """Share of the weight that the stump gets wrong."""
    assessments: int
    """Rows x columns looked at."""


def best_stump(
    X: Any, y: Any, sample_weight: Any = None, *, search: Any = "adaptive", criterion: str = "error"
) -> Stump:
    """The best stump for two classes; the same for every search."""
    if criterion not in _CRITERIA:
        names = ", ".join(f'"{name}"' for name in _CRITERIA)
        raise ValueError(f"criterion must be one of {names}; given was {criterion!r}.")
    strategy = strategy_of(search)
    if isinstance(strategy, PaperRun):
        raise ValueError(
            "search=PaperRun(...) may find that no column beats calling all rows alike; "
            'best_stump takes "exhaustive", "quick", "adaptive" or "auto".'
        )
    table = read_training_table(X)
    labels = read_labels(y, table.n_rows)
    if len(labels.classes) != 2:
        raise ValueError(f"best_stump needs two classes; y has {len(labels.classes)}.")
    weights = user_weights(sample_weight, None, labels)
    present = np.ones(table.n_rows, dtype=bool) if weights.values is None else weights.values > 0
    if len(np.unique(labels.codes[present])) < 2:
        raise ValueError("best_stump needs rows of positive weight in both classes.")
    encoded, schemas = encode_table(table, 1)
    options = BoostingOptions()
    options.variant = Variant.discrete
    options.criterion = _CRITERIA[criterion]
    options.max_depth = 1
    options.whole_weights = weights.whole
    set_search(options, strategy)
    booster = MemoryBooster(encoded, labels.codes, weights.values, None, options)
    done = booster.run(1, None, None, 1)[0]
    return _stump(done["tree"], schemas, int(done["assessments"]))


def _stump(
    tree: dict[str, NDArray[Any]], schemas: tuple[ColumnSchema, ...], assessments: int
) -> Stump:
    weights = tree["class_weights"].reshape(-1, 2)
    total = float(weights[0].sum())
    if len(weights) == 1:
        raise ValueError(
            "X offers no stump: every column is constant over the rows of positive weight."
        )
    feature = int(tree["feature"][0])
    up = float(weights[1, 1] + weights[2, 0])  # right predicts the second class
    down = float(weights[1, 0] + weights[2, 1])
    polarity = 1 if up <= down else -1
    threshold = _threshold(tree, schemas[feature])
    return Stump(feature, threshold, polarity, min(up, down) / total, assessments)


def _threshold(
    tree: dict[str, NDArray[Any]], schema: ColumnSchema
) -> float | int | frozenset[Any] | None:
    if schema.kind == "category":
        left = tree["group_codes"][tree["group_branches"] == 0]
        return frozenset(schema.categories[code] for code in left)
    if tree["cut_count"][0] == 0:
        return None
    if schema.kind == "numeric":
        return float(tree["thresholds"][0])
    whole = np.int64 if schema.kind == "integer" else np.uint64
    return int(tree["integer_thresholds"].view(whole)[0])
