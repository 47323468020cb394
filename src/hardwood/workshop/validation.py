"""The cross-validated figures of a draft, found in the background, fold by fold.

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

        wrong, seen, paid, areas = 0, 0, 0.0, []
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
                    rows = _rows(X, test)
                    guess = model.predict(rows)
                    areas.append(_area(y[test], model.predict_proba(rows)))
                    if model.costs_ is not None:
                        paid += _paid(model, y[test], guess)
                wrong += int((guess != y[test]).sum())
                seen += len(test)
        except ValueError as error:
            fold = self._state["done"] + 1
            self._state = {"running": False, "said": f"Fold {fold} of {folds}: {error}"}
            return
        cost = None if getattr(estimator, "costs", None) is None else paid / seen
        found = {"error": wrong / seen, "auc": float(np.mean(areas)), "cost": cost}
        self._state = {"running": False, "done": folds, "folds": folds, "found": found}


def _paid(model: Any, labels: Any, guess: Any) -> float:
    place = {label: number for number, label in enumerate(model.classes_.tolist())}
    truth, said = ([place[label] for label in each.tolist()] for each in (labels, guess))
    return float(model.costs_[truth, said].sum())


def _area(labels: Any, proba: Any) -> float:
    """Under the ROC curve; of more than two classes the mean over the classes."""
    from sklearn.metrics import roc_auc_score

    if proba.shape[1] == 2:
        return float(roc_auc_score(labels, proba[:, 1]))
    return float(roc_auc_score(labels, proba, multi_class="ovr"))


def _rows(X: Any, chosen: Any) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[chosen]
    return X.take(chosen) if hasattr(X, "take") and hasattr(X, "schema") else X[chosen]
