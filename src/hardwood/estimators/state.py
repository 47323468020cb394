"""What a fitted model is made of, and nothing else: the state that pickles and model files carry.

In: a fitted estimator. Out: `Fitted`, or an estimator from it. Invariant: no row of the training
table, no code, label or weight of one is in it; what follows from the rest is computed again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting import Rounds
from hardwood.boosting.rounds import STOPPED, RoundRecord
from hardwood.boosting.run import BoostingRun
from hardwood.certify.record import certificate_record, restored_certificate
from hardwood.draft import Draft
from hardwood.estimators.boosting_plan import checked_plan, plan_parameters
from hardwood.table import ColumnSchema
from hardwood.tree.costs import decides
from hardwood.tree.packed import PackedTrees, pack, unpack

ROUND_TYPES: dict[str, np.dtype[Any]] = {
    "error": np.dtype(np.float64),
    "bound": np.dtype(np.float64),
    "assessments": np.dtype(np.int64),
    "exhaustive_assessments": np.dtype(np.int64),
    "stopped": np.dtype(np.uint8),
    "seen_weight": np.dtype(np.float64),
    "loss": np.dtype(np.float64),
    "proved_drop": np.dtype(np.float64),
}
"""One entry per round of each booster; `stopped` is a place in STOPPED."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A tree's `series` are its history's columns and its `facts` the certificate's record (and the
    alpha that cross-validation chose, if any); a boosted model's `series` are the rounds' records
    and the trees' weights, its `facts` the plan, the number of trees and records per booster and
    what early stopping decided."""

    classes: NDArray[Any]
    schemas: tuple[ColumnSchema, ...]
    names_given: bool
    target_name: str | None
    trees: PackedTrees
    series: dict[str, NDArray[Any]]
    facts: dict[str, Any]
    costs: NDArray[np.float64] | None = None
    """[C, C] of mistakes, as they were given to the fit."""
    draft: Draft | None = None
    """That a tree was grown from; `unmet` are the numbers of its lines that were passed over."""
    unmet: tuple[int, ...] = ()


class KeepsState:
    """Pickling and copying by `Fitted`; attributes that are no part of it stay as they are."""

    _FITTED: tuple[str, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())  # type: ignore[call-overload]
        if "_schemas" in state:
            state["_fitted"] = self._fitted()
            for name in (*self._FITTED, *_SHARED):
                state.pop(name, None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        rest = {name: value for name, value in state.items() if name != "_fitted"}
        super().__setstate__(rest)  # type: ignore[misc]
        if "_fitted" in state:
            self._restore(state["_fitted"])

    def _fitted(self) -> Fitted:
        raise NotImplementedError

    def _restore(self, fitted: Fitted) -> None:
        raise NotImplementedError


_SHARED = (
    "_schemas", "classes_", "n_features_in_", "feature_names_in_", "target_name_", "history_",
)  # fmt: skip


def keep_target_name(model: Any, y: Any) -> None:
    """`target_name_` is y's name where y is a named column, or the name of one."""
    name = y if isinstance(y, str) else getattr(y, "name", None)
    if hasattr(y, "chunks"):  # a Dask array's name is a key
        name = None
    if isinstance(name, str) and name:
        model.target_name_ = str(name)
    elif hasattr(model, "target_name_"):
        del model.target_name_


def tree_state(model: Any) -> Fitted:
    """Of a fitted TreeClassifier; one tree, or the tree and the tree as grown."""
    trees = [model.tree_]
    if model.grown_tree_ is not model.tree_:
        trees.append(model.grown_tree_)
    record = certificate_record(model.certificate_)
    if hasattr(model, "ccp_alpha_"):
        record["ccp_alpha"] = float(model.ccp_alpha_)
    return Fitted(
        *_shared(model),
        pack(trees, model._schemas),
        dict(model.history_),
        record,
        model.costs_,
        getattr(model, "draft_", None),
        getattr(model, "unmet_", ()),
    )


def restore_tree(model: Any, fitted: Fitted) -> None:
    _restore_shared(model, fitted)
    trees = unpack(fitted.trees, len(fitted.classes), fitted.schemas)
    model.costs_ = fitted.costs
    costs = decides(fitted.costs)
    if costs is not None:
        trees = tuple(replace(tree, costs=costs) for tree in trees)
    model.tree_, model.grown_tree_ = trees[0], trees[-1]
    model.history_ = dict(fitted.series)
    record = dict(fitted.facts)
    if "ccp_alpha" in record:
        model.ccp_alpha_ = record.pop("ccp_alpha")
    if fitted.draft is not None:
        model.draft_, model.unmet_ = fitted.draft, fitted.unmet
    model.certificate_ = restored_certificate(record, trees[-1], model.history_)


def boosted_state(model: Any) -> Fitted:
    """Of a fitted BoostedTreesClassifier."""
    run: BoostingRun = model._run
    facts = {
        "plan": plan_parameters(run.plan),
        "boosters": [[len(each.trees), len(each.records)] for each in run.boosters],
        "kept": run.kept,
        "stopped_early": run.stopped_early,
    }
    return Fitted(*_shared(model), *rounds_state(run, model._schemas), facts, model.costs_)


def rounds_state(
    run: BoostingRun, schemas: tuple[ColumnSchema, ...]
) -> tuple[PackedTrees, dict[str, NDArray[Any]]]:
    """The boosters' trees one after the other, and the rounds' records."""
    trees = [tree for booster in run.boosters for tree in booster.trees]
    weights = [weight for booster in run.boosters for weight in booster.tree_weights]
    records = [record for booster in run.boosters for record in booster.records]
    series: dict[str, NDArray[Any]] = {"tree_weights": np.array(weights, dtype=np.float64)}
    for name, kind in ROUND_TYPES.items():
        values = [getattr(record, name) for record in records]
        if name == "stopped":
            values = [STOPPED.index(value) for value in values]
        series[name] = np.array(values, dtype=kind)
    return pack(trees, schemas), series


def restored_run(fitted: Fitted) -> BoostingRun:
    """The boosters as training left them, without their tables."""
    counts, classes = fitted.facts["boosters"], len(fitted.classes)
    seen = 2 if len(counts) > 1 else max(classes, 2)
    trees = unpack(fitted.trees, seen, fitted.schemas)
    weights = fitted.series["tree_weights"].tolist()
    columns = {name: fitted.series[name].tolist() for name in ROUND_TYPES if name in fitted.series}
    columns["stopped"] = [STOPPED[number] for number in columns["stopped"]]
    records = [RoundRecord(**dict(zip(columns, row, strict=True)))
               for row in zip(*columns.values(), strict=True)]  # fmt: skip
    boosters, tree, record = [], 0, 0
    for n_trees, n_records in counts:
        own = slice(tree, tree + n_trees)
        recorded = records[record : record + n_records]
        boosters.append(Rounds(None, seen, list(trees[own]), weights[own], recorded))
        tree, record = tree + n_trees, record + n_records
    plan = checked_plan(SimpleNamespace(**fitted.facts["plan"]))
    run = BoostingRun(plan, boosters, classes, len(fitted.schemas))
    run.kept, run.stopped_early = fitted.facts["kept"], fitted.facts["stopped_early"]
    return run


def _shared(model: Any) -> tuple[NDArray[Any], tuple[ColumnSchema, ...], bool, str | None]:
    names_given = hasattr(model, "feature_names_in_")
    target = getattr(model, "target_name_", None)
    return model.classes_, tuple(model._schemas), names_given, target


def _restore_shared(model: Any, fitted: Fitted) -> None:
    model.classes_, model._schemas = fitted.classes, fitted.schemas
    model.n_features_in_ = len(fitted.schemas)
    if fitted.names_given:
        names = [schema.name for schema in fitted.schemas]
        model.feature_names_in_ = np.array(names, dtype=object)
    if fitted.target_name is not None:
        model.target_name_ = fitted.target_name


def restore_boosted(model: Any, fitted: Fitted) -> None:
    _restore_shared(model, fitted)
    model.costs_ = fitted.costs
    model._take(restored_run(fitted))
