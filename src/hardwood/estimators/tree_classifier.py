"""`TreeClassifier`: one readable tree with its history and certificate."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from hardwood.certify import Certificate, certify, history
from hardwood.criteria import Criterion
from hardwood.encoding import encode_table, read_labels, read_weights
from hardwood.estimators.parameters import number_between, one_of, thread_count, whole_number
from hardwood.estimators.state import (
    Fitted,
    KeepsState,
    keep_target_name,
    restore_tree,
    tree_state,
)
from hardwood.growing import StopRules, grow
from hardwood.growing.topdown import CRITERIA, LEAF_CHOICES
from hardwood.plots import plot_tree
from hardwood.table import ColumnSchema, Table, read_prediction_table, read_training_table
from hardwood.tree import (
    Rule,
    Tree,
    decision_path,
    digest,
    feature_importances,
    rules,
    to_dict,
    to_text,
)
from hardwood.tree.route import leaves_of


class TreeClassifier(KeepsState, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree grown top-down, exactly (Kearns & Mansour 1996, Fig. 1).

    Parameters
    ----------
    criterion : {"km", "gini", "entropy", "error"}, default="km"
        The permissible criterion whose potential each split lowers most. "km" is 2 sqrt(q(1-q)); it
        picks the split of a node that Hellinger distance picks, which suits rare classes.
    max_leaf_nodes : int or None, default=None
        The size budget: growth stops at so many leaves.
    max_depth : int or None, default=None
        Nodes at this depth are not split.
    min_samples_leaf : int, default=1
        Examples each branch must have. A row of whole weight w is w examples, a row of any other
        positive weight one, a row of weight 0 none.
    min_weight_fraction_leaf : float, default=0.0
        Share of all weight that each branch must have.
    min_gain : float, default=0.0
        Least drop of the potential, w(l)(G(l) - G after the split), for which a leaf is split.
    leaf_choice : {"drop", "weight"}, default="drop"
        Which leaf is split next: that with the largest drop, or that with the largest w(l)G(l).
    branching : {"binary"}, default="binary"
        Splits have two branches.
    pruning : None, default=None
        The tree stays as it was grown.
    missing : {"branch"}, default="branch"
        Missing values take the branch where they cost least, or a branch of their own.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categories, as in scikit-learn's HistGradientBoostingClassifier.
    class_weight : dict, "balanced" or None, default=None
        Factors on the weights of the classes.
    random_state : int or None, default=None
        For held-out splits; nothing else is drawn at random.
    n_jobs : int or None, default=None
        Number of threads; the model is the same for any.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn.
    tree_ : Tree
        The tree as arrays, nodes in order of creation.
    grown_tree_ : Tree
        The tree before pruning; the same object without pruning.
    history_ : dict of arrays
        One entry per split in growth order.
    certificate_ : Certificate
        What the tree proves about its own training error.
    target_name_ : str
        y's name, if it has one.
    """

    _FITTED = ("tree_", "grown_tree_", "certificate_")

    tree_: Tree
    grown_tree_: Tree
    history_: dict[str, NDArray[Any]]
    certificate_: Certificate
    classes_: NDArray[Any]
    n_features_in_: int
    _schemas: tuple[ColumnSchema, ...]

    def __init__(
        self,
        *,
        criterion: Criterion = "km",
        max_leaf_nodes: int | None = None,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_gain: float = 0.0,
        leaf_choice: str = "drop",
        branching: str = "binary",
        pruning: str | None = None,
        missing: str = "branch",
        categorical_features: Any = "from_dtype",
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_gain = min_gain
        self.leaf_choice = leaf_choice
        self.branching = branching
        self.pruning = pruning
        self.missing = missing
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> TreeClassifier:
        """Grow a tree on the rows of X; a failed fit leaves the estimator as it was."""
        stop_rules = self._checked_rules()
        threads = thread_count(self.n_jobs)
        table = read_training_table(X, self.categorical_features)
        labels = read_labels(y, table.n_rows)
        weights = read_weights(sample_weight, self.class_weight, labels)
        encoded, schemas = encode_table(table, threads)
        growth = grow(
            encoded,
            labels,
            weights,
            criterion=self.criterion,
            leaf_choice=self.leaf_choice,
            rules=stop_rules,
            threads=threads,
        )
        record = history(growth)
        certificate = certify(growth, record, self.criterion)
        self.tree_ = self.grown_tree_ = growth.tree
        self.history_, self.certificate_ = record, certificate
        self.classes_, self._schemas = labels.classes, schemas
        self._set_columns(table)
        keep_target_name(self, y)
        return self

    def _checked_rules(self) -> StopRules:
        one_of("criterion", self.criterion, CRITERIA)
        one_of("leaf_choice", self.leaf_choice, LEAF_CHOICES)
        one_of("branching", self.branching, ("binary",))
        one_of("pruning", self.pruning, (None,))
        one_of("missing", self.missing, ("branch",))
        return StopRules(
            whole_number("max_leaf_nodes", self.max_leaf_nodes, 1, none_allowed=True),
            whole_number("max_depth", self.max_depth, 1, none_allowed=True),
            whole_number("min_samples_leaf", self.min_samples_leaf, 1) or 1,
            number_between("min_weight_fraction_leaf", self.min_weight_fraction_leaf, 0.0, 0.5),
            number_between("min_gain", self.min_gain, 0.0, np.inf),
        )

    def _set_columns(self, table: Table) -> None:
        self.n_features_in_ = table.n_columns
        if table.names is not None:
            self.feature_names_in_ = np.asarray(table.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _fitted(self) -> Fitted:
        return tree_state(self)

    def _restore(self, fitted: Fitted) -> None:
        restore_tree(self, fitted)

    def _leaves(self, X: Any) -> NDArray[np.int32]:
        check_is_fitted(self)
        names_were_given = hasattr(self, "feature_names_in_")
        table = read_prediction_table(
            X, self._schemas, names_were_given, model_name=type(self).__name__
        )
        return leaves_of(self.tree_, table, thread_count(self.n_jobs))

    def predict(self, X: Any) -> NDArray[Any]:
        """The heaviest class of each row's leaf, the first on a tie."""
        leaves = self._leaves(X)
        return np.asarray(self.classes_[self.tree_.label][leaves])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The class shares of each row's leaf."""
        leaves = self._leaves(X)
        return self.tree_.shares[leaves]

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithm of `predict_proba`; minus infinity where it is 0."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """The number of the leaf that each row reaches."""
        return self._leaves(X).astype(np.int64)

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """Which nodes each row passes: a 0/1 matrix of rows by nodes."""
        leaves = self._leaves(X)
        return decision_path(self.tree_, leaves)

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def get_depth(self) -> int:
        """Number of splits on the longest path."""
        check_is_fitted(self)
        return self.tree_.max_depth

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's share of the total drop."""
        check_is_fitted(self)
        return feature_importances(self.tree_, self.n_features_in_)

    def digest(self) -> str:
        """SHA-256 of the model; the same for any n_jobs, row order and form of the table."""
        check_is_fitted(self)
        return digest([self.tree_], self.classes_.tolist(), self._schemas)

    def to_text(self, max_depth: int | None = None) -> str:
        """The tree in indented lines."""
        check_is_fitted(self)
        return to_text(self.tree_, self._schemas, self.classes_.tolist(), max_depth=max_depth)

    def to_dict(self) -> dict[str, Any]:
        """The tree as plain data, ready for JSON."""
        check_is_fitted(self)
        return to_dict(self.tree_, self._schemas, self.classes_.tolist())

    def rules(self) -> list[Rule]:
        """One rule per leaf."""
        check_is_fitted(self)
        return rules(self.tree_, self._schemas, self.classes_.tolist())

    def plot(self, ax: Any = None) -> Any:
        """Draw the tree with matplotlib on `ax`, or on a new figure; returns the axes."""
        check_is_fitted(self)
        return plot_tree(self.tree_, self._schemas, self.classes_.tolist(), ax=ax)
