"""Whether a history and a certificate can be those of a tree.

In: the series and facts of a TreeClassifier's state, with trees that were checked before. Out:
nothing, or a ModelFileError. NaN is allowed in `q` and `advantage` alone, infinity as the
certificate's gamma alone.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.record import RECORDED, REQUIRED
from hardwood.errors import ModelFileError
from hardwood.growing.topdown import CRITERIA
from hardwood.tree.arrays import Tree

HISTORY = (
    "node", "feature", "branches", "exact", "weight", "q", "gain", "drop", "relative_gain",
    "advantage", "potential", "error",
)  # fmt: skip
"""Columns that every history has."""
LARGEST_NUMBER = 2.0**62
"""Above everything that a certificate counts or measures."""
HISTORY_TYPES = ("bool", "int32", "int64", "uint8", "float64")
_UNKNOWN_ALLOWED = ("q", "advantage")
_ROUNDING = 1 + 2.0**-45
_LIMITS = {"relative_gain": 1.0, "advantage": 0.5, "weight": 1.0, "q": 1.0}


def check_growth(trees: tuple[Tree, ...], series: dict[str, NDArray[Any]], facts: Any) -> None:
    if len(trees) > 2:
        raise ModelFileError("it has more trees than a tree and the tree as grown.")
    _history(trees[-1], series)
    _certificate(trees, facts)


def _history(tree: Tree, series: dict[str, NDArray[Any]]) -> None:
    splits = np.flatnonzero(~tree.is_leaf)
    order = splits[np.argsort(tree.first_child[splits])]
    expected: dict[str, NDArray[Any]] = {
        "node": order,
        "feature": tree.feature[order],
        "branches": tree.branches[order],
    }
    for name, values in series.items():
        if len(values) != len(splits):
            raise ModelFileError(f"its history has {len(values)} entries of {name!r}, and its tree "
                                 f"{len(splits)} splits.")  # fmt: skip
        if name in expected and not np.array_equal(values, expected[name]):
            raise ModelFileError(f"{name!r} in its history is not that of its tree.")
        if values.dtype.kind == "f":
            _floats(name, values)


def _floats(name: str, values: NDArray[np.float64]) -> None:
    unknown = np.isnan(values)
    if np.isinf(values).any() or (unknown.any() and name not in _UNKNOWN_ALLOWED):
        raise ModelFileError(f"{name!r} in its history holds NaN or infinity.")
    if name in HISTORY and (values < 0).any():
        raise ModelFileError(f"{name!r} in its history holds a negative number.")
    if name in _LIMITS and (values > _LIMITS[name] * _ROUNDING).any():
        raise ModelFileError(f"{name!r} in its history is above {_LIMITS[name]:g}.")


def _certificate(trees: tuple[Tree, ...], facts: Any) -> None:
    allowed = {*RECORDED, "ccp_alpha"}
    if not isinstance(facts, dict) or not set(REQUIRED) <= set(facts) <= allowed:
        raise ModelFileError("its certificate has not the parts of a certificate.")
    for name, value in facts.items():
        number = type(value) in (int, float)
        if not (number or value is None or type(value) in (str, bool)):
            raise ModelFileError(f"{name!r} of its certificate is no plain value.")
        if name in REQUIRED and name != "criterion" and not number:
            raise ModelFileError(f"{name!r} of its certificate is no number.")
        most = math.inf if name == "gamma" else LARGEST_NUMBER
        if number and not (0 <= value <= most and (value <= LARGEST_NUMBER or value == math.inf)):
            raise ModelFileError(f"{name!r} of its certificate is negative or not finite.")
    if facts["criterion"] not in CRITERIA:
        raise ModelFileError("its certificate is about an unknown criterion.")
    pruned = facts.get("pruned_leaves")
    if facts["leaves"] != trees[-1].n_leaves or type(facts["leaves"]) is not int:
        raise ModelFileError("its certificate is about a tree of another size.")
    if pruned is not None and (pruned != trees[0].n_leaves or type(pruned) is not int):
        raise ModelFileError("its certificate tells of a pruned tree of another size.")
    error = facts.get("pruned_error")
    if not (error is None or (type(error) in (int, float) and error <= 1)):
        raise ModelFileError("its certificate tells a wrong error of the pruned tree.")
    if "ccp_alpha" in facts and type(facts["ccp_alpha"]) is not float:
        raise ModelFileError("the alpha that pruned it is no number.")
    given = facts.get("given_gamma")
    if not (given is None or (type(given) is float and 0 < given < 1)):
        raise ModelFileError("its certificate has a given gamma that is not between 0 and 1.")
