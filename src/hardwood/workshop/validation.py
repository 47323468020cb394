"""The cross-validated error of a draft, found in the background, fold by fold.

In: an estimator, rows, a draft. Out: `state()`, at any time. The draft is carried out on the rows
of each fold's training part, so its error is that of the decisions too. Invariant: once cancelled,
no further fold begins.
"""

from __future__ import annotations

import threading
import warnings
from typing import Any

import numpy as np
from sklearn.base import clone

from hardwood.draft import Draft

FOLDS = 5


class Validation:
    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._state: dict[str, Any] = {"running": False, "done": 0, "folds": FOLDS}

    def state(self) -> dict[str, Any]:
        return dict(self._state)

    def cancel(self) -> None:
        """No further fold."""
        self._cancelled.set()

    def start(self, estimator: Any, X: Any, y: Any, draft: Draft) -> None:
        labels = np.asarray(y)
        least = int(np.unique(labels, return_counts=True)[1].min())
        folds = min(FOLDS, least)
        if folds < 2:
            self._state = {"running": False, "said": "Some class has a single row: no folds."}
            return
        self._state = {"running": True, "done": 0, "folds": folds}
        work = (estimator, X, labels, draft, folds)
        threading.Thread(target=self._run, args=work, daemon=True).start()

    def _run(self, estimator: Any, X: Any, y: Any, draft: Draft, folds: int) -> None:
        from sklearn.model_selection import StratifiedKFold  # late: the first page does not wait

        wrong, seen = 0, 0
        parts = StratifiedKFold(folds, shuffle=True, random_state=0).split(np.zeros(len(y)), y)
        try:
            for done, (train, test) in enumerate(parts):
                if self._cancelled.is_set():
                    self._state |= {"running": False, "said": "Cancelled."}
                    return
                self._state["done"] = done
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    model = clone(estimator).fit(_rows(X, train), y[train], draft=draft)
                    wrong += int((model.predict(_rows(X, test)) != y[test]).sum())
                seen += len(test)
        except ValueError as error:
            self._state = {"running": False, "said": str(error)}
            return
        self._state = {"running": False, "done": folds, "folds": folds, "error": wrong / seen}


def _rows(X: Any, chosen: Any) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[chosen]
    return X.take(chosen) if hasattr(X, "take") and hasattr(X, "schema") else X[chosen]
