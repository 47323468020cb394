"""How the most important columns move the answer, as curves of partial dependence.

In: a fitted model and a table. Out: plain data for JSON: per column its values as texts, their
places on a line if they are numbers, and the mean probability of some classes: the second of two,
else those that the column moves most.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardwood.judging import Dependence, partial_dependence
from hardwood.report.plain import plain_floats
from hardwood.table import Table
from hardwood.tree.numbers import number_text, value_text

COLUMNS = 6
CLASSES = 5


def effects_part(model: Any, table: Table) -> list[dict[str, Any]]:
    """Of the columns with the largest gain, the largest first."""
    gain = np.asarray(model.feature_importances_)
    shown = np.argsort(-gain, kind="stable")[:COLUMNS]
    if len(model.classes_) < 2:
        return []
    found = [partial_dependence(model, table, j) for j in shown[gain[shown] > 0].tolist()]
    return [_part(each) for each in found if len(each.values) > 1]


def _part(found: Dependence) -> dict[str, Any]:
    boolean = found.schema.boolean
    numbers = not found.schema.categories and not boolean
    if boolean:
        texts = ["true" if value else "false" for value in found.values]
    else:
        texts = [number_text(value) if numbers else value_text(value) for value in found.values]
    moved = np.argsort(-np.ptp(found.mean, axis=0), kind="stable")[:CLASSES]
    classes = [1] if found.mean.shape[1] == 2 else np.sort(moved).tolist()
    return {
        "column": found.schema.name,
        "values": texts,
        "places": plain_floats(found.values, 9) if numbers else None,
        "classes": classes,
        "mean": [plain_floats(found.mean[:, c], 5) for c in classes],
        "rows": found.rows,
    }
