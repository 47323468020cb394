"""How much each column matters, in three ways.

In: a fitted model, a table and, if there are any, its labels. Out: the most important columns by
gain (share of the drop in training), permutation (how much the error on the table rises when the
column is shuffled) and the mean of |SHAP|. Rows are sampled at even distances where all would take
long, and shuffled from a fixed seed, so that a report does not depend on when it is made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardwood.report.answers import Codes, Floats, mean_shapley, predicted, trees_of
from hardwood.report.plain import plain_floats
from hardwood.table import Table
from hardwood.table.sampled import SampledTable, spaced_rows

SHOWN = 30
REPEATS = 3
"""Shuffles of a column; 1 in models of thousands of trees."""
FEWEST = 200
"""Rows for permutation."""
TREE_ANSWERS = 20_000_000
"""Most answers of single trees for permutation."""
SHAP_WORK = 20_000_000
"""Most rows x (nodes + columns x outputs) for Shapley values."""


def importance_part(model: Any, table: Table, codes: Codes | None) -> dict[str, Any]:
    gain = np.asarray(model.feature_importances_)
    shown = np.argsort(-gain, kind="stable")[:SHOWN]
    shown = shown[gain[shown] > 0]
    part: dict[str, Any] = {
        "column": [model._schemas[j].name for j in shown],
        "gain": plain_floats(gain[shown], 4),
        "used": int((gain > 0).sum()),
        "permutation": None,
        "shap": None,
    }
    if not len(shown):
        return part
    values, part["shap_rows"] = _shapley(model, table)
    if values is not None:
        part["shap"] = plain_floats(values[shown], 4)
    if codes is not None:
        rises, part["permutation_rows"] = _permuted(model, table, codes, shown.tolist())
        part["permutation"] = plain_floats(rises, 4)
    return part


def _shapley(model: Any, table: Table) -> tuple[Floats | None, int]:
    nodes = sum(tree.n_nodes for tree in trees_of(model))
    outputs = len(model.classes_)
    most = int(np.clip(SHAP_WORK // (nodes + table.n_columns * outputs), 20, 1_000))
    rows = spaced_rows(table.n_rows, most)
    return mean_shapley(model, SampledTable(table, rows)), len(rows)


def _permuted(
    model: Any, table: Table, codes: Codes, columns: list[int]
) -> tuple[list[float], int]:
    most = TREE_ANSWERS // (len(trees_of(model)) * len(columns))
    repeats = REPEATS if most >= REPEATS * FEWEST else 1
    rows = spaced_rows(table.n_rows, int(np.clip(most // repeats, FEWEST, 2_000)))
    # All shuffles of a column are asked at once, one copy of the rows below the other.
    copies = SampledTable(table, np.tile(rows, repeats))
    truth = np.tile(codes[rows], repeats)
    rng = np.random.default_rng(0)
    orders = [rng.permutation(len(rows)) + at * len(rows) for at in range(repeats)]
    order = np.concatenate(orders)

    def error(sample: SampledTable) -> float:
        return float(np.mean(predicted(model, sample) != truth))

    usual = error(copies)
    return [error(copies.shuffled(j, order)) - usual for j in columns], len(rows)
