"""Small models of every form that a model file can hold, made the same way every time."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from hardwood import BoostedTreesClassifier, Draft, TreeClassifier
from hardwood.certify import certify, history
from hardwood.errors import ModelWarning
from hardwood.search import Quick
from tests.hand_built import SCHEMAS, grow, heaviest, interval, leaf, random_node
from tests.tables.frames import every_kind
from tests.tables.matrices import numbers


def as_model(
    root: Any, classes: list[Any], schemas: Any = SCHEMAS, **parameters: Any
) -> TreeClassifier:
    """A tree written by hand as if it had been fitted."""
    growth = grow(root, schemas, "gini", heaviest)
    record = history(growth)
    model = TreeClassifier(pruning=None, criterion="gini", **parameters)
    model.tree_ = model.grown_tree_ = growth.tree
    model.history_, model.certificate_ = record, certify(growth, record, "gini")
    model.classes_, model._schemas = np.array(classes), tuple(schemas)
    model.n_features_in_ = len(schemas)
    model.feature_names_in_ = np.array([schema.name for schema in schemas], dtype=object)
    return model


def multiway() -> TreeClassifier:
    return as_model(random_node(np.random.default_rng(7), 14, 3), ["a", "b", "c"])


def pruned() -> TreeClassifier:
    """The tree is the root's split alone; the tree as grown goes on."""
    right = interval(4, [0.5, 1.5], leaf(1, 9), leaf(4, 4), leaf(9, 1))
    model = as_model(interval(0, [42.5], leaf(20, 1), right), [False, True])
    model.tree_ = as_model(interval(0, [42.5], leaf(20, 1), leaf(14, 14)), [0, 1]).tree_
    model.certificate_ = model.certificate_.after_pruning(2, 0.3)
    return model


def fractional() -> TreeClassifier:
    model = multiway()
    tree = model.tree_
    share = np.ones(tree.n_nodes)
    share[1:] = tree.weight[1:] / tree.weight[tree.parent[1:]]
    model.tree_ = model.grown_tree_ = replace(tree, share=share)
    return model


def binary() -> TreeClassifier:
    X, y = numbers(2)
    return TreeClassifier(
        pruning=None, min_samples_leaf=1, max_leaf_nodes=9, class_weight={0: 1.0, 1: 2.5}
    ).fit(X, y)


def categories() -> TreeClassifier:
    X, y = every_kind()
    return TreeClassifier(
        pruning=None, min_samples_leaf=1, max_leaf_nodes=12, leaf_choice="weight"
    ).fit(X[["city", "size"]], y)


def integers() -> TreeClassifier:
    X, y = every_kind()
    return TreeClassifier(
        pruning=None, min_samples_leaf=1, max_leaf_nodes=10, criterion="entropy"
    ).fit(X.drop(columns="city"), y)


def one_leaf() -> TreeClassifier:
    return TreeClassifier(pruning=None, min_samples_leaf=1).fit(
        np.zeros((3, 2)), np.array([5, 5, 5], dtype=np.int8)
    )


def boosted(classes: int = 2, **parameters: Any) -> BoostedTreesClassifier:
    X, y = numbers(classes)
    return BoostedTreesClassifier(n_estimators=6, max_depth=2, **parameters).fit(X, y)


def boosted_frame() -> BoostedTreesClassifier:
    X, y = every_kind()
    search = Quick(start=0.25, batches=4)
    return BoostedTreesClassifier(n_estimators=4, search=search).fit(X, y)


def early() -> BoostedTreesClassifier:
    X, y = numbers(2)
    X_val, y_val = numbers(2, seed=5)
    model = BoostedTreesClassifier(
        n_estimators=40, early_stopping=True, n_iter_no_change=3, cut_fraction=1.0
    )
    return model.fit(X, y, X_val=X_val, y_val=y_val)


def ended() -> BoostedTreesClassifier:
    """One class is told apart at once; its booster ends while the others go on."""
    X, y = numbers(3)
    X[:, 3] = y == 2
    model = BoostedTreesClassifier(variant="discrete", multiclass="ovr", n_estimators=5)
    return model.fit(X, y)


def logistic() -> BoostedTreesClassifier:
    """Leaf priors, probabilities of log odds, rounds that early stopping chose over folds."""
    X, y = every_kind()
    return BoostedTreesClassifier(
        n_estimators=12,
        max_depth=3,
        learning_rate=0.6,
        leaf_prior=1.5,
        early_stopping=True,
        n_iter_no_change=2,
    ).fit(X, y)


def prior() -> TreeClassifier:
    X, y = every_kind()
    return TreeClassifier(leaf_prior=4.0, max_leaf_nodes=9).fit(X, y)


def weighted() -> TreeClassifier:
    """Row counts by class stand beside the weights; the tree is pruned."""
    X, y = every_kind()
    weights = 0.25 + np.arange(len(y)) % 7
    return TreeClassifier(class_weight="balanced").fit(X, y, sample_weight=weights)


def in_order() -> TreeClassifier:
    """Leaves answer together where their order asks for it."""
    X, y = numbers(2)
    return TreeClassifier(
        pruning=None, min_samples_leaf=1, max_leaf_nodes=12, monotonic_cst={0: 1, 1: -1},
        interaction_cst=[[0, 1, 2], {2: [0]}],
    ).fit(X, y)  # fmt: skip


def drafted() -> TreeClassifier:
    """Lines of every kind, one of which the rows do not offer, and mistakes that cost."""
    X, y = every_kind()
    draft = Draft().prefer("", "size", reason="asked for").forbid("L", "city")
    draft = draft.prefer("L", "income").leaf("LL").split("R", "income", 1e300).note("R", "too far")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        costs = {("yes", "no"): 3.0, ("no", "yes"): 1.0}
        return TreeClassifier(costs=costs, max_leaf_nodes=9).fit(X, y, draft=draft)


MODELS: dict[str, Callable[[], Any]] = {
    "binary": binary,
    "multiway": multiway,
    "categories": categories,
    "integers": integers,
    "pruned": pruned,
    "fractional": fractional,
    "one_leaf": one_leaf,
    "real": boosted,
    "samme": lambda: boosted(4, variant="discrete"),
    "ovr": lambda: boosted(3),
    "gentle": lambda: boosted(2, variant="gentle"),
    "boosted_frame": boosted_frame,
    "early": early,
    "logistic": logistic,
    "prior": prior,
    "weighted": weighted,
    "ended": ended,
    "in_order": in_order,
    "drafted": drafted,
    "pairs": lambda: boosted(3, variant="discrete", multiclass="pairs"),
    "boosted_in_order": lambda: boosted(
        3, monotonic_cst={0: {0: 1}}, costs=[[0, 2.5, 1], [1, 0, 1], [3, 1, 0]]
    ),
}

GOLDEN = ("binary", "multiway", "categories", "integers", "pruned", "real", "samme", "ovr",
          "boosted_frame", "early", "logistic", "prior", "weighted")  # fmt: skip
