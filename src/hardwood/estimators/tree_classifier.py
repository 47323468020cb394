"""`TreeClassifier`: one readable tree with its history and certificate."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from hardwood.certify import Diagnosis, certify, diagnose_tree, history
from hardwood.criteria import Criterion
from hardwood.draft import Draft
from hardwood.estimators.back_ends import lazily, training_for
from hardwood.estimators.classifier import FittedClassifier
from hardwood.estimators.constraints import constraints_for_tree
from hardwood.estimators.costs import cost_matrix
from hardwood.estimators.diagnosing import grown_sequence
from hardwood.estimators.drafting import Drafts, checked_draft, draft_remarks
from hardwood.estimators.parameters import keyword_parameters, thread_count
from hardwood.estimators.readable_tree import ReadableTree
from hardwood.estimators.remarks import column_remarks, tree_remarks, warn
from hardwood.estimators.result_checks import check_grown
from hardwood.estimators.state import Fitted, restore_tree, tree_state
from hardwood.estimators.steadiness import SteadyTree
from hardwood.estimators.tree_plan import checked_tree_plan
from hardwood.explain import PathExplanation, expected, explain_path, scored_tree, shap_values
from hardwood.growing import Growth
from hardwood.progress import Progress
from hardwood.pruning import pruning_path
from hardwood.table import ColumnSchema, Table
from hardwood.training import Training, TreePlan, grow_and_prune, grow_tree
from hardwood.tree import Tree, decision_path, digest, training_error
from hardwood.tree.costs import decides
from hardwood.tree.route import labels_of, leaves_of, shares_of


@keyword_parameters
class TreeClassifier(Drafts, ReadableTree, SteadyTree, FittedClassifier):
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
    min_samples_leaf : int, default=3
        Examples each branch must have. A row of whole weight w is w examples, a row of any other
        positive weight one, a row of weight 0 none.
    min_weight_fraction_leaf : float, default=0.0
        Share of all weight that each branch must have.
    min_drop : float, default=0.0
        Least drop of the potential, w(l)(G(l) - G after the split), for which a leaf is split.
    leaf_prior : float, default=8.0
        Pseudo-examples behind `predict_proba`: a leaf counts so many more, in the class shares of
        the nodes above it. They never make another class more probable than the leaf's heaviest,
        and the tree's splits do not depend on them. Examples are counted as for `min_samples_leaf`,
        and one weighs all weight over their number. 0: the raw shares of the leaf.
    leaf_choice : {"drop", "weight"}, default="drop"
        Which leaf is split next: that with the largest drop, or that with the largest w(l)G(l).
    branching : {"binary", "multiway"}, default="binary"
        Splits have two branches, or any number (TOPDOWN-M, Hatano 2004): the leaf with the largest
        w(l)G(l) takes the acceptable split with the largest gain over price. Needs
        `max_leaf_nodes`.
    price : {"log2", "gamma"}, default="log2"
        What a split of k branches costs: ceil(log2 k), acceptable while k times the present leaves
        stay within the budget (Hatano), or g_gamma(k) with its stricter limit (Mansour &
        McAllester 2002).
    gamma : float or None, default=None
        The advantage for price="gamma", between 0 and 1.
    max_branches : int or None, default=None
        Most branches of a split; None: only the budget limits them.
    pruning : {"error-based", "cost-complexity", "reduced-error"} or None, default="error-based"
        What is cut off after growth. "error-based" is C4.5's, with subtree raising; it takes
        weights as counts of examples. "cost-complexity" is CART's. "reduced-error" keeps what pays
        on rows that growth does not see. None: the tree stays as it was grown.
    confidence : float in (0, 0.5], default=0.25
        For error-based pruning: how likely a leaf's true error is to exceed its estimate; smaller
        values prune more.
    ccp_alpha : float or "cv", default=0.0
        For cost-complexity pruning: what a leaf costs, on scikit-learn's scale for gini and entropy
        and in halves of the potential for km and error. "cv": chosen by 5-fold cross-validation.
    validation_fraction : float in (0, 0.9], default=0.25
        For reduced-error pruning: the share of the rows that is held out of growth.
    missing : {"branch", "fractional"}, default="branch"
        "branch": missing values take the branch where they cost least, or a branch of their own.
        "fractional" (C4.5): an example whose value is missing goes down every branch, with the
        branch's share of the examples that have a value, and `predict_proba` combines the leaves
        that it reaches; `apply` and `rules` follow the heaviest branch. Limits such as
        `min_samples_leaf` then count the examples that have a value, pieces as fractions, and
        `history_` and `certificate_` (its training error too) are about the pieces as they lie in
        the leaves.
    min_category_size : int, default=10
        A category with fewer examples at a node is rare there, unless it holds a twentieth of the
        node; rare categories are divided as one. 1: no category is rare.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categories, as in scikit-learn's HistGradientBoostingClassifier.
    class_weight : dict, "balanced" or None, default=None
        Factors on the weights of the classes.
    costs : None, matrix or dict, default=None
        What mistakes cost: a matrix, rows the true and columns the predicted classes in the order
        of `classes_`, or a dict of (true, predicted); on the command line true:predicted=cost,...
        `predict` then says the class of least expected cost, and `score` is minus the mean cost of
        a row; pruning of a tree goes by cost too. `predict_proba` stays as it is.
    random_state : int or None, default=None
        For held-out rows and folds, drawn from it and the rows' positions; nothing else is drawn.
    monotonic_cst : array-like or dict of signs, or None, default=None
        A sign per column, or a dict of columns (names or places) and signs: 1, the probability of
        `classes_[1]` never falls as the value rises, all else equal; -1, it never rises; 0,
        anything. For a class by name, and for more than two classes, a dict of classes and signs
        in place of a sign: {"income": {"default": -1}}. Numbers and ordered categories; the promise
        is about rows that have a value. Subtrees are not raised then in pruning; refused with
        multi-way splits and fractional examples.
    interaction_cst : "pairwise", "no_interactions", sets of columns or None, default=None
        Which columns may stand together on a path from the root, as in scikit-learn's
        HistGradientBoostingClassifier: "no_interactions", one; "pairwise", two; sets of columns
        (names or places), those of one set. Columns that are in no set form one more. A dict, alone
        or among the sets, names columns that may only be used below others: {"rate": ["product"]}.
        Subtrees are not raised then in pruning.
    n_jobs : int or None, default=None
        Number of threads; the model is the same for any.
    verbose : int, default=0
        Not 0: a progress bar on stderr while data that is not in memory is read and grown on.

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
        What the tree as grown proves about its own training error.
    draft_ : Draft
        The draft that was given to fit, if any.
    unmet_ : tuple of int
        The numbers of the draft's lines, from 0, that did not fit the rows and were passed over.
    ccp_alpha_ : float
        The alpha that cross-validation chose; only with ccp_alpha="cv" and that pruning.
    costs_ : array of shape [classes, classes] or None
        `costs` in the order of the classes.
    target_name_ : str
        y's name, if it has one.
    """

    _FITTED = (
        "tree_", "grown_tree_", "certificate_", "ccp_alpha_", "costs_", "draft_", "unmet_", "_rows",
    )  # fmt: skip

    criterion: Criterion = "km"
    max_leaf_nodes: int | None = None
    max_depth: int | None = None
    min_samples_leaf: int = 3
    min_weight_fraction_leaf: float = 0.0
    min_drop: float = 0.0
    leaf_prior: float = 8.0
    leaf_choice: str = "drop"
    branching: str = "binary"
    price: str = "log2"
    gamma: float | None = None
    max_branches: int | None = None
    pruning: str | None = "error-based"
    confidence: float = 0.25
    ccp_alpha: Any = 0.0
    validation_fraction: float = 0.25
    missing: str = "branch"
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
        *,
        draft: Draft | None = None,
        client: Any = None,
        directory: Any = None,
    ) -> TreeClassifier:
        """Grow and prune a tree on the rows of X; a failed fit leaves the estimator as it was.

        draft: decisions about the tree, which are carried out first and not pruned; lines that do
        not fit these rows are passed over, with a warning. client: for Dask collections, instead of
        the current client. directory: for data sets, where their codes are kept
        (docs/scaling.md)."""
        plan = replace(checked_tree_plan(self), draft=checked_draft(draft))
        request = self._request(X, y, sample_weight, client=client, directory=directory)
        with training_for(request) as training:
            growth, tree = self._fit_on(training, plan, y, request.progress)
            about_columns = list(column_remarks(training, [growth.tree]))
        self._remember_rows(X, y, sample_weight)
        grown, labels = growth.tree, self.classes_.tolist()
        about_tree = chain(
            draft_remarks(draft, growth.followed),
            tree_remarks(grown, tree, labels, self.max_leaf_nodes),
        )
        warn(chain(about_tree, about_columns))
        return self

    def _fit_on(
        self, training: Training, plan: TreePlan, y: Any, progress: Progress
    ) -> tuple[Growth, Tree]:
        """Grow and prune on rows that are read and coded."""
        costs = cost_matrix(self.costs, training.classes.tolist())
        constraints = constraints_for_tree(self, training, plan.leaf_prior)
        plan = replace(plan, costs=decides(costs), constraints=constraints)
        growth, tree, alpha = grow_and_prune(training, plan, progress)
        self._keep_fit(growth, tree, plan, training.schemas)
        self._keep("ccp_alpha_", alpha)
        self.costs_ = costs
        self._keep_data(training, y)
        return growth, tree

    def _keep_fit(
        self, growth: Growth, tree: Tree, plan: TreePlan, schemas: tuple[ColumnSchema, ...]
    ) -> None:
        """The trees and the draft that they were grown from, if any."""
        self._keep_trees(growth, tree, plan, schemas)
        self._keep("draft_", plan.draft)
        followed = growth.followed
        numbers = None if followed is None else tuple(number for number, _ in followed.unmet)
        self._keep("unmet_", numbers)

    def _keep_trees(
        self, growth: Growth, tree: Tree, plan: TreePlan, schemas: tuple[ColumnSchema, ...]
    ) -> None:
        """The trees with their record and certificate, which are checked first."""
        record = history(growth)
        gamma = None if plan.prices is None else plan.prices.gamma
        certificate = certify(growth, record, plan.criterion, gamma)
        if plan.pruning.method is not None:
            certificate = certificate.after_pruning(tree.n_leaves, training_error(tree))
        trees = (tree,) if tree is growth.tree else (tree, growth.tree)
        check_grown(trees, record, certificate, schemas)
        self.tree_, self.grown_tree_ = tree, growth.tree
        self.history_, self.certificate_ = record, certificate

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """The alphas at which cost-complexity pruning cuts, and the impurity of the leaves after
        each cut, as in scikit-learn (see `ccp_alpha` for the scale); nothing is fitted."""
        plan = checked_tree_plan(self)
        request = self._request(X, y, sample_weight)
        with training_for(request) as training:
            plan = replace(plan, constraints=constraints_for_tree(self, training, plan.leaf_prior))
            growth = grow_tree(training, plan, request.progress)
        path = pruning_path(growth.tree, plan.criterion)
        return Bunch(ccp_alphas=path.alphas, impurities=path.impurities)

    def _fitted(self) -> Fitted:
        return tree_state(self)

    def _restore(self, fitted: Fitted) -> None:
        restore_tree(self, fitted)

    def _leaves(self, X: Any) -> NDArray[np.int32]:
        return leaves_of(self.tree_, self._table(X), thread_count(self.n_jobs))

    def _said(self, table: Table) -> int:
        return int(labels_of(self.tree_, table, 1)[0])

    @lazily
    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row, the first on a tie: a heaviest class of its leaf, or
        of its leaves together, if it misses values and these go down every branch. With `costs`,
        the class of least expected cost."""
        table, threads = self._table(X), thread_count(self.n_jobs)
        return np.asarray(self.classes_[labels_of(self.tree_, table, threads)])

    @lazily
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The class probabilities of each row's leaf (see `leaf_prior`), or of its leaves together,
        each by its part."""
        table = self._table(X)
        return shares_of(self.tree_, table, thread_count(self.n_jobs))[1]

    @lazily
    def apply(self, X: Any) -> NDArray[np.int64]:
        """The number of the leaf that each row reaches."""
        return self._leaves(X).astype(np.int64)

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """Which nodes each row passes: a 0/1 matrix of rows by nodes."""
        leaves = self._leaves(X)
        return decision_path(self.tree_, leaves)

    def digest(self) -> str:
        """SHA-256 of the model; the same for any n_jobs, row order and form of the table."""
        check_is_fitted(self)
        return digest([self.tree_], self.classes_.tolist(), self._schemas, costs=self.tree_.costs)

    def shap_values(self, X: Any) -> NDArray[np.float64]:
        """[rows, columns, classes] exact Shapley values of `predict_proba`: how much knowing each
        column's value moves it from `shap_expected_value()`. A column that is not known is averaged
        over the branches by training weight (path-dependent TreeSHAP)."""
        table = self._table(X)
        trees = [scored_tree(self.tree_)]
        return shap_values(trees, table, self.tree_.n_classes, thread_count(self.n_jobs))

    def shap_expected_value(self) -> NDArray[np.float64]:
        """[classes] what `shap_values` start from: the mean of `predict_proba`, by training weight
        over the leaves."""
        check_is_fitted(self)
        return expected([scored_tree(self.tree_)], self.tree_.n_classes)

    def explain(self, x: Any) -> PathExplanation:
        """Why the tree predicts what it does for one row: the conditions it met on its way.

        x is a table of one row, a dict of column names and values, or a sequence of values."""
        table = self._row(x)
        return explain_path(self.tree_, self._schemas, self.classes_.tolist(), table)

    def diagnose(self) -> Diagnosis:
        """What the growth shows, in plain words: where the weak hypothesis assumption fails,
        whether more splits can help, what the bound promises. Print it."""
        check_is_fitted(self)
        return diagnose_tree(grown_sequence(self))
