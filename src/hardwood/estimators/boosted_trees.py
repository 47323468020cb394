"""`BoostedTreesClassifier`: AdaBoost over exact trees."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from hardwood.boosting import Ensemble
from hardwood.certify import Diagnosis, diagnose_rounds
from hardwood.distributed.checkpoint import Checkpoint, fingerprint
from hardwood.distributed.progress import Progress
from hardwood.distributed.training import PartsTraining
from hardwood.encoding import encode_table, given_weights, read_labels
from hardwood.estimators.boosting_plan import Plan, checked_plan
from hardwood.estimators.boosting_run import BoostingRun, round_history
from hardwood.estimators.diagnosing import round_sequence
from hardwood.estimators.elsewhere import BackEnd, Given, back_end_of, lazily, refuse_options
from hardwood.estimators.elsewhere_limits import refuse_held_out_rows
from hardwood.estimators.held_out import held_out_rows
from hardwood.estimators.parameters import thread_count
from hardwood.estimators.readable_ensemble import ReadableEnsemble
from hardwood.estimators.reporting import Reports
from hardwood.estimators.result_checks import check_boosted
from hardwood.estimators.state import (
    Fitted,
    KeepsState,
    boosted_state,
    keep_target_name,
    restore_boosted,
)
from hardwood.explain import (
    ScoreExplanation,
    Verdict,
    expected,
    explain_scores,
    read_row,
    scored_trees,
    shap_values,
)
from hardwood.table import ColumnSchema, Table, read_prediction_table, read_training_table
from hardwood.tree import Tree, digest, feature_importances

Floats = NDArray[np.float64]


class BoostedTreesClassifier(
    ReadableEnsemble,
    Reports,
    KeepsState,
    ClassifierMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """AdaBoost over exact greedy trees.

    Parameters
    ----------
    n_estimators : int, default=100
        Rounds.
    learning_rate : float, default=0.1
        Factor on every tree's weight.
    max_depth : int or None, default=3
        Depth of the trees.
    max_leaf_nodes : int or None, default=None
        Leaves of a tree; refused for AAA18's stump error, whose trees are grown level by level.
    min_samples_leaf : int, default=1
        Examples each branch must have, as in TreeClassifier.
    min_weight_fraction_leaf : float, default=0.0
        Share of the round's weight that each branch must have.
    variant : {"real", "discrete", "gentle"}, default="real"
        Confidence-rated leaves, votes, or weighted least squares.
    criterion : {"km", "gini", "entropy", "error"} or None, default=None
        None: "km" for real (each split minimises AdaBoost's Z exactly), "error" for discrete,
        "gini" for gentle.
    multiclass : {"ovr", "samme"} or None, default=None
        For more than two classes. None: "samme" for discrete, "ovr" otherwise.
    search : {"auto", "exhaustive", "adaptive", "quick"} or an object of hardwood.search
        How the best splits are found, "auto" by default; all ways give the same trees. "adaptive"
        and "quick" are the published searches, for counting and study.
    feature_fraction : float, default=1.0
        LazyBoost: each round sees a random share of the columns.
    weight_fraction : float, default=1.0
        Weight trimming: each tree sees the heaviest rows holding this share of the weight.
    early_stopping : bool, default=False
        End when the error on held-out rows has not improved for `n_iter_no_change` rounds, and keep
        the rounds up to the best. With X_val and y_val given to fit, those rows are used.
    validation_fraction : float, default=0.1
        Share of the rows held out.
    n_iter_no_change : int, default=10
        Rounds to wait.
    warm_start : bool, default=False
        Go on from the last fit; 50 rounds and then 100 are 100 at once.
    categorical_features, class_weight, n_jobs : as in TreeClassifier.
    random_state : int or None, default=None
        For the columns of LazyBoost and the held-out rows; nothing else is drawn.
    verbose : int, default=0
        1 shows a progress line.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn.
    trees_ : list of Tree, or of a list of Trees per round for one-versus-rest.
    tree_weights_ : array, one weight per tree ([rounds, classes] for one-versus-rest).
    n_estimators_ : int
    history_ : dict of arrays, one entry per round.
    assessments_ : int
    target_name_ : str
        y's name, if it has one.
    """

    _FITTED = ("_run", "trees_", "tree_weights_", "n_estimators_", "assessments_")

    classes_: NDArray[Any]
    n_features_in_: int
    trees_: list[Any]
    tree_weights_: Floats
    history_: dict[str, NDArray[Any]]
    n_estimators_: int
    assessments_: int
    _schemas: tuple[ColumnSchema, ...]
    _run: BoostingRun

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        learning_rate: float = 0.1,
        max_depth: int | None = 3,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: int = 1,
        min_weight_fraction_leaf: float = 0.0,
        variant: str = "real",
        criterion: str | None = None,
        multiclass: str | None = None,
        search: Any = "auto",
        feature_fraction: float = 1.0,
        weight_fraction: float = 1.0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        warm_start: bool = False,
        categorical_features: Any = "from_dtype",
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.variant = variant
        self.criterion = criterion
        self.multiclass = multiclass
        self.search = search
        self.feature_fraction = feature_fraction
        self.weight_fraction = weight_fraction
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags

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
        plan = checked_plan(self)
        threads, named = thread_count(self.n_jobs), y
        if (X_val is None) != (y_val is None):
            raise ValueError(
                "X_val and y_val go together: give both, or neither to hold out rows of X."
            )
        back_end = back_end_of(X)
        if back_end is not None:
            refuse_held_out_rows(plan, X_val)
            given = Given(
                X,
                y,
                sample_weight,
                self.categorical_features,
                self.class_weight,
                threads,
                client,
                directory,
                Progress(plan.verbose),
            )
            return self._fit_elsewhere(back_end, given, plan, (X_val, y_val), checkpoint)
        refuse_options(client=client, directory=directory, checkpoint=checkpoint)
        if plan.early_stopping and X_val is None:
            X, y, sample_weight, X_val, y_val = held_out_rows(X, y, sample_weight, plan)
        table = read_training_table(X, self.categorical_features)
        labels = read_labels(y, table.n_rows)
        weights = given_weights(sample_weight, self.class_weight, labels)
        encoded, schemas = encode_table(table, threads)
        names_given = table.names is not None
        run = BoostingRun.start(plan, encoded, labels, weights)
        if self.warm_start and hasattr(self, "_run"):
            self._check_same_shape(plan, labels.classes, schemas)
            training = read_prediction_table(X, schemas, names_given)
            run.take_over(self._run, training, threads)
        watch = None
        if plan.early_stopping:
            watch = _Validation(X_val, y_val, schemas, names_given, labels.classes)
        run.train(plan, threads, watch)
        self._keep(run, labels.classes, schemas, table)
        keep_target_name(self, named)
        self._warn_of_trimming(plan)
        return self

    def _fit_elsewhere(
        self,
        back_end: BackEnd,
        given: Given,
        plan: Plan,
        held_out: tuple[Any, Any],
        checkpoint: Any,
    ) -> BoostedTreesClassifier:
        kept = None if checkpoint is None else Checkpoint(checkpoint)
        try:
            training = back_end.training(given)
        finally:
            given.progress.end()
        try:
            run = BoostingRun.over_parts(plan, training)
            if self.warm_start and hasattr(self, "_run"):
                self._check_same_shape(plan, training.classes, training.schemas)
                run.take_over_parts(self._run.boosters)
            if kept is not None:
                kept.claim(fingerprint(self, training))
                if run.rounds_done == 0:
                    classes = run.boosters[0].classes
                    earlier = kept.load(len(run.boosters), classes, plan.n_estimators)
                    if not run.take_over_parts(earlier):
                        raise kept.of_another_fit()
            watch = None
            if plan.early_stopping:
                names_given = training.names is not None
                watch = _Validation(*held_out, training.schemas, names_given, training.classes)
            run.train(plan, given.threads, watch, kept.save if kept else None)
        finally:
            training.close()
        self._keep(run, training.classes, training.schemas, training)
        self.traffic_ = training.traffic
        keep_target_name(self, given.y)
        self._warn_of_trimming(plan)
        return self

    def _warn_of_trimming(self, plan: Plan) -> None:
        run = self._run
        if plan.weight_fraction < 1 and all(tree.n_nodes == 1 for tree in run.all_trees()):
            warnings.warn(
                f"weight_fraction={plan.weight_fraction:g} leaves so few rows that no tree could "
                "be split; the model says one class. Use a larger weight_fraction.",
                stacklevel=3,
            )

    def _check_same_shape(
        self, plan: Plan, classes: NDArray[Any], schemas: tuple[ColumnSchema, ...]
    ) -> None:
        if not np.array_equal(classes, self.classes_) or schemas != self._schemas:
            raise ValueError(
                "warm_start needs the classes and columns of the last fit; X or y has others. Fit "
                "with warm_start=False, or give the same data."
            )
        if plan.n_estimators < self._run.rounds_done:
            raise ValueError(
                f"warm_start cannot go back: n_estimators is {plan.n_estimators}, but "
                f"{self._run.rounds_done} rounds are trained already; give at least as many."
            )

    def _keep(
        self,
        run: BoostingRun,
        classes: NDArray[Any],
        schemas: tuple[ColumnSchema, ...],
        table: Table | PartsTraining,
    ) -> None:
        check_boosted(run, schemas)
        self._schemas, self.classes_ = schemas, classes
        self._take(run)
        self.n_features_in_ = table.n_columns
        if table.names is not None:
            self.feature_names_in_ = np.asarray(table.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _take(self, run: BoostingRun) -> None:
        self._run = run
        self.trees_, self.tree_weights_ = run.trees(), run.tree_weights()
        self.history_ = round_history(run)
        self.n_estimators_ = len(self.trees_)
        self.assessments_ = int(self.history_["assessments"].sum())

    def _fitted(self) -> Fitted:
        return boosted_state(self)

    def _restore(self, fitted: Fitted) -> None:
        restore_boosted(self, fitted)

    def _table(self, X: Any) -> Table:
        check_is_fitted(self)
        names_were_given = hasattr(self, "feature_names_in_")
        return read_prediction_table(
            X, self._schemas, names_were_given, model_name=type(self).__name__
        )

    @property
    def _ensemble(self) -> Ensemble:
        return self._run.ensemble()

    @lazily
    def decision_function(self, X: Any) -> Floats:
        """F(x), positive for the second class; [rows, classes] for more than two classes."""
        scores = self._ensemble_scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def _ensemble_scores(self, X: Any) -> Floats:
        table = self._table(X)
        return self._ensemble.scores(table, thread_count(self.n_jobs))

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """F(x) after each round."""
        table = self._table(X)
        for scores in self._ensemble.staged_scores(table, thread_count(self.n_jobs)):
            yield scores[:, 0] if scores.shape[1] == 1 else scores

    @lazily
    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the largest score, the first on a tie."""
        return self._labels(self._ensemble_scores(X))

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """The labels after each round."""
        table = self._table(X)
        for scores in self._ensemble.staged_scores(table, thread_count(self.n_jobs)):
            yield self._labels(scores)

    def _labels(self, scores: Floats) -> NDArray[Any]:
        if len(self.classes_) == 1:
            return np.repeat(self.classes_, len(scores))
        if scores.shape[1] == 1:
            return np.asarray(self.classes_[(scores[:, 0] > 0).astype(np.intp)])
        return np.asarray(self.classes_[scores.argmax(axis=1)])

    @lazily
    def predict_proba(self, X: Any) -> Floats:
        """Logistic of 2F; for one-versus-rest each class's, for SAMME a softmax of the votes over
        (classes - 1), normalised to sum to 1."""
        return self._probabilities(self._ensemble_scores(X))

    def _probabilities(self, scores: Floats) -> Floats:
        if len(self.classes_) == 1:
            return np.ones((len(scores), 1))
        if scores.shape[1] == 1:
            second = _logistic(2 * scores[:, 0])
            return np.column_stack([1 - second, second])
        if self._run.plan.multiclass == "samme":
            spread = scores / (len(self.classes_) - 1)
            powers = np.exp(spread - spread.max(axis=1, keepdims=True))
        else:
            powers = _logistic(2 * scores)
            powers[powers.sum(axis=1) == 0] = 1.0
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    @lazily
    def predict_log_proba(self, X: Any) -> Floats:
        """The logarithm of `predict_proba`; minus infinity where it is 0."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

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
        check_is_fitted(self)
        names_were_given = hasattr(self, "feature_names_in_")
        table = read_row(x, self._schemas, names_were_given, type(self).__name__)
        scores = self._ensemble.scores(table, 1)
        verdict = Verdict(
            self._labels(scores)[0],
            self.classes_.tolist(),
            scores[0],
            self._probabilities(scores)[0],
        )
        return explain_scores(list(scored_trees(self._ensemble)), table, verdict)

    def diagnose(self) -> Diagnosis:
        """What the rounds show, in plain words: where the weak hypothesis assumption fails, whether
        more rounds can help, what the bound promises. Print it."""
        check_is_fitted(self)
        return diagnose_rounds(round_sequence(self))

    @property
    def feature_importances_(self) -> Floats:
        """Each column's share of the drop, averaged over the trees by their weight."""
        check_is_fitted(self)
        total = np.zeros(self.n_features_in_)
        for each in self._ensemble.rounds:
            for tree, weight, _ in each:
                total += abs(weight) * feature_importances(tree, self.n_features_in_)
        return total / total.sum() if total.sum() > 0 else total

    def digest(self) -> str:
        """SHA-256 of the model; the same for any n_jobs, search, row order and form of table."""
        check_is_fitted(self)
        trees: list[Tree] = self._run.all_trees()
        return digest(trees, self.classes_.tolist(), self._schemas, self.tree_weights_.ravel())


class _Validation:
    """Errors on held-out rows after each round."""

    def __init__(
        self,
        X: Any,
        y: Any,
        schemas: tuple[ColumnSchema, ...],
        names_given: bool,
        classes: NDArray[Any],
    ) -> None:
        self._table = read_prediction_table(X, schemas, names_given)
        labels = read_labels(y, self._table.n_rows)
        place = {label: i for i, label in enumerate(classes.tolist())}
        unknown = [label for label in labels.classes.tolist() if label not in place]
        if unknown:
            raise ValueError(
                f"y_val has the class {unknown[0]!r}, which y does not have; its classes are "
                f"{', '.join(map(repr, list(place)[:10]))}."
            )
        known = np.array([place[label] for label in labels.classes.tolist()])
        self._codes = known[labels.codes]
        self._scores: Floats | None = None

    def error(self, latest: Ensemble, threads: int) -> float:
        """Share of mistakes once the latest round's trees are added."""
        added = latest.scores(self._table, threads)
        self._scores = added if self._scores is None else self._scores + added
        if self._scores.shape[1] == 1:
            guess = (self._scores[:, 0] > 0).astype(np.intp)
        else:
            guess = self._scores.argmax(axis=1)
        return float(np.mean(guess != self._codes))


def _logistic(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -700, 700))))
