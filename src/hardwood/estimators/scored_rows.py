"""Early stopping by a scorer of scikit-learn, or by a function of the user's.

In: held-out rows in the user's own form, and a scorer(estimator, X, y), greater is better. The
scorer sees a `StagedModel`: the model as it is after the latest round. On the held-out rows it
answers from scores that are kept and added to, on any other table from all trees. Of rows that are
not in memory only the scores are fetched; their numbers stand for them. scikit-learn's scorers are
imported where one is asked for: they are a twentieth of the time until a first model is trained.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from hardwood.boosting import Ensemble
from hardwood.boosting.row_losses import LOSSES
from hardwood.boosting.scores import cheapest_guesses, guesses, probabilities
from hardwood.table import Table

Floats = NDArray[np.float64]
Scorer = Callable[..., Any]
Says = Callable[[Ensemble, int], Floats]
"""What trees say of some rows, given the number of threads."""


def said_of(table: Table) -> Says:
    return lambda trees, threads: trees.scores(table, threads)


def checked_scoring(scoring: Any) -> str | Scorer:
    """A key of LOSSES, or a scorer."""
    if scoring is None:
        return "neg_log_loss"
    if isinstance(scoring, str):
        if scoring in LOSSES:
            return scoring
        from sklearn.metrics import get_scorer, get_scorer_names

        if scoring in get_scorer_names():
            scorer: Scorer = get_scorer(scoring)
            return scorer
    elif callable(scoring):
        return scoring  # type: ignore[no-any-return]
    raise ValueError(
        "scoring must be None (log loss), the name of a scorer of scikit-learn such as 'accuracy', "
        f"'roc_auc' or 'neg_brier_score', or a scorer(estimator, X, y); given was {scoring!r}."
    )


def takes_numbers_for_rows(scoring: Any) -> bool:
    """Whether a scorer looks only at what the model says of X: those of scikit-learn do."""
    from sklearn.metrics import get_scorer

    return isinstance(scoring, (str, type(get_scorer("accuracy"))))


class StagedModel(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What a scorer sees of a model that is being trained."""

    def __init__(self, classes: NDArray[Any], link: Link, read: Callable[[Any], Table]) -> None:
        self.classes_ = classes
        self._link, self._read = link, read
        self._rounds: list[Any] = []
        self._rows: Any = None
        self._scores: Floats | None = None

    def watch(self, X: Any) -> None:
        self._rows = X

    def add(self, latest: Ensemble, added: Floats) -> None:
        """A round's trees, and what they say of the watched rows."""
        self._rounds.extend(latest.rounds)
        self._scores = added if self._scores is None else self._scores + added

    def _scores_of(self, X: Any) -> Floats:
        if X is self._rows and self._scores is not None:
            return self._scores
        outputs = 1 if self._scores is None else self._scores.shape[1]
        return Ensemble(tuple(self._rounds), outputs).scores(self._read(X), 1)

    def decision_function(self, X: Any) -> Floats:
        scores = self._scores_of(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        scores, link = self._scores_of(X), self._link
        if link.costs is None:
            return np.asarray(self.classes_[guesses(scores, len(self.classes_))])
        chosen = cheapest_guesses(scores, link.costs, link.votes, link.slope)
        return np.asarray(self.classes_[chosen])

    def predict_proba(self, X: Any) -> Floats:
        link = self._link
        return probabilities(self._scores_of(X), len(self.classes_), link.votes, link.slope)


@dataclass(frozen=True)
class Link:
    """How scores become probabilities, as `boosting.scores` takes it."""

    votes: bool
    slope: int
    costs: Floats | None = None
    """Of mistakes, where they differ."""


@dataclass(eq=False)
class ScoredRows:
    """`Watch` by a scorer; sample_weight None: the rows count alike."""

    scoring: Any
    scorer: Scorer
    model: StagedModel
    X: Any
    y: NDArray[Any]
    says: Says
    sample_weight: Floats | None = field(default=None)

    def __post_init__(self) -> None:
        self.model.watch(self.X)

    def loss(self, latest: Ensemble, threads: int) -> float:
        self.model.add(latest, self.says(latest, threads))
        weights = {} if self.sample_weight is None else {"sample_weight": self.sample_weight}
        try:
            score = self.scorer(self.model, self.X, self.y, **weights)
        except Exception as error:
            raise ValueError(
                f"scoring={self.scoring!r} could not judge the {len(self.y)} held-out rows "
                f"({error}). Use another scoring, None for the log loss, or give X_val and y_val."
            ) from error
        if not isinstance(score, Real) or not np.isfinite(float(score)):
            raise ValueError(
                f"scoring={self.scoring!r} gave {score!r} for the {len(self.y)} held-out rows, "
                f"which have {len(np.unique(self.y))} of {len(self.model.classes_)} classes; it "
                "must give a finite number. Use another scoring, or None for the log loss."
            )
        return -float(score)
