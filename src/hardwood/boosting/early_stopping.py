"""When training ends because rows that it does not see are no longer predicted better.

In: the trees of each round. Out: the mean loss on the watched rows, and the number of rounds after
which it was least. A round costs its own trees: the rows' scores are kept and added to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hardwood._core import exact_addends
from hardwood.boosting.ensemble import Ensemble
from hardwood.boosting.row_losses import RowLoss
from hardwood.encoding import read_labels
from hardwood.table import ColumnSchema, Table, read_prediction_table

Floats = NDArray[np.float64]


class Watch(Protocol):
    """Tells how badly rows that are not trained on are predicted."""

    def loss(self, latest: Ensemble, threads: int) -> float:
        """Once the latest round's trees are added; less is better."""


class WatchedRows:
    """Rows of a table in memory, with their class numbers and weights."""

    def __init__(self, table: Table, labels: NDArray[np.integer[Any]], weights: Floats) -> None:
        self._table, self._labels, self._weights = table, labels, weights
        self._scores: Floats | None = None

    def addends(self, latest: Ensemble, judge: RowLoss, threads: int) -> Floats:
        """Numbers whose exact sum is that of weight x loss over the rows, whatever their order."""
        added = latest.scores(self._table, threads)
        self._scores = added if self._scores is None else self._scores + added
        return exact_addends(self._weights * judge.of(self._scores, self._labels))


class JudgedRows:
    """`Watch` of rows in memory by one of `row_losses`."""

    def __init__(self, rows: WatchedRows, weight: float, judge: RowLoss) -> None:
        self._rows, self._weight, self._judge = rows, weight, judge

    def loss(self, latest: Ensemble, threads: int) -> float:
        return math.fsum(self._rows.addends(latest, self._judge, threads)) / self._weight


def read_given_rows(
    X: Any,
    y: Any,
    schemas: Sequence[ColumnSchema],
    names_given: bool,
    classes: NDArray[Any],
) -> tuple[Table, NDArray[np.int64]]:
    """X_val and the class numbers of y_val, whose classes must be among those of y."""
    table = read_prediction_table(X, schemas, names_given)
    labels = read_labels(y, table.n_rows)
    place = {label: i for i, label in enumerate(classes.tolist())}
    unknown = [label for label in labels.classes.tolist() if label not in place]
    if unknown:
        raise ValueError(
            f"y_val has the class {unknown[0]!r}, which y does not have; its classes are "
            f"{', '.join(map(repr, list(place)[:10]))}."
        )
    known = np.array([place[label] for label in labels.classes.tolist()])
    return table, known[labels.codes]


class BestSoFar:
    """The number of rounds with the least loss on the watched rows, and when to stop looking."""

    def __init__(self, watch: Watch, patience: int, threads: int) -> None:
        self._watch, self._patience, self._threads = watch, patience, threads
        self._loss, self.rounds = math.inf, 1

    def over(self, latest: Ensemble, rounds: int) -> bool:
        """Add the trees that brought the model to so many rounds."""
        loss = self._watch.loss(latest, self._threads)
        if loss < self._loss:
            self._loss, self.rounds = loss, rounds
            return False
        return rounds - self.rounds >= self._patience
