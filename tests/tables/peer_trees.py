"""Trees of LightGBM and CatBoost as models of ours, so that `prove` can be asked about them.

In: a fitted peer of two classes over columns of numbers. Out: a `BoostedTreesClassifier` whose
scores are the peer's raw scores, up to the order of the sums. CatBoost compares float32 values.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hardwood import BoostedTreesClassifier
from hardwood.boosting import Rounds
from hardwood.boosting.run import BoostingRun
from hardwood.estimators.boosting_plan import checked_plan
from hardwood.table.schema import ColumnSchema
from hardwood.tree import Tree
from tests.hand_built import Node, build, interval, leaf


class _Leaves:
    """Numbers leaves by their weights, which `build` keeps, to give them their values after it."""

    def __init__(self) -> None:
        self.values: list[float] = []

    def add(self, value: float) -> Node:
        self.values.append(value)
        return leaf(float(len(self.values)), 0.0)

    def tree(self, root: Node, schemas: Sequence[ColumnSchema]) -> Tree:
        made = build(root, schemas)
        number = made.class_weights[:, 0].astype(np.intp) - 1
        values = np.array(self.values)[np.minimum(number, len(self.values) - 1)]
        return replace(made, value=np.where(made.is_leaf, values, 0.0))


def from_lightgbm(peer: Any, names: Sequence[str], labels: Sequence[Any]) -> Any:
    """A fitted LGBMClassifier of two classes."""
    schemas = tuple(ColumnSchema(name, "numeric") for name in names)
    trees = []
    for each in peer.booster_.dump_model()["tree_info"]:
        leaves = _Leaves()
        trees.append(leaves.tree(_lightgbm_node(each["tree_structure"], leaves), schemas))
    return _as_model(trees, schemas, labels)


def _lightgbm_node(node: dict[str, Any], leaves: _Leaves) -> Node:
    if "split_index" not in node:
        return leaves.add(float(node["leaf_value"]))
    assert node["decision_type"] == "<="
    below = [_lightgbm_node(node[side], leaves) for side in ("left_child", "right_child")]
    cut = float(node["threshold"])
    # Where training saw no missing value LightGBM takes one for 0.
    left = node["default_left"] if node["missing_type"] == "NaN" else cut >= 0.0
    return interval(int(node["split_feature"]), [cut], *below, missing=0 if left else 1)


def from_catboost(peer: Any, names: Sequence[str], labels: Sequence[Any], folder: Path) -> Any:
    """A fitted CatBoostClassifier of two classes, written to the folder as JSON."""
    schemas = tuple(ColumnSchema(name, "numeric") for name in names)
    peer.save_model(str(folder / "peer.json"), format="json")
    told = json.loads((folder / "peer.json").read_text())
    scale, bias = told["scale_and_bias"]
    late = {
        each["flat_feature_index"]: each.get("nan_value_treatment") == "AsTrue"
        for each in told["features_info"]["float_features"]
    }
    trees = []
    for each in told["oblivious_trees"]:
        leaves = _Leaves()
        splits = [(s["float_feature_index"], float(s["border"])) for s in each["splits"]]
        values = [float(scale) * float(value) for value in each["leaf_values"]]
        trees.append(leaves.tree(_catboost_node(splits, values, late, leaves), schemas))
    start = _Leaves()
    trees.append(start.tree(start.add(float(np.ravel(bias)[0])), schemas))
    return _as_model(trees, schemas, labels)


def _catboost_node(
    splits: list[tuple[int, float]], values: list[float], late: dict[int, bool], leaves: _Leaves
) -> Node:
    """The last split is the highest bit of a leaf's number."""
    if not splits:
        return leaves.add(values[0])
    column, border = splits[-1]
    half = len(values) // 2
    below = [
        _catboost_node(splits[:-1], part, late, leaves) for part in (values[:half], values[half:])
    ]
    return interval(column, [border], *below, missing=int(late[column]))


def _as_model(trees: list[Tree], schemas: tuple[ColumnSchema, ...], labels: Sequence[Any]) -> Any:
    model = BoostedTreesClassifier(n_jobs=1)
    rounds = Rounds(None, 2, trees, [1.0] * len(trees), [])
    run = BoostingRun(checked_plan(model), [rounds], 2, len(schemas))
    model._run, model._ensemble = run, run.ensemble()
    model.trees_, model.tree_weights_ = run.trees(), run.tree_weights()
    model.n_estimators_ = len(trees)
    model.classes_ = np.array(labels)
    model._schemas, model.n_features_in_ = schemas, len(schemas)
    model.feature_names_in_ = np.array([schema.name for schema in schemas], dtype=object)
    return model
