"""The cross-validated figures of drafts, found in the background, fold by fold.

In: an estimator, rows, drafts. Out: `state()`, at any time: how many folds are done, and what was
found of each draft as far as it is known. A draft is carried out on the rows of each fold's
training part, so its error is that of the decisions too. Invariant: once cancelled, no further fold
begins.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone

from hardwood.draft import Draft

FOLDS = 5


class Validation:
    """`about` is what the caller wants to know of again: it is part of the state."""

    def __init__(self, about: dict[str, Any] | None = None) -> None:
        self._cancelled = threading.Event()
        self._state: dict[str, Any] = {"running": False, "done": 0, "folds": FOLDS, "found": []}
        self._state |= about or {}

    def state(self) -> dict[str, Any]:
        return dict(self._state)

    def cancel(self) -> None:
        """No further fold."""
        self._cancelled.set()

    def start(self, estimator: Any, X: Any, y: Any, drafts: list[Draft]) -> None:
        """Of each draft a dict of figures, or what went wrong, under "said"."""
        labels = np.asarray(y)
        folds = min(FOLDS, int(np.unique(labels, return_counts=True)[1].min()))
        if folds < 2:
            self._state |= {"said": "Some class has a single row: no folds."}
            return
        self._state |= {"running": True, "folds": folds * len(drafts)}
        work = (estimator, X, labels, drafts, folds)
        threading.Thread(target=self._run, args=work, daemon=True).start()

    def _run(self, estimator: Any, X: Any, y: Any, drafts: list[Draft], folds: int) -> None:
        said = {}
        for number, draft in enumerate(drafts):
            sums = Sums()
            try:
                for _ in sums.over_folds(estimator, X, y, draft, folds):
                    if self._cancelled.is_set():
                        self._state |= {"running": False, "said": "Cancelled."}
                        return
                    self._state["done"] = number * folds + sums.folds
                found = sums.figures(getattr(estimator, "costs", None) is not None)
            except ValueError as error:
                found = {"said": f"Fold {sums.folds + 1} of {folds}: {error}"}
                said = found if len(drafts) == 1 else {}
            self._state |= {
                "found": [*self._state["found"], found],
                "done": (number + 1) * folds,
            }
        self._state |= {"running": False, **said}


class Sums:
    """Over the folds so far."""

    def __init__(self) -> None:
        self._wrong, self._seen, self._paid = 0, 0, 0.0
        self._areas: list[float] = []
        self.folds = 0

    def over_folds(
        self, estimator: Any, X: Any, y: Any, draft: Draft, folds: int
    ) -> Iterator[None]:
        """Gives back before each fold and goes on when asked."""
        from sklearn.model_selection import StratifiedKFold  # late: the first page does not wait

        parts = StratifiedKFold(folds, shuffle=True, random_state=0).split(np.zeros(len(y)), y)
        for train, test in parts:
            yield
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model = clone(estimator).fit(_rows(X, train), y[train], draft=draft)
                rows = _rows(X, test)
                guess = model.predict(rows)
                self._areas.append(_area(y[test], model.predict_proba(rows)))
                if model.costs_ is not None:
                    self._paid += _paid(model, y[test], guess)
            self._wrong += int((guess != y[test]).sum())
            self._seen += len(test)
            self.folds += 1

    def figures(self, costly: bool) -> dict[str, Any]:
        return {
            "error": self._wrong / self._seen,
            "auc": float(np.mean(self._areas)),
            "cost": self._paid / self._seen if costly else None,
        }


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
