"""`history_` of a boosted model: what its boosters recorded, one entry per round."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting.run import BoostingRun

_BOUND_MARGIN = 1 + 2.0**-40


def round_history(run: BoostingRun) -> dict[str, NDArray[Any]]:
    """One entry per round that has trees, or that ended training."""
    rounds = run.rounds_done if run.kept is None else min(run.rounds_done, run.kept)
    records = [
        [booster.records[r] for booster in run.boosters if r < len(booster.records)]
        for r in range(rounds)
    ]
    form = run.plan.form(run.classes)
    if form == "pairs":  # all classes have the same round
        records = [row[:1] for row in records]
    error = np.array([_mean([each.error for each in row]) for row in records])
    two = run.classes <= 2
    # Of an example that is wrong, the pairs of its own and of the predicted class have a loss of at
    # least 2 together: the error is at most classes/2 times the mean loss of the pairs.
    factor = run.classes / 2 if form == "pairs" else 1.0 if two else np.nan
    bound = [row[0].bound * factor * _BOUND_MARGIN for row in records]
    stopped = [
        row[0].stopped if form != "ovr" else "; ".join(e.stopped for e in row if e.stopped)
        for row in records
    ]
    if run.stopped_early:
        stopped[-1] = "early stopping"
    work = np.array(
        [
            [sum(e.assessments for e in row), sum(e.exhaustive_assessments for e in row)]
            for row in records
        ],
        dtype=np.int64,
    )
    return {
        "error": error,
        "advantage": 0.5 - error if two else np.full(rounds, np.nan),
        "assessments": work[:, 0],
        "exhaustive_assessments": work[:, 1],
        "bound": np.array(bound, dtype=np.float64),
        "loss": np.array([_mean([each.loss for each in row]) for row in records]),
        "proved_drop": np.array([_mean([each.proved_drop for each in row]) for row in records]),
        "stopped": np.array(stopped, dtype=object),
    }


def _mean(values: list[float]) -> float:
    return values[0] if len(values) == 1 else float(np.mean(values))
