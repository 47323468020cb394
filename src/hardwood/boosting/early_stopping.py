"""When training ends because rows that it does not see are no longer predicted better.

In: the trees of each round. Out: the share of mistakes on the watched rows, and the number of
rounds after which it was least.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting.ensemble import Ensemble
from hardwood.boosting.scores import guesses
from hardwood.encoding import read_labels
from hardwood.table import ColumnSchema, Table, read_prediction_table


class Watch(Protocol):
    """Tells the share of mistakes on rows that are not trained on."""

    def error(self, latest: Ensemble, threads: int) -> float:
        """Once the latest round's trees are added."""


class WatchedRows:
    """Rows of a table in memory, with their class numbers."""

    def __init__(self, table: Table, labels: NDArray[np.integer[Any]], classes: int) -> None:
        self._table, self._labels, self._classes = table, labels, classes
        self._scores: NDArray[np.float64] | None = None

    def error(self, latest: Ensemble, threads: int) -> float:
        return self.mistakes(latest, threads) / len(self._labels)

    def mistakes(self, latest: Ensemble, threads: int) -> int:
        """The number of rows that are predicted wrongly once the latest trees are added."""
        added = latest.scores(self._table, threads)
        self._scores = added if self._scores is None else self._scores + added
        guess = guesses(self._scores, self._classes)
        return int(np.count_nonzero(guess != self._labels))


def watch_given_rows(
    X: Any,
    y: Any,
    schemas: Sequence[ColumnSchema],
    names_given: bool,
    classes: NDArray[Any],
) -> WatchedRows:
    """X_val and y_val, whose classes must be among those of y."""
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
    return WatchedRows(table, known[labels.codes], len(classes))


class BestSoFar:
    """The number of rounds with the least error on the watched rows, and when to stop looking."""

    def __init__(self, watch: Watch, patience: int, threads: int) -> None:
        self._watch, self._patience, self._threads = watch, patience, threads
        self._error, self.rounds = np.inf, 0

    def over(self, latest: Ensemble, rounds: int) -> bool:
        """Add the trees that brought the model to so many rounds."""
        error = self._watch.error(latest, self._threads)
        if error < self._error:
            self._error, self.rounds = error, rounds
            return False
        return rounds - self.rounds >= self._patience
