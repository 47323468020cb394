"""Whether two models are the same in everything that a model file promises."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from hardwood import TreeClassifier
from hardwood.tree import Tree
from tests.model_file.using import rows_for, use

PLACES = ("cut_begin", "group_begin")
"""Where cuts and groups lie may differ."""
FLAT = {"thresholds": "cuts", "integer_thresholds": "cuts", "group_codes": "groups",
        "group_branches": "groups"}  # fmt: skip


def assert_same_model(one: Any, other: Any) -> None:
    assert type(one) is type(other)
    assert one.digest() == other.digest()
    assert one.classes_.dtype == other.classes_.dtype
    assert one.classes_.tolist() == other.classes_.tolist()
    assert one._schemas == other._schemas
    assert getattr(one, "target_name_", None) == getattr(other, "target_name_", None)
    names = [getattr(each, "feature_names_in_", np.array([])).tolist() for each in (one, other)]
    assert names[0] == names[1]
    assert_same_history(one.history_, other.history_)
    assert np.array_equal(use(one), use(other))
    if isinstance(one, TreeClassifier):
        assert_same_tree(one.tree_, other.tree_)
        assert_same_tree(one.grown_tree_, other.grown_tree_)
        assert (one.tree_ is one.grown_tree_) == (other.tree_ is other.grown_tree_)
        assert str(one.certificate_) == str(other.certificate_)
        assert repr(one.certificate_) == repr(other.certificate_)
        assert one.certificate_.claims == other.certificate_.claims
        assert one.to_text() == other.to_text()
        assert one.to_dict() == other.to_dict()
    else:
        assert np.array_equal(one.tree_weights_, other.tree_weights_)
        assert one.assessments_ == other.assessments_
        X = rows_for(one)
        assert np.array_equal(one.decision_function(X), other.decision_function(X))
        for mine, yours in zip(one._run.all_trees(), other._run.all_trees(), strict=True):
            assert_same_tree(mine, yours)


def assert_same_history(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert list(one) == list(other)
    for name, values in one.items():
        assert values.dtype == other[name].dtype, name
        np.testing.assert_array_equal(values, other[name], err_msg=name)


def assert_same_tree(one: Tree, other: Tree) -> None:
    for field in fields(Tree):
        mine, yours = getattr(one, field.name), getattr(other, field.name)
        if field.name in PLACES:
            continue
        if field.name in FLAT:
            nodes = range(one.n_nodes)
            parts = [
                np.concatenate([array[getattr(tree, FLAT[field.name])(n)] for n in nodes])
                for tree, array in ((one, mine), (other, yours))
            ]
            mine, yours = parts
        if mine is None or field.name == "prior":
            assert mine == yours
            continue
        assert mine.dtype == yours.dtype, field.name
        assert mine.tobytes() == yours.tobytes(), field.name
