"""`BoostedTreesClassifier`: AdaBoost over exact trees."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hardwood.boosting.checkpoint import Checkpoint, fingerprint
from hardwood.boosting.round_history import round_history
from hardwood.boosting.run import BoostingRun
from hardwood.boosting.scores import cheapest_guesses, guesses, probabilities, slope_of
from hardwood.estimators.back_ends import lazily, training_for
from hardwood.estimators.boosting_plan import checked_plan
from hardwood.estimators.classifier import FittedClassifier
from hardwood.estimators.constraints import constraints_for_boosting
from hardwood.estimators.costs import cost_matrix
from hardwood.estimators.parameters import keyword_parameters, thread_count
from hardwood.estimators.readable_ensemble import ReadableEnsemble
from hardwood.estimators.remarks import column_remarks, trimming_remarks, warn
from hardwood.estimators.result_checks import check_boosted
from hardwood.estimators.state import Fitted, boosted_state, restore_boosted
from hardwood.estimators.steadiness import SteadyEnsemble
from hardwood.estimators.warm_start import earlier_boosters
from hardwood.estimators.watching import check_scoring, watching_for
from hardwood.explain import (
    ScoreExplanation,
    Verdict,
    expected,
    explain_scores,
    scored_trees,
    shap_values,
)
from hardwood.table import Table
from hardwood.training import BoostedFit
from hardwood.tree import Tree, digest
from hardwood.tree.costs import decides

Floats = NDArray[np.float64]

FEW_ROWS = 1024  # one block of the core's, which one thread scores


@keyword_parameters
class BoostedTreesClassifier(ReadableEnsemble, SteadyEnsemble, FittedClassifier):
    """AdaBoost over exact greedy trees.

    Parameters
    ----------
    n_estimators : int, default=200
        Rounds.
    learning_rate : float or None, default=None
        Factor on every tree's weight, at most 10. None: for logistic 0.15 up to 5,000 examples,
        0.25 beyond; 0.2 otherwise.
    max_depth : int, None or "auto", default="auto"
        Depth of the trees. "auto": 8 for logistic, 4 otherwise; None: no limit.
    max_leaf_nodes : int or None, default=None
        Leaves of a tree; refused for AAA18's stump error, whose trees are grown level by level.
    min_samples_leaf : int, default=1
        Examples each branch must have, as in TreeClassifier.
    min_weight_fraction_leaf : float, default=0.0
        Share of the round's weight that each branch must have.
    leaf_prior : float or None, default=None
        Examples of each class that are added to every leaf before its score is taken, so that
        few rows make no extreme probability. None: for logistic 2 up to 5,000 examples, 0.5
        beyond; 0 otherwise.
    variant : {"logistic", "real", "discrete", "gentle"}, default="logistic"
        Confidence-rated leaves for the log loss, whose probabilities can be used, or for AdaBoost's
        exponential loss; votes; weighted least squares.
    criterion : {"km", "gini", "entropy", "error"} or None, default=None
        None: "km" for logistic (each split takes the largest drop of the log loss that can be
        proved) and real (each split minimises AdaBoost's Z exactly), "error" for discrete, "gini"
        for gentle.
    multiclass : {"ovr", "samme", "pairs"} or None, default=None
        For more than two classes: a booster per class, votes (discrete), or one booster over all
        pairs of a row and a class, which has a bound (discrete; a pair counts as an example). None:
        "samme" for discrete, "ovr" otherwise.
    search : {"auto", "exhaustive", "adaptive", "quick"} or an object of hardwood.search
        How the best splits are found, "auto" by default; all ways give the same trees. "adaptive"
        and "quick" are the published searches, for counting and study.
    feature_fraction : float or None, default=None
        LazyBoost: each round sees a random share of the columns, drawn from `random_state`. None:
        for logistic a fifth up to 5,000 examples, half up to 50,000, at least 5 columns in either
        case, and all beyond; otherwise all.
    weight_fraction : float, default=1.0
        Weight trimming: each tree sees the heaviest rows holding this share of the weight.
    cut_fraction : float or None, default=None
        Every node looks at this share of the cuts of its numeric columns, drawn from
        `random_state`, and takes the best of them. Of a column of few values it looks at one cut
        on average, so at the cut of a two-valued column always. The trees then differ more from
        each other, which makes better probabilities of small tables. None: for logistic 0.15 up to
        5,000 examples; otherwise all cuts.
    chance_rounds : {"stop", "skip"}, default="stop"
        Discrete boosting, when a tree is no better than chance: end training, or go on with that
        tree at weight 0. The next tree differs only where other columns are drawn for it
        (feature_fraction); a class of one-versus-rest keeps its place in every round.
    early_stopping : bool, default=False
        End when rows that are held out have not been predicted better for `n_iter_no_change`
        rounds, and keep the rounds up to the best. With X_val and y_val given to fit, those rows
        are used.
    scoring : str, callable or None, default=None
        How held-out rows are judged. None: by the log loss; else the name of a scorer of
        scikit-learn, or a scorer(estimator, X, y), greater is better.
    validation_fraction : float, default=0.1
        Share of the rows held out. With `refit`, where that is fewer than 1,000 rows, five folds
        are held out in turn, and the median of their numbers of rounds is taken.
    n_iter_no_change : int, default=10
        Rounds to wait.
    refit : bool, default=True
        Train on all rows once the number of rounds is known. False keeps the model that did not see
        the held-out rows. X_val and y_val are no rows of X, so with them nothing is left to refit.
    warm_start : bool, default=False
        Go on from the last fit; 50 rounds and then 100 are 100 at once.
    min_category_size : int, default=10
        As in TreeClassifier, by the round's weights.
    categorical_features, class_weight, costs, interaction_cst, n_jobs : as in TreeClassifier.
    random_state : int or None, default=None
        For the columns of LazyBoost and the held-out rows; nothing else is drawn.
    monotonic_cst : array-like or dict of signs, or None, default=None
        As in TreeClassifier, of each class's score, and of the probabilities of two classes.
    verbose : int, default=0
        1 shows a progress line.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn.
    trees_ : list of Tree, or of a list of Trees per round for one-versus-rest and pairs.
    tree_weights_ : array, one weight per tree ([rounds, classes] for one-versus-rest and pairs).
    n_estimators_ : int
    history_ : dict of arrays, one entry per round.
    assessments_ : int
    costs_, target_name_ : as in TreeClassifier.
    """

    _FITTED = (
        "_run",
        "_ensemble",
        "trees_",
        "tree_weights_",
        "n_estimators_",
        "assessments_",
        "costs_",
    )

    n_estimators: int = 200
    learning_rate: float | None = None
    max_depth: int | str | None = "auto"
    max_leaf_nodes: int | None = None
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    leaf_prior: float | None = None
    variant: str = "logistic"
    criterion: str | None = None
    multiclass: str | None = None
    search: Any = "auto"
    feature_fraction: float | None = None
    weight_fraction: float = 1.0
    cut_fraction: float | None = None
    chance_rounds: str = "stop"
    early_stopping: bool = False
    scoring: Any = None
    validation_fraction: float = 0.1
    n_iter_no_change: int = 10
    refit: bool = True
    warm_start: bool = False
    min_category_size: int = 10
    categorical_features: Any = "from_dtype"
    class_weight: Any = None
    costs: Any = None
    random_state: Any = None
    monotonic_cst: Any = None
    interaction_cst: Any = None
    n_jobs: int | None = None
    verbose: int = 0

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        *,
        client: Any = None,
        directory: Any = None,
        checkpoint: Any = None,
    ) -> BoostedTreesClassifier:
        """Train; a failed fit leaves the estimator as it was.

        client: for Dask collections, instead of the current client. directory: for data sets, where
        their codes are kept. checkpoint: for both, a directory that holds the rounds trained, from
        which the same fit resumes (docs/scaling.md)."""
        seed = checked_plan(self).seed
        request = self._request(
            X, y, sample_weight,
            X_val=X_val, y_val=y_val, client=client, directory=directory, checkpoint=checkpoint,
        )  # fmt: skip
        scoring = check_scoring(self.scoring, request)
        kept = None if checkpoint is None else Checkpoint(checkpoint)
        with training_for(request) as training:
            costs = cost_matrix(self.costs, training.classes.tolist())
            plan = checked_plan(self, training.examples, len(training.schemas), seed)
            watching = watching_for(self.scoring, scoring, training, plan, request, decides(costs))
            constraints = constraints_for_boosting(self, training, plan.multiclass)
            earlier = earlier_boosters(self, plan, training, constraints)
            if kept is not None:
                kept.claim(fingerprint(self.get_params(), training))
            fit = BoostedFit(
                training, plan, watching, request.threads, request.progress,
                constraints, earlier, kept,
            )  # fmt: skip
            run = fit.train()
            first = [booster.trees[0] for booster in run.boosters if booster.trees]
            about_columns = list(column_remarks(training, first))
        check_boosted(run, training.schemas)
        self._keep_data(training, y)
        self.costs_ = costs
        self._take(run)
        warn(chain(trimming_remarks(plan.rules.weight_fraction, run.all_trees()), about_columns))
        return self

    def _take(self, run: BoostingRun) -> None:
        self._run, self._ensemble = run, run.ensemble()
        self.trees_, self.tree_weights_ = run.trees(), run.tree_weights()
        self.history_ = round_history(run)
        self.n_estimators_ = len(self.trees_)
        self.assessments_ = int(self.history_["assessments"].sum())

    def _fitted(self) -> Fitted:
        return boosted_state(self)

    def _restore(self, fitted: Fitted) -> None:
        restore_boosted(self, fitted)

    @lazily
    def decision_function(self, X: Any) -> Floats:
        """F(x), positive for the second class; [rows, classes] for more than two classes."""
        scores = self._ensemble_scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def _ensemble_scores(self, X: Any) -> Floats:
        table = self._table(X)
        threads = 1 if table.n_rows <= FEW_ROWS else thread_count(self.n_jobs)
        return self._ensemble.scores(table, threads)

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """F(x) after each round."""
        table = self._table(X)
        for scores in self._ensemble.staged_scores(table, thread_count(self.n_jobs)):
            yield scores[:, 0] if scores.shape[1] == 1 else scores

    @lazily
    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the largest score, the first on a tie; with `costs` that of least expected
        cost: the second of two where its odds are above costs[0, 1] over costs[1, 0]."""
        return self._labels(self._ensemble_scores(X))

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """The labels after each round."""
        table = self._table(X)
        for scores in self._ensemble.staged_scores(table, thread_count(self.n_jobs)):
            yield self._labels(scores)

    def _said(self, table: Table) -> int:
        return int(self._guesses(self._ensemble.scores(table, 1))[0])

    def _labels(self, scores: Floats) -> NDArray[Any]:
        return np.asarray(self.classes_[self._guesses(scores)])

    def _guesses(self, scores: Floats) -> NDArray[np.intp]:
        """Class numbers."""
        costs, plan = decides(self.costs_), self._run.plan
        if costs is None:
            return guesses(scores, len(self.classes_))
        slope = slope_of(plan.rules.variant)
        return cheapest_guesses(scores, costs, plan.multiclass == "samme", slope)

    @lazily
    def predict_proba(self, X: Any) -> Floats:
        """Logistic: 1/(1 + exp(-F)); real and gentle: the same of 2F, discrete too, where it is no
        probability that is proved; one-versus-rest and pairs: each class's; SAMME: a softmax of
        the votes over (classes - 1). Of several classes they are normalised to sum to 1."""
        return self._probabilities(self._ensemble_scores(X))

    def _probabilities(self, scores: Floats) -> Floats:
        votes = self._run.plan.multiclass == "samme"
        slope = slope_of(self._run.plan.rules.variant)
        return probabilities(scores, len(self.classes_), votes, slope)

    def shap_values(self, X: Any) -> Floats:
        """Exact Shapley values of `decision_function`: how much knowing each column's value moves
        it from `shap_expected_value()`; [rows, columns], or [rows, columns, classes] for more than
        two classes. A column that is not known is averaged over the branches by the weight that
        the rows had in the tree's round (path-dependent TreeSHAP)."""
        table = self._table(X)
        ensemble = self._ensemble
        trees = list(scored_trees(ensemble))
        values = shap_values(trees, table, ensemble.outputs, thread_count(self.n_jobs))
        return values[:, :, 0] if ensemble.outputs == 1 else values

    def shap_expected_value(self) -> float | Floats:
        """What `shap_values` start from: a number, or [classes] for more than two classes."""
        check_is_fitted(self)
        ensemble = self._ensemble
        start = expected(list(scored_trees(ensemble)), ensemble.outputs)
        return float(start[0]) if ensemble.outputs == 1 else start

    def explain(self, x: Any) -> ScoreExplanation:
        """Why the model predicts what it does for one row: the Shapley values, largest first.

        x is a table of one row, a dict of column names and values, or a sequence of values."""
        table = self._row(x)
        scores = self._ensemble.scores(table, 1)
        label, likely = self._labels(scores)[0], self._probabilities(scores)[0]
        verdict = Verdict(label, self.classes_.tolist(), scores[0], likely)
        return explain_scores(list(scored_trees(self._ensemble)), table, verdict)

    def digest(self) -> str:
        """SHA-256 of the model; the same for any n_jobs, search, row order and form of table."""
        check_is_fitted(self)
        trees: list[Tree] = self._run.all_trees()
        told = (trees, self.classes_.tolist(), self._schemas, self.tree_weights_.ravel())
        return digest(*told, decides(self.costs_))
