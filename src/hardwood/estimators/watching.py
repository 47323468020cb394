"""What early stopping watches: `scoring`, X_val and y_val or rows of X -> `Watching`."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from hardwood.boosting.early_stopping import JudgedRows, Watch, WatchedRows, read_given_rows
from hardwood.boosting.plan import BoostingPlan
from hardwood.boosting.row_losses import RowLoss
from hardwood.boosting.scores import slope_of
from hardwood.distributed.training import PartsTraining
from hardwood.estimators.back_ends import back_end_of
from hardwood.estimators.scored_rows import (
    Link,
    Says,
    ScoredRows,
    StagedModel,
    checked_scoring,
    said_of,
    takes_numbers_for_rows,
)
from hardwood.table import Table, read_prediction_table
from hardwood.training import FitRequest, MemoryTraining, Training, Watching


def check_scoring(scoring: Any, request: FitRequest) -> Any:
    """As `checked_scoring`; a function of the user's needs rows in memory."""
    checked = checked_scoring(scoring)
    here = back_end_of(request.X) is None or request.X_val is not None
    if not here and not takes_numbers_for_rows(checked):
        raise ValueError(
            f"scoring={scoring!r} is a function that may look at the held-out rows, and X is not "
            "in memory; give the name of a scorer of scikit-learn, what make_scorer returns, or "
            "X_val and y_val."
        )
    return checked


def watching_for(
    scoring: Any,
    checked: Any,
    training: Training,
    plan: BoostingPlan,
    request: FitRequest,
    costs: NDArray[np.float64] | None = None,
) -> Watching:
    """checked: of `check_scoring`; costs: of mistakes, where they differ."""
    classes = len(training.classes)
    votes, slope = plan.multiclass == "samme", slope_of(plan.rules.variant)
    given: Watch | None = None
    if isinstance(checked, str):
        judge = RowLoss(checked, classes, votes, slope)
        if request.X_val is not None:
            table, labels = _given(training, request)
            rows = WatchedRows(table, labels, np.ones(len(labels)))
            given = JudgedRows(rows, float(len(labels)), judge)
        return Watching(given, partial(training.watch_held_out, judge))

    named = training.names is not None

    def scored(X: Any, labels: NDArray[Any], says: Says, weights: Any) -> Watch:
        def read(other: Any) -> Table:
            return read_prediction_table(other, training.schemas, named)

        model = StagedModel(training.classes, Link(votes, slope, costs), read)
        return ScoredRows(scoring, checked, model, X, training.classes[labels], says, weights)

    def held_out() -> Watch:
        if isinstance(training, MemoryTraining):
            positions, rows = training.held_out_positions()
            X, labels, whole = _safe_indexing(request.X, positions), rows.labels, rows.weights
            says = said_of(rows.table)
        else:
            assert isinstance(training, PartsTraining)
            labels, whole = training.held_out.labels()
            X, says = np.arange(len(labels)), training.held_out.scores
        uneven = isinstance(scoring, str) and bool((whole != whole[0]).any())
        return scored(X, labels, says, whole.astype(np.float64) if uneven else None)

    if request.X_val is not None:
        table, labels = _given(training, request)
        given = scored(request.X_val, labels, said_of(table), None)
    return Watching(given, held_out)


def _given(training: Training, request: FitRequest) -> tuple[Table, NDArray[np.int64]]:
    named = training.names is not None
    return read_given_rows(request.X_val, request.y_val, training.schemas, named, training.classes)
