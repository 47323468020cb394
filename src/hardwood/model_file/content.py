"""A fitted estimator <-> the header and arrays of its file.

The header's keys are those of `_COMMON` and of the model's own `_OWN`; arrays are named after what
they belong to: tree.*, history.* (TreeClassifier), round.* (BoostedTreesClassifier), column_kinds.
Invariant: whatever the header and arrays hold, the result is a ModelFileError or a model that every
method can be called on.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.growth_checks import HISTORY, HISTORY_TYPES, check_growth
from hardwood.draft import Draft
from hardwood.errors import ModelFileError
from hardwood.estimators import BoostedTreesClassifier, TreeClassifier
from hardwood.estimators.boosting_plan import checked_plan
from hardwood.estimators.costs import check_costs, cost_matrix
from hardwood.estimators.round_checks import booster_classes, check_rounds
from hardwood.estimators.state import ROUND_TYPES, Fitted
from hardwood.estimators.tree_plan import checked_tree_plan
from hardwood.model_file.arrays import from_data, to_data
from hardwood.model_file.columns import (
    classes_from_json,
    classes_to_json,
    column_kinds,
    columns_from_json,
    columns_to_json,
)
from hardwood.model_file.values import from_json, to_json
from hardwood.tree.packed import TYPES, unpack
from hardwood.tree.packed_checks import check_trees

Model = TreeClassifier | BoostedTreesClassifier

MODELS: dict[str, type[Model]] = {
    "TreeClassifier": TreeClassifier,
    "BoostedTreesClassifier": BoostedTreesClassifier,
}
RENAMED = {"min_gain": "min_drop"}
"""Parameters that older files have under another name."""
ABSENT = {"min_category_size": 1}
"""What older files were trained with, which do not name the parameter."""
ABSENT_FROM_PLANS = ABSENT | {
    "leaf_prior": 0.0,
    "refit": False,
    "chance_rounds": "stop",
    "cut_fraction": 1.0,
}
_COMMON = {"model", "hardwood", "parameters", "classes", "columns", "target", "arrays"}
_OWN = {
    "TreeClassifier": {"history", "certificate"},
    "BoostedTreesClassifier": {"boosters", "plan", "kept", "stopped_early"},
}
_OPTIONAL: dict[str, set[str]] = {
    "TreeClassifier": {"costs", "draft"},
    "BoostedTreesClassifier": {"costs"},
}


@cache
def library_version() -> str:
    try:
        return version("hardwood")
    except PackageNotFoundError:  # run from the sources
        return "0"


def to_content(model: Model) -> tuple[dict[str, Any], bytes]:
    """Header and data of a fitted model."""
    fitted = model._fitted()
    own = "history" if isinstance(model, TreeClassifier) else "round"
    arrays = {"column_kinds": column_kinds(fitted.schemas)}
    arrays |= {f"tree.{name}": array for name, array in fitted.trees.items()}
    arrays |= {f"{own}.{name}": array for name, array in fitted.series.items()}
    listing, data = to_data(arrays)
    header = {
        "model": type(model).__name__,
        "hardwood": library_version(),
        "parameters": _parameters_to_json(model),
        "classes": classes_to_json(fitted.classes),
        "columns": columns_to_json(fitted.schemas, fitted.names_given),
        "target": fitted.target_name,
        "arrays": listing,
    }
    if fitted.costs is not None:
        header["costs"] = fitted.costs.tolist()
    if own == "history":
        header["history"] = [[name, array.dtype.name] for name, array in fitted.series.items()]
        header["certificate"] = {name: to_json(value) for name, value in fitted.facts.items()}
        if fitted.draft is not None:
            header["draft"] = fitted.draft.to_dict() | {"unmet": list(fitted.unmet)}
    else:
        plan = fitted.facts["plan"]
        header |= fitted.facts | {"plan": {name: to_json(value) for name, value in plan.items()}}
    return header, data


def from_content(header: dict[str, Any], data: bytes) -> Model:
    """The model, every part of it checked."""
    kind = header.get("model")
    if not isinstance(kind, str) or kind not in MODELS:
        raise ModelFileError(f"it holds a model of the unknown kind {str(kind)[:40]!r}.")
    if set(header) - _OPTIONAL[kind] != _COMMON | _OWN[kind]:
        raise ModelFileError("its header has other keys than it should.")
    if not isinstance(header["hardwood"], str):
        raise ModelFileError("its header does not say which version wrote it.")
    own = "history" if kind == "TreeClassifier" else "round"
    series_types = _history_types(header["history"]) if own == "history" else _round_types()
    arrays = _arrays(header["arrays"], data, own, series_types)
    fitted = _fitted(header, arrays, own)
    model = MODELS[kind](**_parameters(header["parameters"], MODELS[kind]))
    _check_parameters(model)
    model._restore(fitted)
    return model


def _check_parameters(model: Model) -> None:
    """What a model tells of itself reads its parameters too."""
    try:
        (checked_tree_plan if isinstance(model, TreeClassifier) else checked_plan)(model)
    except (OverflowError, TypeError, ValueError):
        raise ModelFileError("it has a parameter that no fit would take.") from None


def _round_types() -> dict[str, np.dtype[Any]]:
    return {**ROUND_TYPES, "tree_weights": np.dtype(np.float64)}


def _history_types(listed: Any) -> dict[str, np.dtype[Any]]:
    good = isinstance(listed, list) and all(
        isinstance(item, list)
        and len(item) == 2
        and isinstance(item[0], str)
        and item[1] in HISTORY_TYPES
        for item in listed
    )
    if not good or not {name for name, _ in listed} >= set(HISTORY):
        raise ModelFileError("its history has not the columns of a history.")
    types = {name: np.dtype(kind) for name, kind in listed}
    if len(types) < len(listed) or any(types[name] != kind for name, kind in _FIXED.items()):
        raise ModelFileError("its history has a column twice, or of a wrong type.")
    return types


_FIXED = {
    name: {"node": "int32", "feature": "int32", "branches": "int32", "exact": "bool"}.get(
        name, "float64"
    )
    for name in HISTORY
}


def _arrays(
    listing: Any, data: bytes, own: str, series_types: Mapping[str, np.dtype[Any]]
) -> dict[str, dict[str, NDArray[Any]]]:
    types = {"column_kinds": np.dtype(np.uint8)}
    types |= {f"tree.{name}": kind for name, kind in TYPES.items()}
    types |= {f"{own}.{name}": kind for name, kind in series_types.items()}
    arrays = from_data(listing, data, types)
    absent = [name for name in types if name not in arrays and name not in _MAY_BE_ABSENT]
    if absent:
        raise ModelFileError(f"it has no array {absent[0]!r}.")
    parts: dict[str, dict[str, NDArray[Any]]] = {"tree": {}, own: {}, "column_kinds": {}}
    for name, array in arrays.items():
        part, _, rest = name.partition(".")
        parts[part][rest] = array
    return parts


_MAY_BE_ABSENT = (
    "tree.share", "tree.value", "tree.prior", "tree.class_rows", "tree.pool", "round.loss",
    "round.proved_drop",
)  # fmt: skip


def _fitted(header: dict[str, Any], arrays: dict[str, dict[str, NDArray[Any]]], own: str) -> Fitted:
    classes = classes_from_json(header["classes"])
    schemas, named = columns_from_json(header["columns"], arrays["column_kinds"][""])
    target, trees, series = header["target"], arrays["tree"], arrays[own]
    if not (target is None or (isinstance(target, str) and target)):
        raise ModelFileError("the name of its target is no string.")
    if own == "history":
        facts = _values(header["certificate"], "certificate")
        check_trees(trees, schemas, len(classes))
        if "value" in trees:
            raise ModelFileError("its tree has leaf values, which only boosted trees have.")
        check_growth(unpack(trees, len(classes), schemas), series, facts)
        draft, unmet = _draft(header["draft"]) if "draft" in header else (None, ())
        costs = _costs(header.get("costs"), classes.tolist())
        return Fitted(classes, schemas, named, target, trees, series, facts, costs, draft, unmet)
    else:
        if "prior" in trees or "class_rows" in trees:
            raise ModelFileError("its boosted trees have what only a single tree has.")
        facts = {name: header[name] for name in _OWN["BoostedTreesClassifier"]}
        facts["plan"] = ABSENT_FROM_PLANS | _values(header["plan"], "plan")
        check_trees(trees, schemas, booster_classes(facts, len(classes)))
        check_rounds(trees, series, facts, len(classes))
    costs = _costs(header.get("costs"), classes.tolist())
    return Fitted(classes, schemas, named, target, trees, series, facts, costs)


def _costs(given: Any, classes: list[Any]) -> NDArray[np.float64] | None:
    """Of mistakes, in a file of a model that has them."""
    try:
        check_costs(given)
        return cost_matrix(given, classes)
    except (OverflowError, TypeError, ValueError):
        raise ModelFileError("its costs are not those of its classes.") from None


def _draft(given: Any) -> tuple[Draft, tuple[int, ...]]:
    try:
        rest = {name: value for name, value in given.items() if name != "unmet"}
        draft, unmet = Draft.from_dict(rest), given["unmet"]
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise ModelFileError("its draft is none.") from None
    good = isinstance(unmet, list) and all(type(n) is int and 0 <= n < len(draft) for n in unmet)
    if not good:
        raise ModelFileError("it names lines that its draft has not.")
    return draft, tuple(unmet)


def _values(given: Any, what: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise ModelFileError(f"its {what} is no list of names and values.")
    return {name: from_json(value) for name, value in given.items()}


def _parameters_to_json(model: Model) -> dict[str, Any]:
    """Parameters that a file cannot hold, such as a generator of random numbers, are left out."""
    out: dict[str, Any] = {}
    for name, value in model.get_params(deep=False).items():
        if name == "costs" and isinstance(value, np.ndarray):
            value = value.tolist()
        try:
            out[name] = to_json(value)
        except TypeError:
            warnings.warn(
                f"A model file cannot hold {name}={value!r}; the loaded model will have the "
                f"default of {name}. Its predictions are the same.",
                stacklevel=5,
            )
    return out


def _parameters(given: Any, kind: type[Model]) -> dict[str, Any]:
    named = {RENAMED.get(k, k): v for k, v in _values(given, "parameters").items()}
    parameters = ABSENT | named
    if kind is TreeClassifier:  # files from before there was a prior have raw shares
        parameters.setdefault("leaf_prior", 0.0)
    else:  # files from before cuts were drawn
        parameters.setdefault("cut_fraction", 1.0)
        if "refit" not in named:  # early stopping went by mistakes, and nothing was refitted
            parameters |= {"scoring": "accuracy", "refit": False}
    unknown = set(parameters) - set(kind._get_param_names())
    if unknown:
        raise ModelFileError(f"it has the unknown parameter {min(unknown)[:40]!r}.")
    jobs = parameters.get("n_jobs")
    if not (jobs is None or (type(jobs) is int and jobs)):
        raise ModelFileError("its n_jobs must be None or a whole number other than 0.")
    return parameters
