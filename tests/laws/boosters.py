"""The boosters that the laws of boosting run over, their plain counterparts, and how both are
compared. A booster is named by its variant, criterion and way with more than two classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import is_hypothesis_test, settings
from hypothesis import strategies as st

import hardwood
from tests.effort import trials
from tests.laws.reading import _assert_same_split, read
from tests.oracles import adaboost, topdown_problem
from tests.oracles.boosting_records import Boosting, Setting
from tests.tables.small import SmallTable, picks, tables

SEARCHES = ("exhaustive", "quick", "adaptive", "auto")

TWO_CLASSES: dict[str, dict[str, Any]] = {
    "logistic": {"variant": "logistic", "criterion": "km", "leaf_prior": 0.75},
    "logistic without prior": {"variant": "logistic", "criterion": "gini", "leaf_prior": 0.0},
    "real with prior": {"variant": "real", "criterion": "km", "leaf_prior": 2.0},
    "gentle with prior": {"variant": "gentle", "criterion": "gini", "leaf_prior": 0.5},
    "real": {"variant": "real", "criterion": "km"},
    "real gini": {"variant": "real", "criterion": "gini"},
    "real error": {"variant": "real", "criterion": "error"},
    "gentle": {"variant": "gentle", "criterion": "gini"},
    "gentle entropy": {"variant": "gentle", "criterion": "entropy"},
    "discrete": {"variant": "discrete", "criterion": "error"},
    "discrete km": {"variant": "discrete", "criterion": "km"},
    "discrete entropy": {"variant": "discrete", "criterion": "entropy"},
}
MORE_CLASSES: dict[str, dict[str, Any]] = {
    "samme": {"variant": "discrete", "criterion": "error", "multiclass": "samme"},
    "samme km": {"variant": "discrete", "criterion": "km", "multiclass": "samme"},
    "samme gini": {"variant": "discrete", "criterion": "gini", "multiclass": "samme"},
    "discrete ovr": {"variant": "discrete", "criterion": "error", "multiclass": "ovr"},
    "logistic ovr": {
        "variant": "logistic",
        "criterion": "km",
        "leaf_prior": 0.5,
        "multiclass": "ovr",
    },
    "real ovr": {"variant": "real", "criterion": "km", "multiclass": "ovr"},
    "gentle ovr": {"variant": "gentle", "criterion": "gini", "multiclass": "ovr"},
}
BOOSTERS = {**TWO_CLASSES, **MORE_CLASSES}
EXAMPLES = settings(max_examples=trials(6))
"""Of a law that runs over all boosters: most of their code is one."""


def _over(names: Iterable[str]) -> Callable[[Any], Any]:
    def parametrised(test: Any) -> Any:
        drawn = EXAMPLES(test) if is_hypothesis_test(test) else test
        return pytest.mark.parametrize("name", names)(drawn)

    return parametrised


every_booster = _over(BOOSTERS)
every_two_class_booster = _over(TWO_CLASSES)


def booster(name: str, **more: Any) -> Any:
    shape = {"n_estimators": 4, "max_depth": 2, "min_samples_leaf": 1, "learning_rate": 1.0}
    # As the plain booster, which knows no rare categories and looks at all cuts by default.
    shape |= {"min_category_size": 1, "cut_fraction": 1.0}
    return hardwood.BoostedTreesClassifier(**{**shape, **BOOSTERS[name], **more})


def fit(table: SmallTable, name: str, **more: Any) -> Any:
    return booster(name, **more).fit(table.X, table.y, sample_weight=table.sample_weight)


@st.composite
def some_table(draw: st.DrawFn, /, name: str, **limits: Any) -> SmallTable:
    """Two classes, or three and more, as the booster wants them."""
    table = draw(tables(max_classes=1, **limits))
    classes = 2 if name in TWO_CLASSES else draw(st.integers(3, 4))
    n = max(table.n_rows, classes)
    labels = draw(picks(range(classes), n))
    rows = [i % table.n_rows for i in range(n)]
    table = replace(table.take(rows), labels=tuple(labels))
    last = dict(zip(range(n - classes, n), range(classes), strict=True))
    return replace(table, labels=tuple(last.get(i, y) for i, y in enumerate(labels)))


def oracle(table: SmallTable, name: str, **more: Any) -> list[Boosting]:
    """A plain booster per class for one-versus-rest, otherwise one."""
    shape = {"n_estimators": 4, "max_depth": 2, **BOOSTERS[name], **more}
    one_versus_rest = shape.pop("multiclass", None) == "ovr"
    weights = (1.0,) * table.n_rows if table.weights is None else table.weights
    boost: Any = adaboost.one_versus_rest if one_versus_rest else adaboost.boost
    made = boost(table.columns, table.labels, weights, Setting(**shape), n_classes=table.n_classes)
    return made if one_versus_rest else [made]


def trees_of_class(model: Any, c: int) -> tuple[list[Any], list[float]]:
    """One-versus-rest keeps a list of trees per round; a class that has ended adds weight 0."""
    if not isinstance(model.trees_[0], (list, tuple)):
        return list(model.trees_), [float(w) for w in model.tree_weights_]
    pairs = [
        (trees[c], float(np.asarray(weights)[c]))
        for trees, weights in zip(model.trees_, model.tree_weights_, strict=True)
        if np.asarray(weights)[c] != 0.0
    ]
    return [tree for tree, _ in pairs], [weight for _, weight in pairs]


def assert_same_tree(tree: Any, growth: topdown_problem.Growth) -> None:
    nodes = read(tree, growth.problem.columns)
    assert len(nodes) == len(growth.nodes)
    for expected in growth.nodes:
        if expected.split is None:
            assert nodes[expected.number].feature == -1
            shares = np.array(expected.vector) / sum(expected.vector)
            np.testing.assert_allclose(tree.shares[expected.number], shares, atol=1e-11)
        else:
            _assert_same_split(nodes[expected.number], expected)


def assert_same_boosting(model: Any, boosting: Boosting, c: int = 0) -> None:
    """Tree by tree, and no more trees than the plain booster made."""
    trees, weights = trees_of_class(model, c)
    for tree, weight, expected in zip(trees, weights, boosting.rounds, strict=False):
        assert_same_tree(tree, expected.growth)
        assert weight == pytest.approx(expected.tree_weight, rel=1e-9, abs=1e-9)
    assert len(trees) >= len(boosting.rounds)
    if boosting.undecided is None:
        assert len(trees) == len(boosting.rounds)
